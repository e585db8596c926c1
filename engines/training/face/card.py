"""The model card, written by the run: what was learnt from, for how long, what was measured."""

import math
from dataclasses import astuple, dataclass
from pathlib import Path

from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.curve import read_curve
from rt_avatar.engines.training.face.batches import FRAMES
from rt_avatar.engines.training.face.looks import HELD_OUT, LEARNT
from rt_avatar.engines.training.face.measure import Likeness


@dataclass(frozen=True, slots=True)
class Result:
    """What a run made.

    Attributes:
        weights: File.
        parameters: Of both networks.
        likeness: Of frames held out, by the weights as written.
        still: Of the portraits that nobody moves.
        photographs: Files that were learnt from.
    """

    weights: Path
    parameters: int
    likeness: Likeness
    still: Likeness
    photographs: tuple[str, ...]


def write_card(result: Result, plan: Plan, start: Path | None = None) -> Path:
    """Write ``MODEL_CARD.md`` beside the weights; return its path.

    Args:
        result: What was made.
        plan: How.
        start: The weights that it began from.
    """
    rows = read_curve(plan.curve)
    last = rows[-1] if rows else {"step": "0", "seconds": "0", "loss": "nan"}
    length = f"--steps {plan.steps}" if plan.minutes is None else f"--minutes {plan.minutes:g}"
    is_grid = any(name.startswith("grid-") for name in result.photographs)
    credit = "the GRID audiovisual sentence corpus (M. Cooke, J. Barker, S. Cunningham, X. Shao, "
    credit += "JASA 120(5), 2006, CC BY 4.0)"
    pictures = " --pictures FOLDER" if len(result.photographs) > 1 else ""
    start_from = "" if start is None else f" --start {start.name}"
    frames = int(last["step"]) * plan.batch * FRAMES
    lines = [
        "# Nano's renderer",
        "",
        f"{result.parameters / 1e6:.2f} million parameters, PIRenderer's kind: a portrait of 256 "
        "pixels and the motion around a frame (52 ARKit blendshapes, head pose) make the frame. "
        "Licence: **CC BY 4.0**, with the credit below.",
        "",
        "## Learnt from",
        "",
        f"- The rig's looks {', '.join(look.name for look in LEARNT)}, and people drawn at random "
        f"by it; never {HELD_OUT}, nor a face of the same age and gender, nor the same haircut.",
        f"- {len(result.photographs)} photographs, moved by the photograph renderer: "
        f"{', '.join(result.photographs)}. The astronaut is NASA's (public domain)"
        + (f"; grid-* are pictures of {credit}." if is_grid else "."),
        f"- Motion: speaker 1 of {credit}, tracked, the training part; and random sweeps of all "
        "shapes and head poses.",
        "",
        "Losses: absolute difference, SSIM and edges, mouth and eyes twelve times; the flow of "
        "photographs and of drawn foreheads is known and taught.",
        "",
        "## Training",
        "",
        f"`rt-avatar train nano --stage face --data FOLDER{pictures}{start_from} {length} --seed "
        f"{plan.seed} --batch {plan.batch * FRAMES} --rate {plan.rate:g}`: {last['step']} "
        f"steps, {frames:,} frames, {float(last['seconds']) / 60:.0f} minutes of one core; loss at "
        f"the end {float(last['loss']):.4f}.",
        "",
        "## Measured",
        "",
        "SSIM (even windows of 7 pixels, luminance) of frames of faces that nothing was learnt "
        "from, moved by the test part of the recordings and by sweeps:",
        "",
        "| face | frame | portrait that nobody moves |",
        "|---|---|---|",
        *(
            f"| {face} | {frame:.3f} | {still:.3f} |"
            for face, frame, still in zip(
                (f"the look {HELD_OUT}", "a photograph"),
                astuple(result.likeness),
                astuple(result.still),
                strict=True,
            )
            if not math.isnan(frame)
        ),
        "",
        "## Limits",
        "",
        "It learnt from few photographs: other people's mouths and eyes are painted in their "
        "likeness. Heads that turn further than some 15 degrees come out soft.",
        "",
    ]
    path = plan.work / "MODEL_CARD.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
