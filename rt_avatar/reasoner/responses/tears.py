"""Hear that a caller cried, or is shaking, told by the way: "I read it in the hall and I cried".

Whoever tells that, in however few words among others, has said the most important thing of the
turn; a nod, or a question about the rest, passes it over. What made the tears come may be glad or
sad, so nothing is said of that. Tears that come every day, or for no reason, are no such moment,
nor are those of others, of laughter, or that did not come. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.reply_ranker.heard import is_reported
from rt_avatar.reasoner.listener.turn import Turn
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.unsaid import unsaid

Tears: TypeAlias = Literal["cried", "shakes"]

SAYINGS: Final[Mapping[Tears, tuple[str, ...]]] = {
    "cried": (
        "So the tears came. There must have been a lot in that moment.",
        "It brought you to tears. I can hear how deep it went.",
        "And then you cried. That must have gone deep.",
        "You cried over it. I can hear how much there was to it.",
    ),
    "shakes": (
        "You're still shaking, I hear that. Take all the time you need.",
        "No wonder it's still in your body. I'm right here.",
        "It has shaken you through. There's no hurry here.",
    ),
}
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")
_CRIED: Final = re.compile(
    r"\b(?:i (?:(?:just|actually|really|even|then|finally|sat \w+ and|went \w+ and|stood \w+ "
    r"and) )*(?:cried|wept|sobbed|welled up|teared up|broke down(?: and cried| in tears| crying)|"
    r"burst into tears|burst out crying|had (?:a|a little|a good|a bit of a) cry|had tears in my "
    r"eyes|was in tears)|i (?:\w+ ){1,8}and (?:then |just )*(?:cried|wept|sobbed|burst into tears|"
    r"had a (?:little |good )?cry))\b(?! (?:off|out|wolf|foul|for help|wasnt|myself to sleep))"
)
_SHAKES: Final = re.compile(
    r"\b(?:my (?:hands|legs|knees|fingers|hand) (?:are|is|were) (?:still |all |really |just )*"
    r"(?:shaking|trembling)|im still (?:\w+ )?(?:shaking|trembling))$"
)
_NONE: Final = re.compile(
    r"\b(?:every (?:day|night|morning|time|month|week)|all (?:day|night)|for (?:no reason|weeks|"
    r"months|days|years)|always|cant stop|laugh\w* (?:\w+ ){0,4}(?:till|until|so|that) (?:\w+ )*|"
    r"never|didnt|havent|nearly|almost|hardly|if i|when i|whenever|until i|till i|would have|"
    r"onions?|parkinsons|cold)\b"
)
_MET: Final = re.compile(
    r"\b(?:tears?|cry\w*|cried|shak\w+|trembl\w+|sorry|moved|touched|heart\w*|congratulations|"
    r"relief)\b", re.IGNORECASE
)  # fmt: skip


def find_tears(text: str) -> Tears | None:
    """Return whether the caller tells that they cried, or that they are shaking; None: neither."""
    for sentence in _SENTENCES.findall(text):
        words = " ".join(words_of(sentence))
        if is_reported(sentence) or "?" in sentence or _NONE.search(words):
            continue
        if _CRIED.search(words):
            return "cried"
        if _SHAKES.search(words):
            return "shakes"
    return None


def with_tears(turn: Turn, reply: str) -> str:
    """Return a reply that meets tears or shaking told in a turn; the same where it does.

    Args:
        turn: The caller's.
        reply: What would be said to it.
    """
    choice, is_grave = turn.choice, turn.answer.is_quiet or turn.is_grave_now
    if not turn.is_story or is_grave or (choice and choice.when == "ever") or _MET.search(reply):
        return reply
    tears = find_tears(turn.text)
    if tears is None or find_asked(turn.text, is_grave=turn.is_grave):
        return reply
    return unsaid(SAYINGS[tears], turn.text, turn.own)
