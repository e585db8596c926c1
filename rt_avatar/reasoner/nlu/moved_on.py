"""Hear that a caller who told of a death goes on with something else, glad or everyday.

Grief stays for a few turns, for who has told of a death is not done with it; but "anyway, the kids
made pancakes" is no part of it, and who is met there with "take all the time you need" was not
listened to. Words of their own doing, a turn of the talk, or gladness must say so, and no word that
may still be of who died. Knows no reply.
"""

import re
from typing import Final

from rt_avatar.reasoner.nlu.grave import find_grave, is_grave
from rt_avatar.reasoner.nlu.mood import mood_of
from rt_avatar.reasoner.nlu.spelling import spelled

_GLAD: Final = ("pleasant", "proud", "funny")
# Says itself that something else follows.
_TURNS: Final = re.compile(
    r"^(?:(?:but|well|so|oh|and|right) )*(?:anyway|anyhow|anyways|on a (?:brighter|happier|lighter|"
    r"different) note|(?:but )?enough (?:of|about) (?:that|it|me)|to change the subject|"
    r"changing the subject)\b"
)
# What they do, or have before them; and small pleasures.
_DOES: Final = re.compile(
    r"\b(?:i'm|we're|i am|we are) (?:\w+ )?(?:off (?:to|for|out)|going (?:to (?:the|a|my|see|watch|"
    r"visit|meet|try|bake|cook|play|have|buy|get)|out|away|on a|fishing|dancing|camping|swimming)|"
    r"picking up|getting|meeting (?!him|her|them)|having|learning|making|baking|building|planning|"
    r"visiting|starting|taking up|knitting|painting)\b|"
    r"\b(?:i've|we've|i have|we have) (?:\w+ )??(?:taken up|joined|booked|planted|adopted|started|"
    r"learnt|learned|built|got (?:the|an?|my|our) (?:allotment|garden|choir|club|dog|puppy|kitten|"
    r"new))\b|"
    r"\b(?:i|we) (?:\w+ )?(?:play|sing|swim|bake|knit|volunteer|dance|went (?:dancing|swimming|"
    r"fishing|bowling|to the (?:pub|match|cinema|pictures|beach|sea|zoo|theatre)))\b|"
    r"\b(?:i|we) (?:\w+ )?(?:won|rode)\b|"
    r"\b(?:very|really|so|quite|rather|pretty|properly) (?:good|tasty|nice|funny)\b|"
    r"\b(?:what|it) keeps me (?:going|busy|young|sane)(?: now)? is (?:my|the|our|that)\b|"
    r"\b(?:my|our|the) (?:allotment|garden|choir|bowls|bees|hens|jigsaws?|pottery|painting|club) "
    r"keeps me (?:going|busy|young|sane)\b|"
    r"\b(?:cheeky|gone mad this year|lol|haha|new (?:phone|bike|car|kettle|puppy|kitten|telly))\b"
)
# May still be of who died, or of how it is without them.
_OF_IT: Final = re.compile(
    r"\b(?:he|she|him|her|his|hers|he'd|she'd|he's|she's|they'd|still|without|miss\w*|alone|lonely|"
    r"empty|silen\w+|quiet|tears|cr(?:y|ied|ying)|hard|harder|hardest|"
    r"last(?! (?:week|night|month|year|\w+day)\b)|never|nobody|no one|"
    r"remember\w*|remind\w*|forgot\w*|forget|used to|supposed to|would have|should have|could have|"
    r"wish|cannot|can't|couldn't|don't|didn't|doesn't|won't|wouldn't|not|sad|sorry|sleep|pain|"
    r"pains|painful|"
    r"guilty|why|how do|anniversary|grave|ashes|funeral|hospital|bury|buried|coffin|photos?|"
    r"everyone's|everybody's|trying to|have to|had to|tired|ill|sick|dead|died|loss|gone(?! mad)|"
    r"it's just|keep|keeps(?! me (?:going|busy|young|sane)\b))\b"
)


def leaves_grief(text: str) -> bool:
    """Whether a turn, told after a death, goes on with something else.

    Args:
        text: The turn.
    """
    words = " ".join(re.findall(r"[^\W_]+(?:['-][^\W_]+)*", spelled(text).casefold()))
    if "?" in text or find_grave(text) or _OF_IT.search(words):
        return False
    mood = mood_of((spelled(text),))
    if mood == "unpleasant":
        return False
    return mood in _GLAD or bool(_TURNS.search(words) or _DOES.search(words))


def since_grief(said: tuple[str, ...]) -> tuple[str, ...]:
    """Return a caller's turns from where the last grief was left on; all where none was."""
    for at in range(len(said) - 1, 0, -1):
        if any(map(is_grave, said[:at])) and leaves_grief(said[at]):
            return said[at:]
    return said
