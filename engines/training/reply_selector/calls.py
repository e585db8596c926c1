"""Labelled calls: for each turn which general replies fit, and how well the one that was said did.

A line is a call, ``{"writer", "turns": [{"caller", "avatar", "grade", "general"}, …]}``: what the
caller said and what the avatar answered, whether that fits (``F``), is weak (``W``) or misses the
point (``M``; null where nobody graded it), and the general replies that fit, the best first (null
where nobody chose). A turn may have ``"candidates"``, too: what else could have been said, each
with its grade; and ``"harmless": true``, where none of the replies to harm fits it.

Labelled dialogues are turns of EmpatheticDialogues, whose texts are not ours to give on: a line is
``{"id", "writer", "turns": {"0": {"general", "candidates"}, …}}``, and the texts are read from that
corpus by id and place.
"""

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.reply_selector.selector import GRADES, texts_of
from rt_avatar.engines.text_encoder import Splitter, framed

CALLS: Final = Path(__file__).parent / "labelled_calls.jsonl.gz"
DIALOGUES: Final = Path(__file__).parent / "labelled_dialogues.jsonl.gz"
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
        unknown: Places in the bank of the replies that its reader could not choose.
    """

    said: tuple[str, ...]
    own: tuple[str, ...]
    reply: str
    grade: int
    general: tuple[int, ...] | None
    writer: str
    candidates: tuple[tuple[str, int], ...] = ()
    is_harmless: bool = False
    unknown: frozenset[int] = frozenset()

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
    form = '{"writer", "turns": [{"caller", "avatar", "grade", "general"}, …]}'
    return _read(path, bank, form, lambda call: call)


def read_dialogues(path: Path, corpus: Path, bank: Sequence[str]) -> list[LabelledTurn]:
    """Return the labelled turns of EmpatheticDialogues.

    Args:
        path: ``.jsonl.gz`` of labels.
        corpus: ``train.jsonl.gz`` in that corpus' form, for the texts.
        bank: The general replies.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line is no such labels, or names a dialogue or turn that the corpus lacks.
    """
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        said = {row["id"]: row["turns"] for row in map(json.loads, lines)}

    def call_of(line: dict[str, Any]) -> dict[str, Any]:
        texts, turns = said[line["id"]], []
        for at, turn in enumerate(texts):
            if turn["role"] == "speaker":
                answers = [after["text"] for after in texts[at + 1 : at + 2]]
                labels = line["turns"].get(str(at), {"general": None})
                turns.append({"caller": turn["text"], "avatar": " ".join(answers), "grade": None,
                              **labels})  # fmt: skip
        return {"writer": line["writer"], "turns": turns}

    found = _read(path, bank, '{"id", "writer", "turns": {"0": {"general"}, …}}', call_of)
    return [one for one in found if one.general is not None or one.candidates]


def joined(calls: Sequence[LabelledTurn], dialogues: Sequence[LabelledTurn]) -> list[LabelledTurn]:
    """Return the turns of both; what only the others' readers chose is unknown to a turn."""
    of_calls, of_dialogues = (
        frozenset(at for one in turns for at in one.general or ()) for turns in (calls, dialogues)
    )
    return [
        *(replace(one, unknown=of_dialogues - of_calls) for one in calls),
        *(replace(one, unknown=of_calls - of_dialogues) for one in dialogues),
    ]


def _read(
    path: Path, bank: Sequence[str], form: str, call_of: Callable[[dict[str, Any]], dict[str, Any]]
) -> list[LabelledTurn]:
    places = {text: at for at, text in enumerate(bank)}
    found: list[LabelledTurn] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                found += _turns(call_of(json.loads(line)), places)
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(
                    f"{path}, line {number}: expected {form}, general replies of the bank; "
                    f"got {error!r}"
                ) from error
    return found


def _turns(call: dict[str, Any], places: dict[str, int]) -> Iterator[LabelledTurn]:
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
