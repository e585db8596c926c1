"""The stage ``coe``: data → a language model, or an adapter of one; curve, perplexity and card."""

import logging
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import torch
from peft import PeftModel

from rt_avatar.engines.llm.chain import NOTATIONS
from rt_avatar.engines.llm.templates import TEMPLATES
from rt_avatar.engines.networks.export_files import read_tokens
from rt_avatar.engines.networks.llm.config import NANO, LlmConfig
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.llm.lora import add_lora, write_lora
from rt_avatar.engines.training.course import device, step_of, write_parts, write_whole
from rt_avatar.engines.training.curriculum import Plan, check_sizes, follow
from rt_avatar.engines.training.curve import cut_curve, draw_curve
from rt_avatar.engines.training.llm import base as published
from rt_avatar.engines.training.llm.avamerg import read_part
from rt_avatar.engines.training.llm.base import Base, read_base
from rt_avatar.engines.training.llm.card import Result, write_card
from rt_avatar.engines.training.llm.corpus import FeltDialogue
from rt_avatar.engines.training.llm.dataset import Dataset, DatasetOptions, load_dataset
from rt_avatar.engines.training.llm.examples import Writer
from rt_avatar.engines.training.llm.optimizer import learnt_of
from rt_avatar.engines.training.llm.perplexity import Perplexity, held_out, measure
from rt_avatar.engines.training.llm.samples import answer_first_turns, samples_text
from rt_avatar.engines.training.llm.train import LanguageLesson

_log = logging.getLogger(__name__)
_HEAD: Final = 64  # numbers of an attention's head
CONTEXT: Final = 256  # tokens of nano's examples, and of a row of pretraining
_RATE: Final = 1e-2
_ADAPTER_RATE, _ADAPTER_BATCH = 2e-4, 4096
_SAMPLES: Final = 10  # dialogues answered at the end, to be read
_WATCHED: Final = 200  # replies by which a training is watched


@dataclass(frozen=True, slots=True)
class StageOptions:
    """What ``rt-avatar train SIZE --stage coe`` is asked for.

    Attributes:
        data: Folder of the data, ours or AvaMERG's own.
        out: Folder of all that is made.
        minutes: How long to train; None: ``steps``.
        steps: How many steps; None: ``minutes``.
        is_resumed: Whether to go on from the folder's checkpoint.
        layers: Of the model; None: nano's.
        width: Of the model, a multiple of 128; None: nano's.
        batch: Tokens of a step; None: 2,048, on a GPU 32,768; of an adapter 4,096.
        rate: Highest learning rate; None: 1e-2, of an adapter 2e-4.
        paragraphs: Of books, from the first on; None: all.
        seed: Of weights and batches.
        report_every: Steps between two lines of progress.
        stop: Leave before this step.
        base: Of which an adapter is learnt; None: nano's model is, from nothing.
    """

    data: Path
    out: Path
    minutes: float | None = 60.0
    steps: int | None = None
    is_resumed: bool = False
    layers: int | None = None
    width: int | None = None
    batch: int | None = None
    rate: float | None = None
    paragraphs: int | None = None
    seed: int = 1
    report_every: int = 50
    stop: int | None = None
    base: Base | None = None


def config_of(layers: int | None, width: int | None) -> LlmConfig:
    """Return nano's configuration, or one of another size and the same kind.

    Raises:
        ValueError: The width is no multiple of two heads.
    """
    config = NANO if layers is None else replace(NANO, layers=layers)
    if width is None or width == NANO.width:
        return config
    if width < 2 * _HEAD or width % (2 * _HEAD):
        raise ValueError(f"width: expected a multiple of {2 * _HEAD}; got {width}")
    between = NANO.intermediate * width // NANO.width // _HEAD * _HEAD
    heads = width // _HEAD
    return replace(config, width=width, heads=heads, key_heads=2, intermediate=between)


def run(options: StageOptions, tell: Callable[[str], None] = _log.info) -> Result | None:
    """Run the stage from its beginning or its checkpoint.

    Args:
        options: What is asked for.
        tell: Takes a line on how it goes.

    Returns:
        What was made and measured; None where ``options.stop`` ended the training.

    Raises:
        FileNotFoundError: Data is missing.
        FileExistsError: There is a checkpoint, and nobody said whether to go on from it.
        ValueError: Data or a number is not what it should be, or the checkpoint is of other ones.
        CheckpointError: The tokenizer is not the base's.
        FloatingPointError: The loss is no number any more.
        OSError: Something cannot be written, or the GPU has no room.
    """
    try:
        return _run(options, tell)
    except torch.OutOfMemoryError as error:
        raise OSError(
            f"train: expected room on the GPU; got {str(error).splitlines()[0]} Take a smaller "
            "--batch than 2048, of which all is in memory at once, and --resume if there is a "
            "checkpoint, or a larger GPU"
        ) from error


def _run(options: StageOptions, tell: Callable[[str], None]) -> Result | None:
    where, base = device(), options.base
    plan = _plan(options, where)
    config = config_of(options.layers, options.width) if base is None else base.config
    given = None if base is None else read_tokens(base.tokenizer, config)
    options.out.mkdir(parents=True, exist_ok=True)
    sizes = asdict(config) if base is None else base.identity
    check_sizes(plan, options.is_resumed, sizes, _mend(config, base))
    asked = DatasetOptions(config.vocabulary, CONTEXT, options.paragraphs, seed=options.seed)
    if base is not None and given is not None:
        given.save(options.out / "tokenizer.json")
        asked = replace(
            asked,
            context=published.CONTEXT,
            template=base.template,
            notation=base.notation,
            given=base.identity["tokenizer"],
        )
    tell(f"data: {options.data}; made once, kept in {options.out}")
    dataset = load_dataset(options.data, options.out, asked)
    writer = Writer(
        dataset.tokens, TEMPLATES[asked.template], NOTATIONS[asked.notation], asked.context
    )
    others = [one for one in read_part(options.data, "train") if one.is_for_choosing]
    watched = held_out(writer, (one.turns for one in others), _WATCHED)
    valid = read_part(options.data, "valid")
    torch.manual_seed(options.seed)
    model, adapter = _begun(config, base, where)
    count = sum(value.numel() for value in learnt_of(model))
    what = "language model" if base is None else f"adapter of {base.name}"
    tell(f"{what}: {count / 1e6:.1f} M parameters, {config.layers} layers, on {where}")
    cut_curve(plan.curve, step_of(plan.checkpoint))
    lesson = LanguageLesson(model, dataset, plan, lambda now: measure(now, watched).words, adapter)
    if not follow(lesson, plan, tell):
        return None
    lesson.end()
    return _finish(model, adapter, dataset, writer, valid, plan, options, tell)


def _plan(options: StageOptions, where: torch.device) -> Plan:
    is_on_gpu = where.type == "cuda"
    rate, batch = _RATE, 32_768 if is_on_gpu else 2048
    if options.base is not None:
        rate, batch = _ADAPTER_RATE, _ADAPTER_BATCH
    return Plan(
        options.out,
        minutes=options.minutes if options.steps is None else None,
        steps=options.steps,
        batch=options.batch or batch,
        context=CONTEXT if is_on_gpu else CONTEXT // 2,
        rate=options.rate or rate,
        seed=options.seed,
        report_every=options.report_every,
        stop=options.stop,
    )


def _mend(config: LlmConfig, base: Base | None) -> str:
    if base is not None:
        return (
            f"expected a checkpoint of an adapter of {base.name}, sha256 {base.digest[:12]}, with "
            "this tokenizer; got another's. Give the --models and --tokenizer it began with, or "
            "begin anew in another --out"
        )
    return (
        f"expected a checkpoint of {config.layers} layers of {config.width}; got another model's. "
        "Give the --layers and --width it began with"
    )


def _begun(
    config: LlmConfig, base: Base | None, where: torch.device
) -> tuple[Llama, PeftModel | None]:
    """Return a model to be trained, and peft's view of it where updates alone are."""
    is_on_gpu = where.type == "cuda"
    if base is None:
        model = Llama(config).to(where)
    else:
        model = read_base(base, where, torch.bfloat16 if is_on_gpu else torch.float32)
    if is_on_gpu:  # on a CPU torch's own is a fifth slower than eager
        model.model.set_attn_implementation("sdpa")
    if base is None:
        return model, None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # names that all of transformers 5 has
        if is_on_gpu:
            model.model.gradient_checkpointing_enable({"use_reentrant": False})
        return model, add_lora(model)


def _finish(
    model: Llama,
    adapter: PeftModel | None,
    dataset: Dataset,
    writer: Writer,
    valid: Sequence[FeltDialogue],
    plan: Plan,
    options: StageOptions,
    tell: Callable[[str], None],
) -> Result:
    if adapter is None:
        weights = options.out / "nano.safetensors"
        write_parts(weights, {"llm": model}, writer.template.name)
    else:
        weights = options.out / "adapter_model.safetensors"
        write_whole(weights, lambda part: write_lora(part, adapter))
    tell("perplexity: measuring on the dialogues that nothing was learnt from")
    judged = held_out(writer, (one.turns for one in valid))
    count = sum(value.numel() for value in learnt_of(model))
    result = Result(weights, measure(model, judged), count)
    if adapter is not None:
        with adapter.disable_adapter():
            result = replace(result, base=measure(model, judged))
    samples = answer_first_turns(
        model, dataset.tokens, writer.template, writer.notation, _spread(valid, _SAMPLES)
    )
    (options.out / "samples.md").write_text(samples_text(samples), encoding="utf-8")
    picture = options.out / "coe.png"
    if not draw_curve(plan.curve, picture, "Language model", "a token that counts (nats)"):
        tell(f"{picture}: not drawn, since matplotlib is missing; make install EXTRAS=bench")
    write_card(result, dataset, plan, options)
    _tell_result(result, tell)
    return result


def _spread(dialogues: Sequence[FeltDialogue], count: int) -> list[FeltDialogue]:
    """Return so many dialogues at most, evenly spread over all that the user begins."""
    those = [one for one in dialogues if one.turns and one.turns[0].role == "user"]
    places = sorted({number * len(those) // count for number in range(count)})
    return [those[place] for place in places]


def _tell_result(result: Result, tell: Callable[[str], None]) -> None:
    found: Perplexity = result.perplexity
    tell(f"{result.weights}: {os.path.getsize(result.weights) / 1e6:.1f} MB")
    tell(
        f"perplexity of {found.replies} replies: {found.words:.1f} a word, marks and ends among "
        f"them; {found.spaced:.1f} a word between spaces"
        + ("" if result.base is None else f"; of the base alone {result.base.words:.1f}")
    )
