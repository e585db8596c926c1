"""How well the rule-based listener names feelings: accuracy on EmpatheticDialogues, 32- and 7-way.

Prints one table and, with ``--json``, writes one file. Beside every figure stands the majority
baseline, since 7-way labels are very uneven. The data set is the reader's own (CC BY-NC 4.0):

    python -m benchmarks.reflective --data path/to/valid.jsonl.gz
"""

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from engines.types import Emotion
from rt_avatar.reasoner.emotions import COARSE, FINE, Fine
from rt_avatar.reasoner.feelings import detect


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One dialogue: its label and what its speaker said, turn by turn."""

    label: Fine
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of right answers, 0 to 1; ``median_us`` is the time of one answer."""

    heard: str
    dialogues: int
    accuracy_32: float
    majority_32: float
    accuracy_7: float
    majority_7: float
    macro_recall_7: float
    median_us: float


def read_dialogues(path: Path) -> Iterator[Dialogue]:
    """Yield the dialogues of a JSON-lines file with ``emotion`` and ``turns``."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            said = tuple(t["text"] for t in row["turns"] if t["role"] == "speaker")
            if row["emotion"] in FINE and said:
                yield Dialogue(row["emotion"], said)


def measure(
    heard: str, dialogues: list[Dialogue], text_of: Callable[[Dialogue], str]
) -> tuple[Figures, Counter[tuple[Fine, Fine | None]]]:
    """Return the figures over the dialogues and the confusions (label, answer)."""
    confusions: Counter[tuple[Fine, Fine | None]] = Counter()
    times: list[float] = []
    for dialogue in dialogues:
        started = time.perf_counter()
        answer = detect(text_of(dialogue)).fine
        times.append(time.perf_counter() - started)
        confusions[dialogue.label, answer] += 1
    count = len(dialogues)
    coarse: Counter[tuple[Emotion, Emotion]] = Counter()
    for (label, answer), n in confusions.items():
        coarse[COARSE[label], COARSE[answer] if answer else "neutral"] += n
    per_class = Counter(COARSE[dialogue.label] for dialogue in dialogues)
    figures = Figures(
        heard=heard,
        dialogues=count,
        accuracy_32=sum(n for (a, b), n in confusions.items() if a == b) / count,
        majority_32=max(Counter(d.label for d in dialogues).values()) / count,
        accuracy_7=sum(n for (a, b), n in coarse.items() if a == b) / count,
        majority_7=max(per_class.values()) / count,
        macro_recall_7=sum(coarse[name, name] / n for name, n in per_class.items())
        / len(per_class),
        median_us=sorted(times)[count // 2] * 1e6,
    )
    return figures, confusions


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="EmpatheticDialogues, .jsonl.gz")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    parser.add_argument("--confusions", type=int, default=0, help="show so many common mistakes")
    options = parser.parse_args()
    dialogues = list(read_dialogues(options.data))
    if not dialogues:
        sys.exit(f"--data: expected dialogues with emotion and turns; got none in {options.data}")
    cases: tuple[tuple[str, Callable[[Dialogue], str]], ...] = (
        ("first utterance", lambda dialogue: dialogue.said[0]),
        ("all the speaker said", lambda dialogue: " ".join(dialogue.said)),
    )
    out = sys.stdout
    out.write(f"{'heard':22}{'n':>6}{'32-way':>9}{'(maj.)':>9}{'7-way':>9}{'(maj.)':>9}")
    out.write(f"{'macro-7':>9}{'µs':>7}\n")
    results = []
    for heard, text_of in cases:
        figures, confusions = measure(heard, dialogues, text_of)
        results.append(asdict(figures))
        out.write(
            f"{heard:22}{figures.dialogues:6}{figures.accuracy_32:9.1%}{figures.majority_32:9.1%}"
            f"{figures.accuracy_7:9.1%}{figures.majority_7:9.1%}{figures.macro_recall_7:9.1%}"
            f"{figures.median_us:7.0f}\n"
        )
    wrong = Counter({pair: n for pair, n in confusions.items() if pair[0] != pair[1]})
    for (label, answer), n in wrong.most_common(options.confusions):
        out.write(f"{n:5}  {label} heard as {answer}\n")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
