"""What voice and face show with a reply: what its words say, and what the turn tells.

The plan's feeling is the rules': cues and a network. What happened and how it was taken may be
known better (``news``, ``mood``), and nobody believes a "what a relief" that looks sad, nor an
"I'm so sorry" with a smile. Chooses no words.
"""

import copy
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from rt_avatar.engines.emotion_words import COARSE, UNPLEASANT, Fine
from rt_avatar.engines.reply_ranker.fit import tone_of
from rt_avatar.messages import Plan
from rt_avatar.reasoner.listener.turn import Turn
from rt_avatar.reasoner.nlu.feelings import Feeling
from rt_avatar.reasoner.nlu.mood import Mood
from rt_avatar.reasoner.nlu.understanding import MOOD_INTENSITY
from rt_avatar.reasoner.responses.news import News, find_news
from rt_avatar.reasoner.styles import response_style

_OF_NEWS: Final[Mapping[News, Fine]] = {
    "relief": "content",
    "joy": "joyful",
    "blow": "devastated",
    "loss": "sad",
    "theirs": "sad",
    "guilt": "guilty",
}
# Of "unpleasant" the network says which of these it is.
_OF_MOOD: Final[Mapping[Mood, Fine]] = {
    "funny": "joyful",
    "pleasant": "content",
    "proud": "proud",
    "cheerful": "content",
    "unpleasant": "sad",
}
_BORNE: Final = UNPLEASANT - {"disgusted", "jealous", "embarrassed"}
_OF_TONE: Final[Mapping[int, Fine]] = {1: "content", -1: "sad"}
_ATTENTIVE: Final[Fine] = "apprehensive"  # steady, neither smiling nor pitying
_SIDES: Final[Mapping[str, int]] = {"happy": 1, "sad": -1, "disgusted": -1}  # of a face
_STATED: Final = re.compile(r"[^.!?]+(?:[.!]+|$)")
# Of the avatar's own mistake: no condolence.
_OWNED: Final = re.compile(
    r"got that|misread|wrong|odd question|my question|you're right|fair, and|^\W*sorry\b", re.I
)
_PLAIN: Final = re.compile(r"\bgreat deal\b|\bgood question\b|\bhard to (?:tell|say|know)\b", re.I)


def shown(turn: Turn, mood: Mood, reply: str) -> Plan:
    """Return the plan of a turn, with a voice and a face that go with its reply.

    Args:
        turn: The caller's.
        mood: How it is taken.
        reply: What is said to it.
    """
    answer = turn.answer
    plan = answer.plan
    is_to_avatar = turn.choice is not None and turn.choice.when == "ever"
    if not turn.is_story or is_to_avatar or answer.is_quiet or turn.is_grave_now:
        return plan
    tone, side = _tone(reply), _SIDES.get(plan.face.emotion, 0)
    told = _told(turn, mood)
    if told is not None:
        felt = -1 if told in UNPLEASANT else 1
        if tone in (0, felt):
            if side == felt and answer.feeling.fine is not None:
                return plan
            felt_so = copy.copy(answer)
            felt_so.feeling = Feeling(told, COARSE[told], MOOD_INTENSITY, is_named=True)
            return felt_so.plan
        if tone > 0:
            return plan
    if answer.feeling.fine == "embarrassed" and "sorry" not in reply:
        return plan  # a warm face takes the sting out of it
    if tone and tone != side:
        fine = _OF_TONE[tone]
    elif not tone and mood == "downcast" and side == 1:
        fine = _ATTENTIVE
    else:
        return plan
    style = response_style(fine, MOOD_INTENSITY)
    return replace(plan, voice=style.voice, face=style.face)


def _told(turn: Turn, mood: Mood) -> Fine | None:
    """Return what is felt by what the turn tells; None where that is unclear."""
    news = find_news(turn.text)
    if news is not None:
        return _OF_NEWS[news]
    if mood == "unpleasant" and turn.estimate is not None:
        return turn.estimate.among(_BORNE).fine
    return _OF_MOOD.get(mood)


def _tone(reply: str) -> int:
    """Return what news the statements of a reply go with: 1 good, -1 bad, 0 any, or both."""
    stated = [one for one in _STATED.findall(reply) if not _OWNED.search(one)]
    return tone_of(_PLAIN.sub("", " ".join(stated))) or 0
