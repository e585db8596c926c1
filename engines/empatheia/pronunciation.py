"""Written words → what the voice's symbols say: with espeak-ng where it is installed, else spelled.

A voice learnt from phonemes needs a phonemizer; a spelled text is all that the symbol table can
take without one, since it has the letters too.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from engines.styletts2.symbols import SYMBOL_ID

_LETTERS: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MARKS: Final = ".,!?;:…—"
_STRESS: Final = {0: "", 1: "ˌ", 2: "ˈ"}


@dataclass(frozen=True, slots=True)
class Pronounced:
    """A word, or a punctuation mark, and its symbols, all of which the table has.

    Attributes:
        text: As it is written, marks and all; "" for a mark, which no caption shows alone.
        symbols: Not empty.
    """

    text: str
    symbols: str


Pronounce: TypeAlias = Callable[[str], tuple[Pronounced, ...]]


def spell(text: str) -> tuple[Pronounced, ...]:
    """Return words as their own letters, as far as the table has them.

    What it has nothing of is shown with the word before it, or else the word behind it.
    """
    made: list[Pronounced] = []
    word, unsaid = -1, ""  # the last word in ``made``; what is written before the first
    for token in text.split():
        symbols = known("".join(_LETTERS.findall(token.lower())))
        if symbols:
            word = len(made)
            made.append(Pronounced(f"{unsaid} {token}".strip(), symbols))
            unsaid = ""
        elif word >= 0:
            made[word] = replace(made[word], text=f"{made[word].text} {token}")
        else:
            unsaid = f"{unsaid} {token}"
        ending = token[len(token.rstrip(_MARKS)) :]
        made += [Pronounced("", mark) for mark in ending]
    return tuple(made)


def with_espeak() -> Pronounce:
    """Return a pronunciation by espeak-ng's American English.

    Raises:
        VoiceMissingError: It is not installed.
    """
    from engines.espeak._library import Settings, load_library
    from engines.espeak.clause import speak_clause

    library = load_library()
    settings = Settings(variant="f5", rate_wpm=170, pitch=50, pitch_range=50)

    def pronounce(text: str) -> tuple[Pronounced, ...]:
        spoken = speak_clause(library, text, settings)
        if spoken is None:
            return ()
        words = spoken.words
        sounds = [""] * len(words)
        for sound in spoken.phonemes:
            at = sum(word.start <= sound.start for word in words) - 1
            if at >= 0:
                sounds[at] += _STRESS[sound.stress] + sound.ipa
        made = []
        for index, (word, symbols) in enumerate(zip(words, sounds, strict=True)):
            if heard := known(symbols):
                made.append(Pronounced(word.text, heard))
            mark = word.text[-1]
            # A full stop within a clause is an abbreviation's.
            if mark in _MARKS and made and (mark != "." or index == len(words) - 1):
                made.append(Pronounced("", mark))
        return tuple(made)

    return pronounce


def known(symbols: str) -> str:
    """Return the symbols that the table has, without spaces."""
    return "".join(symbol for symbol in symbols if symbol in SYMBOL_ID and symbol != " ")
