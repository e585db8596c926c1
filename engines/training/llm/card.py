"""The model card, written by the run: what was learnt from, for how long, what was measured."""

from dataclasses import dataclass
from pathlib import Path

from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.curve import read_curve
from rt_avatar.engines.training.llm.dataset import Dataset
from rt_avatar.engines.training.llm.perplexity import PUBLISHED, Perplexity

_SOURCES = {
    "felt": "EmpatheticDialogues (Rashkin et al. 2019), CC BY-NC 4.0; one in ten pairs of writers "
    "was kept out",
    "open": "Self-dialogue corpus (J. Fainberg et al. 2018), BSD 3-Clause",
    "books": "Novels and stories in English, public domain",
}


@dataclass(frozen=True, slots=True)
class Result:
    """What a run made: a file of weights, its perplexity on ``valid``, its parameters."""

    weights: Path
    perplexity: Perplexity
    parameters: int


def write_card(
    folder: Path, result: Result, dataset: Dataset, plan: Plan, paragraphs: int | None, corpus: str
) -> Path:
    """Write ``MODEL_CARD.md`` beside the weights, books cut to ``paragraphs``; return its path.

    ``corpus`` is the name of the felt dialogues.
    """
    found = result.perplexity
    rows = read_curve(plan.curve)
    last = rows[-1] if rows else {"step": "0", "seconds": "0", "units": "0", "loss": "nan"}
    length = f"--steps {plan.steps}" if plan.minutes is None else f"--minutes {plan.minutes:g}"
    length += "" if paragraphs is None else f" --paragraphs {paragraphs}"
    lines = [
        "# Nano's language model",
        "",
        f"{result.parameters / 1e6:.1f} million parameters, a Llama; a byte-level BPE of "
        f"{dataset.tokens.size:,} tokens. Licence: **CC BY-NC 4.0**, since it learnt from "
        f"{corpus}: not for commercial use.",
        "",
        "## Learnt from",
        "",
        "| source | documents | tokens |",
        "|---|---|---|",
        *(
            f"| {_SOURCES[name]} | {len(stream.starts):,} | {len(stream.ids):,} |"
            for name, stream in dataset.streams.items()
        ),
        "",
        f"Then {len(dataset.replies.ends):,} replies of listeners of {corpus} with the "
        "emotion, and with the chain of empathy where EmpathyEar's release (written by GPT-4, "
        "research use) has it; what is unknown of a chain is not learnt.",
        "",
        "## Training",
        "",
        f"`rt-avatar train nano --stage coe --data FOLDER {length} --seed {plan.seed} "
        f"--batch {plan.batch} --rate {plan.rate:g}`: {int(last['step']):,} steps, "
        f"{int(last['units']) / 1e6:.2f} million tokens, {float(last['seconds']) / 60:.0f} "
        f"minutes; loss at the end {float(last['loss']):.3f}.",
        "",
        "## Measured",
        "",
        f"On the {found.replies:,} listeners' replies of `valid`, given what was said before, the "
        f"chain left out: perplexity **{found.words:.1f}** a word (marks and ends among them), "
        f"{found.spaced:.1f} a word between spaces.",
        "",
        "Published: " + ", ".join(f"{name} {value}" for name, value in PUBLISHED.items()) + ". "
        "They count otherwise (the test split, lower case, rare words all read as one unknown "
        "word), so these are no more than a scale.",
        "",
    ]
    path = folder / "MODEL_CARD.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
