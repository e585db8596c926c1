"""Hear light talk as what it is: the weather, a pot of tea, the telly, an errand.

"It's raining again, so we've only been round the block" is no grievance; the network of emotions,
which learnt from stories that all have a strong one, hears one in it. Only at the beginning of a
call, and where nothing that was said is trouble, pain or somebody missed. Knows no reply of the
bank; who knows more of the topic goes first.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.unsaid import unsaid

Light: TypeAlias = Literal["sun", "wet", "food", "quiet"]

_SAYINGS: Final[Mapping[Light, tuple[str, ...]]] = {
    "sun": (
        "How nice! What will you do with it?",
        "A day to be out in, then. What are you up to?",
        "That does one good. How are you spending it?",
    ),
    "wet": (
        "It sounds like a day for staying in. How are you spending it?",
        "Not very inviting out there, then. What do you do with a day like that?",
        "Not the weather for it, then. What else is the day bringing?",
    ),
    "food": (
        "That has something cosy. How's the rest of your day?",
        "A small comfort, isn't it? What else is the day bringing?",
        "That makes a day rounder. How has it been otherwise?",
    ),
    "quiet": (
        "That sounds like an easy sort of day. What else have you been up to?",
        "I like a day like that. How has it been otherwise?",
        "And how's the day otherwise?",
    ),
}
_TALKED_OF: Final[Mapping[Light, re.Pattern[str]]] = {
    "sun": re.compile(
        r"\b(?:the suns?(?: is)? (?:out|shining|back)|its (?:so |really |nice and )?(?:sunny|warm)|"
        r"sunny day|blue skies|not a cloud)\b"
    ),
    "wet": re.compile(
        r"\b(?:(?:its|it is|been|still) (?:\w+ )?(?:raining|pouring|drizzling|snowing|freezing|"
        r"windy|"
        r"foggy|wet|chilly|grey|gray|miserable|cold) ?(?:out|outside|again|here|today|down)?|"
        r"(?:in|like|likes|mind) the (?:wet|rain|cold|snow)|raining on it|going to rain|"
        r"a grey (?:old )?day)\b"
    ),
    "food": re.compile(
        r"\b(?:(?:pot|cup|mug) of (?:tea|coffee|cocoa)|cuppa|hot choc\w*|having (?:toast|tea|"
        r"coffee|"
        r"soup|breakfast|lunch|my tea)|toast|scones?|(?:a|the) biscuits?|porridge|a (?:nice "
        r")?(?:cake|"
        r"pie|stew|roast))\b"
    ),
    "quiet": re.compile(
        r"\b(?:watching (?:the )?(?:telly|tv|a film)|(?:with|doing|did|at|over|read) (?:a|the|my) "
        r"(?:crossword|paper|knitting|jigsaw)|been (?:gaming|reading|knitting|gardening|baking)|"
        r"(?:to|round to) the shops?|(?:did|doing|done) the (?:washing|ironing|dishes|hoovering|"
        r"shopping)|round the block|pottering|a (?:good )?film on)\b"
    ),
}
# What is told with it is more than that.
_TROUBLE: Final = re.compile(
    r"\b(?:dont|managed|alone|on my own|by myself|lonely|nobody|no one|noone|never|nothing works|"
    r"stuck|cant|cannot|couldnt|wont be|wouldnt|shouldnt|didnt|hasnt|havent|isnt|wasnt|worr\w+|"
    r"scared|afraid|sad|cry\w*|cried|tears|upset|angry|furious|hate\w*|hurts?|hurting|pain\w*|"
    r"aches?|ill|sick|vets?|doctors?|hospital|poorly|limp\w*|dying|died|dead|lost|"
    r"miss(?:es|ed|ing)?|gone|left me|broke\w*|flood\w*|leak\w*|waters?|roof|damp|mould|pay|paid|"
    r"afford|money|bills?|debt|rent|heating|boss|work|warning|sacked|fired|late|cancel\w*|"
    r"shout\w*|yell\w*|kick\w*|bitten|bit (?:me|him|her)|burnt|burned|gave up|give|fight\w*|"
    r"fought|row|argu\w+|ignor\w+|divorc\w+|husband|wife|mother|m[ou]m|dad|father|widow\w*|"
    r"used to|two cups|for two|still|anymore|bad|awful|terrible|horrible|worst|worse|hard|tired|"
    r"exhausted|sleep|slept|stress\w*|means?|meant|problem\w*|trouble|wrong|why|help|please|sorry|"
    r"stolen|stole|accident|crash\w*|fell|fallen|drunk|drink(?:s|ing)|birthday|christmas|funeral|"
    r"grave|in here|empty|quiet|silence|silent|sits? and (?:looks|stares)|stares?|just sits?|"
    r"face going|anxious|nervous|depress\w*|embarrass\w*|asham\w*|everyone|everybody|neighbou?rs?|"
    r"police|noise|noisy)\b"
)
_MOST: Final = 40  # words of a turn that is light
_BEGINS: Final = 2  # turns of a caller's with which a call begins


def meet_light(said: Sequence[str], own: Sequence[str]) -> str:
    """Return what is said to light talk; empty where a turn, or one before it, is more than that.

    Args:
        said: The caller's last turns, the oldest first.
        own: The avatar's turns, the oldest first.
    """
    words = [" ".join(words_of(one)) for one in said]
    is_more = len(words[-1].split()) > _MOST or "?" in said[-1] or any(map(_TROUBLE.search, words))
    is_answer = len(said) > 1 and bool(own) and own[-1].rstrip().endswith("?")
    if len(said) > _BEGINS or is_answer or is_more:
        return ""
    light = next((one for one, talked in _TALKED_OF.items() if talked.search(words[-1])), None)
    return unsaid(_SAYINGS[light], said[-1], own) if light else ""
