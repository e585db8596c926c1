"""The bank of replies: what may be said, and to what. A text file; see the head of replies.txt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from sys import intern
from typing import Final, Literal, cast, get_args

from rt_avatar.engines.emotion_words import FINE, PLEASANT, UNPLEASANT, Fine
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.text_emotion.features import split_words

When = Literal[
    "first", "later", "any", "brief", "short", "long", "next", "answer", "thanks", "asks",
    "resolved", "ever",
]  # fmt: skip
WHENS: Final[tuple[When, ...]] = get_args(When)
_GROUPS: Final = {"good": PLEASANT, "bad": UNPLEASANT, "any": frozenset(FINE)}
_GRAVE, _PLAIN, _GENERAL = "grave", "plain", "general"
_FIELDS: Final = 4
_MOST_WORDS: Final = 25  # of a reply that is pleasant to hear
_BEGINNING: Final = range(3, 17)  # letters of a beginning; a word may have a million
_LONGEST_PHRASE: Final = 4  # words
_LONGEST_FIRST: Final = 3  # of those that a turn begins with
_MARKS: Final = "+-*#@"


@dataclass(frozen=True, slots=True)
class Situation:
    """What replies under one heading answer.

    Attributes:
        name: For people who read the file.
        feels: Emotions of whom it may be said to.
        groups: Of each, one word must have been said.
        without: None of these may have been said.
        when: In which place of a call.
        is_grave: Whether it was written for stories of death and illness.
        is_plain: Whether a few words with its own in them tell enough: it goes before all others
            but those that answer what was asked, and those of the moment ``ever``.
        is_general: Whether it knows no topic, but what a turn does or how it feels: a later turn
            may be taken up in the caller's own words instead.
    """

    name: str
    feels: frozenset[Fine]
    groups: tuple[tuple[str, ...], ...]
    without: tuple[str, ...]
    when: When
    is_grave: bool
    is_plain: bool
    is_general: bool


@dataclass(frozen=True, slots=True)
class BankedReply:
    """A reply that may be said, as it is spoken, and what it answers."""

    text: str
    situation: Situation


def load_bank(path: Path | None = None) -> list[BankedReply]:
    """Return the replies of a file, the package's own where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: A line is none, or must never be said; it is named.
    """
    if path is None:
        with resources.as_file(resources.files("rt_avatar.engines.reply_ranker")) as folder:
            return load_bank(folder / "replies.txt")
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise FileNotFoundError(
            f"replies: expected a text file of replies at {path}; got no file"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"replies: expected a text file at {path}; got {error}") from error
    found = list(_read(path, lines))
    if not found:
        raise ValueError(f"replies: expected some in {path}; got none")
    return found


def grams_of(words: Sequence[str]) -> frozenset[str]:
    """Return all that the words of a heading can find in these words.

    Words and phrases (``"passed_away"``), beginnings of words (``"bully*"``), and the first words
    (``"^in"``, ``"^in_the"``).
    """
    phrases = (
        "_".join(words[at : at + size])
        for size in range(1, _LONGEST_PHRASE + 1)
        for at in range(len(words) - size + 1)
    )
    beginnings = (word[:end] + "*" for word in set(words) for end in _BEGINNING if end <= len(word))
    first = ("^" + "_".join(words[:size]) for size in range(1, min(len(words), _LONGEST_FIRST) + 1))
    return frozenset((*phrases, *beginnings, *first))


def _read(path: Path, lines: Sequence[str]) -> Iterator[BankedReply]:
    situation: Situation | None = None
    seen: set[str] = set()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            if text.startswith("["):
                situation = _situation(text)
                continue
            if situation is None:
                raise ValueError("a reply before the first heading")
            yield BankedReply(_checked(text, seen), situation)
        except ValueError as error:
            raise ValueError(
                f"replies: expected a heading [situation | feelings | words | when] or a reply "
                f"in {path}, line {number}; got {error}"
            ) from error


def _situation(line: str) -> Situation:
    fields = [field.strip() for field in line.strip("[]").split("|")]
    if len(fields) != _FIELDS or not line.endswith("]"):
        raise ValueError(f"{len(fields)} fields: {line}")
    name, feels, words, when = fields
    moment, *more = when.split() or [""]
    if moment not in WHENS or not {_GRAVE, _PLAIN, _GENERAL}.issuperset(more):
        raise ValueError(f"the time {when!r} instead of one of {', '.join(WHENS)}")
    for one in _words(words):
        _check_word(one)
    wanted, _, excluded = words.partition(" - ")
    groups = tuple(_words(group) for group in wanted.split("+") if group.split() != ["*"])
    without = _words(excluded)
    for one in (one for group in groups for one in group):
        if clash := _brought_by(one).intersection(without):
            raise ValueError(f"{one!r}, which can't be heard without {min(clash)!r}")
    return Situation(
        name=name,
        feels=_feelings(feels),
        groups=groups,
        without=without,
        when=moment,
        is_grave=_GRAVE in more,
        is_plain=_PLAIN in more,
        is_general=_GENERAL in more or not groups,
    )


@cache
def _check_word(one: str) -> None:
    """Check that a word, a phrase or a beginning can be heard at all.

    Raises:
        ValueError: It cannot.
    """
    phrase = one.lstrip("<?^")
    if phrase and phrase[0] in _MARKS:
        return
    if phrase.endswith("*"):
        phrase = phrase[:-1]
        if len(phrase) not in _BEGINNING:
            raise ValueError(f"a beginning of 3 to 16 letters instead of {one!r}")
    most = _LONGEST_FIRST if "^" in one else _LONGEST_PHRASE
    heard = split_words(phrase.replace("_", " "))
    if not 0 < len(heard) <= most or "_".join(heard) != phrase:
        raise ValueError(
            f"at most {most} words as they are heard, joined by '_', instead of {one!r}; "
            f"heard is {' '.join(heard)!r}"
        )


@cache
def _brought_by(one: str) -> frozenset[str]:
    """Return all words of headings that are found wherever that one is."""
    phrase = one.lstrip("<?^")
    marks = one.removesuffix(phrase)
    found = grams_of(phrase.split("_"))
    side = marks.rstrip("^")
    return frozenset(side + gram for gram in found if "^" in marks or gram[0] != "^")


def _words(text: str) -> tuple[str, ...]:
    """Return the words, each kept once for all headings: they say the same ones over and over."""
    return tuple(dict.fromkeys(map(intern, text.split())))


@cache
def _feelings(words: str) -> frozenset[Fine]:
    found: set[Fine] = set()
    for word in words.split():
        if word not in _GROUPS and word not in FINE:
            raise ValueError(f"{word!r} instead of an emotion, good, bad or any")
        found |= _GROUPS.get(word, frozenset({cast("Fine", word)}))
    if not found:
        raise ValueError("no feelings")
    return frozenset(found)


def _checked(text: str, seen: set[str]) -> str:
    words = split_words(text)
    if why := find_unsafe(text):
        raise ValueError(f"what must never be said ({why}): {text}")
    if not words or len(words) > _MOST_WORDS or text[-1] not in ".?!":
        raise ValueError(
            f"a reply of {len(words)} words instead of a sentence of {_MOST_WORDS} at most: {text}"
        )
    if (key := " ".join(words)) in seen:
        raise ValueError(f"the same reply again: {text}")
    seen.add(key)
    return text
