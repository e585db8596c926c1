"""Text → words with their phones: normalisation, dictionary, homographs, letter-to-sound network.

``str → tuple[PhonemizedWord]``. Deterministic, without torch; the same text always gives the same.
Words are as the caption shows them; what is said for one may be several spoken words ("$5").
"""

import functools
import logging
import re
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.g2p.context import Context
from rt_avatar.engines.g2p.homographs import choose
from rt_avatar.engines.g2p.inflection import ending_s, inflected
from rt_avatar.engines.g2p.lexicon import Lexicon, load_lexicon
from rt_avatar.engines.g2p.network import MAX_LETTERS, LetterToSound, load_network
from rt_avatar.engines.g2p.phones import Phones, is_vowel, stress_of, with_stress
from rt_avatar.engines.text.characters import printable
from rt_avatar.engines.text.normalization import MARKS, Expression, normalize
from rt_avatar.engines.text.tokens import Token, split_tokens

_log = logging.getLogger(__name__)
_CONTEXT: Final = 4  # words on each side
_NAMES: Final[dict[str, Phones]] = {
    "A": ("EY1",), "B": ("B", "IY1"), "C": ("S", "IY1"), "D": ("D", "IY1"), "E": ("IY1",),
    "F": ("EH1", "F"), "G": ("JH", "IY1"), "H": ("EY1", "CH"), "I": ("AY1",), "J": ("JH", "EY1"),
    "K": ("K", "EY1"), "L": ("EH1", "L"), "M": ("EH1", "M"), "N": ("EH1", "N"), "O": ("OW1",),
    "P": ("P", "IY1"), "Q": ("K", "Y", "UW1"), "R": ("AA1", "R"), "S": ("EH1", "S"),
    "T": ("T", "IY1"), "U": ("Y", "UW1"), "V": ("V", "IY1"),
    "W": ("D", "AH1", "B", "AH0", "L", "Y", "UW0"), "X": ("EH1", "K", "S"), "Y": ("W", "AY1"),
    "Z": ("Z", "IY1"),
}  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Said weakly within a phrase: without stress, some with another vowel.
WEAK_WORDS: Final = _words(
    "a an the of to in on at by for from with as and or but if than that nor is are was were be am "
    "been do does did have has had can could will would shall should may might must i you he she "
    "it we they me him her us them my your his its our their so i'm you're we're they're he's "
    "she's it's i've you've we've they've i'll you'll we'll they'll he'll she'll it'll i'd you'd "
    "he'd she'd we'd they'd there's that's"
)
_WEAK_ALWAYS: Final = _words("a an the it me him her us them you")
_REDUCED: Final = {"to": "T AH0", "was": "W AH0 Z", "and": "AH0 N D", "of": "AH0 V",
                   "a": "AH0", "an": "AH0 N", "the": "DH AH0", "for": "F ER0"}  # fmt: skip
_BEFORE_VOWEL: Final = {"to": "T UW0", "the": "DH IY0", "for": "F AO0 R"}
_STRONGEST: Final = "?!….;:—,"  # of marks that follow each other, the first of these counts
_STRETCHED: Final = re.compile(r"(.)\1{2,}")
_LAUGH: Final = re.compile(r"a?(?:ha|he|ho){2,}h?")
_CACHED_WORDS: Final = 4096


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """One word as it is said.

    Attributes:
        text: In lower case; a letter that is spelled is a capital.
        phones: ARPAbet with stress, as in ``engines.g2p.phones``; never empty.
        mark: Where a speaker pauses behind it, the mark that asks for it; else "".
    """

    text: str
    phones: Phones
    mark: str = ""


@dataclass(frozen=True, slots=True)
class PhonemizedWord:
    """One word, or several that are said as one expression, as the caption shows it.

    Attributes:
        text: As it is written, punctuation and all; ``" ".join`` of all is the text shown.
        start: Its first character in the text.
        end: The character after its last.
        spoken: What is said for it; never empty.
    """

    text: str
    start: int
    end: int
    spoken: tuple[SpokenWord, ...]


class Phonemizer:
    """Text to phones, shared by all. Thread-safe."""

    def __init__(self, lexicon: Lexicon, network: LetterToSound) -> None:
        """Take what words are looked up in, and what reads those that are not in it."""
        self._lexicon = lexicon
        self._network = network
        self._read = functools.lru_cache(_CACHED_WORDS)(self._read_letters)

    def phonemize(self, text: str) -> tuple[PhonemizedWord, ...]:
        """Return the words of a text with their phones; () where nothing can be said.

        Written words that cannot be said are shown with the one before, or else behind. Time is
        linear in the length of the text.
        """
        expressions = normalize(text, self._lexicon)
        spoken = self._pronounce(expressions)
        if not any(spoken):
            if text.strip():
                _log.info("g2p: nothing to pronounce in a text of %d characters", len(text))
            return ()
        return _join(split_tokens(printable(text)), expressions, spoken)

    def lookup(self, word: str) -> Phones:
        """Return the phones of a word in lower case, by itself: dictionary, forms, network."""
        known = self._lexicon.find(word)
        return known[0] if known else self._read(word)

    def _pronounce(self, expressions: tuple[Expression, ...]) -> list[tuple[SpokenWord, ...]]:
        """Return the spoken words of each expression; marks go to the word before them."""
        said = [(word, index) for index, expression in enumerate(expressions)
                for word in expression.words]  # fmt: skip
        texts = [word for word, _ in said]
        spoken: list[list[SpokenWord]] = [[] for _ in expressions]
        following: Phones = ()
        for at in reversed(range(len(said))):  # backwards: "the" asks how the next word begins
            word, index = said[at]
            if word in MARKS:
                following = ()
                continue
            phones = self._phones(at, texts, following)
            if phones:
                spoken[index].insert(0, SpokenWord(word, phones, _mark_after(at, texts)))
                following = phones
        return [tuple(words) for words in spoken]

    def _phones(self, at: int, texts: list[str], following: Phones) -> Phones:
        word = texts[at]
        if word[0].isupper():
            return _letter(word, bool(texts[at + 1 : at + 2]) and texts[at + 1][0].isupper())
        if word in WEAK_WORDS and (following or word in _WEAK_ALWAYS):
            return self._weak(word, following)
        return choose(word, _context(at, texts)) or self.lookup(word)

    def _weak(self, word: str, following: Phones) -> Phones:
        reduced = _REDUCED.get(word)
        if following and is_vowel(following[0]):
            reduced = _BEFORE_VOWEL.get(word, reduced)
        phones = reduced.split() if reduced else self.lookup(word)
        return tuple(with_stress(phone, 0) for phone in phones)

    def _read_letters(self, word: str) -> Phones:
        """Return the phones of a word that the dictionary lacks."""
        if _LAUGH.fullmatch(word):
            vowel = "AA" if "a" in word[1:] else "IY" if "e" in word else "OW"
            return ("HH", vowel + "1", "HH", vowel + "2")
        if _STRETCHED.search(word):
            for repeated in (r"\1\1", r"\1"):
                known = self._lexicon.find(_STRETCHED.sub(repeated, word))
                if known:
                    return known[0]
            word = _STRETCHED.sub(r"\1\1", word)
        phones = inflected(word, self._lexicon)
        if phones:
            return phones
        plain = word.replace("-", "")
        pieces = [plain[at : at + MAX_LETTERS] for at in range(0, len(plain), MAX_LETTERS)]
        return tuple(phone for piece in pieces for phone in self._network.pronounce(piece))


def _letter(name: str, is_followed: bool) -> Phones:
    """Return the name of a letter; of several the last bears the primary stress."""
    phones = _NAMES[name[0]]
    if is_followed:
        phones = tuple(with_stress(p, 2) if stress_of(p) == 1 else p for p in phones)
    return (*phones, *ending_s(phones)) if len(name) > 1 else phones


def _mark_after(at: int, texts: list[str]) -> str:
    marks = []
    for text in texts[at + 1 :]:
        if text not in MARKS:
            break
        marks.append(text)
    return next((mark for mark in _STRONGEST if mark in marks), "")


def _context(at: int, texts: list[str]) -> Context:
    before: list[str] = []
    for text in reversed(texts[max(0, at - _CONTEXT) : at]):
        if text in MARKS:
            break
        before.insert(0, text)
    after: list[str] = []
    for text in texts[at + 1 : at + 1 + _CONTEXT]:
        if text in MARKS:
            break
        after.append(text)
    return Context(tuple(before), tuple(after))


def _join(
    tokens: list[Token], expressions: tuple[Expression, ...], spoken: list[tuple[SpokenWord, ...]]
) -> tuple[PhonemizedWord, ...]:
    """Bring written words and spoken ones together; an expression over several joins them."""
    phonemized: list[PhonemizedWord] = []
    said = [(e, words) for e, words in zip(expressions, spoken, strict=True) if words]
    at = 0
    reach = 0  # where the last expression ends
    for token in tokens:
        words: list[SpokenWord] = []
        joins = token.start < reach
        while at < len(said) and said[at][0].start < token.end:
            words += said[at][1]
            reach = max(reach, said[at][0].end)
            at += 1
        if phonemized and (joins or not words):
            last = phonemized[-1]
            phonemized[-1] = PhonemizedWord(
                f"{last.text} {token.text}", last.start, token.end, (*last.spoken, *words)
            )
        else:
            phonemized.append(PhonemizedWord(token.text, token.start, token.end, tuple(words)))
    if len(phonemized) > 1 and not phonemized[0].spoken:  # written before the first that is said
        first, second = phonemized[:2]
        phonemized[:2] = [
            PhonemizedWord(f"{first.text} {second.text}", first.start, second.end, second.spoken)
        ]
    return tuple(word for word in phonemized if word.spoken)


@functools.cache
def load_phonemizer() -> Phonemizer:
    """Return the process's phonemizer; the first call loads dictionary and network."""
    return Phonemizer(load_lexicon(), load_network())
