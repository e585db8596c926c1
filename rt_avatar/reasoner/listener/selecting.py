"""Say a general reply where it fits better than what would be said.

Rules and bank know topics and words; a network that read labelled calls knows what a turn is about
where they do not, and tells how well their reply does. Alarms and what is grave stay with them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.reply_selector import GeneralReply, ReplySelector
from rt_avatar.messages import Plan
from rt_avatar.reasoner.danger.alarms import danger_of
from rt_avatar.reasoner.listener.turn import Turn
from rt_avatar.reasoner.nlu.feelings import words_of
from rt_avatar.reasoner.nlu.grave import is_grave
from rt_avatar.reasoner.nlu.intents import Intent
from rt_avatar.reasoner.nlu.medicine import without_left_off
from rt_avatar.reasoner.nlu.understanding import MOOD_INTENSITY
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.repair import find_objection
from rt_avatar.reasoner.styles import response_style

# Told by a caller, it may be what nobody should approve of, laugh about or excuse.
_WRONG: Final = frozenset({
    "death and violence", "revenge", "drugs and drink", "slurs and abuse", "health and law",
    "courtship", "blame and contempt",
})  # fmt: skip
_TELLING: Final = frozenset[Intent]({"telling", "yes", "no", "dont_know", "backchannel"})
_DANGER: Final = 0.3  # from which nothing general is said
# How likely harm is told as if it were nothing: from there on a reply to harm is said, nothing
# general is, and nothing that approves.
_HARM, _NOTHING, _NOT_APPROVED = 0.15, 0.07, 0.04
# All else the rules know for certain: who the avatar is, names, doctors, what was not heard.
_OPEN: Final = frozenset[Intent](
    {"telling", "yes", "no", "dont_know", "backchannel", "advice", "fact"}
)
# Share of a reply → what it is worth, as blind readers graded 128 that were chosen (docs/LOG.md).
_BASE, _SLOPE = 0.6, 0.6
_LEAST_SHARE: Final = 0.04
_READ: Final = 3  # of the likeliest replies, read as the reply
_BY: Final = 0.05  # by which it must be worth more than what would be said


def select(selector: ReplySelector, turn: Turn, text: str) -> GeneralReply | None:
    """Return a general reply that is worth more than ``text``; None where none is.

    Args:
        selector: The network.
        turn: The caller's.
        text: What would be said.
    """
    words = " ".join(words_of(turn.text))
    left_off = (rest := without_left_off(words)) != words
    if turn.answer.intent not in _OPEN or turn.answer.is_quiet:
        return None
    if is_grave(rest) if left_off else turn.is_grave_now:
        return None
    if danger_of(turn.text) >= _DANGER and not left_off:
        return None
    replies = selector.replies
    said, own = [*turn.told, turn.text], " ".join(turn.own)
    found = selector.select(said, turn.own, text)
    moments = _moments(turn)
    may = np.array([one.when in moments and not _is_in(own, one) for one in replies])
    # What it reads as the reply sways what it tells: it reads each of the likeliest as that.
    likeliest = (found.shares * may).argsort()[: -_READ - 1 : -1]
    read = [selector.select(said, turn.own, replies[at].text) for at in likeliest]
    harm = float(np.mean([one.harm for one in (found, *read)]))
    shares = np.mean([one.shares for one in read], 0)
    if (harm >= _HARM or left_off) and turn.answer.intent in _TELLING:
        return _to_harm(replies, shares, own)
    if find_unsafe(turn.text.lower()) in _WRONG or harm >= _NOTHING:
        return None
    shares *= may
    best = int(shares.argmax())
    if harm >= _NOT_APPROVED and replies[best].when == "approval":
        return None  # the best of the rest may be its contrary
    share = float(shares[best])
    worth = min(_BASE + _SLOPE * share, 1.0)
    if share < _LEAST_SHARE or worth < found.worth + _BY:
        return None
    return replies[best]


def _to_harm(
    replies: Sequence[GeneralReply], shares: NDArray[np.float32], own: str
) -> GeneralReply | None:
    """Return the reply to harm that fits best and was not said; None where all were."""
    fresh = [at for at, one in enumerate(replies) if one.when == "harm" and not _is_in(own, one)]
    return replies[max(fresh, key=lambda at: shares[at])] if fresh else None


def _is_in(own: str, reply: GeneralReply) -> bool:
    """Tell whether the avatar has said a reply in this call, in any wording."""
    return any(text in own for text in reply.texts)


def worded(reply: GeneralReply, turn: Turn) -> str:
    """Return a wording of a reply: always the same to the same words of a caller.

    None that begins like the reply before it, where there is another.
    """
    begun = turn.last.split()[:1]
    texts = [one for one in reply.texts if one.split()[:1] != begun] or reply.texts
    return texts[crc32(" ".join([*turn.told, turn.text]).encode()) % len(texts)]


def _moments(turn: Turn) -> set[str]:
    """Return when a reply may be said to this turn."""
    asks = "?" in turn.text or find_asked(turn.text, is_grave=turn.is_grave) is not None
    objects = find_objection(turn.text, turn.last, turn.said[:-1])
    given: dict[str, bool] = {"question": asks, "objection": bool(objects)}
    return {"always", "approval", *(moment for moment, is_so in given.items() if is_so)}


def shown_with(turn: Turn, reply: GeneralReply) -> Plan:
    """Return the plan of a turn that is answered with a general reply."""
    style = response_style(reply.to, MOOD_INTENSITY)
    return replace(turn.answer.plan, voice=style.voice, face=style.face)
