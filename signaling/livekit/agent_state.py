"""Follow an agent's state, expression and speakers in the room → its avatar's style.

Three signs, which livekit-agents and the server give without being asked: the agent's state
(``lk.agent.state``), the delivery of what it says (``lk.expression``, on its transcription or as an
attribute of its own), and who in the room is speaking.

Source of names and shapes: livekit-agents 1.8.9, ``voice/room_io`` and ``tts/_mood.py``.
"""

import json
import logging
from typing import Final, cast

from livekit import rtc
from livekit.agents.job import DEFAULT_PARTICIPANT_KINDS
from livekit.agents.types import (
    ATTRIBUTE_AGENT_STATE,
    ATTRIBUTE_TRANSCRIPTION_EXPRESSION,
    TOPIC_TRANSCRIPTION,
)

from rt_avatar.avatar_runner.runner import AvatarRunner
from rt_avatar.engines.types import EMOTIONS, Emotion, FaceStyle

_log = logging.getLogger(__name__)

# livekit-agents' eleven moods. Its "empathetic" is what a moderate "sad" shows: concern.
MOODS: Final[dict[str, FaceStyle]] = {
    "excited": FaceStyle("happy", 0.8),
    "happy": FaceStyle("happy", 0.6),
    "playful": FaceStyle("happy", 0.5),
    "curious": FaceStyle("surprised", 0.3),
    "surprised": FaceStyle("surprised", 0.6),
    "hopeful": FaceStyle("happy", 0.35),
    "empathetic": FaceStyle("sad", 0.5),
    "sad": FaceStyle("sad", 0.6),
    "angry": FaceStyle("angry", 0.6),
    "anxious": FaceStyle("fear", 0.5),
    "calm": FaceStyle(),
}


def style_of(expression: str) -> FaceStyle | None:
    """Return the face for the value of ``lk.expression``; None when it says nothing we know.

    ``{"expression": <words>, "mood": <mood>}``: an expression that is one of our eight emotions
    wins, as it is more exact; else the mood counts.
    """
    try:
        state = json.loads(expression)
    except ValueError:
        state = None
    if not isinstance(state, dict):
        _log.debug("lk.expression: expected a JSON object, got something else; ignored")
        return None
    if state.get("expression") in EMOTIONS:
        return FaceStyle(cast(Emotion, state["expression"]))
    mood = state.get("mood")
    return MOODS.get(mood) if isinstance(mood, str) else None


class AgentStateFollower:
    """Follows one agent in one room, from ``follow`` to ``close``. One event loop only."""

    def __init__(self, room: rtc.Room, agent: str, runner: AvatarRunner) -> None:
        self._room = room
        self._agent = agent
        self._runner = runner
        self._lasting: FaceStyle | None = None  # of the attribute; holds for every segment
        self._is_somebody_speaking = False

    def follow(self) -> None:
        """Begin to follow; also looks at what the agent shows already."""
        self._room.on("participant_attributes_changed", self._on_attributes)
        self._room.on("active_speakers_changed", self._on_speakers)
        self._room.register_text_stream_handler(TOPIC_TRANSCRIPTION, self._on_transcription)
        self.look()

    def close(self) -> None:
        """Follow no more."""
        self._room.off("participant_attributes_changed", self._on_attributes)
        self._room.off("active_speakers_changed", self._on_speakers)
        self._room.unregister_text_stream_handler(TOPIC_TRANSCRIPTION)

    def look(self) -> None:
        """Look at the agent's attributes; who is not there listens."""
        agent = self._room.remote_participants.get(self._agent)
        attributes = agent.attributes if agent is not None else {}
        is_thinking = attributes.get(ATTRIBUTE_AGENT_STATE) == "thinking"
        self._runner.be("thinking" if is_thinking else "listening")
        expression = attributes.get(ATTRIBUTE_TRANSCRIPTION_EXPRESSION)
        lasting = style_of(expression) if expression else None
        if lasting != self._lasting:
            self._lasting = lasting
            self._runner.set_style(lasting)

    # --- the library's events -----------------------------------------------------------------
    def _on_attributes(self, _changed: list[str], participant: rtc.Participant) -> None:
        if participant.identity == self._agent:
            self.look()

    def _on_transcription(self, reader: rtc.TextStreamReader, sender: str) -> None:
        """A segment of the agent's words begins; its expression holds for it alone."""
        attributes = reader.info.attributes or {}
        reader.close()
        if sender == self._agent:
            expression = attributes.get(ATTRIBUTE_TRANSCRIPTION_EXPRESSION)
            self._runner.set_style((style_of(expression) if expression else None) or self._lasting)

    def _on_speakers(self, speakers: list[rtc.Participant]) -> None:
        is_speaking = any(one.kind in DEFAULT_PARTICIPANT_KINDS for one in speakers)
        if is_speaking != self._is_somebody_speaking:
            self._is_somebody_speaking = is_speaking
            self._runner.hear(is_speaking=is_speaking)
