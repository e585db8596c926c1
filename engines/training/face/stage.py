"""The stage ``face``: motion and pictures → nano's renderer, its curve, likeness and model card."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch

from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.pirender.config import NANO
from rt_avatar.engines.networks.pirender.nano import NanoRenderer, PortraitPyramid
from rt_avatar.engines.networks.trained import read_trained
from rt_avatar.engines.training.course import check_beginning, step_of, write_parts
from rt_avatar.engines.training.curriculum import Plan, follow
from rt_avatar.engines.training.curve import cut_curve, draw_curve
from rt_avatar.engines.training.face.batches import FRAMES, Batches
from rt_avatar.engines.training.face.card import Result, write_card
from rt_avatar.engines.training.face.lesson import Face, FaceLesson
from rt_avatar.engines.training.face.measure import HeldOut
from rt_avatar.engines.training.face.motions import Motions
from rt_avatar.engines.training.face.pictures import read_photographs

_log = logging.getLogger(__name__)
MOTION: Final = Path("motion") / "grid_s1"  # of the data's folder
_WATCHED: Final = 24  # frames of each held-out face by which a training is watched
_MEASURED: Final = 96  # at its end


@dataclass(frozen=True, slots=True)
class StageOptions:
    """What ``rt-avatar train nano --stage face`` is asked for.

    Attributes:
        data: Folder with ``motion/grid_s1``.
        out: Folder of all that is made.
        pictures: Folder of photographs and clips of which weights may be made; None: none.
        start: Weights of this stage to begin from; None: random ones.
        minutes: How long to train; None: ``steps``.
        steps: How many steps; None: ``minutes``.
        is_resumed: Whether to go on from the folder's checkpoint.
        frames: Of a step, a multiple of ``FRAMES``.
        rate: Highest learning rate.
        seed: Of weights and batches.
        report_every: Steps between two lines of progress.
        stop: Leave before this step.
    """

    data: Path
    out: Path
    pictures: Path | None = None
    start: Path | None = None
    minutes: float | None = 60.0
    steps: int | None = None
    is_resumed: bool = False
    frames: int = 12
    rate: float = 1.5e-3
    seed: int = 1
    report_every: int = 50
    stop: int | None = None


def run(options: StageOptions, tell: Callable[[str], None] = _log.info) -> Result | None:
    """Run the stage from its beginning or its checkpoint.

    Args:
        options: What is asked for.
        tell: Takes a line on how it goes.

    Returns:
        What was made and measured; None where ``options.stop`` ended the training.

    Raises:
        FileNotFoundError: Data is missing, or the checkpoint to go on from.
        FileExistsError: There is a checkpoint, and nobody said whether to go on from it.
        ValueError: Data or a number is not what it should be.
        CheckpointError: The weights to begin from are not a renderer's.
        FloatingPointError: The loss is no number any more.
        OSError: Something cannot be written.
    """
    if options.frames < FRAMES or options.frames % FRAMES:
        raise ValueError(f"batch: expected a multiple of {FRAMES} frames; got {options.frames}")
    plan = Plan(
        options.out,
        minutes=options.minutes if options.steps is None else None,
        steps=options.steps,
        batch=options.frames // FRAMES,
        rate=options.rate,
        seed=options.seed,
        report_every=options.report_every,
        stop=options.stop,
        stage="face",
        state="face",
    )
    options.out.mkdir(parents=True, exist_ok=True)
    check_beginning(plan.checkpoint, is_resumed=options.is_resumed)
    if not plan.checkpoint.exists():
        plan.curve.unlink(missing_ok=True)
    folder = options.data / MOTION
    learnt, held_out = read_photographs(options.pictures)
    batches = Batches(Motions(folder, "train"), learnt, plan.batch, plan.seed)
    watched = HeldOut(Motions(folder, "validation"), held_out, _WATCHED)
    torch.manual_seed(options.seed)
    face = Face(PortraitPyramid(NANO), NanoRenderer(NANO))
    if options.start is not None:
        parts = read_trained(options.start)
        load_strict(face.pyramid, parts.get("pyramid", {}))
        load_strict(face.renderer, parts.get("face", {}))
    count = sum(value.numel() for value in face.parameters())
    tell(f"renderer: {count / 1e6:.2f} M parameters; {len(learnt)} photographs beside the drawn")
    tell(f"portraits that nobody moves: {watched.still()}")
    cut_curve(plan.curve, step_of(plan.checkpoint))
    lesson = FaceLesson(face, batches, plan, lambda face: watched.measure(face).drawn)
    if not follow(lesson, plan, tell):
        return None
    weights = options.out / "face.safetensors"
    write_parts(weights, {"pyramid": face.pyramid, "face": face.renderer})
    tell(f"{weights}: {weights.stat().st_size / 1e6:.2f} MB")
    picture = options.out / "face.png"
    if not draw_curve(plan.curve, picture, "Renderer", "of a frame"):
        tell(f"{picture}: not drawn, since matplotlib is missing; make install EXTRAS=bench")
    test = HeldOut(Motions(folder, "test"), held_out, _MEASURED)
    names = tuple(photograph.name for photograph in learnt)
    result = Result(weights, count, test.measure(face), test.still(), names)
    write_card(result, plan, options.start)
    tell(f"frames of faces held out: {result.likeness}; unmoved {result.still}")
    return result
