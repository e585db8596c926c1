"""Dialogues → pairs of a context and the reply to it.

EmpatheticDialogues' listeners answer as the avatar should. Far more of how people answer each other
is in what its speakers say to them, and in open dialogues: the network sees those first.
"""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.reply_ranker.context import ReplyContext, context_of
from rt_avatar.engines.text_emotion.features import split_words

NO_EMOTION: Final = -1
_CHOOSING_SHARE: Final = 10  # one of so many writers' pairs
_REPLY: Final = 40  # words that are read of a reply


@dataclass(frozen=True, slots=True)
class ReplyPair:
    """One reply in its context.

    Attributes:
        context: What was said before.
        reply: The words of the reply.
        text: The reply as it was written.
        emotion: Index into ``FINE`` of what the dialogue is about, or ``NO_EMOTION``.
        is_listener: Whether a listener answers a speaker.
        is_for_choosing: Whether it is kept out of training.
    """

    context: ReplyContext
    reply: list[str]
    text: str = ""
    emotion: int = NO_EMOTION
    is_listener: bool = True
    is_for_choosing: bool = False


def read_pairs(path: Path) -> list[ReplyPair]:
    """Return every turn after the first of a file in EmpatheticDialogues' form (.jsonl.gz).

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is of another form, or holds no reply.
    """
    form = '{"id", "emotion", "turns": [{"role", "text"}]}'
    return _read(path, "EmpatheticDialogues", form, _of_roles)


def read_open_pairs(path: Path) -> list[ReplyPair]:
    """Return every turn after the first of self_dialogue_corpus (.jsonl.gz).

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It is of another form, or holds no reply.
    """
    return _read(path, "self_dialogue_corpus", '{"turns": [text]}', _of_texts)


def _read(
    path: Path, name: str, form: str, parse: Callable[[dict[str, Any]], Iterator[ReplyPair]]
) -> list[ReplyPair]:
    found: list[ReplyPair] = []
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    found += parse(json.loads(line))
                except (KeyError, TypeError, ValueError) as error:
                    raise ValueError(
                        f"{path}, line {number}: expected {form}; got {error!r}"
                    ) from error
    except FileNotFoundError:
        raise FileNotFoundError(f"dialogues: expected {name} at {path}; got no file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(f"{path}: expected a gzip file of JSON lines; got {error}") from error
    if not found:
        raise ValueError(f"{path}: expected replies; got none")
    return found


def _of_roles(row: dict[str, Any]) -> Iterator[ReplyPair]:
    writers = str(row["id"]).partition("_")[0]  # "hit:12_conv:24": what one pair wrote
    is_for_choosing = zlib.crc32(writers.encode()) % _CHOOSING_SHARE == 0
    emotion = FINE.index(row["emotion"])  # ValueError if it is none of them
    turns = [(turn["role"], str(turn["text"])) for turn in row["turns"]]
    for at, (role, text) in enumerate(turns):
        said = [earlier for who, earlier in turns[:at] if who != role]
        own = [earlier for who, earlier in turns[:at] if who == role]
        words = split_words(text)
        if said and words:
            yield ReplyPair(
                context_of(said, own), words[:_REPLY], text, emotion, role == "listener",
                is_for_choosing,
            )  # fmt: skip


def _of_texts(row: dict[str, Any]) -> Iterator[ReplyPair]:
    turns = [str(turn) for turn in row["turns"]]
    for at in range(1, len(turns)):
        words = split_words(turns[at])
        if words:
            said, own = turns[at - 1 :: -2][::-1], turns[at - 2 :: -2][::-1] if at > 1 else []
            yield ReplyPair(context_of(said[-3:], own), words[:_REPLY], is_listener=False)
