"""Hear that what somebody feared is not so: "I thought I'd failed, but I only went and passed".

The first half sounds like bad news, and what counts is the second. Words of a sentence, without
apostrophes → whether it is so. Who was right to fear it, and who does not know yet, is not meant.
"""

import re
from itertools import pairwise
from typing import Final

from rt_avatar.reasoner.nlu.feelings import words_of

_SENTENCES: Final = re.compile(r"[^.!?]+[.!?]*")

_FEARED: Final = re.compile(
    r"\b(?:i|we)(?:d| had| had been|d been)? (?:really |honestly |always |all |just |only )?"
    r"(?:thought|(?:was|were) (?:so |quite |really )?(?:sure|certain|convinced|afraid|scared|"
    r"worried)|convinced (?:myself|ourselves)|expected|feared)"
    r"(?P<feared>(?: (?!(?:and|but)\b)\w+){2,12}) (?:and|but) (?P<comes>.+)$"
)
_BAD: Final = re.compile(
    r"\b(?:fail\w*|los(?:e|ing)|lost|ruin\w*|cross|angry|mad|furious|bottom|last|awful|terrible|"
    r"horrible|cancer|tumou?r|dead|broken?|blown|wrong|mistake|bad|worse|worst|sack\w*|fired|"
    r"reject\w*|boring|awkward|disaster|nightmare|forgot\w*|in trouble|hate[ds]?|serious|messed|"
    r"stolen|laugh at|upset|no chance|too (?:late|old|hard|much)|nobody would|no one would|never "
    r"(?:see|find|pass|walk|manage|get|finish|hear|speak|be able)|(?:didnt|wouldnt) (?:like|want|"
    r"remember|recogni[sz]e|come|work|get))\b"
)
# Denied, which makes it good.
_DENIED: Final = re.compile(r"\b(?:nothing|isnt|wasnt|not|no big|never (?:leave|hurt|lose|lie))\b")
# It was so, is bad in another way, or is not known yet.
_STILL_BAD: Final = re.compile(
    r"^so (?:did|was|were)\b|"
    r"\b(?:did|do|does|was|is|were|are|am|have|had|will|would|waiting|sorry|bad|alone|sick)$|"
    r"\b(?:i was right|still|wont|hurts?|sad\w*|cancer|lost|fail\w*|wrong|worried|scared|afraid|"
    r"cr(?:y|ied|ying)|never|nobody|died|dead|worse|if|hope|maybe|might|could|may|late|im not|"
    r"(?:not|isnt) (?:sure|better|good))\b"
)
# Dread of something, and how it was.
_DREADED: Final = re.compile(
    r"\b(?:i|we)(?:d| had)? (?:was |were |been )?(?:so |really |absolutely |a bit |very )?"
    r"(?:worried|scared|terrified|petrified|dreading|dreaded|nervous|afraid)\b(?: \w+){1,10}? "
    r"(?:and|but) (?:then )?(?:they|it|he|she|everything|everyone|everybody|all)"
    r"(?: was| were| turned out)(?: \w+)?? (?:normal|fine|lovely|kind|nice|great|wonderful|"
    r"brilliant|ok|okay|good|easy|all right|alright|clear|fun)"
    r"(?=$| about it| to me| with me| in the end| actually| after all| didnt)"
)
# Of these, and in a sentence of its own, only what is said to be well counts.
_GRAVE: Final = re.compile(
    r"\b(?:cancer|tumou?r|dead|dying|died|die|serious|stroke|lost|los(?:e|ing) (?:him|her|them))\b"
)
_WELL: Final = re.compile(
    r"\b(?:(?:its|was) nothing(?! they| we| more)|nothing (?:serious|bad|wrong|at all|to worry)|"
    r"(?:isnt|wasnt)(?: cancer| serious| anything| that)?$|benign|harmless|(?<!not )(?:clear|fine|"
    r"normal|all right|alright|ok|okay)$|(?:all|completely|perfectly) (?:clear|fine|normal|well)|"
    r"(?:its|was|is) (?:only|just) an? (?!matter|question)|good news|"
    r"(?:walked|came|strolled|trotted|turned up|wandered|ran|rang|got)(?: back| in| home| up))\b"
)
_DISLIKED: Final = re.compile(r"\b(?:hate|miss|dislike)\b")
_LIKES: Final = re.compile(r"^(?:now )?(?:i|we) (?:dont|didnt|(?:actually )?lov|like|quite like)")


def tells_vain_fear(text: str) -> bool:
    """Whether a turn tells it, in a sentence or two: "I was sure it was cancer. And it is fine".

    What is asked is not told.
    """
    told = [one for one in _SENTENCES.findall(text) if not one.rstrip().endswith("?")]
    parts = [" ".join(words_of(one)) for one in told]
    both = [
        f"{one} {two}"
        for one, two in pairwise(parts)
        if two.startswith(("and ", "but ")) and _WELL.search(two)
    ]
    return any(map(is_feared_in_vain, (*parts, *both)))


def is_feared_in_vain(words: str) -> bool:
    """Whether a sentence tells that something bad was thought to be so, and that it is not."""
    if (dreaded := _DREADED.search(words)) and " not " not in dreaded[0]:
        return True
    found = _FEARED.search(words)
    if found is None or not _BAD.search(found["feared"]) or _DENIED.search(found["feared"]):
        return False
    if _GRAVE.search(found["feared"]) and not _WELL.search(found["comes"]):
        return False
    if _DISLIKED.search(found["feared"]):
        return bool(_LIKES.search(found["comes"]))
    return len(found["comes"].split()) > 1 and not _STILL_BAD.search(found["comes"])
