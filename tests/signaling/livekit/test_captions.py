"""What a room is shown of a session: streams and attributes as LiveKit's own agents send them."""

import asyncio
import json
from types import SimpleNamespace
from typing import get_args

import pytest
from livekit import rtc
from livekit.agents.tts._mood import AgentMood

from rt_avatar.engines.types import EMOTIONS, FaceStyle, VoiceStyle
from rt_avatar.messages import Caption, Chain, Notice, Plan, StateChanged, Trace
from rt_avatar.personas import find_persona
from rt_avatar.signaling.livekit.captions import MOODS, Captions
from rt_avatar.telemetry.metrics import Metrics

pytestmark = pytest.mark.unit


class ScriptedWriter:
    def __init__(self, room, record, attributes, sender):
        self._room = room
        self.record = record | {"attributes": attributes, "sender": sender, "text": [], "end": None}

    async def write(self, text):
        if self._room.is_broken:
            raise rtc.StreamError("the line is down")
        self.record["text"].append(text)

    async def aclose(self, attributes=None):
        self.record["end"] = attributes or {}


class ScriptedRoom:
    """Stands for the SDK's room and its local participant; keeps what it is told."""

    def __init__(self) -> None:
        self.streams, self.attributes, self.names, self.notices = [], [], [], []
        self.local_participant = self
        microphone = SimpleNamespace(source=rtc.TrackSource.SOURCE_MICROPHONE, sid="TR_mic")
        caller = SimpleNamespace(track_publications={"TR_mic": microphone})
        self.remote_participants = {"caller": caller}
        self.is_broken = False
        self.listeners = {}

    def on(self, event, listener):
        self.listeners[event] = listener

    def off(self, event, listener):
        assert self.listeners.pop(event) == listener

    def isconnected(self):
        return True

    async def stream_text(self, *, topic, attributes, sender_identity):
        if self.is_broken:
            raise rtc.StreamError("the line is down")
        writer = ScriptedWriter(self, {"topic": topic}, attributes, sender_identity)
        self.streams.append(writer.record)
        return writer

    async def set_attributes(self, attributes):
        if self.is_broken:
            raise rtc.StreamError("the line is down")
        self.attributes.append(attributes)

    async def set_name(self, name):
        self.names.append(name)

    async def publish_data(self, payload, *, topic):
        self.notices.append((topic, json.loads(payload)))


class ScriptedSession:
    id = "S"

    def __init__(self, *events) -> None:
        self.persona = find_persona("ava")
        self.events = list(events)
        self.is_empty = asyncio.Event()

    async def next_event(self):
        while self.events and callable(self.events[0]):  # what happens between two events
            self.events.pop(0)()
        if not self.events:
            self.is_empty.set()
            await asyncio.Event().wait()
        return self.events.pop(0)


async def shown(*events, room=None) -> ScriptedRoom:
    """Return the room after these events."""
    room, session = room or ScriptedRoom(), ScriptedSession(*events)
    captions = Captions(room, session, Metrics(), "caller", lambda: "TR_voice")
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        task = group.create_task(captions.run())
        await session.is_empty.wait()
        task.cancel()
    await captions.finish()
    return room


def avatar(text, turn=1, *, is_final=False):
    return Caption(turn, 0, "avatar", text, is_final)


def caller(text, turn=1, *, is_final=False):
    return Caption(turn, 0, "caller", text, is_final)


def plan(emotion, turn=1):
    return Plan(turn, 0, Chain(), "neutral", VoiceStyle(), FaceStyle(emotion))


def test_every_emotion_has_a_mood_that_livekit_knows():
    assert set(MOODS) == set(EMOTIONS)
    assert set(MOODS.values()) <= set(get_args(AgentMood))


async def test_a_reply_is_one_stream_that_grows_and_is_closed_as_final():
    room = await shown(
        plan("fear"), avatar("Hello"), avatar("Hello you"), avatar("Hello you", is_final=True)
    )
    (stream,) = room.streams
    assert stream["topic"] == "lk.transcription"
    assert stream["text"] == ["Hello", " you"]
    assert stream["sender"] is None  # the avatar itself
    expression = '{"expression":"fear","mood":"anxious"}'
    assert stream["attributes"] == {
        "lk.transcription_final": "false",
        "lk.segment_id": "SG_S_avatar_1",
        "lk.transcribed_track_id": "TR_voice",
        "lk.expression": expression,
    }
    assert stream["end"] == stream["attributes"] | {"lk.transcription_final": "true"}
    assert {"lk.expression": expression} in room.attributes


async def test_a_word_that_was_not_heard_to_its_end_is_taken_back():
    room = await shown(avatar("Hello you"), avatar("Hello", is_final=True))
    first, second = room.streams
    assert first["end"]["lk.transcription_final"] == "false"
    assert second["text"] == ["Hello"]
    assert second["attributes"]["lk.transcription_final"] == "true"
    assert second["attributes"]["lk.segment_id"] == first["attributes"]["lk.segment_id"]


async def test_a_reply_that_is_resumed_does_not_say_its_words_twice():
    room = await shown(
        avatar("One two"),
        avatar("One"),
        avatar("One two three"),
        avatar("One two three", is_final=True),
    )
    (stream,) = room.streams
    assert "".join(stream["text"]) == "One two three"


async def test_the_next_reply_ends_the_line_of_the_last_and_leaving_ends_the_last():
    room = await shown(avatar("One"), avatar("Two", 2))
    first, second = room.streams
    assert first["attributes"]["lk.segment_id"] != second["attributes"]["lk.segment_id"]
    assert first["end"]["lk.transcription_final"] == "true"
    assert second["end"]["lk.transcription_final"] == "true"


async def test_a_callers_words_are_a_stream_with_the_whole_text_at_every_change():
    room = await shown(caller("good"), caller("good morning", is_final=True))
    assert [stream["text"] for stream in room.streams] == [["good"], ["good morning"]]
    assert [stream["sender"] for stream in room.streams] == ["caller", "caller"]
    attributes = [stream["attributes"] for stream in room.streams]
    assert [one["lk.transcription_final"] for one in attributes] == ["false", "true"]
    assert {one["lk.segment_id"] for one in attributes} == {"SG_S_caller_1"}
    assert {one["lk.transcribed_track_id"] for one in attributes} == {"TR_mic"}


async def test_a_line_that_is_taken_away_is_shown_as_blank():
    room = await shown(caller("good"), caller("", is_final=True))
    assert room.streams[-1]["text"] == [" "]


async def test_attributes_are_set_only_when_they_change():
    room = await shown(
        *(StateChanged(1, 0, state) for state in ("listening", "listening", "thinking")),
        *(plan(emotion) for emotion in ("sad", "sad", "happy")),
    )
    assert [new["lk.agent.state"] for new in room.attributes if "lk.agent.state" in new] == [
        "listening",
        "thinking",
    ]
    moods = [
        json.loads(new["lk.expression"])["mood"]
        for new in room.attributes
        if "lk.expression" in new
    ]
    assert moods == ["sad", "happy"]
    assert room.names == ["Ava"]
    assert {"rt_avatar.persona": "ava"} in room.attributes


async def test_a_notice_goes_to_everybody():
    room = await shown(Notice(1, 0, "reply_failed", "Sorry."))
    assert room.notices == [("rt_avatar.notice", {"code": "reply_failed", "text": "Sorry."})]


async def test_a_line_that_is_down_costs_what_was_to_be_sent_and_no_more():
    room = ScriptedRoom()
    room.is_broken = True
    await shown(avatar("One"), Trace(1, 0, {}, False, None), caller("x"), room=room)
    assert not room.streams
    assert room.names == ["Ava"]


@pytest.mark.parametrize("event", ["reconnected", "participant_active"])
async def test_who_has_lost_the_beginning_of_a_line_is_shown_all_of_it(event):
    """Receivers give up a stream whose sender has joined again, and have none when they come."""
    room = ScriptedRoom()

    def come_back():
        room.listeners[event](*(["somebody"] if event == "participant_active" else []))

    whole = "I am glad to see you"
    await shown(
        avatar("I am"), come_back, avatar("I am glad"), avatar(whole, is_final=True), room=room
    )
    segment, *renewed = room.streams
    assert [stream["text"] for stream in renewed] == [["I am glad"], [whole]]
    assert all(stream["end"] is not None for stream in room.streams)
    finals = [stream["attributes"]["lk.transcription_final"] for stream in renewed]
    assert finals == ["false", "true"]
    assert {stream["attributes"]["lk.segment_id"] for stream in renewed} == {
        segment["attributes"]["lk.segment_id"]
    }


async def test_words_that_could_not_be_sent_are_shown_with_the_next():
    room = ScriptedRoom()

    def break_line():
        room.is_broken = True

    def mend_line():
        room.is_broken = False

    words = avatar("I am"), break_line, avatar("I am glad"), mend_line, avatar("I am glad to")
    await shown(*words, room=room)
    assert room.streams[1]["text"] == ["I am glad to"]


async def test_a_state_that_could_not_be_told_is_told_with_the_next_event():
    room = ScriptedRoom()

    def break_line():
        room.is_broken = True

    def mend_line():
        room.is_broken = False

    speaking, listening = StateChanged(1, 0, "speaking"), StateChanged(1, 0, "listening")
    await shown(speaking, break_line, listening, mend_line, Notice(1, 0, "x", "Hello"), room=room)
    assert room.attributes[-1] == {"lk.agent.state": "listening"}
