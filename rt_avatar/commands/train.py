"""``rt-avatar train SIZE --stage STAGE --data FOLDER``: networks learn, and go on after a stop."""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from rich.console import Console

from rt_avatar.commands.models import FOLDER as MODELS
from rt_avatar.commands.training_folders import check_folder, held, reason
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.emotion_words import Fine
from rt_avatar.engines.types import FaceStyle, VoiceStyle
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home
from rt_avatar.reasoner.styles import response_style

if TYPE_CHECKING:
    from rt_avatar.engines.training.fusion.lesson import Stage

_FACE_RATE, _FACE_FRAMES = 1.5e-3, 12
_EXTRA: Final = ("torch", "transformers", "peft", "safetensors", "tokenizers", "skimage")
_OF_NANO: Final = ("layers", "width", "paragraphs", "pictures", "start", "replies")
Tell: TypeAlias = Callable[[str], None]


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar train`` with these words; return the exit status.

    Raises:
        SetupError: Data, a number or a folder is not what it should be, another run writes to
            --out, the loss is no number any more, or the extra 'train' is missing.
    """
    arguments = _parser().parse_args(words)
    if arguments.size == "empatheia":
        _check_official(arguments)
    arguments.out = expand_home(arguments.out or Path("build") / arguments.size)
    console = Console(soft_wrap=True)

    def tell(line: str) -> None:
        console.print(f"{time.strftime('%H:%M:%S')} {line}", markup=False, highlight=False)

    check_folder(expand_home(arguments.data), "--data")
    if arguments.pictures is not None:
        check_folder(expand_home(arguments.pictures), "--pictures")
    try:
        with held(arguments.out):
            _STAGES[arguments.stage](arguments, tell)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _EXTRA:
            raise
        raise SetupError(
            f"train: expected the extra 'train', got an installation without {error.name}; "
            "make install EXTRAS=train"
        ) from error
    except OSError as error:
        raise SetupError(reason(error)) from error
    except (ValueError, FloatingPointError, CheckpointError) as error:
        raise SetupError(str(error)) from error
    return 0


def _check_official(arguments: argparse.Namespace) -> None:
    """Check what is asked for of the official sizes.

    Raises:
        SetupError: They have no such stage or option.
    """
    if arguments.stage != "coe":
        raise SetupError(
            f"train empatheia: expected --stage coe; got {arguments.stage}. content, style and "
            "overall learn from the package's own voice and motion, whose contents and styles are "
            "nano's; those of the official sizes would be learnt from published weights of "
            "StyleTTS 2 and DreamTalk, of which the latter are published no more. Its renderer is "
            "published. Train nano: rt-avatar train nano --stage " + arguments.stage
        )
    asked = [f"--{name}" for name in _OF_NANO if getattr(arguments, name) is not None]
    if asked:
        raise SetupError(
            f"train empatheia: expected no {', '.join(asked)}; the language model is the imported "
            "one, and an adapter of it is learnt from dialogues alone. Leave them out"
        )
    if arguments.tokenizer is None:
        raise SetupError(
            "train empatheia: expected --tokenizer FILE, the tokenizer.json of any Llama 2; got "
            "none. Name one"
        )


def _train_coe(arguments: argparse.Namespace, tell: Tell) -> None:
    from rt_avatar.engines.training.llm.base import imported_base
    from rt_avatar.engines.training.llm.stage import StageOptions, run

    base = None
    if arguments.size == "empatheia":
        base = imported_base(expand_home(arguments.models), expand_home(arguments.tokenizer))
    options = StageOptions(
        data=expand_home(arguments.data),
        out=arguments.out,
        minutes=arguments.minutes,
        steps=arguments.steps,
        is_resumed=arguments.resume,
        layers=arguments.layers,
        width=arguments.width,
        batch=arguments.batch,
        rate=arguments.rate,
        paragraphs=arguments.paragraphs,
        seed=arguments.seed,
        base=base,
    )
    result = run(options, tell)
    if result is None:
        return
    words = f"--tokenizer {options.out / 'tokenizer.json'}"
    if base is None:
        tell(f"use it: rt-avatar engines export nano --trained {result.weights} {words}")
    else:
        folder = f"--folder {arguments.models}"
        tell(f"use it: rt-avatar models import {base.name}-lora {options.out} {folder}")
        tell(f"then: rt-avatar engines export empatheia --models {arguments.models} {words}")


def _train_fusion(stage: "Stage", arguments: argparse.Namespace, tell: Tell) -> None:
    from rt_avatar.engines.training.fusion.stage import FusionOptions, run

    options = FusionOptions(
        data=expand_home(arguments.data),
        out=arguments.out,
        answer=_answer,
        minutes=arguments.minutes,
        steps=arguments.steps,
        is_resumed=arguments.resume,
        batch=arguments.batch,
        rate=arguments.rate,
        seed=arguments.seed,
    )
    if arguments.replies is not None:
        options = replace(options, replies=arguments.replies)
    run(stage, options, tell)


def _train_face(arguments: argparse.Namespace, tell: Tell) -> None:
    from rt_avatar.engines.training.face.stage import StageOptions, run

    pictures = arguments.pictures
    options = StageOptions(
        data=expand_home(arguments.data),
        out=arguments.out,
        pictures=None if pictures is None else expand_home(pictures),
        start=None if arguments.start is None else expand_home(arguments.start),
        minutes=arguments.minutes,
        steps=arguments.steps,
        is_resumed=arguments.resume,
        frames=arguments.batch or _FACE_FRAMES,
        rate=arguments.rate or _FACE_RATE,
        seed=arguments.seed,
    )
    result = run(options, tell)
    if result is not None:
        tell(f"use it: rt-avatar engines export nano --trained {result.weights}")


def _answer(emotion: Fine) -> tuple[VoiceStyle, FaceStyle]:
    """Return how a listener answers, as the rules have it."""
    style = response_style(emotion)
    return style.voice, style.face


_STAGES: Final[dict[str, Callable[[argparse.Namespace, Tell], None]]] = {
    "coe": _train_coe,
    "content": partial(_train_fusion, "content"),
    "style": partial(_train_fusion, "style"),
    "overall": partial(_train_fusion, "overall"),
    "face": _train_face,
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rt-avatar train", description="Train the networks, stage by stage."
    )
    parser.add_argument(
        "size",
        choices=("nano", "empatheia"),
        help="nano: small networks, from nothing; empatheia: an adapter (LoRA) of Vicuna 7B.",
    )
    parser.add_argument(
        "--stage",
        choices=_STAGES,
        required=True,
        help="coe: the language model, from its tokenizer to the chain of empathy; content: what "
        "voice and face say; style: how they say it; overall: all of these at a small rate; "
        "face: the renderer, from drawn faces and photographs that are moved.",
    )
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="What to learn.")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="Weights, tokenizer, curve, card, checkpoint [build/nano, build/empatheia].",
    )
    parser.add_argument(
        "--models",
        type=Path,
        default=MODELS,
        metavar="FOLDER",
        help=f"empatheia: where the imported vicuna-7b is [{MODELS}].",
    )
    parser.add_argument(
        "--tokenizer", type=Path, metavar="FILE", help="empatheia: a Llama 2's tokenizer.json."
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--minutes", type=_positive, default=60.0, help="How long, all runs together [60]."
    )
    length.add_argument("--steps", type=_count, help="How many steps, instead of --minutes.")
    parser.add_argument("--resume", action="store_true", help="Go on from --out's checkpoint.")
    parser.add_argument("--layers", type=_count, help="Of a model of another size [nano's 4].")
    parser.add_argument(
        "--width", type=_count, help="Of a model of another size, n x 128 [nano's 256]."
    )
    parser.add_argument(
        "--batch",
        type=_count,
        help="Tokens a step [coe of nano: 2,048, GPU: 32,768; else 4,096]; face: frames [12].",
    )
    parser.add_argument("--rate", type=_positive, help="Highest rate [the stage's own].")
    parser.add_argument(
        "--pictures",
        type=Path,
        metavar="FOLDER",
        help="face: photographs and clips of which weights may be made [one of NASA's alone].",
    )
    parser.add_argument(
        "--start", type=Path, metavar="FILE", help="face: weights to begin from [random ones]."
    )
    parser.add_argument(
        "--replies", type=_count, metavar="N", help="Learn contents and styles from N [12,000]."
    )
    parser.add_argument(
        "--paragraphs", type=_count, metavar="N", help="Only so many paragraphs of books [all]."
    )
    parser.add_argument("--seed", type=int, default=1, help="Of weights and batches [1].")
    return parser


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0; got {text}")
    return value


def _count(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of 1 or more; got {text}")
    return value
