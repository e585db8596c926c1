"""One utterance, understood by rules, and the answer to it: plan, words, voice and face.

Knows no network and no clock.
"""

from functools import cached_property
from typing import Final

from rt_avatar.engines.emotion_words import felt
from rt_avatar.engines.types import Emotion
from rt_avatar.messages import Chain, Clause, Plan
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.listener.composing import bank_of, compose
from rt_avatar.reasoner.nlu.intents import Intent
from rt_avatar.reasoner.nlu.understanding import MOOD_INTENSITY, Understanding
from rt_avatar.reasoner.sentences import ClauseSplitter
from rt_avatar.reasoner.styles import CRISIS, GREETING, PUZZLED, ResponseStyle, response_style

_SCENARIOS: Final[dict[Intent, str]] = {
    "unheard": "nothing was understood",
    "backchannel": "they listen on",
    "greeting": "they say hello",
    "how_are_you": "they ask how the avatar is",
    "thanks": "they say thanks",
    "goodbye": "they say goodbye",
    "who_are_you": "they ask who the avatar is",
    "tells_name": "they say their name",
    "asks_name": "they ask whether the avatar knows their name",
    "asks_memory": "they ask what the avatar remembers",
    "are_you_real": "they ask whether the avatar is real",
    "do_you_feel": "they ask what the avatar feels",
    "advice": "they ask for advice",
    "medical": "they ask for medical advice",
}


class Listening(Understanding):
    """An ``Understanding`` and its answer.

    Other reasoners use its understanding and its plan where their model leaves them out, and all of
    it where no model should answer (greeting, nothing heard, crisis).
    """

    @cached_property
    def text(self) -> str:
        """The reply, whole."""
        return compose(self)

    @property
    def needs_no_model(self) -> bool:
        """Whether rules must answer: hello, silence, and where a model might do harm."""
        return self.request.greet or self.intent in ("unheard", "crisis", "danger")

    @property
    def style(self) -> ResponseStyle:
        """How to look and sound."""
        if self.intent in ("crisis", "danger"):
            return CRISIS
        mood = self.earlier.mood
        if self.intent in ("greeting", "how_are_you", "thanks", "goodbye") and felt(mood) in (
            "neutral",
            "happy",
        ):
            return GREETING
        if self.is_quiet and felt(self.feeling.fine) in ("neutral", "happy", "surprised"):
            return response_style("sad", MOOD_INTENSITY)
        if self.feeling.fine is None and mood is not None:
            return response_style(mood, MOOD_INTENSITY)
        if self.intent in ("unheard", "say_again") and self.feeling.fine is None:
            return PUZZLED
        return response_style(self.feeling.fine, self.feeling.intensity)

    @property
    def plan(self) -> Plan:
        """Chain of empathy, what the caller feels, and how to answer."""
        request, style = self.request, self.style
        return Plan(
            turn=request.turn,
            pts=request.transcript.pts,
            chain=self.chain(),
            user_emotion=self._user_emotion(),
            voice=style.voice,
            face=style.face,
        )

    def parts(self) -> list[Plan | Clause]:
        """The plan and the reply in pieces, as a reasoner yields them."""
        return [self.plan, *self.clauses()]

    def clauses(self) -> list[Clause]:
        """The reply in pieces, the first one short."""
        return clauses_of(self.text, self.request)

    def chain(self) -> Chain:
        """The steps before the reply, in words for people."""
        if self.request.greet:
            return Chain(scenario="the call begins", goal="to welcome them")
        feeling, topic = self.feeling, self.topic
        about = _of_caller(topic.event) or (topic.noun and f"about {_of_caller(topic.noun)}")
        if self.intent in ("crisis", "danger"):
            return Chain(
                scenario="someone may be in danger",
                emotion=feeling.fine or "devastated",
                cause=about or "not told",
                goal="to keep them safe: human help, now",
                rationale="safety comes before everything else",
            )
        why = "nothing tells a feeling yet"
        if feeling.looks and feeling.is_named:
            why = f"they speak of feeling {feeling.fine}, yet seem {feeling.looks}"
        elif feeling.is_named:
            why = f"their words speak of feeling {feeling.fine}"
        elif feeling.fine:
            why = f"their words say little; voice and face seem {feeling.fine}"
        return Chain(
            scenario=about or _SCENARIOS.get(self.intent, "not told yet"),
            emotion=feeling.fine or "neutral",
            cause=about or "not told yet",
            goal=bank_of(self).goal
            if self.intent == "telling"
            else "to answer plainly and ask back",
            rationale=why,
        )

    def _user_emotion(self) -> Emotion:
        if self.intent in ("crisis", "danger") and self.feeling.coarse in ("neutral", "happy"):
            return "sad"
        return self.feeling.coarse


def clauses_of(text: str, request: ReplyRequest) -> list[Clause]:
    """Return a reply to a request in pieces, the first one short."""
    splitter = ClauseSplitter(request.effort.is_first_clause_short)
    pieces = splitter.push(text) + splitter.flush()
    turn, pts = request.turn, request.transcript.pts
    return [Clause(turn, pts, index, piece) for index, piece in enumerate(pieces)]


def _of_caller(words: str) -> str:
    """Return ``"you lost your job"`` as said of the caller: ``"they lost their job"``."""
    return " ".join({"you": "they", "your": "their"}.get(word, word) for word in words.split())
