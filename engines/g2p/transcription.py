"""Phones of the common set → the symbols of other conventions.

* the IPA, one sound a phone: what a ``Phoneme`` bears and lips are moved by;
* espeak-ng's American English with stress, which StyleTTS 2's networks were trained on;
* misaki's American English, which Kokoro's were.

Stress marks stand before the vowel. Sources: the International Phonetic Association's handbook
(1999) for the first; for the others what espeak-ng 1.52 says for words of the dictionary, and the
list of phonemes that misaki publishes.
"""

from collections.abc import Sequence
from typing import Final

from engines.g2p.phones import is_vowel, stress_of

_CONSONANTS: Final = {
    "B": "b", "CH": "tʃ", "D": "d", "DH": "ð", "F": "f", "G": "ɡ", "HH": "h", "JH": "dʒ", "K": "k",
    "L": "l", "M": "m", "N": "n", "NG": "ŋ", "P": "p", "R": "ɹ", "S": "s", "SH": "ʃ", "T": "t",
    "TH": "θ", "V": "v", "W": "w", "Y": "j", "Z": "z", "ZH": "ʒ",
}  # fmt: skip
_VOWELS: Final = {
    "AA": "ɑ", "AE": "æ", "AH": "ʌ", "AO": "ɔ", "AW": "aʊ", "AY": "aɪ", "EH": "ɛ", "ER": "ɝ",
    "EY": "eɪ", "IH": "ɪ", "IY": "i", "OW": "oʊ", "OY": "ɔɪ", "UH": "ʊ", "UW": "u",
}  # fmt: skip
_UNSTRESSED: Final = {"AH": "ə", "ER": "ɚ"}
_ESPEAK_VOWELS: Final = {
    **_VOWELS, "AA": "ɑː", "AO": "ɔː", "ER": "ɜː", "IY": "iː", "UW": "uː",
}  # fmt: skip
_MISAKI_VOWELS: Final = {
    **_VOWELS, "AW": "W", "AY": "I", "ER": "ɜɹ", "EY": "A", "OW": "O", "OY": "Y",
}  # fmt: skip
_STRESS: Final = ("", "ˈ", "ˌ")


def to_ipa(phone: str) -> str:
    """Return a phone as one sound of the IPA, without stress."""
    if not is_vowel(phone):
        return _CONSONANTS[phone]
    plain = phone[:-1]
    return _VOWELS[plain] if phone[-1] != "0" else _UNSTRESSED.get(plain, _VOWELS[plain])


def to_espeak(phones: Sequence[str]) -> str:
    """Return a word's phones as espeak-ng writes them in American English."""
    made = []
    for at, phone in enumerate(phones):
        before = phones[at - 1] if at else ""
        after = phones[at + 1] if at + 1 < len(phones) else ""
        made.append(_STRESS[stress_of(phone)] + _espeak(phone, before, after))
    return "".join(made)


def _espeak(phone: str, before: str, after: str) -> str:
    if not is_vowel(phone):
        return "ɾ" if _is_flapped(phone, before, after) else _CONSONANTS[phone]
    plain, stress = phone[:-1], phone[-1]
    if stress == "0":
        if plain == "AH":
            return "ɐ" if not before else "ə"
        if plain == "ER":
            return "ɚ"
        if plain == "IY" and (not after or is_vowel(after)):
            return "i"
    if after == "R" and plain in ("AO", "OW"):
        return "oː" if plain == "OW" else "ɔː"
    return _ESPEAK_VOWELS[plain]


def to_misaki(phones: Sequence[str]) -> str:
    """Return a word's phones as misaki writes them in American English."""
    made = []
    for at, phone in enumerate(phones):
        before = phones[at - 1] if at else ""
        after = phones[at + 1] if at + 1 < len(phones) else ""
        made.append(_STRESS[stress_of(phone)] + _misaki(phone, before, after))
    return "".join(made)


def _misaki(phone: str, before: str, after: str) -> str:
    if not is_vowel(phone):
        if phone in ("CH", "JH"):
            return "ʧ" if phone == "CH" else "ʤ"
        return "ɾ" if _is_flapped(phone, before, after) else _CONSONANTS[phone]
    plain = phone[:-1]
    if phone[-1] == "0" and plain in ("AH", "ER"):
        return "ə" if plain == "AH" else "əɹ"
    return _MISAKI_VOWELS[plain]


def _is_flapped(phone: str, before: str, after: str) -> bool:
    """Whether a t is said with one tap of the tongue: behind a vowel, before a weak one."""
    return (
        phone == "T"
        and (is_vowel(before) if before else False)
        and bool(after)
        and is_vowel(after)
        and stress_of(after) == 0
    )
