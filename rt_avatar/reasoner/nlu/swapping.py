"""Turn words into the listener's grammar: "I wasn't in at 3 am" → "you weren't in at 3 am".

And what all that tells a caller's words back (``echoes``, ``focus``, ``clauses``) has in common:
what a word is, and which are never told back. Texts come as they are spelled (``spelling``).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from rt_avatar.engines.reply_ranker.fit import stems_of
from rt_avatar.engines.word_set import word_set

# "mother-in-law", "M25", "A&E", "7:15", "£5.50"
TOKEN: Final = re.compile(
    r"[$£€]?[^\W_]+(?:(?:['-]|(?<=[A-Z])&(?=[A-Z])|(?<=\d)[.,:](?=\d))[^\W_]+)*(?:(?<=\d)%)?"
)
BUT: Final = re.compile(r"\sbut\s", re.IGNORECASE)  # the point comes behind it
NUMBERS: Final = word_set(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand dozen"
)
# Never told back: what is coarse (the list of ``unsafe`` has more), of bodies, or a verdict on
# somebody.
UNTOLD: Final = word_set(
    "pee peed poop pooped fart farted vomit diarrhea omg "
    "breast breasts boobs nipple nipples penis vagina groin crotch testicle testicles bum butt "
    "thighs belly waist weight throat neck chest lump lumps "
    "fault failure useless worthless hopeless burden waste disgrace disappointment monster liar "
    "selfish weak"
)
# Of the caller's own doing, told back they sound like a reproach.
REPROACHES: Final = word_set(
    "yelled yell yelling shouted screamed hit lied lie lying cheated cheat stole steal "
    "ruined hurt ignored insulted blamed snapped slapped pushed kicked punched betrayed"
)
_SWAPS: Final[Mapping[str, str]] = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "am": "are",
    "i'm": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "we": "you", "us": "you",
    "our": "your", "ours": "yours", "ourselves": "yourselves", "we're": "you're",
    "we've": "you've", "we'd": "you'd", "we'll": "you'll",
}  # fmt: skip
_AFTER_I: Final[Mapping[str, str]] = {"was": "were", "wasn't": "weren't"}
_BETWEEN: Final = word_set(
    "just really only never always still also actually already even finally probably sometimes"
)
# What people call somebody by: a name, also where a sentence begins with it.
_CALLED: Final = frozenset({"Dad", "Mum", "Mom", "Mama", "Papa", "Grandma", "Grandpa", "Granny"})
_SIGNS: Final = re.compile(r"[\d&]")  # "WW2"
_SHOUTED: Final = 3  # letters; more of them, all capitals, are no short form
_PLAIN: Final = word_set(
    "i you we my your our he she his her they their the a an to of in on at for with and was were "
    "is are am had have has been be got get went go about up out by from into this that it me us "
    "just really very so one all some"
)


def swapped(words: Sequence[str], lower: Sequence[str]) -> list[str]:
    """Return a clause's words as said to the caller; ``lower`` are the same, lower case."""
    found = []
    for at, (word, plain) in enumerate(zip(words, lower, strict=True)):
        before = next((one for one in reversed(lower[:at]) if one not in _BETWEEN), "")
        if plain in _AFTER_I and before == "i":
            found.append(_AFTER_I[plain])
        elif plain == "am" and is_number(before):  # "3 am"
            found.append(word)
        else:
            shouted = len(word) > _SHOUTED and word.isupper()
            begins = not at and word not in _CALLED
            is_lowered = (shouted or begins) and not _SIGNS.search(word)
            found.append(_SWAPS.get(plain, plain if is_lowered else word))
    return found


def is_number(word: str) -> bool:
    """Whether a word, lower case, is a number."""
    return word[:1].isdigit() or word.partition("-")[0] in NUMBERS


def content_of(text: str) -> frozenset[str]:
    """Return the stems of a clause's words without those that any clause has."""
    return stems_of(word for word in TOKEN.findall(text.casefold()) if word not in _PLAIN)
