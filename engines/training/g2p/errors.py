"""How often the network errs: phone error and word error against the nearest pronunciation."""

from collections.abc import Mapping
from dataclasses import dataclass

from rt_avatar.engines.g2p.network import LetterToSound
from rt_avatar.engines.g2p.phones import Phones


@dataclass(frozen=True, slots=True)
class Errors:
    """Shares of 1; ``plain`` ones do not count stress.

    Attributes:
        words: How many were measured.
        phone_error: Insertions, deletions and substitutions a phone of the dictionary.
        word_error: Words with any error.
        plain_phone_error: As ``phone_error``, stress marks taken off.
        plain_word_error: As ``word_error``, stress marks taken off.
    """

    words: int
    phone_error: float
    word_error: float
    plain_phone_error: float
    plain_word_error: float

    def __str__(self) -> str:
        return (
            f"words={self.words} phone_error={self.phone_error:.4f} "
            f"word_error={self.word_error:.4f} plain_phone_error={self.plain_phone_error:.4f} "
            f"plain_word_error={self.plain_word_error:.4f}"
        )


def measure(network: LetterToSound, entries: Mapping[str, tuple[Phones, ...]]) -> Errors:
    """Compare the network's phones with the dictionary's, the nearest variant of each word."""
    edits = plain_edits = phones = plain_phones = wrong = plain_wrong = 0
    for word, known in entries.items():
        said = network.pronounce(word)
        error, length = _nearest(said, known)
        edits, phones, wrong = edits + error, phones + length, wrong + (error > 0)
        plain = tuple(_plain(variant) for variant in known)
        error, length = _nearest(_plain(said), plain)
        plain_edits, plain_phones = plain_edits + error, plain_phones + length
        plain_wrong += error > 0
    words = max(1, len(entries))
    return Errors(
        len(entries),
        edits / max(1, phones),
        wrong / words,
        plain_edits / max(1, plain_phones),
        plain_wrong / words,
    )


def _plain(phones: Phones) -> Phones:
    return tuple(phone.rstrip("012") for phone in phones)


def _nearest(said: Phones, known: tuple[Phones, ...]) -> tuple[int, int]:
    """Return the edits to the nearest variant, and its length."""
    return min((edit_distance(said, variant), len(variant)) for variant in known)


def edit_distance(ours: Phones, theirs: Phones) -> int:
    """Return the fewest insertions, deletions and substitutions from one to the other."""
    row = list(range(len(theirs) + 1))
    for at, phone in enumerate(ours, 1):
        before, row[0] = row[0], at
        for to, other in enumerate(theirs, 1):
            before, row[to] = row[to], min(before + (phone != other), row[to] + 1, row[to - 1] + 1)
    return row[-1]
