"""Written words with their places in the text, and the pauses that marks ask for."""

from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.text.characters import has_words

# About 90 s of speech. A clause is a tenth of it; longer input is a mistake or an attack, and one
# call must not hold the voice for others (10,000 characters would take half a second).
MAX_CHARACTERS: Final = 1_000

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
