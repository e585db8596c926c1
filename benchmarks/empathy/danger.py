"""Measure what a listener hears of danger, and how often it asks in vain.

    python -m rt_avatar.benchmarks.empathy.danger FILE … [--missed]

``FILE`` is ``*.tsv``: ``kind<TAB>turn``, where ``none…`` is no danger; ``*.txt``: turns without
danger; or ``*.jsonl.gz``: dialogues whose speakers and seekers are taken to be in none. Each turn
is read by itself, as the first of a call. Of each file it tells how many turns raise an alarm
("heard"), how many are asked about, and what the lists alone make of them.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rt_avatar.reasoner.danger.alarms import UNSURE, find_alarm
from rt_avatar.reasoner.nlu.intents import clean_words
from rt_avatar.reasoner.nlu.spelling import spelled

_DANGER: Final = "danger"
_CALLERS: Final = frozenset({"speaker", "seeker"})


class _Heard(NamedTuple):
    """How many turns were read, raised an alarm, were asked about; and did either by lists."""

    turns: int
    heard: int
    asked: int
    listed: int


def main() -> None:
    """Read the files, and print a line for their turns in danger and one for each other kind."""
    parser = argparse.ArgumentParser(prog="python -m rt_avatar.benchmarks.empathy.danger")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--missed", action="store_true", help="print what is heard wrongly, too")
    options = parser.parse_args()
    sys.stdout.write("turns  heard  asked  by lists\n")
    for path in options.files:
        turns = tuple(dict.fromkeys(_read(path)))
        for name in sorted({found for found, _ in turns}):
            texts = [text for found, text in turns if found == name]
            sys.stdout.write(_told(_measure(texts), f"{path.name}, {name}"))
            if options.missed:
                wrong = (text for text in texts if bool(_alarm(text)) != (name == _DANGER))
                sys.stdout.writelines(f"    {_alarm(text)}: {text}\n" for text in wrong)


def _read(path: Path) -> Iterator[tuple[str, str]]:
    """Yield "danger" or a kind of none, and a turn."""
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            turns = (turn for line in lines for turn in json.loads(line)["turns"])
            yield from (("none", turn["text"]) for turn in turns if turn["role"] in _CALLERS)
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, tab, text = line.partition("\t")
        if line and not line.startswith("#"):
            is_danger = bool(tab) and not kind.startswith("none")
            yield (_DANGER if is_danger else kind if tab else "none", text or kind)


def _alarm(text: str, *, is_sensed: bool = True) -> str | None:
    """Return the alarm of a turn, read as the listener reads it."""
    return find_alarm(clean_words(spelled(text)), is_sensed=is_sensed)


def _measure(texts: Sequence[str]) -> _Heard:
    alarms = [_alarm(text) for text in texts]
    asked = sum(one in UNSURE for one in alarms)
    listed = sum(_alarm(text, is_sensed=False) is not None for text in texts)
    return _Heard(len(texts), sum(map(bool, alarms)) - asked, asked, listed)


def _told(found: _Heard, name: str) -> str:
    shares = "".join(f"{100 * one / found.turns:6.2f}%" for one in found[1:])
    return f"{found.turns:5}{shares}  {name}\n"


if __name__ == "__main__":
    main()
