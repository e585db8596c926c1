"""What the language model learns from: EmpatheticDialogues, open dialogues, books.

Held-out parts are other people's: of EmpatheticDialogues' training file one in ten pairs of writers
is kept for choosing, and ``valid`` is only measured on. AvaMERG's own layout: ``avamerg``.
"""

import gzip
import json
import lzma
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeVar

from rt_avatar.engines.llm.chain import Chain
from rt_avatar.engines.llm.profile import GENDERS, Profile
from rt_avatar.engines.llm.templates import Turn

TRAIN: Final = Path("empathetic_dialogues/train.jsonl.gz")
VALID: Final = Path("empathetic_dialogues/valid.jsonl.gz")
OPEN: Final = Path("text/self_dialogue.jsonl.gz")
BOOKS: Final = Path("text/books.txt.xz")
_ROLES: Final[dict[str, Literal["user", "avatar"]]] = {"speaker": "user", "listener": "avatar"}
CHOOSING_SHARE: Final = 10  # one of so many writers' pairs
_FORM: Final = (
    '{"id", "emotion", "situation", "turns": [{"role": "speaker" or "listener", "text"}], '
    '"coe" (optional): {turn: {"event_scenario", "emotion_cause", "goal"}}}'
)
# The annotators' own words for who answers → classes of ``engines.llm.profile``. An adult of no
# age is left out.
_AGES: Final = {
    "children": "child", "teenagers": "young", "young": "young", "young adult": "young",
    "middle-aged": "middle-aged", "elderly": "elderly",
}  # fmt: skip
_TONES: Final = {
    "bright": "high", "enthusiastic": "high",
    "clear": "mid", "melodious": "mid", "warm": "mid", "encouraging": "mid",
    "soft": "low", "low-pitched": "low",
}  # fmt: skip
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class FeltDialogue:
    """A dialogue of somebody who feels and somebody who listens.

    Attributes:
        emotion: One of the 32.
        turns: The speaker's are the user's, the listener's the avatar's.
        chains: By index of a listener's turn, where they were annotated; fields may be "".
        profiles: By index of a listener's turn: who answers, where it was annotated.
        is_for_choosing: Whether it is kept out of training.
        recorded: By index of a listener's turn: its video or sound, said by who answers.
    """

    emotion: str
    turns: tuple[Turn, ...]
    chains: dict[int, Chain]
    profiles: dict[int, Profile]
    is_for_choosing: bool
    recorded: dict[int, Path] = field(default_factory=dict)


def read_felt(path: Path) -> list[FeltDialogue]:
    """Return the dialogues of a file of EmpatheticDialogues' shape (.jsonl.gz).

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is of another shape; the message names the line.
    """
    return list(_rows(path, _FORM, _felt))


def read_open(path: Path) -> list[tuple[str, ...]]:
    """Return open dialogues, their turns in order.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is of another shape.
    """

    def turns(row: dict[str, object]) -> tuple[str, ...]:
        found = row["turns"]
        if not isinstance(found, list) or not all(isinstance(turn, str) for turn in found):
            raise TypeError("turns that are no list of texts")
        return tuple(found)

    return list(_rows(path, '{"turns": [text, …]}', turns))


def read_books(path: Path) -> Iterator[str]:
    """Yield the paragraphs of books, one a line, from an .xz.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is damaged.
    """
    _check_there(path)
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                if text := line.strip():
                    yield text
    except (lzma.LZMAError, EOFError, UnicodeDecodeError) as error:
        raise ValueError(
            f"{path}: expected an .xz of UTF-8 text; got {error}. Copy it again"
        ) from error


def _rows(path: Path, form: str, make: Callable[[dict[str, object]], _Row]) -> Iterator[_Row]:
    _check_there(path)
    number = 0
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield make(json.loads(line))
                except (KeyError, TypeError, ValueError, AttributeError) as error:
                    raise ValueError(
                        f"{path}, line {number}: expected {form}; got {error!r}"
                    ) from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(
            f"{path}: expected a gzip file of JSON lines; got {error}. Copy it again"
        ) from error
    if not number:
        raise ValueError(f"{path}: expected dialogues; got none")


def _check_there(path: Path) -> None:
    if not path.is_file():
        raise FileNotFoundError(
            f"{path}: expected a file; got none. --data names the folder that holds "
            f"{TRAIN}, {VALID}, {OPEN} and {BOOKS}"
        )


def _felt(row: dict[str, object]) -> FeltDialogue:
    turns, coe = row["turns"], row.get("coe", {})
    if not isinstance(turns, list) or not isinstance(coe, dict):
        raise TypeError("turns that are no list, or coe that is no object")
    emotion = str(row["emotion"])
    writers = str(row["id"]).partition("_")[0]  # "hit:12_conv:24": what one pair wrote
    return FeltDialogue(
        emotion,
        tuple(Turn(_ROLES[turn["role"]], " ".join(turn["text"].split())) for turn in turns),
        {int(at): _chain(emotion, fields) for at, fields in coe.items()},
        {int(at): found for at, fields in coe.items() if (found := _profile(fields))},
        zlib.crc32(writers.encode()) % CHOOSING_SHARE == 0,
    )


def _chain(emotion: str, fields: dict[str, str]) -> Chain:
    return Chain(
        phrase(fields["event_scenario"]),
        emotion,
        phrase(fields["emotion_cause"]),
        phrase(fields["goal"]),
    )


def _profile(fields: dict[str, str]) -> Profile | None:
    """Return who answers; None where a field is missing or its word is none of the known."""
    age = _AGES.get(fields.get("agent_age", "").lower().removesuffix(" adults"))
    gender = fields.get("agent_gender", "").lower()
    tone = _TONES.get(fields.get("timbre", "").lower())
    return Profile(age, gender, tone) if age and gender in GENDERS and tone else None


def phrase(text: str) -> str:
    """Return words of a chain in one line, without a full stop."""
    return " ".join(text.split()).removesuffix(".")
