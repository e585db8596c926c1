"""Written words → the symbols that a voice was trained on, by our own text-to-phoneme."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.g2p import load_phonemizer, to_espeak, to_misaki
from rt_avatar.engines.styletts2.recipe import Notation
from rt_avatar.engines.styletts2.symbols import SYMBOL_ID

_TRANSCRIBE: Final[dict[Notation, Callable[[Sequence[str], str, bool], str]]] = {
    "espeak": to_espeak,
    "misaki": lambda phones, word, is_final: to_misaki(phones, word),
}


@dataclass(frozen=True, slots=True)
class Pronounced:
    """A spoken word, or a punctuation mark, and its symbols, all of which the table has.

    Attributes:
        text: What the caption shows from here on; "" for a mark, and for the second and further
            words that are said for one that is written ("$5").
        symbols: Not empty.
        is_mark: Whether it is punctuation.
    """

    text: str
    symbols: str
    is_mark: bool = False


def pronounce(text: str, notation: Notation = "espeak") -> tuple[Pronounced, ...]:
    """Return what is said of a text, in order; () where nothing of it can be pronounced.

    Args:
        text: As people and language models write it.
        notation: How the voice's training wrote phonemes.
    """
    made: list[Pronounced] = []
    words = load_phonemizer().phonemize(text)
    for word in words:
        shown = word.text
        for spoken in word.spoken:
            is_final = bool(spoken.mark) or spoken is words[-1].spoken[-1]
            symbols = _TRANSCRIBE[notation](spoken.phones, spoken.text, is_final)
            made.append(Pronounced(shown, _known(symbols)))
            shown = ""
            if spoken.mark:
                made.append(Pronounced("", spoken.mark, is_mark=True))
    return tuple(made)


def _known(symbols: str) -> str:
    """Return the symbols that the table has."""
    return "".join(symbol for symbol in symbols if symbol in SYMBOL_ID)
