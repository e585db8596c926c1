"""Text as people and language models write it → text that is safe and sensible to speak.

Characters are replaced one by one and never removed, so a position in the spoken text is the
same position in the written one, and captions can show what was written.
"""

import re
import unicodedata
from collections import Counter
from typing import Final

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
# What frames words in markup, told from them: tags (SSML, HTML), the target of a Markdown link or
# image, the rule and language of a fenced block, reference marks.
_TAGS: Final = re.compile(
    r"</?[A-Za-z][^<>]{0,300}>|<!--.{0,1000}?-->|<\?[^<>]{0,300}\?>"
    r"|(?<=\])\([^()\s]{0,2000}\)|(?m:^[ \t]*(?:```|~~~)[^\n`]{0,40}$)|&(?:nbsp|[lg]t|quot|#39);"
    r"|(?<=&)amp;"
)
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


def printable(text: str, keep: str = "") -> str:
    """Return ``text`` fit for a caption: control, surrogate and direction marks made spaces.

    Args:
        text: Anything.
        keep: Control characters that stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        " "
        if (unicodedata.category(c) in _UNPRINTABLE or c in _DIRECTIONS) and c not in keep
        else c
        for c in text
    )


def blank_markup(text: str) -> str:
    """Return ``text`` with tags, targets of links and rules of code made spaces."""
    return _TAGS.sub(lambda found: " " * len(found[0]), text)


def fold_compatible(text: str) -> str:
    """Return ``text`` with full-width, mathematical and lowered letters and digits made plain."""
    if text.isascii():
        return text
    return "".join(_folded(character) for character in text)


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


def _folded(character: str) -> str:
    if character.isascii() or unicodedata.decomposition(character)[:1] != "<":
        return character
    plain = unicodedata.normalize("NFKC", character)
    is_raised = unicodedata.decomposition(character).startswith("<super>")
    return plain if len(plain) == 1 and plain.isascii() and not is_raised else character


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
