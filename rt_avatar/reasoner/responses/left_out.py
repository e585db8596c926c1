"""Hear that somebody was left out: not asked, not invited, not picked, not even told.

"I haven't been asked to be bridesmaid" holds the words of an honour, and was congratulated on it.
What may still come ("not invited yet") and what somebody is glad to be spared are no such slights.
Words are read without apostrophes. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.pronouns import object_of
from rt_avatar.reasoner.responses.endings import tells
from rt_avatar.reasoner.responses.unsaid import unsaid

LeftOut: TypeAlias = Literal["own", "theirs"]

SAYINGS: Final[Mapping[LeftOut, tuple[str, ...]]] = {
    "own": (
        "Oh, that stings, to be left out like that. What would it have meant to you?",
        "I'm sorry. That's a lonely feeling, when others are asked. How did you find out?",
        "It hurts to be passed over. What did you do when you knew?",
        "Oh. That would sting anybody. Did they say why?",
    ),
    "theirs": (
        "Oh, that's hard to watch. What is it like for {who}?",
        "That's sad. Has it come between {who} and the others?",
        "That's sad for {who}. And for you, to see it.",
    ),
}
_PERSON: Final = (
    r"(?:(?:my|our) (?:\w+ ){0,2}?(?:son|daughter|boy|girl|kid|child|kids|children|brother|sister|"
    r"mum|mom|mother|dad|father|wife|husband|partner|grandson|granddaughter|nephew|niece|friend|"
    r"mate|youngest|eldest|oldest)|he|she|they|hes|shes|theyve)"
)
_CHOSEN: Final = (
    r"(?:asked (?:to (?:be|join|come|sing|speak|play|read|dance|the)|along|if (?:i|we|he|she)|$)|"
    r"invited|picked|chosen|selected|included|considered|consulted|mentioned|thanked|"
    r"introduced|offered (?:it|the|a)|given a (?:place|part|chance|seat|card)|told about (?:the|it|"
    r"any)|on the list)"
)
_NOT: Final = (
    r"(?:wasnt|werent|was not|were not|was never|were never|have not been|have never been|ive not "
    r"been|ive never been|weve not been|havent been|hasnt been|hes not been|"
    r"shes not been|hes never been|shes never been|didnt get|didnt even get|never got|never get|"
    r"never gets|dont get|doesnt get|wasnt even|werent even|havent even been|hasnt even been)"
)
_OWN: Final = re.compile(
    rf"\b(?:(?:i|we) )?(?:\w+ )?{_NOT} (?:\w+ )??{_CHOSEN}|"
    r"\b(?:(?:nobody|no one|none of them|not one of them)(?: even)?|(?:they|he|she) (?:never|"
    r"didnt (?:even )?|forgot to|havent (?:even )?|hasnt (?:even )?)) ?"
    r"(?:thought to |bothered to )?(?:ask(?:ed)?|invited?|pick(?:ed)?|included?|thank(?:ed)?) "
    r"(?:me|us)(?= (?:to (?:the|be|join|come|it|their|his|her)|along|for it)\b|$)|"
    r"\b(?:everyone|everybody|all of them|the (?:others|rest)) (?:\w+ ){0,5}?(?:but|except|apart "
    r"from) (?:me|us)$"
)
_THEIRS: Final = re.compile(rf"\b(?P<who>{_PERSON}) (?:\w+ )?{_NOT} (?:\w+ )??{_CHOSEN}")
_MINE: Final = re.compile(r"\b(?:i|we|ive|weve|im|me|us)\b")
# It may still come, or nobody minds.
_NO_SLIGHT: Final = re.compile(
    r"\b(?:yet|thank (?:god|goodness|heavens)|luckily|thankfully|for once|hilarious|dont mind|"
    r"didnt mind|glad|relie\w+|phew|wouldnt have|didnt want|dont want|not bothered|if|unless|"
    r"until|maybe|might|worried|afraid|scared|lol|haha|just as well)\b|\bso (?:i|we) just\b"
)
_FELT: Final = re.compile(
    r"\b(?:i|we|it) (?:feel|feels|felt|made me feel|hurts?)\b|"
    r"\bi(?:m| was| am) (?:so |really |a bit |quite |very )?(?:sad|hurt|gutted|angry|upset|cross|"
    r"happy|furious|livid|jealous|heartbroken|devastated|lonely)\b"
)
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")


def find_left_out(text: str) -> tuple[LeftOut, str] | None:
    """Return who was left out, and by what word they are spoken of ("him"); None: nobody.

    Args:
        text: The turn; one that names a feeling is left to who answers that.
    """
    said = " ".join(words_of(text))
    # Whatever its words sound like: what they were left out of is mostly something pleasant.
    if "?" in text or _FELT.search(said) or _NO_SLIGHT.search(said):
        return None
    for sentence in reversed(_SENTENCES.findall(text)):
        words = " ".join(words_of(sentence))
        theirs = tells(_THEIRS, words)
        if theirs and not _MINE.search(theirs[0].removeprefix(theirs["who"])):
            return "theirs", theirs["who"]
        if tells(_OWN, words):
            return "own", ""
    return None


def meet_left_out(text: str, own: Sequence[str]) -> str:
    """Return what is said to it, in words that were not said in this call; empty: there is none.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    found = find_left_out(text)
    if found is None:
        return ""
    kind, who = found
    return unsaid([one.format(who=object_of(who)) for one in SAYINGS[kind]], text, own)
