"""The stages ``content``, ``style`` and ``overall``: data → weights, curve, figures, model card."""

import logging
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import torch

from rt_avatar.engines.llm.chain import NOTATIONS
from rt_avatar.engines.llm.templates import TEMPLATES
from rt_avatar.engines.llm.tokens import Tokens
from rt_avatar.engines.networks.fusion.config import NANO_DISENTANGLER, NANO_SYNCHRONIZER
from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from rt_avatar.engines.networks.llm import shipped
from rt_avatar.engines.networks.llm.config import NANO
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.trained import read_template, read_trained
from rt_avatar.engines.training.course import device, step_of, write_parts
from rt_avatar.engines.training.curriculum import Plan, check_sizes, follow
from rt_avatar.engines.training.curve import cut_curve, draw_curve
from rt_avatar.engines.training.fusion.card import write_card
from rt_avatar.engines.training.fusion.examples import Answer, FeltReply, replies_of
from rt_avatar.engines.training.fusion.lesson import FusionLesson, Networks, Stage
from rt_avatar.engines.training.fusion.measures import measure_contents, measure_styles
from rt_avatar.engines.training.fusion.targets import Styles
from rt_avatar.engines.training.llm.avamerg import corpus_of, read_part
from rt_avatar.engines.training.llm.examples import Writer
from rt_avatar.engines.training.voice.export import load_acoustic

_log = logging.getLogger(__name__)
_CONTEXT: Final = 256  # tokens of an example
_WATCHED: Final = 96  # replies by which a training is watched
_RATES: Final = {"content": 4e-3, "style": 4e-3, "overall": 2e-4}


@dataclass(frozen=True, slots=True)
class FusionOptions:
    """What ``rt-avatar train nano --stage content | style | overall`` is asked for.

    Attributes:
        data: Folder of the data, ours or AvaMERG's own.
        out: Folder of all that is made; a language model in it is taken, else the package's.
        answer: How somebody answers who hears of a feeling.
        minutes: How long to train; None: ``steps``.
        steps: How many steps; None: ``minutes``.
        is_resumed: Whether to go on from the folder's checkpoint.
        batch: Tokens of a step; None: 4,096.
        rate: Highest learning rate; None: the stage's.
        replies: To learn from, at most.
        judged: Replies to measure on, at most.
        seed: Of weights, batches, and who answers.
        report_every: Steps between two lines of progress.
        stop: Leave before this step.
    """

    data: Path
    out: Path
    answer: Answer
    minutes: float | None = 10.0
    steps: int | None = None
    is_resumed: bool = False
    batch: int | None = None
    rate: float | None = None
    replies: int = 12_000
    judged: int = 1_000
    seed: int = 1
    report_every: int = 50
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class FusionResult:
    """What a run made: a file of weights, and what was measured on held-out replies."""

    weights: Path
    figures: dict[str, float]
    parameters: int


def run(
    stage: Stage, options: FusionOptions, tell: Callable[[str], None] = _log.info
) -> FusionResult | None:
    """Run a stage from its beginning or its checkpoint.

    Args:
        stage: ``overall`` goes on from what the other two left in ``options.out``.
        options: What is asked for.
        tell: Takes a line on how it goes.

    Returns:
        What was made and measured; None where ``options.stop`` ended the training.

    Raises:
        FileNotFoundError: Data, or a stage before, is missing.
        FileExistsError: There is a checkpoint, and nobody said whether to go on from it.
        ValueError: Data or a number is not what it should be, or the checkpoint is of other ones.
        FloatingPointError: The loss is no number any more.
        OSError: Something cannot be written.
    """
    plan = Plan(
        options.out,
        minutes=options.minutes if options.steps is None else None,
        steps=options.steps,
        batch=options.batch or 4096,
        rate=options.rate or _RATES[stage],
        seed=options.seed,
        report_every=options.report_every,
        stop=options.stop,
        stage=stage,
        state=stage,
    )
    options.out.mkdir(parents=True, exist_ok=True)
    sizes = {"synchronizer": asdict(NANO_SYNCHRONIZER), "disentangler": asdict(NANO_DISENTANGLER)}
    mend = "expected a checkpoint of these sizes; got another's. Begin anew in another --out"
    check_sizes(plan, options.is_resumed, sizes, mend)
    torch.manual_seed(options.seed)
    networks, writer, tokens = _networks(stage, options)
    tell(f"data: {options.data}; replies are cut into clauses and read as they will be said")
    felt = read_part(options.data, "train")
    learnt = (one for one in felt if not one.is_for_choosing)
    others = (one for one in felt if one.is_for_choosing)
    replies = replies_of(tokens, writer, learnt, options.replies, options.seed)
    watched = replies_of(tokens, writer, others, _WATCHED, options.seed)
    valid = read_part(options.data, "valid")
    judged = replies_of(tokens, writer, valid, options.judged, options.seed + 1)
    tell(f"{stage}: {len(replies)} replies to learn from, on {device()}")
    cut_curve(plan.curve, step_of(plan.checkpoint))
    lesson = FusionLesson(stage, networks, replies, plan, lambda: _watch(stage, networks, watched))
    if not follow(lesson, plan, tell):
        return None
    weights = options.out / f"{stage}.safetensors"
    taught = networks.taught(stage)
    write_parts(weights, taught, writer.template.name if "llm" in taught else "")
    tell("measuring on the dialogues that nothing was learnt from")
    count = sum(value.numel() for value in lesson.network.parameters())
    result = FusionResult(weights, _measure(stage, networks, judged), count)
    picture = options.out / f"{stage}.png"
    if not draw_curve(plan.curve, picture, f"Stage {stage}", ""):
        tell(f"{picture}: not drawn, since matplotlib is missing; make install EXTRAS=bench")
    write_card(
        options.out, stage, result, plan, (len(replies), len(judged)), corpus_of(options.data)
    )
    tell(f"{weights}: {os.path.getsize(weights) / 1e6:.1f} MB")
    tell(", ".join(f"{name} {value:.4g}" for name, value in result.figures.items()))
    return result


def _networks(stage: Stage, options: FusionOptions) -> tuple[Networks, Writer, Tokens]:
    """Return the networks at the stage's beginning, and how dialogues are written for them."""
    own = options.out / "nano.safetensors"
    weights, words = (
        (own, options.out / "tokenizer.json")
        if own.is_file()
        else (shipped.WEIGHTS, shipped.TOKENIZER)
    )
    llm, synchronizer = Llama(NANO), ContentSynchronizer(NANO_SYNCHRONIZER)
    disentangler = StyleDisentangler(NANO_DISENTANGLER)
    load_strict(llm, read_trained(weights)["llm"])
    if stage == "overall":
        for before, part, network in (
            ("content", "synchronizer", synchronizer),
            ("style", "disentangler", disentangler),
        ):
            file = options.out / f"{before}.safetensors"
            if not file.is_file():
                raise FileNotFoundError(
                    f"{file}: expected what the stage {before} made; got none. Run it first: "
                    f"rt-avatar train nano --stage {before}"
                )
            load_strict(network, read_trained(file)[part])
    tokens, where = Tokens.load(words), device()
    writer = Writer(tokens, TEMPLATES[read_template(weights)], NOTATIONS["tags"], _CONTEXT)
    networks = Networks(
        llm.to(where).eval(),
        synchronizer.to(where),
        disentangler.to(where),
        load_acoustic(),
        Styles(options.answer),
    )
    return networks, writer, tokens


def _watch(stage: Stage, networks: Networks, replies: list[FeltReply]) -> float:
    """Return the figure that a curve has: percents, of what is left open or of emotions heard."""
    if stage == "content":
        return measure_contents(networks, replies)["open"]
    return measure_styles(networks, replies)["voice"]


def _measure(stage: Stage, networks: Networks, replies: list[FeltReply]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for network in (networks.llm, networks.synchronizer, networks.disentangler):
        network.eval()
    if stage != "style":
        figures |= measure_contents(networks, replies)
    if stage != "content":
        figures |= measure_styles(networks, replies)
    return figures
