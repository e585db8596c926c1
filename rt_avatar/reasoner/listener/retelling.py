"""A reply behind what the caller said, told back: "Right, you moved to Oslo. How is it there?".

``echoes`` finds what may be told back; here it is joined to a reply, where the two go together.
"""

from typing import Final

from rt_avatar.engines.reply_ranker.fit import without_nod
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.listener.takeup import told_back
from rt_avatar.reasoner.listener.turn import SELF_REPROACH, Turn
from rt_avatar.reasoner.nlu.echoes import behind_yes, find_answer, find_echo, repeats
from rt_avatar.reasoner.responses.unsaid import turned

# Ways to say what was heard; the reply itself follows.
_FRAMES: Final = ("So {}.", "Oh, {}.", "Ah, {}.", "Right, {}.", "Mm, {}.")
_ECHO_STARTS: Final = tuple(frame.partition("{")[0] for frame in _FRAMES)
_LONGEST_ECHO: Final = 5  # words told back before a reply: more sound like a recital
_INTERJECTIONS: Final = frozenset({"Oh", "Ah", "Mm", "Wow", "Ugh", "Yuck", "My", "Ooh", "Right"})


def with_echo(turn: Turn, reply: str) -> str:
    """Return a reply after what it answers to, in the listener's grammar, where that may be said.

    Never twice in a row, and never of what weighs on the caller's conscience.
    """
    if turn.answer.feeling.fine in SELF_REPROACH or turn.last.startswith(_ECHO_STARTS):
        return reply
    echo = find_echo(turn.text, turn.confidence)
    if not echo or len(echo.split()) > _LONGEST_ECHO or repeats(echo, reply):
        return reply
    reply = without_nod(reply)  # an echo says that already
    begins = reply.split()[0].strip(",.!")
    frames = _FRAMES[:1] if begins in _INTERJECTIONS else _FRAMES
    return f"{turned(frames, echo)[0].format(echo)} {reply}"


def with_answer(turn: Turn, reply: str) -> str:
    """Return a reply after the bare words that it takes up, where those may be told back.

    Never twice in a row.
    """
    found = find_answer(behind_yes(turn.text), turn.confidence)
    before = find_answer(turn.said[-2]) if len(turn.said) > 1 else ""
    if not found or repeats(found, reply) or (before and turn.last.startswith(before)):
        return reply
    return f"{found}. {without_nod(reply)}"


def retold_before(request: ReplyRequest) -> int:
    """Return how many of the avatar's last turns, in a row, told back what was said before them."""
    own = [at for at, one in enumerate(request.history) if one.role == "avatar" and at]
    count = 0
    for at in reversed(own):
        reply, before = request.history[at].text, request.history[at - 1].text
        if not (reply.startswith(_ECHO_STARTS) or told_back(reply, before)):
            break
        count += 1
    return count
