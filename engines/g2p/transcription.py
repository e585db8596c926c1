"""Phones of the common set → the IPA, and the symbols that Kokoro's networks were trained on.

Sources: International Phonetic Association, "Handbook of the IPA", 1999; the list of phonemes that
misaki, Kokoro's text-to-phoneme, publishes. StyleTTS 2's are in ``engines.g2p.espeak_symbols``.
"""

from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.g2p.phones import SIBILANTS, is_vowel, stress_of

CONSONANT_IPA: Final = {
    "B": "b", "CH": "tʃ", "D": "d", "DH": "ð", "F": "f", "G": "ɡ", "HH": "h", "JH": "dʒ", "K": "k",
    "L": "l", "M": "m", "N": "n", "NG": "ŋ", "P": "p", "R": "ɹ", "S": "s", "SH": "ʃ", "T": "t",
    "TH": "θ", "V": "v", "W": "w", "Y": "j", "Z": "z", "ZH": "ʒ",
}  # fmt: skip
VOWEL_IPA: Final = {
    "AA": "ɑ", "AE": "æ", "AH": "ʌ", "AO": "ɔ", "AW": "aʊ", "AY": "aɪ", "EH": "ɛ", "ER": "ɝ",
    "EY": "eɪ", "IH": "ɪ", "IY": "i", "OW": "oʊ", "OY": "ɔɪ", "UH": "ʊ", "UW": "u",
}  # fmt: skip
_UNSTRESSED: Final = {"AH": "ə", "ER": "ɚ"}
_MISAKI: Final = {
    **VOWEL_IPA, "AW": "W", "AY": "I", "ER": "ɜɹ", "EY": "A", "OW": "O", "OY": "Y",
}  # fmt: skip
_SYLLABIC_BEHIND: Final = frozenset(("D", "S", "Z", "ZH", "T"))
STRESS_MARKS: Final = ("", "ˈ", "ˌ")


def to_ipa(phone: str) -> str:
    """Return a phone as one sound of the IPA, without stress."""
    if not is_vowel(phone):
        return CONSONANT_IPA[phone]
    plain = phone[:-1]
    return VOWEL_IPA[plain] if phone[-1] != "0" else _UNSTRESSED.get(plain, VOWEL_IPA[plain])


def to_misaki(phones: Sequence[str], word: str = "") -> str:
    """Return a word's phones as misaki writes them in American English.

    Args:
        phones: Of one word.
        word: As it is written, in lower case; weak endings follow its letters.
    """
    symbols = []
    for at, phone in enumerate(phones):
        if is_vowel(phone):
            symbols.append(STRESS_MARKS[stress_of(phone)] + _misaki_vowel(phones, at, word))
        else:
            symbols.append(_misaki_consonant(phones, at))
    return "".join(symbols)


def _misaki_consonant(phones: Sequence[str], at: int) -> str:
    phone = phones[at]
    if phone in ("CH", "JH"):
        return "ʧ" if phone == "CH" else "ʤ"
    return "T" if is_flapped(phones, at) else CONSONANT_IPA[phone]  # its own sign for a tap


def _misaki_vowel(phones: Sequence[str], at: int, word: str) -> str:
    plain, before, after = phones[at][:-1], phones[at - 1] if at else "", tuple(phones[at + 1 :])
    if phones[at][-1] == "0":
        if is_weak_ending(phones, at, word):
            return "ᵻ"
        if plain == "AH" and before and not is_vowel(before) and _is_syllabic(before, after):
            return "ᵊ"
        if plain == "AH" and not at and word.startswith("un"):
            return "ʌ"
        if plain in ("AH", "ER"):
            return "ə" if plain == "AH" else "əɹ"
        is_prefix = at == 1 and before in ("R", "D") and word[1:2] == "e"
        if plain in ("IH", "IY") and is_prefix:
            return "ə"
    if plain == "IY" and after[:1] == ("R",):
        return "ɪ"
    return _MISAKI[plain]


def _is_syllabic(before: str, after: tuple[str, ...]) -> bool:
    """Whether the consonant behind a weak vowel is a syllable by itself: "bottle", "sudden"."""
    if not after or (len(after) > 1 and is_vowel(after[1])):
        return False
    return after[0] == "L" or (after[0] == "N" and before in _SYLLABIC_BEHIND)


def is_weak_ending(phones: Sequence[str], at: int, word: str) -> bool:
    """Whether the vowel is that of the endings -ed, -es behind a sound that asks for one."""
    before, after = phones[at - 1] if at else "", tuple(phones[at + 1 :])
    return (after == ("D",) and before in ("T", "D") and word.endswith("ed")) or (
        after == ("Z",) and before in SIBILANTS and word.endswith("es")
    )


def is_flapped(phones: Sequence[str], at: int) -> bool:
    """Whether a t is said with one tap of the tongue: behind a vowel or r, before a weak vowel."""
    after = phones[at + 1 : at + 3]
    return (
        phones[at] == "T"
        and at > 0
        and (is_vowel(phones[at - 1]) or phones[at - 1] == "R")
        and bool(after)
        and is_vowel(after[0])
        and stress_of(after[0]) == 0
        and tuple(after) != ("AH0", "N")
    )
