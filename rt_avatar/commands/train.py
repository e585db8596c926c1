"""``rt-avatar train nano --stage coe --data FOLDER``: networks learn, and go on after a stop."""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from rich.console import Console

from rt_avatar.errors import SetupError

_STAGES: Final = ("coe",)
_EXTRA: Final = ("torch", "transformers", "safetensors", "tokenizers")


def main(words: Sequence[str]) -> int:
    """Run ``rt-avatar train`` with these words; return the exit status.

    Raises:
        SetupError: Data, a number or the folder is not what it should be, the loss is no number
            any more, or the extra 'train' is missing.
    """
    arguments = _parser().parse_args(words)
    try:
        from rt_avatar.engines.training.llm.stage import StageOptions, run
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in _EXTRA:
            raise
        raise SetupError(
            f"train: expected the extra 'train', got an installation without {error.name}; "
            "pip install 'rt-avatar[train]'"
        ) from error
    console = Console(soft_wrap=True)

    def tell(line: str) -> None:
        console.print(f"{time.strftime('%H:%M:%S')} {line}", markup=False, highlight=False)

    options = StageOptions(
        data=arguments.data.expanduser(),
        out=arguments.out.expanduser(),
        minutes=arguments.minutes,
        steps=arguments.steps,
        is_resumed=arguments.resume,
        layers=arguments.layers,
        width=arguments.width,
        batch=arguments.batch,
        rate=arguments.rate,
        paragraphs=arguments.paragraphs,
        seed=arguments.seed,
    )
    try:
        result = run(options, tell)
    except (OSError, ValueError, FloatingPointError) as error:
        raise SetupError(str(error)) from error
    if result is not None:
        folder = options.out
        tell(
            f"use it: rt-avatar engines export nano --trained {result.weights} "
            f"--tokenizer {folder / 'tokenizer.json'}"
        )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rt-avatar train", description="Train the networks, stage by stage."
    )
    parser.add_argument("size", choices=("nano",), help="Which networks.")
    parser.add_argument(
        "--stage",
        choices=_STAGES,
        required=True,
        help="coe: the language model, from its tokenizer to the chain of empathy.",
    )
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="What to learn.")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("build/nano"),
        metavar="FOLDER",
        help="Weights, tokenizer, curve, card, checkpoint [build/nano].",
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
    parser.add_argument("--batch", type=_count, help="Tokens a step [2,048; on a GPU 32,768].")
    parser.add_argument("--rate", type=_positive, default=1e-2, help="Highest rate [0.01].")
    parser.add_argument(
        "--paragraphs", type=_count, metavar="N", help="Only so many paragraphs of books [all]."
    )
    parser.add_argument("--seed", type=int, default=1, help="Of weights and batches [1].")
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0; got {text}")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more; got {text}")
    return value
