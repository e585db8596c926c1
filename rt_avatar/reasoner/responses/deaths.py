"""Meet the news of a death, told without a word of what is felt: "one of my regulars died".

Who hears it for the first time says that they are sorry, before anything else; a maxim about grief,
or "go on", is cold. Of who died long ago, or is named by the way, this is no news. Knows no reply
of the bank.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.grave import tells_loss
from rt_avatar.reasoner.responses.remembered import find_remembered
from rt_avatar.reasoner.responses.unsaid import unsaid

# An animal; somebody whom they knew, of no family of theirs; anybody else.
Death: TypeAlias = Literal["pet", "known", "other"]

SAYINGS: Final[Mapping[Death, tuple[str, ...]]] = {
    "pet": (
        "Oh, I'm so sorry. They're part of the family.",
        "I'm so sorry. How has it been at home since then?",
        "Oh no, I'm sorry. That's a hard goodbye.",
        "I'm so sorry. That leaves such a gap.",
    ),
    "known": (
        "Oh, I'm so sorry. Had you known each other long?",
        "I'm so sorry to hear that. How are you with it?",
        "Oh no, I'm sorry. Had you got fond of them?",
        "I'm really sorry. That's sad news to live with.",
    ),
    "other": (
        "Oh, I'm so sorry. I'm here, and I'm listening.",
        "I'm so very sorry. Take all the time you need.",
        "Oh no. I'm truly sorry. How are you bearing it?",
        "I'm so sorry. I'd like to hear about it, if you want to tell me.",
    ),
}
_PETS: Final = (
    r"\b(?:dogs?|cats?|puppy|puppies|kittens?|pets?|rabbits?|bunny|hamsters?|guinea pigs?|horses?|"
    r"mares?|pony|budgies?|parrots?|ferrets?|tortoises?|turtles?|goldfish)\b"
)
_PET: Final = re.compile(_PETS)
_KNOWN: Final = re.compile(
    r"\b(?:regulars?|customers?|clients?|patients?|residents?|lodger|tutor|coach|students?|pupils?|"
    r"lad|lass|bloke|gent|gentleman|conductor|postman|milkman|choir\w*|hairdresser|"
    r"neighbou?rs?|colleagues?|cowork\w+|classmates?|teachers?|boss|mr|mrs|ms|"
    r"(?:man|woman|guy|girl|boy) (?:from|at|in|down|up|across|next|i|who))\b"
)
_RUN_OVER: Final = re.compile(
    rf"{_PETS}(?: \w+)?? (?:got|was|been) run over\b"
    r"(?!.*\b(?:ok|okay|fine|alive|survived|vets?|surgery|operation|lives|living|legs?|better|"
    r"luckily)\b)"
)
_NEARLY: Final = re.compile(r"\b(?:nearly|almost)\b")
# As it is written: recognisers write names so, too.
_SINCE: Final = re.compile(
    r"\byears? (?:today|tomorrow|on \w+day|this week|next week) since [A-Z][a-z]+(?=[.,!]|$)"
)
# Long ago, told for the sake of something else, or not so.
_OLD: Final = re.compile(
    r"\b(?:(?:years?|decades?|ages) ago|(?:19|20)\d\d|"
    r"(?:when|after|before|since|until|till|because) (?:\w+ ){1,4}?(?:died|passed|was dying)|"
    r"when i was|(?:years?|long|good while) (?:dead|gone)|would have|wouldve|lol|haha|bereave\w+|"
    r"plan (?:the|his|her) funeral|(?:not|isnt|wasnt|like) an? (?:funeral|death))\b"
)
_BABY: Final = re.compile(r"\b(?:baby|pregnan\w*|miscarr\w*|stillb\w*|heartbeat)\b")


def find_death(text: str) -> Death | None:
    """Return of whom a turn tells that they died, lately; None where it does not."""
    words = " ".join(words_of(text))
    if _RUN_OVER.search(words) and not _NEARLY.search(words):
        return "pet"
    if _SINCE.search(text):
        return "other"
    if not tells_loss(text) or _OLD.search(words) or find_remembered(text):
        return None
    if _KNOWN.search(words):
        return "known"
    return "pet" if _PET.search(words) and not _BABY.search(words) else "other"


def meet_death(text: str, told: Sequence[str], own: Sequence[str]) -> str:
    """Return what is said to the news of a death; empty where there is none, or it was told before.

    Args:
        text: The caller's turn.
        told: Their turns before it.
        own: The avatar's turns, the oldest first.
    """
    death = find_death(text)
    if death is None or any(map(tells_loss, told)):
        return ""
    return unsaid(SAYINGS[death], text, own)
