"""Hear that a caller has said what they had to say, or that saying it did them good.

"I just needed to get that off my chest" is no goodbye and wants no question: to ask on there is
not to have listened. Thanks alone are the courtesies'. Knows no reply of the bank.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.reply_ranker.heard import is_reported
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.responses.unsaid import unsaid

End: TypeAlias = Literal["helped", "done"]

SAYINGS: Final[Mapping[End, tuple[str, ...]]] = {
    "helped": (
        "I'm glad it helped to say it.",
        "That's good to hear. I'm here if more comes up.",
        "I'm so glad. It was good to listen to you.",
        "I'm glad you said it, then.",
    ),
    "done": (
        "Thank you for telling me. I'm glad you did.",
        "I'm glad you told me. I'm here if more comes up.",
        "That's all right. It was good to hear it from you.",
        "Then I'm glad you said it. There's no need to add anything.",
    ),
}
_SAY: Final = r"(?:say|saying|talk|talking|tell|telling)"
_MUCH: Final = r"(?: (?:me|a lot|a bit|a little|so much|actually|already))*"
_DID: Final = r"(?:\w+ )?(?:helped|helps)"
_HELPED: Final = re.compile(
    r"\b(?:talking|telling you|saying it|being heard) (?:\w+ )?(?:helped|helps|did help|does help)"
    rf"{_MUCH}(?=$| thank)|"
    rf"\b(?:it|this) (?:\w+ )?(?:helped|helps){_MUCH} to {_SAY}\b|"
    rf"\b(?:thanks|thank you|cheers)\b.*\b(?:that|it|this)(?:s| has)? {_DID}{_MUCH}$|"
    rf"\b(?:that|it|this)(?:s| has)? {_DID}{_MUCH} (?:thanks|thank you|cheers)\b|"
    r"\b(?:good|nice|a relief) to get (?:it|that|this) (?:all )?(?:out|off)\b|"
    rf"\b(?:good|nice|a relief) to {_SAY} (?:it|that|this|about it|about that|someone|somebody|"
    r"you)\b|"
    r"\b(?:its|it has|thats|that has) done me (?:\w+ )?good\b(?=$| to| just| thank)|"
    r"\bi feel (?:(?:a bit|a little|much|so|already) )*(?:lighter|better|calmer)"
    r"(?: (?:now|already))* (?:thank|for (?:say|tell|talk)|(?:for )?having (?:said|told)|"
    r"after (?:talk|say))|"
    r"\bi?m? ?glad i (?:told you|said (?:it|that)|rang|called|talked to you)(?=$| about| now)|"
    r"\b(?:thanks|thank you|cheers)\b.* i (?:really )?needed (?:that|this)$"
)
_DONE: Final = re.compile(
    r"\bthats (?:everything|(?:it|all|about it) (?:really|then|i think|i suppose|for now|from me))"
    r"(?: (?:really|then|i think|i suppose|for now|from me))*$|"
    r"\bthat(?:s| was) (?:really )?(?:it|all|everything) (?:really )?(?:i (?:wanted|had|have|"
    r"needed) to (?:say|tell)\b|just wanted)|"
    r"\bi (?:only |just )+(?:needed|wanted|had) (?:to (?:tell|say it to) (?:someone|somebody|you)$|"
    r"to get (?:that|it|this) off my chest|someone to (?:listen|hear)|somebody to (?:listen|hear)|"
    r"to say it(?: out loud| once)?$)|"
    r"\bjust wanted to (?:tell (?:someone|somebody|you)|say it)(?: really)?$|"
    r"\b(?:theres not|there isnt|theres nothing|nothing|not) (?:much )?(?:more|else) to (?:it|say|"
    r"tell)(?: really)?$|"
    r"\bi (?:dont|havent) (?:have|got) (?:anything|much) (?:else|more)(?: to (?:say|tell))?\b|"
    r"\bthats enough (?:about me|of me|from me)\b|\bive said (?:it all|everything)\b"
)
_SENTENCES: Final = re.compile(r"[^.!?;]*\w[^.!?;]*[.!?;]*")
_OTHERS: Final = re.compile(
    r"^(?:(?:and|but|so|well) )*(?:he|she|they)\b|\b(?!i\b)\w+ (?:says|said|swears)\b"
)
_BEHIND: Final = 4  # words that may stand behind it


def find_end(text: str) -> End | None:
    """Return whether a turn ends what was to be said, or says that it did good; None: neither."""
    sentences = _SENTENCES.findall(text)
    if not sentences or sentences[-1].rstrip().endswith("?"):
        return None
    if len(sentences) > 1 and len(words_of(sentences[-1])) <= _BEHIND:
        sentences = sentences[-2:]
    else:
        sentences = sentences[-1:]
    for sentence in sentences:
        words = " ".join(words_of(sentence))
        if is_reported(sentence) or _OTHERS.search(words):
            continue
        if _HELPED.search(words):
            return "helped"
        if _DONE.search(words):
            return "done"
    return None


def meet_end(text: str, own: Sequence[str]) -> str:
    """Return what is said to it, in words that were not said in this call; empty: it goes on.

    Args:
        text: The caller's turn.
        own: The avatar's turns, the oldest first.
    """
    end = find_end(text)
    return unsaid(SAYINGS[end], text, own) if end else ""
