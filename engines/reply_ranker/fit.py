"""Whether a reply can be said to what was told: nothing in it that nobody mentioned, no false tone.

A person's reply to another story may name a dog where there is a cat, or cheer at a loss. Its words
must be *general* (``is_general`` of the weights: what listeners say of anything) or mentioned, a
pronoun must have somebody to stand for, and good and bad news get no words for the other.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from rt_avatar.engines.emotion_words import Fine

_ENDINGS: Final = ("ingly", "ing", "edly", "ed", "ies", "es", "s", "ly", "er", "e", "y")
_SHORTEST_STEM: Final = 3


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MALE: Final = _words(
    "he him his he's himself father dad daddy papa grandfather grandpa granddad son brother "
    "husband boyfriend uncle nephew fiance man guy boy dude stepdad grandson"
)
_FEMALE: Final = _words(
    "she her hers she's herself mother mom mum mommy mama grandmother grandma granny nana daughter "
    "sister wife girlfriend aunt niece fiancee woman lady girl stepmom granddaughter"
)
# Whom words of unknown sex may stand for.
_EITHER: Final = _words(
    "friend boss manager coworker colleague roommate neighbor neighbour teacher professor landlord "
    "partner ex cousin dog cat puppy kitten pet baby kid child someone somebody person driver "
    "doctor student thief stranger friend's"
)
_SEVERAL: Final = _words(
    "they them their theirs they're they've they'd we us our people everyone everybody someone "
    "somebody friends parents kids children family neighbors neighbours coworkers students company "
    "team guys boys girls police school store restaurant both others"
)
PRONOUNS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("he", "him", "his", "he's", "himself", "he'll", "he'd"), _MALE | _EITHER),
    **dict.fromkeys(("she", "her", "hers", "she's", "herself", "she'll", "she'd"),
                    _FEMALE | _EITHER),
    **dict.fromkeys(("they", "them", "their", "theirs", "they're", "they've", "they'll", "they'd",
                     "both"),
                    _SEVERAL | _MALE | _FEMALE | _EITHER),
}  # fmt: skip
# Emotions of good and of bad news; the others go with either.
GOOD: Final[frozenset[Fine]] = frozenset({
    "joyful", "excited", "proud", "grateful", "hopeful", "confident", "content", "impressed",
    "prepared", "faithful", "trusting", "caring",
})  # fmt: skip
BAD: Final[frozenset[Fine]] = frozenset({
    "sad", "devastated", "lonely", "disappointed", "angry", "furious", "annoyed", "afraid",
    "terrified", "anxious", "apprehensive", "ashamed", "embarrassed", "guilty", "disgusted",
    "jealous",
})  # fmt: skip
_CHEERFUL: Final = re.compile(
    r"\b(?:congrat\w*|awesome|amazing|great|wonderful|fantastic|fabulous|incredible|excellent|"
    r"lovely|neat|cool|nice|sweet|fun|exciting|excited|thrilled|happy|glad|lucky|proud|perfect|"
    r"yay|woo\w*|enjoy\w*|celebrat\w*|impressive|beautiful|blast|delicious|way to go|well done|"
    r"good (?:for you|job|to hear|news|stuff|times?|feeling|memor\w+)|that's (?:so |very |really "
    r")?good|that is (?:so |very |really )?good|sounds (?:so |very |really |pretty )?good|"
    r"a good (?:thing|time|day|feeling)|love that|best feeling|deserve[ds]?|adorable|cute|"
    r"accomplish\w*|relaxing|pleasant)\b"
)
_DENIED: Final = re.compile(
    r"\b(?:not|isn't|wasn't|aren't|never|no|hardly|doesn't sound|didn't) (?:\w+ ){0,2}?"
    r"(?:cool|fun|nice|great|good|happy|glad|fair|enjoy\w*|exciting|lucky)\b"
)
_SORROWFUL: Final = re.compile(
    r"\b(?:sorry|sad|terrible|awful|horrible|tough|rough|hard|sucks?|stinks|frustrat\w*|scary|"
    r"scared|scare|upset\w*|unfortunate\w*|disappoint\w*|annoy\w*|embarrass\w*|gross|disgusting|"
    r"heartbreak\w*|painful|stress\w*|worr(?:y|ied|ying)|difficult|oh no|ouch|yikes|bummer|aww?"
    r" man|shame|condolences|loss|lonely|devastat\w*|nerve.?wrack\w*|terrif\w*|creepy|rude|"
    r"unfair|not fair|nasty|ruin\w*|hurts?|jealous|guilty|anxious|nervous|angry|mad|miss (?:him|"
    r"her|them|it)|uncomfortable|dreadful|crappy|bad|worse|worst|messed|ugh|eww?|blame|what "
    r"happened|wrong)\b"
)


def stem_of(word: str) -> str:
    """Return what words of one family share, roughly: "worked", "working" → "work"."""
    word = word.partition("'")[0] or word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] == word[-2] else word


def stems_of(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of a text's words."""
    return frozenset(map(stem_of, words))


def tone_of(text: str) -> int | None:
    """Return what news a reply goes with: 1 good, -1 bad, 0 any; None: it says both."""
    lower = text.lower()
    bare = _DENIED.sub(" ", lower)
    is_cheerful = bool(_CHEERFUL.search(bare))
    is_sorrowful = bool(_SORROWFUL.search(bare)) or bare != lower
    if is_cheerful and is_sorrowful:
        return None
    return int(is_cheerful) - int(is_sorrowful)
