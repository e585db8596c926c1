"""Written words → the symbols that a voice was trained on, and when each of them is heard.

``pronounce`` → ``join_symbols`` → tokens and their durations → ``place_parts``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np

from rt_avatar.engines.g2p import load_phonemizer, to_espeak, to_misaki
from rt_avatar.engines.styletts2.alignment import FRAME_SAMPLES, Indices
from rt_avatar.engines.styletts2.recipe import Notation
from rt_avatar.engines.styletts2.symbols import SYMBOL_IDS
from rt_avatar.engines.types import Phoneme, Word

_TRANSCRIBE: Final[dict[Notation, Callable[[Sequence[str], str, bool], str]]] = {
    "espeak": to_espeak,
    "misaki": lambda phones, word, is_final: to_misaki(phones, word),
}
_STRESS: Final = {"ˌ": 1, "ˈ": 2}
_LENGTHS: Final = "ːˑ"
# Sounds that misaki writes with a letter of its own.
_IPA: Final = {"A": "eɪ", "I": "aɪ", "O": "oʊ", "T": "ɾ", "W": "aʊ", "Y": "ɔɪ", "ᵊ": "ə"}


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
    table = SYMBOL_IDS[notation]
    pronounced: list[Pronounced] = []
    words = load_phonemizer().phonemize(text)
    for word in words:
        shown = word.text
        for spoken in word.spoken:
            is_final = bool(spoken.mark) or spoken is words[-1].spoken[-1]
            symbols = _TRANSCRIBE[notation](spoken.phones, spoken.text, is_final)
            pronounced.append(Pronounced(shown, "".join(each for each in symbols if each in table)))
            shown = ""
            if spoken.mark:
                pronounced.append(Pronounced("", spoken.mark, is_mark=True))
    return tuple(pronounced)


def join_symbols(
    parts: Sequence[Pronounced], notation: Notation = "espeak"
) -> tuple[str, tuple[int, ...]]:
    """Return the symbols of parts with spaces between, and at which of them each part begins.

    In espeak's notation marks stand alone, in misaki's they stand directly behind their word.
    """
    symbols, starts = "", []
    for part in parts:
        if symbols and not (part.is_mark and notation == "misaki"):
            symbols += " "
        starts.append(len(symbols))
        symbols += part.symbols
    return symbols, tuple(starts)


def place_parts(
    parts: Sequence[Pronounced], starts: Sequence[int], frames: Indices
) -> tuple[list[Phoneme], list[Word]]:
    """Return when sounds and written words are heard, in samples from the first token.

    Args:
        parts: What is said.
        starts: Of ``join_symbols``.
        frames: (T,) frames of 25 ms of each token, of which the first is the pad symbol.
    """
    edges = FRAME_SAMPLES * np.concatenate(([0], np.cumsum(frames)))
    spans = [(int(begin), int(end)) for begin, end in pairwise(edges)]
    phonemes: list[Phoneme] = []
    words: list[Word] = []
    for part, start in zip(parts, starts, strict=True):
        mine = spans[1 + start : 1 + start + len(part.symbols)]
        if part.is_mark:
            phonemes.append(Phoneme("", mine[0][0], mine[-1][1]))
            continue
        phonemes += _sounds(part.symbols, mine)
        if part.text:
            words.append(Word(part.text, mine[0][0], mine[-1][1]))
        elif words:
            words[-1] = replace(words[-1], end=mine[-1][1])
    return phonemes, words


def _sounds(symbols: str, spans: list[tuple[int, int]]) -> list[Phoneme]:
    """Return a word's sounds: stress marks belong to the next, marks of length to the last."""
    phonemes: list[Phoneme] = []
    begin, stress = -1, 0
    for symbol, (start, end) in zip(symbols, spans, strict=True):
        if symbol in _STRESS:
            begin, stress = start, _STRESS[symbol]
        elif symbol in _LENGTHS and phonemes:
            phonemes[-1] = replace(phonemes[-1], ipa=phonemes[-1].ipa + symbol, end=end)
        else:
            ipa = _IPA.get(symbol, symbol)
            phonemes.append(Phoneme(ipa, begin if begin >= 0 else start, end, stress))
            begin, stress = -1, 0
    return phonemes
