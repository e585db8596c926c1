"""What callers say in danger, and what sounds like it: read from files of lines.

A line is ``kind<TAB>turn``: a kind of ``engines.text_danger``, or ``none`` (also ``none_near``:
with words of danger). ``#`` begins a remark.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rt_avatar.engines.text_danger.classifier import DANGERS
from rt_avatar.engines.text_danger.features import split_words

NONE: Final = len(DANGERS)
_KINDS: Final[dict[str, int]] = {kind: at for at, kind in enumerate((*DANGERS, "none"))}
_KINDS["none_near"] = NONE


@dataclass(frozen=True, slots=True)
class Sentence:
    """A turn as words, and the number of its kind; ``NONE``: no danger."""

    words: Sequence[str]
    kind: int
    text: str


def read_sentences(path: Path) -> list[Sentence]:
    """Return the turns of a file.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line is none; it is named.
    """
    with path.open(encoding="utf-8") as lines:
        return list(_read(path, lines))


def _read(path: Path, lines: Iterator[str]) -> Iterator[Sentence]:
    for number, line in enumerate(lines, 1):
        if line.startswith("#") or not line.strip():
            continue
        kind, tab, text = line.rstrip("\n").partition("\t")
        words = split_words(text)
        if not tab or kind not in _KINDS or not words:
            raise ValueError(
                f"{path}, line {number}: expected kind<TAB>turn, the kind one of "
                f"{', '.join(_KINDS)}; got {line.strip()[:80]!r}"
            )
        yield Sentence(words, _KINDS[kind], text)
