"""Hear what somebody achieved and how little came back for it, and answer both.

"I got the promotion, and my husband just said so who picks up the kids" is no good news to cheer
at, and "the kids!" is not its point: it ends with a slight. What somebody else achieved, what came
to nothing, and who only wept for joy is another matter. Knows no reply of the bank.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.unsaid import unsaid

_SAYINGS: Final = (
    "Well done, first of all. And how did that land with you?",
    "Congratulations from me, at any rate. How was that for you?",
    "Well done, and it deserved more than that. How did you take it?",
    "That was worth a better welcome. Well done! How are you with it now?",
)
_MINE: Final = r"(?:i|we|ive|weve) (?:(?:actually|finally|really|just|only|even|went and|also) )*"
# What they achieved.
_DONE: Final = re.compile(
    rf"\b{_MINE}(?:got (?:the|my|our|an?|that) (?:\w+ )?(?:job|promotion|part|place|flat|house|"
    rf"grant|"
    r"degree|prize|award|medal|offer|raise|first|distinction|licence|a|certificate|scholarship|"
    r"contract)|won|passed|graduated|finished (?:my|the|our)|got in(?:to)?|got promoted|came "
    r"(?:first|"
    r"second|third)|made it (?:to|through)|did it|ran (?:my|a|the)|(?:baked|cooked|painted|built|"
    r"wrote|knitted|sewed|sang|played) (?:\w+ ){0,3}?(?:cake|meal|dinner|picture|solo|book|part|"
    r"piece|song|shed|jumper|quilt|for))\b|"
    r"\b(?:ive been|i was|weve been|we were) (?:\w+ )?(?:picked|chosen|selected|promoted|accepted|"
    r"made (?:head|captain|deputy|manager|partner|chair\w*))\b|"
    r"\b(?:they|he|she) (?:just |finally )?(?:made me|offered me|picked me|chose me|promoted "
    r"me|voted "
    r"me)\b|\bmy (?:first |new )?(?:book|poem|story|article|picture|painting) (?:came out|was "
    r"(?:published|printed|chosen|picked)|got (?:published|chosen))\b"
)
_OTHER: Final = (
    r"(?:he|she|they|everyone|everybody|people|(?:my|our|the|his|her|their) (?:\w+ )?\w+|"
    r"m[ou]m|dad)"
)
_SEEN: Final = (
    r"(?:say|said|ask|asked|come|came|look|ring|call|congratulate|notice|smile|turn up|show up|"
    r"wait|"
    r"waited|looked|spoke|thank|open|opened|read|listen|reply|replied|answer|rang|called|"
    r"clapped|bothered|noticed|"
    r"cared|congratulated|thanked)"
)
# How little came back.
_SLIGHT: Final = re.compile(
    rf"\b{_OTHER} (?:just|only|simply) (?:said|says|asked|shrugged|nodded|grunted|sighed|"
    rf"carried on|"
    r"went on|walked off|stared|looked at (?:the|his|her|their))\b|"
    rf"\ball {_OTHER} (?:said|asked|did|wanted to know|could say) (?:was|is)\b|"
    rf"\b{_OTHER} (?:didnt|hasnt|never|couldnt be bothered to|wouldnt) (?:even |once |so much as )?"
    rf"{_SEEN}\b|"
    rf"\b(?:nobody|no one|noone|not one of them)(?: \w+){{0,3}}? {_SEEN}\b|"
    rf"\b{_OTHER} (?:rolled (?:his|her|their) eyes|turned (?:his|her|their) backs?|changed the "
    r"subject|laughed at (?:it|me|us))\b|"
    r"\bsaid (?:it must have been|why not|about time|its only|so what|anyone can|big deal|dont "
    r"(?:let it|get))\b|\bthanked (?:everyone|everybody|them all) (?:but|except) me\b"
)
# What was warm after all, was another's, or came to nothing.
_WARM: Final = re.compile(
    r"\b(?:hug\w*|cried|crying|tears|smil\w*|grin\w*|beam\w*|laugh\w*(?! at)|kiss\w*|cheer\w*|"
    r"proud|screamed|"
    r"well done|congratulations|brilliant|amazing|lovely|great|love\w*|wow|flowers|believe|"
    r"surprised|"
    r"put (?:it|me) down|always knew|knew (?:i|wed)|waiting for (?:me|us)|waiting at)\b"
)
_BUT_NOT: Final = re.compile(
    r"\b(?:didnt|havent|never|nearly|almost|wish|if|would have|hope) (?:\w+ ){0,2}?(?:get|got|"
    r"win|won|"
    r"pass|passed|finish|finished)\b|\bmy (?:\w+ )?(?:brother|sister|son|daughter|friend|mate) "
    r"(?:\w+ )?(?:got|won|passed)\b"
)


def meet_soured(text: str, own: Sequence[str]) -> str:
    """Return what is said to an achievement that was slighted; empty where none is told.

    Args:
        text: The turn.
        own: The avatar's turns, the oldest first.
    """
    if text.rstrip().endswith("?"):
        return ""
    words = " ".join(words_of(text))
    done = _DONE.search(words)
    if done is None or _BUT_NOT.search(words):
        return ""
    behind = words[done.end() :]
    slight = _SLIGHT.search(behind)
    if slight is None or _WARM.search(behind):
        return ""
    return unsaid(_SAYINGS, text, own)
