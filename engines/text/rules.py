"""A rule of text normalisation: what it finds in written text, and the words it is said with."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.text.numbers import Words, say_digits


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of expression.

    Attributes:
        pattern: Finds it; it must not need more than linear time. Where it has a group
            ``roman`` or ``digits``, only that is what is said; the rest is its context.
        say: Returns its words, among them marks (``","``) where a speaker pauses and single
            capitals for letters that are spelled; None where it is not that kind after all.
    """

    pattern: re.Pattern[str]
    say: Callable[[re.Match[str]], Words | None]


# Words that begin a sentence rather than follow an abbreviation, written large.
_BEGINNINGS: Final = re.compile(
    r"(?:The|This|That|These|Those|It|Its|He|She|We|They|I|You|My|His|Her|Our|Their|A|An|But|And"
    r"|So|Then|If|When|In|On|At|For|What|Who|Why|How|Where|There|Is|Are|Was|Do|Does|Did|Yes|No|Not|Now)\b"
)


_ARTICLE: Final = re.compile(r"(?<!\w)[Aa]n? $")
_NOUN: Final = re.compile(r"[ -][a-z]")


def begins_sentence(text: str) -> bool:
    """Whether a text begins with a word, written large, that mostly begins a sentence."""
    return bool(_BEGINNINGS.match(text))


def is_before_noun(found: re.Match[str]) -> bool:
    """Whether it tells what kind a thing is, as in "a $20 bill", "a 10 km run"."""
    before = found.string[max(0, found.start() - 4) : found.start()]
    return bool(_ARTICLE.search(before) and _NOUN.match(found.string, found.end()))


def is_sentence_end(found: re.Match[str]) -> bool:
    """Whether the full stop that an abbreviation ends with also ends the sentence."""
    if not found[0].endswith("."):
        return False
    rest = found.string[found.end() : found.end() + 40].lstrip(" \t\"'”’)\0")
    return not rest or rest[0] == "\n" or begins_sentence(rest)


def spell(letters: str) -> Words:
    """Return letters and digits to be said one by one: letters as single capitals."""
    words: list[str] = []
    for character in letters:
        if character.isdigit():
            words += say_digits(character)
        elif character.isascii() and character.isalpha():
            words.append(character.upper())
    return tuple(words)
