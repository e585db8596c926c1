"""The model card of a stage, written by the run."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.curve import read_curve

if TYPE_CHECKING:
    from rt_avatar.engines.training.fusion.stage import FusionResult

_WHAT: Final = {
    "content": "the content synchronizer: phonemes and a reply's states → contents of voice and "
    "face (equations 1, 2 and 9)",
    "style": "the style disentangler: signal tokens' states → styles of voice and face, emotion "
    "and profile (equations 3 to 8, 10 to 12)",
    "overall": "language model, content synchronizer and style disentangler together (equation 13)",
}
_TOLD: Final = {
    "phoneme": "phonemes of the voice nearest to their own sound",
    "place": "… to their own place in the word",
    "mark": "… to the mark behind their word",
    "face_phoneme": "frames of the face nearest to their own sound",
    "open": "of what phonemes leave open, error that is left",
    "unread": "… by a reader who sees no states",
    "emotion": "emotion of seven, as classified",
    "age": "age",
    "gender": "gender",
    "tone": "tone",
    "profile": "all three",
    "person": "S^s nearest to the person who answers",
    "voice": "S^s nearest to the feeling asked for, among the person's own",
    "face": "S^v nearest to the feeling asked for",
    "voice_cosine": "cosine of S^s and the one asked for",
    "face_cosine": "cosine of S^v and the one asked for",
}


def write_card(
    folder: Path,
    stage: str,
    result: "FusionResult",
    plan: Plan,
    counts: tuple[int, int],
    corpus: str,
) -> Path:
    """Write ``STAGE.md`` beside the weights; return its path.

    Args:
        folder: Of the weights.
        stage: Which.
        result: What it made.
        plan: How it was trained.
        counts: Replies to learn from, and to measure on.
        corpus: Whose.
    """
    rows = read_curve(plan.curve)
    last = rows[-1] if rows else {"step": "0", "seconds": "0", "loss": "nan"}
    length = f"--steps {plan.steps}" if plan.minutes is None else f"--minutes {plan.minutes:g}"
    length += f" --replies {counts[0]}"
    lines = [
        f"# Nano's stage `{stage}`",
        "",
        f"{result.parameters / 1e6:.2f} million parameters: {_WHAT[stage]}. Licence: **CC BY-NC "
        f"4.0**, since it learnt from {corpus}: not for commercial use.",
        "",
        "## Training",
        "",
        f"`rt-avatar train nano --stage {stage} --data FOLDER {length} --seed {plan.seed} "
        f"--batch {plan.batch} --rate {plan.rate:g}`: {int(last['step']):,} steps, "
        f"{float(last['seconds']) / 60:.1f} minutes; loss at the end {float(last['loss']):.4f}. "
        f"Learnt from {counts[0]:,} listeners' replies of the training part of {corpus} with "
        "their emotion (one in ten was kept out, by who wrote them), chains as in the stage `coe`, "
        "and a profile drawn for each where nobody was recorded. Contents and styles of the "
        "voice are those of the shipped nano voice, styles of the face those of its motion; how a "
        "feeling is answered is the rules' choice.",
        "",
        "## Measured",
        "",
        f"On {counts[1]:,} replies of `valid`, with the chain given:",
        "",
        "| | |",
        "|---|---|",
        *(
            f"| {_TOLD[name]} | {value:.3f} |"
            if "cosine" in name
            else f"| {_TOLD[name]} | {value:.1f} % |"
            for name, value in result.figures.items()
        ),
        "",
    ]
    path = folder / f"{stage}.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
