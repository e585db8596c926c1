"""EmpatheticDialogues → labelled texts, with a part kept for choosing.

The two parts hold different pairs of writers, so that nobody's manner is learnt and then found.
"""

import gzip
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.text_emotion.features import split_words

_CHOOSING_SHARE: Final = 10  # one of so many writers' pairs


@dataclass(frozen=True, slots=True)
class LabelledDialogue:
    """One dialogue as words.

    Attributes:
        label: Index into ``FINE``.
        turns: The speaker's turns, whose emotion it is.
        answers: The listener's turns.
        situation: What the speaker wrote down before: another text with the same label.
        is_for_choosing: Whether it is kept out of training.
    """

    label: int
    turns: tuple[list[str], ...]
    answers: tuple[list[str], ...]
    situation: list[str]
    is_for_choosing: bool

    def said(self, turns: int | None = None) -> list[str]:
        """Return the words of the speaker's first turns; of all where no number is given."""
        return [word for turn in self.turns[:turns] for word in turn]


def read_labelled(path: Path) -> list[LabelledDialogue]:
    """Return the dialogues of a file in EmpatheticDialogues' form (.jsonl.gz).

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is of another form.
    """
    found = []
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    found.append(_labelled(json.loads(line)))
                except (KeyError, TypeError, ValueError) as error:
                    raise ValueError(
                        f'{path}, line {number}: expected {{"id", "emotion": one of the 32, '
                        f'"situation", "turns": [{{"role", "text"}}]}}; got {error!r}'
                    ) from error
    except FileNotFoundError:
        raise FileNotFoundError(
            f"dialogues: expected EmpatheticDialogues at {path}; got no file"
        ) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: expected a gzip file of JSON lines; got {error}") from error
    if not found:
        raise ValueError(f"{path}: expected dialogues; got none")
    return found


def _labelled(row: dict[str, object]) -> LabelledDialogue:
    turns = row["turns"]
    if not isinstance(turns, list):
        raise TypeError("turns that are no list")
    writers = str(row["id"]).partition("_")[0]  # "hit:12_conv:24": what one pair wrote
    return LabelledDialogue(
        FINE.index(row["emotion"]),  # ValueError if it is none of them
        tuple(split_words(turn["text"]) for turn in turns if turn["role"] == "speaker"),
        tuple(split_words(turn["text"]) for turn in turns if turn["role"] == "listener"),
        split_words(str(row["situation"])),
        zlib.crc32(writers.encode()) % _CHOOSING_SHARE == 0,
    )
