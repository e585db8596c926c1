"""Words that were aligned with sound → words as the voice reads them: said so, with stress."""

from collections.abc import Sequence
from functools import cache

from rt_avatar.engines.g2p.lexicon import load_lexicon
from rt_avatar.engines.g2p.phonemizer import WEAK_WORDS
from rt_avatar.engines.g2p.phones import VOWELS, is_vowel
from rt_avatar.engines.g2p.phones import with_stress as unstressed
from rt_avatar.engines.nano_tts.tokens import SpokenWord


def spoken_words(
    words: Sequence[str], marks: Sequence[int], phones: Sequence[str], word_of: Sequence[int]
) -> list[SpokenWord]:
    """Return words as they were said, with the silences behind them.

    Args:
        words: (W,) lower case.
        marks: (W,) of each, as in ``SpokenWord``.
        phones: (N,) ARPAbet without stress; "" is silence.
        word_of: (N,) index of the phone's word; -1 in silence.
    """
    said = []
    for index, (word, mark) in enumerate(zip(words, marks, strict=True)):
        own = [at for at, word_at in enumerate(word_of) if word_at == index]
        after = own[-1] + 1
        pause = after < len(phones) and phones[after] == ""
        spoken = with_stress(word, [phones[at] for at in own])
        if word in WEAK_WORDS and index + 1 < len(words) and not pause:  # as the phonemizer does
            spoken = tuple(unstressed(phone, 0) for phone in spoken)
        said.append(SpokenWord(spoken, mark, pause))
    return said


def with_stress(word: str, phones: Sequence[str]) -> tuple[str, ...]:
    """Return aligned phones with the stress that the dictionary gives the word said so.

    Where it knows no such pronunciation, that of the same length; else the first vowel is stressed.
    """
    return _with_stress(word, tuple(phones))


@cache
def _with_stress(word: str, phones: tuple[str, ...]) -> tuple[str, ...]:
    entries = load_lexicon().find(word)
    bare = [tuple(phone.rstrip("012") for phone in entry) for entry in entries]
    if phones in bare:
        return entries[bare.index(phones)]
    vowels = [phone for phone in phones if phone in VOWELS]
    for entry in entries:
        stresses = [phone[-1] for phone in entry if is_vowel(phone)]
        if len(stresses) == len(vowels):
            marks = iter(stresses)
            return tuple(phone + next(marks) if phone in VOWELS else phone for phone in phones)
    first = True
    stressed = []
    for phone in phones:
        if phone in VOWELS:
            stressed.append(phone + ("1" if first else "0"))
            first = False
        else:
            stressed.append(phone)
    return tuple(stressed)
