"""The model card, written by the run: what was learnt from, for how long, what was measured."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rt_avatar.engines.networks.llm.lora import LoraOptions
from rt_avatar.engines.training.course import device_name
from rt_avatar.engines.training.curriculum import Plan
from rt_avatar.engines.training.curve import read_curve
from rt_avatar.engines.training.llm.avamerg import corpus_of
from rt_avatar.engines.training.llm.base import Base
from rt_avatar.engines.training.llm.dataset import Dataset
from rt_avatar.engines.training.llm.perplexity import PUBLISHED, Perplexity

if TYPE_CHECKING:
    from rt_avatar.engines.training.llm.stage import StageOptions

_SOURCES = {
    "felt": "EmpatheticDialogues (Rashkin et al. 2019), CC BY-NC 4.0; one in ten pairs of writers "
    "was kept out",
    "open": "Self-dialogue corpus (J. Fainberg et al. 2018), BSD 3-Clause",
    "books": "Novels and stories in English, public domain",
}


@dataclass(frozen=True, slots=True)
class Result:
    """What a run made.

    Attributes:
        weights: Their file.
        perplexity: On ``valid``.
        parameters: That were learnt.
        base: Perplexity of the model that an adapter is of, without it.
    """

    weights: Path
    perplexity: Perplexity
    parameters: int
    base: Perplexity | None = None


def write_card(result: Result, dataset: Dataset, plan: Plan, options: "StageOptions") -> Path:
    """Write ``MODEL_CARD.md`` beside the weights; return its path."""
    found, corpus = result.perplexity, corpus_of(options.data)
    rows = read_curve(plan.curve)
    last = rows[-1] if rows else {"step": "0", "seconds": "0", "units": "0", "loss": "nan"}
    sources = [
        f"| {_SOURCES[name]} | {len(stream.starts):,} | {len(stream.ids):,} |"
        for name, stream in dataset.streams.items()
    ]
    table = ["| source | documents | tokens |", "|---|---|---|", *sources, ""] if sources else []
    beside = (
        "." if result.base is None else f"; the base without the adapter {result.base.words:.1f}."
    )
    lines = [
        *_heading(result, dataset, options.base, corpus),
        "## Learnt from",
        "",
        *table,
        f"{'Then ' if sources else ''}{len(dataset.replies.ends):,} replies of listeners of "
        f"{corpus} with the emotion, and with the chain of empathy where EmpathyEar's release "
        "(written by GPT-4, research use) has it; what is unknown of a chain is not learnt.",
        "",
        "## Training",
        "",
        f"`{_command(plan, options)}`: {int(last['step']):,} steps, "
        f"{int(last['units']) / 1e6:.2f} million tokens, {float(last['seconds']) / 60:.0f} "
        f"minutes of {device_name()}; loss at the end {float(last['loss']):.3f}.",
        "",
        "## Measured",
        "",
        f"On the {found.replies:,} listeners' replies of `valid`, given what was said before, the "
        f"chain left out: perplexity **{found.words:.1f}** a word (marks and ends among them), "
        f"{found.spaced:.1f} a word between spaces{beside}",
        "",
        "Published: " + ", ".join(f"{name} {value}" for name, value in PUBLISHED.items()) + ". "
        "They count otherwise (the test split, lower case, rare words all read as one unknown "
        "word), so these are no more than a scale.",
        "",
    ]
    path = options.out / "MODEL_CARD.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _heading(result: Result, dataset: Dataset, base: Base | None, corpus: str) -> list[str]:
    millions = f"{result.parameters / 1e6:.1f} million"
    licence = f"**CC BY-NC 4.0**, since it learnt from {corpus}: not for commercial use"
    if base is None:
        return [
            "# Nano's language model",
            "",
            f"{millions} parameters, a Llama; a byte-level BPE of {dataset.tokens.size:,} tokens. "
            f"Licence: {licence}.",
            "",
        ]
    options = LoraOptions()
    return [
        f"# An adapter of {base.name}",
        "",
        f"LoRA of rank {options.rank}, alpha {options.alpha} on q, k, v and o, and the rows of the "
        f"signal tokens: {millions} numbers, of no use without {base.name} (sha256 "
        f"`{base.digest}`). It was trained with the template `{base.template}`. Licence: {licence}"
        f"; the base's is: {base.licence}.",
        "",
    ]


def _command(plan: Plan, options: "StageOptions") -> str:
    size = "nano" if options.base is None else "empatheia"
    given = "" if options.base is None else " --models FOLDER --tokenizer FILE"
    length = f"--steps {plan.steps}" if plan.minutes is None else f"--minutes {plan.minutes:g}"
    length += "" if options.paragraphs is None else f" --paragraphs {options.paragraphs}"
    return (
        f"rt-avatar train {size} --stage coe --data FOLDER{given} {length} --seed {plan.seed} "
        f"--batch {plan.batch} --rate {plan.rate:g}"
    )
