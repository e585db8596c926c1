"""Acts of what somebody or some place is like: a person, their other side, a place, a trace.

Says nothing of what a person is like that the caller did not say. What an illness or a feeling
makes of somebody is no portrait.
"""

import re
from typing import Final

from rt_avatar.reasoner.acts import Act
from rt_avatar.reasoner.people import WHO

_HOW: Final = (
    r"(?:very|really|quite|rather|so|such|ever so|a bit|a little|too|pretty|terribly|awfully|"
    r"extremely|only|just|always) "
)
_TRAIT: Final = (
    r"(?:strict|kind|friendly|funny|quiet|shy|loud|chatty|messy|tidy|particular|fussy|bossy|"
    r"patient|impatient|stubborn|proud|clever|bright|blunt|direct|sweet|gentle|gruff|grumpy|moody|"
    r"serious|strange|odd|peculiar|formal|polite|rude|lazy|generous|mean|careful|precise|young|old|"
    r"tall|"
    r"posh|keen|easygoing|easy-going|private|independent|sensible|dramatic|slow|quick)"
)
_AGED: Final = (
    r"(?:(?:younger|older|taller|bigger|stricter|kinder) than|(?:half|twice) my age|my age|"
    r"a bit of an?|one of those)"
)
# No portrait: what ails somebody, where they are, or what they do to others.
_NEVER: Final = re.compile(
    r"\b(?:ill|sick|sad|dying|dead|died|drunk\w*|drinks?|drinking|pregnant|angry|scared|afraid|"
    r"upset|"
    r"depressed|lonely|hospital|shout\w*|violent|abus\w+|hits?|hurts?|cancer|dementia|confused|"
    r"weak|"
    r"frail|forms?|old now|nuisance|pain|disgrace|liar|thief|monster|bully|cheat|addict|"
    r"alcoholic)\b"
)
_PLACES: Final = (
    r"(?:bench|caf[eé]|pub|park|corner|garden|shed|beach|hill|bridge|church|shop|place|spot|path|"
    r"wood|"
    r"woods|field|lane|river|lake|library|hut|cabin|roof|storeroom|room|market|club|hall|pool|"
    r"chapel|"
    r"bakery|pier|canal|pond|allotment|orchard|barn|attic|loft|cellar|balcony|courtyard|tree)"
)
PORTRAITS: Final = (
    Act(
        "other_side",
        re.compile(
            rf"\b(?:in fairness|to be fair|fair play)\b.*\b(?:he|she|they)\b|{WHO}(?:'s| is|'re|"
            rf" are) "
            r"(?:not (?:a )?(?:bad|unkind)|(?:an? )?(?:nice|decent|good|kind|lovely)(?: enough)?)\b"
            r".*\b(?:otherwise|most of the time|underneath|really|deep down)\b|"
            r"\b(?:he|she) (?:does )?means? well\b"
        ),
        asks=(
            "So there's another side, too. Does that make it easier, or harder?",
            "So it isn't all one thing. What weighs more for you?",
        ),
        says=("So there's another side, too.",),
        never=_NEVER,
        where="sentence",
    ),
    Act(
        "person",
        re.compile(
            rf"{WHO}(?:'s| is|'re| are) (?:{_HOW})?(?:{_TRAIT}\b|{_AGED}|(?:an? (?!bit\b|lot\b|"
            rf"mess\b)"
            rf"(?:{_HOW})?(?:\w+ )?\w+)(?: (?:from|at|in|of|by|with|who)\b.*)?$|{_HOW}{_TRAIT})"
        ),
        asks=(
            "How do you get on with {him}?{far}",
            "What's {he} like to be around?{far}",
            "And {has} {he} always been like that?{near}",
        ),
        says=("I'm getting a picture of {him}.",),
        never=_NEVER,
    ),
    Act(
        "place",
        re.compile(
            rf"there's (?:an?|this|one) (?:\w+ ){{0,2}}?{_PLACES}\b(?: (?:where|that|which|on|in|"
            rf"at|by|"
            r"behind|near|down|over|just|round|i|we)\b.*)$"
        ),
        asks=("What's it like there?", "What do you like about it?"),
        says=("I can picture that place.",),
        never=re.compile(r"\b(?:problem|leak|fire|jump|smell|stain|hole|damp|mould|blood)\w*\b"),
    ),
    Act(
        "still_there",
        re.compile(
            r"(?:there's|there is|there are|there're) still (?:an?|the|his|her|their|"
            r"some) (?!chance|hope|"
            r"way|lot|bit|few|little|while|problem|risk|good)\w+|(?:i've|we've|i have|"
            r"we have) still got "
            r"(?:his|her|their|the|my \w+'s) \w+|(?:i've|we've) got (?:it|them|that) (?:written|"
            r"hung|"
            r"hanging|pinned|framed|stuck|in (?:a|my|the) (?:drawer|box|wallet|frame|hall|kitchen)|"
            r"on (?:my|the) )|(?:it|the \w+|(?:his|her) \w+) still (?:smells|hangs|sits|"
            r"stands|lies)\b"
        ),
        asks=(
            "What comes back to you when you see it?",
            "What goes through your mind when you come past it?",
        ),
        says=("So it's still there.",),
        never=re.compile(r"\b(?:headache|cold|cough|job|time|work|pain)\b"),
    ),
)
