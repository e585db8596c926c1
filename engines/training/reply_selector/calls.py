"""Labelled calls: for each turn which general replies fit, and how well the one that was said did.

A line is a call, ``{"writer", "turns": [{"caller", "avatar", "grade", "general"}, …]}``: what the
caller said and what the avatar answered, whether that fits (``F``), is weak (``W``) or misses the
point (``M``; null where nobody graded it), and the general replies that fit, the best first (null
where nobody chose). A turn may have ``"candidates"``, too: what else could have been said, each
with its grade; and ``"harmless": true``, where none of the replies to harm fits it.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.reply_selector.selector import GRADES, texts_of
from rt_avatar.engines.text_encoder import Splitter, framed

CALLS: Final = Path(__file__).parent / "labelled_calls.jsonl.gz"
NOT_GRADED: Final = -1
# What each place of the list of fitting replies counts.
_PLACES = (1.0, 0.8, 0.6, 0.5, 0.4)


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTurn:
    """A turn of a call.

    Attributes:
        said: The caller's turns up to it.
        own: The avatar's before it.
        reply: What the avatar said to it.
        grade: Of that reply, a place in ``GRADES``; NOT_GRADED.
        general: Places in the bank of the general replies that fit, the best first; None where
            nobody chose.
        writer: Who wrote or labelled the call.
        candidates: What else could be said, and its grade, a place in ``GRADES``.
        is_harmless: It was said between turns that tell of harm, and tells of none.
    """

    said: tuple[str, ...]
    own: tuple[str, ...]
    reply: str
    grade: int
    general: tuple[int, ...] | None
    writer: str
    candidates: tuple[tuple[str, int], ...] = ()
    is_harmless: bool = False

    def rows(self, splitter: Splitter) -> list[int]:
        """Return the rows of the pieces that the network reads."""
        return framed(splitter, *texts_of(self.said, self.own, self.reply))

    def wanted(self, replies: int) -> NDArray[np.float32] | None:
        """Return which share (1 + replies,) each score should have, "none" first."""
        if self.general is None:
            return None
        found = np.zeros(1 + replies, np.float32)
        for place, at in zip(_PLACES, self.general, strict=False):
            found[1 + at] = place
        if not self.general:
            found[0] = 1.0
        shares: NDArray[np.float32] = found / found.sum()
        return shares


def read_calls(path: Path, bank: Sequence[str]) -> list[LabelledTurn]:
    """Return all turns of a file.

    Args:
        path: ``.jsonl.gz``.
        bank: The general replies.

    Raises:
        ValueError: A line is no call; it is named.
    """
    places = {text: at for at, text in enumerate(bank)}
    found: list[LabelledTurn] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                found += _turns(json.loads(line), places)
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(
                    f'{path}, line {number}: expected {{"writer", "turns": [{{"caller", "avatar", '
                    f'"grade", "general"}}, …]}}, general replies of the bank; got {error!r}'
                ) from error
    return found


def _turns(call: dict[str, object], places: dict[str, int]) -> Iterator[LabelledTurn]:
    said: list[str] = []
    own: list[str] = []
    turns = call["turns"]
    if not isinstance(turns, list):
        raise TypeError("turns that are no list")
    for turn in turns:
        said.append(turn["caller"])
        general = turn["general"]
        yield LabelledTurn(
            tuple(said),
            tuple(own),
            turn["avatar"],
            NOT_GRADED if turn["grade"] is None else GRADES.index(turn["grade"]),
            None if general is None else tuple(places[text] for text in general),
            str(call["writer"]),
            tuple((text, GRADES.index(grade)) for text, grade in turn.get("candidates", ())),
            bool(turn.get("harmless")),
        )
        own.append(turn["avatar"])
