"""The phoneme set of all voices: ARPAbet with stress marks on vowels, as in CMUdict.

A phone is a string: a consonant (``"K"``) or a vowel with its stress (``"EH1"``: 0 none, 1
primary, 2 secondary). Other conventions are made from it in ``engines.g2p.transcription``.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

Phones: TypeAlias = tuple[str, ...]

VOWELS: Final = (
    "AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW",
)  # fmt: skip
CONSONANTS: Final = (
    "B", "CH", "D", "DH", "F", "G", "HH", "JH", "K", "L", "M", "N", "NG", "P", "R", "S", "SH",
    "T", "TH", "V", "W", "Y", "Z", "ZH",
)  # fmt: skip
PHONES: Final = (*CONSONANTS, *(vowel + stress for vowel in VOWELS for stress in "012"))
PHONE_ID: Final = {phone: index for index, phone in enumerate(PHONES)}
VOICELESS: Final = frozenset(("CH", "F", "HH", "K", "P", "S", "SH", "T", "TH"))
SIBILANTS: Final = frozenset(("CH", "JH", "S", "SH", "Z", "ZH"))

_FIRST_CODE: Final = 48  # one printable ASCII character a phone, "0" to "t"


def is_vowel(phone: str) -> bool:
    """Whether the phone carries a syllable."""
    return phone[-1].isdigit()


def stress_of(phone: str) -> int:
    """Return 0 none, 1 primary, 2 secondary; 0 for consonants."""
    return int(phone[-1]) if phone[-1].isdigit() else 0


def with_stress(phone: str, stress: int) -> str:
    """Return a vowel with another stress; consonants as they are."""
    return phone[:-1] + str(stress) if is_vowel(phone) else phone


def pack_phones(phones: Iterable[str]) -> str:
    """Return one ASCII character a phone.

    Raises:
        KeyError: One is not of the set.
    """
    return "".join(chr(_FIRST_CODE + PHONE_ID[phone]) for phone in phones)


def unpack_phones(packed: bytes) -> Phones:
    """Return the phones that ``pack_phones`` packed."""
    return tuple(PHONES[code - _FIRST_CODE] for code in packed)
