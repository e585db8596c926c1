"""Hear what a caller asks of the avatar's own life: feelings, a past, people, what it does.

"Are you ever sad?", "have you ever moved house?", "do you have a sister?", "do you just match
words?": each has a short true answer, and who is asked the same in return, or told that it is not
known, was dodged. What is said never asks the caller for what they asked. Knows no reply of the
bank.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

# What it feels; what happened to it; whom or what it has; whether it understands; what it does.
OfSelf: TypeAlias = Literal["feels", "past", "has", "understands", "does"]

LIVES: Final[Mapping[OfSelf, tuple[str, ...]]] = {
    "feels": (
        "No, I'm a program, there's no such feeling in me. But there's room for all of yours.",
        "I'm only a program, so I feel nothing of that. It's you I'm listening to.",
        "No, nothing of that in a program. I can still hear how it is for you.",
    ),
    "past": (
        "No, I'm a program, so I've lived through nothing of the kind. But I'm listening to you.",
        "No, never. A program has no life behind it, so I'd rather hear about yours.",
        "I haven't, no. I'm only a program, but I'm still listening.",
    ),
    "has": (
        "No, I'm a program, so I've nothing like that. It's you I'd like to hear about.",
        "No, none. There's only software on this side. I'm listening to you, though.",
        "Nothing of the kind, I'm only a program. But do go on, if you like.",
    ),
    "understands": (
        "Only as far as a program can. I look for words that may fit, and I remember what "
        "you've told me while we talk. Tell me when they don't fit.",
        "Only in part. I'm a program that finds words which may fit, and I keep in mind what you "
        "say in this call. Where I go wrong, just say so.",
        "I'm a program, so I match your words as well as I can, and remember them while we talk. "
        "Put me right when I miss the point.",
    ),
    "does": (
        "I listen, I look for words that may fit, and I remember what you say while we talk. "
        "That's all of it, I'm a program.",
        "Not much but listen. I'm a program that finds words which may fit, and keeps in mind what "
        "you say in this call.",
    ),
}
# All of words as they are heard, without apostrophes.
_U: Final = re.compile(r"\bu\b")
_LEADS: Final = (
    r"^(?:(?:and|but|so|then|well|oh|ah|okay|ok|now|just|hey|please|sorry|no|yes|yeah|wait|anyway|"
    r"listen|ava|you|what about you|by the way|i mean|tell me|also|honestly|lol|haha|dear|love|"
    r"i wonder|like) )*"
)
_EVER: Final = r"(?:(?:ever|never|even|also|actually|really|usually|sometimes|yourself) )*"
_FELT: Final = (
    r"(?:sad|happy|unhappy|lonely|scared|afraid|frightened|angry|cross|jealous|envious|worried|"
    r"anxious|nervous|ashamed|embarrassed|homesick|heartbroken|depressed|down|hurt|in love)"
    r"(?: of (?:anything|anyone|anybody))?"
)
_END: Final = (
    r"(?: (?:too|as well|at all|yourself|ever|sometimes|ava|dear|love|or anything|then))*$"
)
_KIN: Final = (
    r"(?:(?:little|big|older|younger|grown up|grand|best|any|own) ?)*"
    r"(?:family|sisters?|brothers?|siblings?|mum|mom|mother|dad|father|parents|kids?|child|"
    r"children|sons?|daughters?|grandchildren|husband|wife|partner|boyfriend|girlfriend|friends?|"
    r"dogs?|cats?|pets?|garden|house|home|car|job|birthday|neighbou?rs?|hobby|hobbies|faith)"
)
# A story may begin with "have you ever seen", and what one has heard, made or tried is small talk.
_LIVED: Final = (
    r"(?!(?:made|noticed|seen|heard|wondered|thought|tried|read|watched|tasted|eaten|considered|"
    r"known?|hear|see|notice|wonder|think|try|make|get it|met (?:my|him|her)|stop|stopped|"
    r"been (?:in|on|to))\b)\w+"
)
_PATTERNS: Final[tuple[tuple[OfSelf, re.Pattern[str]], ...]] = (
    ("understands", re.compile(
        rf"{_LEADS}(?:do|can|did) you {_EVER}(?:understand|get|follow|grasp|take in) "
        r"(?:(?:me|this|it|any of (?:it|this|that)|a word(?: (?:of it|i say))?|what (?:i say|im "
        r"saying|i tell you|im telling you)) or\b|any of (?:it|this|that)|"
        r"a word(?: (?:of it|i say))?$)|"
        rf"{_LEADS}do you (?:really|actually|even) understand (?:me|what (?:i say|im saying|i tell "
        r"you|im telling you)|this|it|people|anything)\b|"
        rf"{_LEADS}(?:do you|are you|is it) (?:just|only) (?:match\w*|repeat\w*|pick\w*|guess\w*|"
        r"string\w*|parrot\w*|looking for) (?:words|keywords|(?:what )?(?:i|my)\b|things)")),
    ("does", re.compile(
        rf"{_LEADS}what (?:do you actually|exactly do you|do you really|is it you(?: actually)?|"
        r"is it that you(?: actually)?) do(?: (?:here|all day|then|ava|with what i say))*$|"
        rf"{_LEADS}what do you do(?: all day| here)+"
        r"(?: (?:then|yourself|ava|when nobody (?:rings|calls|talks(?: to you)?)))*$")),
    ("feels", re.compile(
        rf"{_LEADS}(?:are|were|arent) you (?:ever |even |never |really |sometimes )*{_FELT}{_END}|"
        rf"{_LEADS}(?:do|dont|did) you {_EVER}(?:get|feel|be|become|fall) (?:so |a bit )?{_FELT}"
        rf"{_END}|"
        rf"{_LEADS}(?:do|dont|can|did) you {_EVER}(?:cry|laugh|worry|hurt|suffer|grieve|regret|"
        rf"get upset|get bad days|have (?:bad|good) days|miss (?:anyone|anybody|people))"
        rf"(?: (?:anything|about (?:things|anything)))?{_END}")),
    ("has", re.compile(
        rf"{_LEADS}(?:do you {_EVER}have|have you {_EVER}got|you got|did you {_EVER}have) "
        rf"(?:an? |any |your )*(?:own )?{_KIN}(?: (?:or|and) {_KIN})?{_END}|"
        rf"{_LEADS}are you {_EVER}(?:married|single|religious|a (?:mum|mom|mother|dad|parent))"
        rf"{_END}")),
    ("past", re.compile(
        rf"{_LEADS}(?:have you|did you|were you) (?:yourself )?ever (?:had to )?{_LIVED}\b|"
        rf"{_LEADS}have you (?:yourself )?(?:had to (?!tell me|ask)\w+|been through (?:this|that|"
        rf"it|anything)|lost (?:someone|somebody|anyone|anybody)|moved house){_END}")),
)  # fmt: skip


def find_of_self(words: str) -> OfSelf | None:
    """Return what a sentence asks of the avatar's own life; None where it asks nothing of it.

    Args:
        words: The sentence, as it is heard, without apostrophes.
    """
    words = _U.sub("you", words)
    return next((one for one, pattern in _PATTERNS if pattern.search(words)), None)
