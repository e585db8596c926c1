"""A clause's words and marks → segments that the network has positions for, cut where one breathes.

The same order of marks as Kokoro's own program: the last end of a sentence that fits, else the
last semicolon or colon, else the last comma or dash, else between words.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rt_avatar.engines.styletts2.pronunciation import Pronounced, join_symbols
from rt_avatar.engines.styletts2.symbols import MAX_TOKENS

MAX_SYMBOLS: Final = MAX_TOKENS - 2  # without the pad symbols; rows of a style table
_MARKS: Final = ("!.?…", ":;", ",—")


def split_segments(
    parts: Sequence[Pronounced], most: int = MAX_SYMBOLS
) -> list[tuple[Pronounced, ...]]:
    """Return the parts in groups of at most so many symbols, spaces counted.

    A single word that is longer is cut short.
    """
    left = [replace(part, symbols=part.symbols[:most]) for part in parts]
    segments: list[tuple[Pronounced, ...]] = []
    while left:
        count = _cut(left, _fitting(left, most))
        segments.append(tuple(left[:count]))
        left = left[count:]
    return segments


def _fitting(parts: Sequence[Pronounced], most: int) -> int:
    """Return how many parts from the first on have at most so many symbols; one at least."""
    _, starts = join_symbols(parts, "misaki")
    ends = [start + len(part.symbols) for start, part in zip(starts, parts, strict=True)]
    return max(1, sum(end <= most for end in ends))


def _cut(parts: Sequence[Pronounced], fitting: int) -> int:
    if fitting == len(parts):
        return fitting
    for marks in _MARKS:
        for at in reversed(range(fitting)):
            if parts[at].is_mark and parts[at].symbols in marks:
                return at + 1
    return fitting
