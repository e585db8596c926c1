"""Say behind an apology what a caller waits for: an answer to their question, or that it was heard.

"Sorry, I got that wrong." mends nothing alone. The question that was passed over is answered, what
they have made up their mind to do is met, what they say that they feel is given back, else the
words that carry the news of what they put right. Knows no reply of the bank.
"""

import itertools
import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.emotion_words import PLEASANT, to_fine
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.listener.takeup import tell_back
from rt_avatar.reasoner.listener.turn import Turn
from rt_avatar.reasoner.nlu.clauses import find_clause
from rt_avatar.reasoner.nlu.focus import find_focus
from rt_avatar.reasoner.nlu.mood import mood_of
from rt_avatar.reasoner.responses.corrections import find_correction, say_right
from rt_avatar.reasoner.responses.questions import Asked, find_asked, meet
from rt_avatar.reasoner.responses.repair import Objection, asks_again, find_objection
from rt_avatar.reasoner.responses.solace import meet_solace
from rt_avatar.reasoner.responses.steps import meet_step
from rt_avatar.reasoner.responses.unsaid import unsaid

_LISTENS: Final = "I'm listening."
_GLAD: Final = ("You{}, then. I'm glad.", "So you{}. I'm glad to hear that.")
_FELT: Final = ("You{}, then. Go on.", "So you{}. I hear that now.")
_SENTENCES: Final = re.compile(r"[^.!?]*\w[^.!?]*[.!?]*")
_FEELS: Final = re.compile(
    r"\b(i'm|i am|i feel|i was) (?:(?:just|really|so|very|mostly|only|actually|quite|pretty) )*"
    r"([a-z]+)\b(?! (?:of|for|that|to|in|by|and|or)\b)",
    re.IGNORECASE,
)
_UNTOLD: Final = frozenset({"fine", "sure", "sorry", "good", "ok", "okay", "bad", "dead", "mad"})
_UNABLE: Final = re.compile(r"\bi (?:don't|do not|can't|didn't) (?:know|follow|get|under)", re.I)
_SHORT: Final = 4  # words; who says more behind their question goes on with something else
_EARLIER: Final = 2  # of the caller's turns, in which a question may have been passed over


def make_good(turn: Turn, objection: Objection) -> str:
    """Return what is said behind the apology; empty where nothing needs to be."""
    if right := put_right(turn):
        return right
    sentences = _SENTENCES.findall(turn.text)
    if solace := meet_solace(turn.text, turn.told, turn.own):
        return solace
    if sentences and not find_objection(sentences[-1], turn.last, turn.said[:-1]):
        now = find_asked(sentences[-1], is_grave=turn.is_grave)
        if now and len(sentences) > 1:
            return meet(now, turn.text, turn.own)
    if not turn.is_grave_now and (step := meet_step(turn.text, turn.own)):
        return step
    if objection == "ignored":
        behind = itertools.dropwhile(lambda one: not asks_again(one), sentences)
        if len(" ".join([*behind][1:]).split()) > _SHORT:
            return _given_back(sentences, turn)
        if turn.told and (solace := meet_solace(turn.told[-1], turn.told[:-1], turn.own)):
            return solace
        asked = passed_over(turn.said[:-1], is_grave=turn.is_grave)
        return meet(asked, turn.text, turn.own) if asked else ""
    if focus := find_focus(turn.text, turn.confidence):
        told = tell_back(focus, mood_of(turn.said), turn.text, turn.own)
        return _LISTENS if find_unsafe(told) else told
    return _given_back(sentences, turn) or _LISTENS


def put_right(turn: Turn) -> str:
    """Return what is so, told back, where the avatar took something else for so; else empty."""
    correction = find_correction(turn.text, turn.last)
    if correction is None or turn.is_grave_now or turn.answer.is_quiet:
        return ""
    said = say_right(correction, turn.text, turn.own)
    return "" if find_unsafe(said) else said


def passed_over(told: Sequence[str], *, is_grave: bool = False) -> Asked | None:
    """Return what the last question in a caller's last turns asked; None where they asked none."""
    found = (find_asked(one, is_grave=is_grave) for one in reversed(told[-_EARLIER:]))
    return next((asked for asked in found if asked), None)


def _given_back(sentences: Sequence[str], turn: Turn) -> str:
    """Return what they feel, or put right, as told back; empty where nothing can be."""
    if turn.is_grave_now:
        return ""
    for one in itertools.filterfalse(asks_again, reversed(sentences)):
        felt = _FEELS.search(one)
        word = felt[2].casefold() if felt else ""
        if felt and word not in _UNTOLD and (fine := to_fine(word)):
            are = " were" if felt[1].casefold() == "i was" else "'re"
            ways = _GLAD if fine in PLEASANT else _FELT
            return unsaid(ways, turn.text, turn.own).format(f"{are} {word}")
        found = find_clause(one, turn.confidence)
        is_told = found is not None and found.is_told_whole and not _UNABLE.search(one)
        if found and is_told and not find_objection(one, turn.last):
            told = f"So {found.told}."
            return "" if find_unsafe(told) else told
    return ""
