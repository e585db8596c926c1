"""Phones of the common set → the IPA, and the symbols that Kokoro's networks were trained on.

Sources: International Phonetic Association, "Handbook of the IPA", 1999; the list of phonemes that
misaki, Kokoro's text-to-phoneme, publishes. StyleTTS 2's are in ``engines.g2p.espeak_symbols``.
"""

from collections.abc import Sequence
from typing import Final

from engines.g2p.phones import is_vowel, stress_of

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
STRESS_MARKS: Final = ("", "ˈ", "ˌ")


def to_ipa(phone: str) -> str:
    """Return a phone as one sound of the IPA, without stress."""
    if not is_vowel(phone):
        return CONSONANT_IPA[phone]
    plain = phone[:-1]
    return VOWEL_IPA[plain] if phone[-1] != "0" else _UNSTRESSED.get(plain, VOWEL_IPA[plain])


def to_misaki(phones: Sequence[str]) -> str:
    """Return a word's phones as misaki writes them in American English."""
    made = []
    for at, phone in enumerate(phones):
        before = phones[at - 1] if at else ""
        after = phones[at + 1] if at + 1 < len(phones) else ""
        made.append(STRESS_MARKS[stress_of(phone)] + _misaki(phone, before, after))
    return "".join(made)


def _misaki(phone: str, before: str, after: str) -> str:
    if not is_vowel(phone):
        if phone in ("CH", "JH"):
            return "ʧ" if phone == "CH" else "ʤ"
        return "ɾ" if is_flapped(phone, before, after) else CONSONANT_IPA[phone]
    plain = phone[:-1]
    if phone[-1] == "0" and plain in ("AH", "ER"):
        return "ə" if plain == "AH" else "əɹ"
    return _MISAKI[plain]


def is_flapped(phone: str, before: str, after: str) -> bool:
    """Whether a t is said with one tap of the tongue: behind a vowel, before a weak one."""
    return (
        phone == "T"
        and (is_vowel(before) if before else False)
        and bool(after)
        and is_vowel(after)
        and stress_of(after) == 0
    )
