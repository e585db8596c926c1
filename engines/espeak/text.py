"""Text as people and language models write it → text that is safe and sensible to speak.

Characters are replaced one by one and never removed, so a position in the spoken text is the
same position in the written one, and captions can show what was written.
"""

import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Final

# About 90 s of speech. A clause is a tenth of it; longer input is a mistake or an attack, and one
# call must not hold the voice for others (10,000 characters would take half a second).
MAX_CHARACTERS: Final = 1_000

# Marks that espeak-ng would read out ("asterisk", "less than") or take as its own notation
# (``[[``, SSML): in replies they are leftovers of Markdown or markup.
_MARKUP: Final = frozenset("*_#`~|^<>[]{}\\")
# Control, surrogate, private, unassigned, format; symbols other than money and maths (emoji).
_SKIPPED_CATEGORIES: Final = frozenset(("Cc", "Cs", "Co", "Cn", "Cf", "So", "Sk", "Zl", "Zp"))
_JOINERS: Final = frozenset("\u200c\u200d")  # letters of Indic and Persian words need them
_VARIATION_SELECTORS: Final = range(0xFE00, 0xFE10)
_KEYCAP: Final = 0x20E3
_UNPRINTABLE: Final = frozenset(("Cc", "Cs", "Co", "Cn"))
_DIRECTIONS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_JAPANESE: Final = ("LATIN", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK")

# First word of a letter's Unicode name → espeak-ng's language for a clause written in it.
SCRIPTS: Final[dict[str, str]] = {
    "LATIN": "en-us",
    "ARABIC": "ar",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "CJK": "cmn",
    "CYRILLIC": "ru",
    "DEVANAGARI": "hi",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "TAMIL": "ta",
    "TELUGU": "te",
}

# Pauses between clauses at the usual rate. Source: E. Campione, J. Véronis, "A large-scale
# multilingual study of silent pause duration" (2002): short pauses about 150 ms, between
# sentences about 500 ms in read speech; conversation is quicker, and a reply must not drag.
_PAUSE_S: Final = {
    ".": 0.36, "!": 0.34, "?": 0.36, "…": 0.45, ";": 0.28, ":": 0.26, ",": 0.17,
    "。": 0.36, "！": 0.34, "？": 0.36,
}  # fmt: skip
_PAUSE_OTHER_S: Final = 0.09  # a clause cut within a phrase
_CLOSING_MARKS: Final = "\"'”’»)]} "


@dataclass(frozen=True, slots=True)
class Token:
    """A written word with its punctuation: ``text[start:end]``."""

    text: str
    start: int
    end: int


def shorten(text: str) -> str:
    """Return ``text`` cut to ``MAX_CHARACTERS``, between words where it can be."""
    if len(text) <= MAX_CHARACTERS:
        return text
    cut = text.rfind(" ", MAX_CHARACTERS // 2, MAX_CHARACTERS)
    return text[: cut if cut > 0 else MAX_CHARACTERS]


def printable(text: str) -> str:
    """Return ``text`` fit for a caption: control, surrogate and direction marks made spaces."""
    return "".join(
        " " if unicodedata.category(c) in _UNPRINTABLE or c in _DIRECTIONS else c for c in text
    )


def speakable(text: str, script: str) -> str:
    """Return ``text`` with all made spaces that a voice for ``script`` cannot say.

    Letters of a third script go too: an English voice would read "Chinese letter" for each.
    """
    return "".join(character if _is_spoken(character, script) else " " for character in text)


def find_script(text: str) -> str:
    """Return the script most letters are of, as in ``SCRIPTS``; ``"LATIN"`` when it is unknown.

    Any kana makes it Japanese, which is written with Chinese characters too.
    """
    counts = Counter(_script(character) for character in text if character.isalpha())
    if counts["HIRAGANA"] or counts["KATAKANA"]:
        return "HIRAGANA"
    known = [(count, script) for script, count in counts.items() if script in SCRIPTS]
    return max(known)[1] if known else "LATIN"


def has_words(text: str) -> bool:
    """Whether there is anything to say in it: a letter or a digit of any script."""
    return any(character.isalnum() for character in text)


def split_tokens(text: str) -> list[Token]:
    """Split at white space; what has no letter or digit joins the word before it.

    ``"Well — fine 🙂"`` gives ``"Well —"`` and ``"fine 🙂"``: shown, but with no time of its own.
    """
    tokens: list[Token] = []
    prefix_start: int | None = None
    position = 0
    for part in text.split():
        start = text.index(part, position)
        position = end = start + len(part)
        if not has_words(part):
            if tokens:
                last = tokens[-1]
                tokens[-1] = Token(f"{last.text} {part}", last.start, end)
            elif prefix_start is None:
                prefix_start = start
            continue
        if prefix_start is not None:
            start, prefix_start = prefix_start, None
        tokens.append(Token(" ".join(text[start:end].split()), start, end))
    return tokens


def pause_after(text: str) -> float:
    """Return the natural silence after a clause in seconds, by the mark that ends it."""
    spoken = text.rstrip(_CLOSING_MARKS + "\t\r\n")
    return _PAUSE_S.get(spoken[-1:], _PAUSE_OTHER_S)


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ", 1)[0]


def _is_spoken(character: str, script: str) -> bool:
    if character in _JOINERS:
        return True
    if character.isalpha() and not character.isascii():
        own = _script(character)
        family = _JAPANESE if script == "HIRAGANA" else ("LATIN", script)
        return own in family
    code = ord(character)
    if character in _MARKUP or code in _VARIATION_SELECTORS or code == _KEYCAP:
        return False
    return unicodedata.category(character) not in _SKIPPED_CATEGORIES
