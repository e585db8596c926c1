"""Phones of the common set → espeak-ng's American English, which StyleTTS 2 was trained on.

espeak-ng tells apart what the dictionary does not: a weak vowel by the letter it is written with,
strong and weak forms of small words. Rules and the table of words say what espeak-ng 1.52 answers
for the 7,000 most frequent words of talk, as far as it is regular; stress marks stand before the
vowel.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.g2p.phones import is_vowel, stress_of
from rt_avatar.engines.g2p.transcription import (
    CONSONANT_IPA,
    STRESS_MARKS,
    VOWEL_IPA,
    is_flapped,
    is_weak_ending,
)

_VOWELS: Final = {
    **VOWEL_IPA, "AA": "ɑː", "AO": "ɔː", "ER": "ɜː", "IY": "iː", "UW": "uː",
}  # fmt: skip
_VOWEL_LETTERS: Final = re.compile(r"[aeiouy]+")
_REDUCED_PREFIXES: Final = frozenset("BRD")
# A weak vowel by its letters: in the first syllable, within the word, and in the last syllable.
_WEAK: Final = {
    "a": ("ɐ", "ə", "ə"), "o": ("ə", "ə", "ə"), "u": ("ə", "ə", "ə"), "i": ("ɪ", "ɪ", "ɪ"),
    "e": ("ᵻ", "ə", "ə"),
}  # fmt: skip
_E_BEFORE: Final = frozenset((("S", "T"), ("T",), ("T", "S"), ("S", "T", "S")))
# Small words within a phrase; at its end they are as strong as others.
_WITHIN: Final = {
    "about": "ɐbˌaʊt", "am": "ɐm", "and": "ænd", "any": "ˌɛni", "be": "biː", "been": "bˌɪn",
    "before": "bᵻfˌɔːɹ", "being": "bˌiːɪŋ", "between": "bᵻtwˌiːn", "but": "bˌʌt", "do": "dˈuː",
    "does": "dˈʌz", "did": "dˈɪd", "doing": "dˌuːɪŋ", "down": "dˌaʊn", "for": "fɔːɹ",
    "from": "fɹʌm", "get": "ɡɛt", "getting": "ɡˌɛɾɪŋ", "go": "ɡˌoʊ", "going": "ɡˌoʊɪŋ",
    "got": "ɡɑːt", "has": "hɐz", "having": "hˌævɪŋ", "he": "hiː", "he's": "hiːz", "her": "hɜː",
    "him": "hˌɪm", "how": "hˌaʊ", "into": "ˌɪntʊ", "isn't": "ˌɪzənt", "made": "mˌeɪd",
    "make": "mˌeɪk", "makes": "mˌeɪks", "making": "mˌeɪkɪŋ", "may": "mˈeɪ", "me": "mˌiː",
    "might": "mˌaɪt", "must": "mˈʌst", "not": "nˌɑːt", "of": "ʌv", "on": "ˌɔn", "over": "ˌoʊvɚ",
    "put": "pˌʊt", "she": "ʃiː", "she's": "ʃiːz", "should": "ʃˌʊd", "so": "sˌoʊ", "some": "sˌʌm",
    "than": "ðɐn", "them": "ðˌɛm", "there": "ðɛɹ", "these": "ðiːz", "they're": "ðeɪɚ",
    "this": "ðɪs", "those": "ðoʊz", "though": "ðˌoʊ", "through": "θɹuː", "up": "ˌʌp", "was": "wʌz",
    "we": "wiː", "went": "wɛnt", "were": "wɜː", "what": "wˌʌt", "what's": "wˌʌts", "when": "wɛn",
    "where": "wˌɛɹ", "which": "wˌɪtʃ", "while": "wˌaɪl", "who": "hˌuː", "why": "wˌaɪ",
    "without": "wɪðˌaʊt", "your": "jʊɹ",
}  # fmt: skip
# Words that do not follow the rules.
_ALWAYS: Final = {
    "actually": "ˈæktʃuːəli", "although": "ɔːlðˈoʊ", "always": "ˈɔːlweɪz",
    "apparently": "ɐpˈæɹəntli", "awesome": "ˈɔːsʌm", "because": "bɪkˈʌz",
    "definitely": "dˈɛfɪnətli", "didn't": "dˈɪdnt", "during": "dˈʊɹɹɪŋ", "enjoy": "ɛndʒˈɔɪ",
    "enough": "ɪnˈʌf", "especially": "ɪspˈɛʃəli", "even": "ˈiːvən", "favorite": "fˈeɪvɚɹᵻt",
    "female": "fˈiːmeɪl", "football": "fˈʊtbɔːl", "hello": "həlˈoʊ", "idea": "aɪdˈiə",
    "imagine": "ɪmˈædʒɪn", "interested": "ˈɪntɹɛstᵻd", "interesting": "ˈɪntɹɛstɪŋ",
    "lost": "lˈɔst", "maybe": "mˈeɪbiː", "movies": "mˈuːvɪz", "real": "ɹˈiːəl", "really": "ɹˈiəli",
    "someone": "sˈʌmwʌn", "sometimes": "sˈʌmtaɪmz", "usually": "jˈuːʒuːəli", "wasn't": "wˈʌzn̩t",
    "women": "wˈɪmɪn", "yeah": "jˈɛh", "yourself": "jɔːɹsˈɛlf",
}  # fmt: skip
_BEFORE_VOWELS: Final = {"the": "ðɪ", "to": "tʊ"}


def to_espeak(phones: Sequence[str], word: str = "", is_final: bool = True) -> str:
    """Return a word's phones as espeak-ng writes them.

    Args:
        phones: Of one word.
        word: As it is written, in lower case; weak vowels follow its letters.
        is_final: Whether it ends a phrase, where small words are strong.
    """
    if word in _ALWAYS:
        return _ALWAYS[word]
    if not is_final and word in _WITHIN:
        return _WITHIN[word]
    if word in _BEFORE_VOWELS and phones[-1] in ("IY0", "UW0"):
        return _BEFORE_VOWELS[word]
    letters = _letters_of_vowels(phones, word)
    symbols = []
    for at, phone in enumerate(phones):
        if is_vowel(phone):
            mark = STRESS_MARKS[stress_of(phone)]
            written = letters.get(at, "")
            symbols.append(mark + _vowel(phone, phones[:at], phones[at + 1 :], written, word))
        else:
            symbols.append(_consonant(phones, at, word))
    return "".join(symbols)


def _letters_of_vowels(phones: Sequence[str], word: str) -> dict[int, str]:
    """Return the letters of each vowel, where there are as many groups of them as vowels."""
    vowels = [at for at, phone in enumerate(phones) if is_vowel(phone)]
    groups = _VOWEL_LETTERS.findall(word)
    if len(groups) == len(vowels) + 1 and re.search("e[sd]?$", word):
        groups = groups[:-1]
    return dict(zip(vowels, groups, strict=True)) if len(groups) == len(vowels) else {}


def _consonant(phones: Sequence[str], at: int, word: str) -> str:
    phone, after = phones[at], tuple(phones[at + 1 : at + 3])
    if phone == "T" and after == ("AH0", "N") and ("tt" in word or "tain" in word):
        return "ʔ"
    if is_flapped(phones, at):
        return "ɾ"
    if phone == "N" and after[:1] in (("K",), ("G",)):
        return "ŋ"
    if phone == "Y" and after[:1] == ("AH0",) and phones[at - 1] in ("L", "N"):
        return "i"
    return CONSONANT_IPA[phone]


def _vowel(phone: str, before: Sequence[str], after: Sequence[str], letters: str, word: str) -> str:
    plain, stress = phone[:-1], phone[-1]
    previous, following = before[-1] if before else "", after[0] if after else ""
    if stress == "0":
        weak = _weak_vowel(plain, before, after, letters, word)
        if weak:
            return weak
    if plain == "ER":
        base = "ɚ" if stress == "0" else "ɜː"
        return base + ("ɹ" if following and is_vowel(following) else "")
    if following == "R":
        is_between = len(after) > 1 and is_vowel(after[1])
        if plain in ("IY", "IH"):
            return "iə" if is_between and stress != "0" else "ɪ"
        if plain == "EH" and is_between and re.search("ar(?:r|[aeiou](?!ng|r$|d$))", word):
            return "ɛ" if "are" in word else "æ"
        if plain == "OW":
            return "ɔː"
    if plain == "AO" and (following == "NG" or (following == "F" and len(after) == 1)):
        return "ɔ"
    if plain == "AA" and re.fullmatch("au|aw|augh|ough", letters):
        return "ɔː"
    if plain == "AA" and previous == "W" and following == "N":
        return "ɔ"
    return _VOWELS[plain]


def _weak_vowel(
    plain: str, before: Sequence[str], after: Sequence[str], letters: str, word: str
) -> str:
    """Return a vowel without stress; "" where it is as a stressed one."""
    previous, following = before[-1] if before else "", after[0] if after else ""
    is_first = not any(map(is_vowel, before))
    is_last = not any(map(is_vowel, after))
    if plain == "IY":
        if not after:
            return "i"
        if is_vowel(following):
            return "iː" if stress_of(following) == 1 else "ɪ" if stress_of(following) == 2 else "i"
        if is_first and previous in _REDUCED_PREFIXES:
            return "ᵻ"
        return "i" if is_last and letters == "ie" else "ɪ"
    if plain not in ("AH", "IH"):
        return ""
    if is_weak_ending((*before, plain + "0", *after), len(before), word):
        return "ᵻ"
    if plain == "IH":
        if is_first and not before and letters == "e" and following in ("K", "G", "N"):
            return "ɛ"
        if is_first and previous in _REDUCED_PREFIXES and letters == "e":
            return "ᵻ"
        return "ɪ"
    if is_first and not before:
        return {"u": "ʌ", "o": "ə", "e": "ɪ"}.get(letters[:1], "ɐ")
    if letters in _WEAK:
        if is_last and letters == "i" and following == "L":
            return "ə"
        if is_last and letters == "e" and tuple(after) in _E_BEFORE:
            return "ɪ"
        if is_last and letters == "a" and following == "JH":
            return "ɪ"
        if letters == "i" and not is_last and following in ("T", "B", "F"):
            return "ᵻ"
        return _WEAK[letters][2 if is_last else 0 if is_first else 1]
    return "ə"
