"""Replies that say no more than that somebody was heard, and scraps of what was said.

"Tell me a little more.", "I see what you mean." and "In the fruit bowl?" can be said to anything;
where a turn does something that can be met (``acts``), they give way to it.
"""

import re
from typing import Final, Literal, TypeAlias

from rt_avatar.engines.reply_ranker.bank import Situation
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.feelings import words_of
from rt_avatar.reasoner.spelling import spelled
from rt_avatar.reasoner.swapping import TOKEN, swapped

# No more than that it was heard; few of the caller's words and nothing else; more of them, or what
# is new in them; a question or a word that fits any story of the kind; how it is taken, which may
# stand before more; anything else.
Kind: TypeAlias = Literal["nod", "scrap", "news", "vague", "taken", "other"]

_NODS: Final = frozenset({
    "I see what you mean.", "Tell me a little more about that.", "Okay, go on.",
    "I'd like to hear more about that.",
    "Tell me more about it.", "Tell me more.", "Tell me a little more.", "And what then?",
    "Mm. And then?", "Oh. How was that?", "I hear you.", "I can imagine.", "I'm with you.",
    "Oh, nice. Go on!", "I like hearing that.", "How nice. And then?", "That sounds good. Go on.",
    "Oh, tell me more!", "Oh. I see.", "That makes sense.",
    "I'm following so far.", "I can see it before me.", "Keep going, I'm right with you.",
    "I can picture it.", "I see. I'm listening.", "Right, now I'm curious.",
    "All right. And then?", "And how was that?",
})  # fmt: skip
_VAGUE: Final = frozenset({
    "How was that for you?", "How did that feel?", "What was that like for you?",
    "What was that like?", "I can hear how much there is to it.",
})  # fmt: skip
_TAKEN: Final = frozenset({
    "How lovely!", "That sounds wonderful.", "I'm glad to hear that.", "How nice!",
    "That's good to hear.", "Well done!", "You can be proud of that.", "That's quite something!",
    "Oh no. I'm sorry.", "I can see why that stays on your mind.", "That's hard.",
    "I'm sorry. It makes sense that it bothers you.", "That can't have been easy.",
    "That's not easy.", "Ha, I can picture it!", "I'd have liked to see that!",
    "That makes me smile.", "Oh, I can just see it!", "I hope it goes well.",
    "Fingers crossed for that.", "I'll be curious how it goes.", "I hope it goes as you'd like.",
})  # fmt: skip
_FRAME: Final = word_set("so oh ah right mm go on tell me about it more i see and then youre")
_ANY: Final = 20  # feelings of a heading that is of none
_GOING_ON: Final = ("any", "later", "next", "short", "brief")
_NEW: Final = re.compile(r"(?:oh[,.] )?an? ", re.IGNORECASE)
_ASKED: Final = re.compile(r"^(?:oh[.,] )?[^.!?]+[!?]", re.IGNORECASE)  # or cried
_FEW: Final = 4  # words told back that are no more than a scrap
_SHORT: Final = 9  # words of a nod


def kind_of(reply: str, text: str, heading: Situation | None) -> Kind:
    """Return how much a reply says.

    Args:
        reply: As it would be said.
        text: The turn that it answers.
        heading: What it stands under in the bank, if it is of that.
    """
    if reply in _NODS:
        return "nod"
    if reply in _VAGUE:
        return "vague"
    if reply in _TAKEN:
        return "taken"
    if heading is not None and (heading.is_general or heading.when == "answer"):
        is_bare = "?" not in reply and len(reply.split()) <= _SHORT
        if is_bare and len(heading.feels) >= _ANY:
            return "nod"
        return "vague" if heading.is_general and heading.when in _GOING_ON else "other"
    told = TOKEN.findall(spelled(text))
    back = swapped(told, [one.casefold() for one in told])
    known = set(words_of(" ".join((*told, *back)))) | _FRAME
    if not known.issuperset(words_of(reply)):
        return "other"
    is_long = len([one for one in words_of(reply) if one not in _FRAME]) > _FEW
    is_new = _NEW.match(reply) or (is_long and _ASKED.search(reply))
    return "news" if is_new else "scrap"
