"""Publish a session's events in a LiveKit room: transcriptions, attributes, notices.

Captions are published as livekit-agents publishes transcriptions, so that LiveKit's own components
show them: the avatar's as one growing stream a reply, written as its words are heard; the caller's,
and the avatar's after a gap in somebody's line, as a new stream with the whole text at every
change. State and emotion are attributes of the avatar's participant, set only when they change.

Source of names and shapes: livekit-agents 1.8.9, ``voice/room_io/_output.py`` (transcriptions),
``voice/room_io/room_io.py`` (state), ``tts/_provider_format.py`` (expression), ``tts/_mood.py``.
"""

import asyncio
import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from livekit import rtc
from livekit.agents.types import (
    ATTRIBUTE_AGENT_STATE,
    ATTRIBUTE_TRANSCRIPTION_EXPRESSION,
    ATTRIBUTE_TRANSCRIPTION_FINAL,
    ATTRIBUTE_TRANSCRIPTION_SEGMENT_ID,
    ATTRIBUTE_TRANSCRIPTION_TRACK_ID,
    TOPIC_TRANSCRIPTION,
)
from livekit.rtc.participant import PublishDataError

from rt_avatar.engines.types import Emotion
from rt_avatar.messages import Caption, Notice, Plan, SessionEvent, StateChanged, Trace, TurnId
from rt_avatar.personas import Persona
from rt_avatar.session import Session
from rt_avatar.signaling.livekit.names import ATTRIBUTE_PERSONA, TOPIC_NOTICE
from rt_avatar.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)

# One of livekit-agents' eleven moods for each of our emotions; it has no contempt and no disgust.
MOODS: Final[dict[Emotion, str]] = {
    "neutral": "calm",
    "happy": "happy",
    "surprised": "surprised",
    "angry": "angry",
    "fear": "anxious",
    "sad": "sad",
    "disgusted": "angry",
    "contempt": "angry",
}
# While the line is down a message waits for it; one that waited longer is of no use any more.
SEND_S: Final = 5.0
# A stream without a chunk changes nothing on a screen; this takes a line away.
_NOTHING: Final = " "

# An assertion is what the library raises when the room has just gone and its handles with it.
SEND_ERRORS: Final = (AssertionError, TimeoutError, ConnectionError, RuntimeError, PublishDataError)


@dataclass(slots=True)
class _OpenCaption:
    """The avatar's words of one turn, as far as they were written."""

    turn: TurnId
    expression: str
    writer: rtc.TextStreamWriter | None = None
    text: str = ""
    is_torn: bool = False  # words of its stream were lost, or all that follows is


class Captions:
    """One call's events on their way to its room. Lives in the room's event loop.

    ``run`` is the only sender, one message after the other; what cannot be sent is dropped.
    """

    def __init__(
        self,
        room: rtc.Room,
        session: Session,
        metrics: Metrics,
        caller: str,
        audio_sid: Callable[[], str],
    ) -> None:
        self._room = room
        self._session = session
        self._metrics = metrics
        self._caller = caller
        self._audio_sid = audio_sid
        self._attributes: dict[str, str] = {}
        self._told: dict[str, str] = {}  # of the attributes, what has been sent
        self._expression = ""
        self._persona: Persona | None = None
        self._line = _OpenCaption(TurnId(0), "")
        room.on("reconnected", self._forget)
        room.on("participant_active", self._on_active)

    async def run(self) -> None:
        """Pass the session's events on to the room, until cancelled."""
        while True:
            event = await self._session.next_event()
            if isinstance(event, Trace):
                self._metrics.observe_turn(event)
            try:
                async with asyncio.timeout(SEND_S):
                    await self._tell(event)
            except SEND_ERRORS as error:
                self._line.is_torn = True
                _log.debug("a message to the room was dropped: %s", error)

    async def finish(self) -> None:
        """End the line that is open, as far as it was heard; after ``run`` was cancelled."""
        self._room.off("reconnected", self._forget)
        self._room.off("participant_active", self._on_active)
        try:
            async with asyncio.timeout(SEND_S):
                if self._room.isconnected():
                    await self._end(self._line)
        except SEND_ERRORS as error:
            _log.debug("the last line was not ended: %s", error)

    async def _tell(self, event: SessionEvent) -> None:
        if self._session.persona != self._persona:
            self._persona = self._session.persona
            await self._room.local_participant.set_name(self._persona.label)
            self._attributes[ATTRIBUTE_PERSONA] = self._persona.name
        await self._tell_attributes()  # what could not be sent when it changed, too
        match event:
            case StateChanged(state=state):
                await self._set(ATTRIBUTE_AGENT_STATE, state)
            case Plan():
                self._expression = expression(event.face.emotion)
                await self._set(ATTRIBUTE_TRANSCRIPTION_EXPRESSION, self._expression)
            case Caption(role="avatar"):
                await self._speak(event)
            case Caption():
                await self._show_caller(event)
            case Notice(code=code, text=text):
                await send_notice(self._room, code, text)

    def _forget(self) -> None:
        """The room knows us anew: say again who speaks, what we do, and what is being said.

        Who receives a stream gives it up when we have left, be it to join again.
        """
        self._told.clear()
        self._persona = None
        self._line.is_torn = True

    def _on_active(self, _participant: rtc.RemoteParticipant) -> None:
        """Somebody has come, or come back: they have missed the beginning of what is being said."""
        self._line.is_torn = True

    async def _set(self, attribute: str, value: str) -> None:
        self._attributes[attribute] = value
        await self._tell_attributes()

    async def _tell_attributes(self) -> None:
        if changed := dict(self._attributes.items() - self._told.items()):
            await self._room.local_participant.set_attributes(changed)
            self._told |= changed

    # --- captions -----------------------------------------------------------------------------
    async def _speak(self, caption: Caption) -> None:
        """Write the words that are new; the final caption ends the line where it was cut."""
        line = self._line
        if line.turn != caption.turn:
            await self._end(line)
            line = self._line = _OpenCaption(caption.turn, self._expression)
        if line.is_torn:
            line.text = caption.text
            await self._send_whole(line, is_final=caption.is_final)
            return
        is_going_on = caption.text.startswith(line.text)
        if is_going_on and len(caption.text) > len(line.text):
            if line.writer is None:
                line.writer = await self._open(self._avatar_attributes(line, is_final=False))
            new, line.text = caption.text[len(line.text) :], caption.text
            await line.writer.write(new)
        if caption.is_final and line.writer is not None:
            await self._close(line, is_final=is_going_on)
            if not is_going_on:  # the last word written was not heard to its end
                line.text = caption.text
                await self._replace(self._avatar_attributes(line, is_final=True), line.text)

    async def _show_caller(self, caption: Caption) -> None:
        attributes = {
            ATTRIBUTE_TRANSCRIPTION_FINAL: _words(caption.is_final),
            ATTRIBUTE_TRANSCRIPTION_SEGMENT_ID: self._segment("caller", caption.turn),
        }
        track = microphone_of(self._room, self._caller)
        if track is not None:
            attributes[ATTRIBUTE_TRANSCRIPTION_TRACK_ID] = track.sid
        await self._replace(attributes, caption.text, sender=self._caller)

    def _avatar_attributes(self, line: _OpenCaption, *, is_final: bool) -> dict[str, str]:
        attributes = {
            ATTRIBUTE_TRANSCRIPTION_FINAL: _words(is_final),
            ATTRIBUTE_TRANSCRIPTION_SEGMENT_ID: self._segment("avatar", line.turn),
            ATTRIBUTE_TRANSCRIPTION_TRACK_ID: self._audio_sid(),
        }
        if line.expression:
            attributes[ATTRIBUTE_TRANSCRIPTION_EXPRESSION] = line.expression
        return attributes

    def _segment(self, role: str, turn: TurnId) -> str:
        # The session is part of it: another worker that takes the room over begins at turn 1 again.
        return f"SG_{self._session.id}_{role}_{turn}"

    async def _open(self, attributes: dict[str, str], sender: str = "") -> rtc.TextStreamWriter:
        return await self._room.local_participant.stream_text(
            topic=TOPIC_TRANSCRIPTION, attributes=attributes, sender_identity=sender or None
        )

    async def _end(self, line: _OpenCaption) -> None:
        """End a line where it is, unless it has ended and all of it was sent."""
        if line.is_torn and line.text:
            await self._send_whole(line, is_final=True)
        else:
            await self._close(line, is_final=True)

    async def _send_whole(self, line: _OpenCaption, *, is_final: bool) -> None:
        """Send a line that is torn anew, in a stream that is complete."""
        with suppress(*SEND_ERRORS):
            await self._close(line, is_final=False)
        await self._replace(self._avatar_attributes(line, is_final=is_final), line.text)
        line.is_torn = not is_final

    async def _close(self, line: _OpenCaption, *, is_final: bool) -> None:
        writer, line.writer = line.writer, None
        if writer is not None:
            await writer.aclose(attributes=self._avatar_attributes(line, is_final=is_final))

    async def _replace(self, attributes: dict[str, str], text: str, sender: str = "") -> None:
        """Send a text that stands for all earlier ones of its segment."""
        writer = await self._open(attributes, sender)
        await writer.write(text or _NOTHING)
        await writer.aclose()


def expression(emotion: Emotion) -> str:
    """Return ``lk.expression``: JSON of the emotion's own name and LiveKit's mood for it."""
    return json.dumps({"expression": emotion, "mood": MOODS[emotion]}, separators=(",", ":"))


async def send_notice(room: rtc.Room, code: str, text: str, reason: str = "") -> None:
    """Tell everybody in the room something in plain words.

    Raises:
        PublishDataError: It could not be sent.
    """
    await room.local_participant.publish_data(notice(code, text, reason), topic=TOPIC_NOTICE)


def notice(code: str, text: str, reason: str = "") -> bytes:
    """Return the payload of a notice."""
    content = {"code": code, "text": text} | ({"reason": reason} if reason else {})
    return json.dumps(content, ensure_ascii=False).encode()


def microphone_of(room: rtc.Room, identity: str) -> rtc.RemoteTrackPublication | None:
    """Return a participant's microphone, if it is there and published."""
    participant = room.remote_participants.get(identity)
    if participant is None:
        return None
    for publication in participant.track_publications.values():
        if publication.source == rtc.TrackSource.SOURCE_MICROPHONE:
            return publication
    return None


def _words(is_true: bool) -> str:
    return "true" if is_true else "false"
