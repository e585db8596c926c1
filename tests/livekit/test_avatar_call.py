"""The face of an agent in a real room: every segment is answered once, whatever happens to it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import numpy as np
import pytest
from livekit import rtc
from livekit.agents.types import (
    ATTRIBUTE_AGENT_STATE,
    ATTRIBUTE_PUBLISH_ON_BEHALF,
    ATTRIBUTE_TRANSCRIPTION_EXPRESSION,
    TOPIC_TRANSCRIPTION,
)

from rt_avatar.engines.types import FaceStyle
from rt_avatar.signaling.livekit.avatar_call import AvatarCall
from rt_avatar.signaling.livekit.job_metadata import JobMetadata
from rt_avatar.signaling.server_context import ServerContext
from tests.fakes.engines import ScriptedReasoner
from tests.fakes.in_process_server import SmallPictures
from tests.livekit.rooms import AUDIBLE, WAIT_S, Caller
from tests.livekit.workers import LOUD, RoomEngines, worker_settings

pytestmark = pytest.mark.realtime

AVATAR, AGENT = "avatar", "agent"
RATE = 24_000
FORMAT = {"sample_rate": str(RATE), "num_channels": "1"}


def tone(seconds: float, hz: int = 400) -> np.ndarray:
    return (8000 * np.sin(2 * np.pi * hz * np.arange(round(seconds * RATE)) / RATE)).astype(
        np.int16
    )


@dataclass
class BareAgent:
    """What livekit-agents does with an avatar, by hand. Notes what it is told."""

    room: rtc.Room
    reports: list[tuple[str, float, bool]] = field(default_factory=list)  # (what, position, cut)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def listen(self) -> None:
        participant = self.room.local_participant
        participant.register_rpc_method("lk.playback_started", self._started)
        participant.register_rpc_method("lk.playback_finished", self._finished)

    async def _started(self, _call: rtc.RpcInvocationData) -> str:
        self._note(("started", 0.0, False))
        return "ok"

    async def _finished(self, call: rtc.RpcInvocationData) -> str:
        reports = json.loads(call.payload)
        assert set(reports) == {"playback_position", "interrupted", "synchronized_transcript"}
        self._note(("finished", reports["playback_position"], reports["interrupted"]))
        return "ok"

    def _note(self, item: tuple[str, float, bool]) -> None:
        self.reports.append(item)
        self._news.set()

    def finished(self) -> list[tuple[float, bool]]:
        return [(position, is_cut) for what, position, is_cut in self.reports if what == "finished"]

    async def until_finished(
        self, number: int, timeout_s: float = WAIT_S
    ) -> list[tuple[float, bool]]:
        async with asyncio.timeout(timeout_s):
            while len(self.finished()) < number:
                self._news.clear()
                await self._news.wait()
        return self.finished()

    async def open(self, attributes: dict[str, str] | None = None) -> rtc.ByteStreamWriter:
        return await self.room.local_participant.stream_bytes(
            "AUDIO_1", topic="lk.audio_stream", destination_identities=[AVATAR],
            attributes=FORMAT if attributes is None else attributes,
        )  # fmt: skip

    async def say(self, pcm: np.ndarray, attributes: dict[str, str] | None = None) -> None:
        """Say a whole segment."""
        writer = await self.open(attributes)
        await writer.write(pcm.tobytes())
        await writer.aclose()

    async def clear(self) -> str:
        return await self.room.local_participant.perform_rpc(
            destination_identity=AVATAR, method="lk.clear_buffer", payload=""
        )


@asynccontextmanager
async def in_room(livekit, room_name: str, identity: str, **token: object) -> AsyncIterator:
    room = rtc.Room()
    await room.connect(livekit.url, livekit.token(identity, room_name, kind="agent", **token))
    try:
        yield room
    finally:
        await room.disconnect()


@asynccontextmanager
async def bare_agent(livekit, room_name: str) -> AsyncIterator[BareAgent]:
    async with in_room(livekit, room_name, AGENT) as room:
        agent = BareAgent(room)
        agent.listen()
        yield agent


@asynccontextmanager
async def avatar_call(livekit, room_name: str, engines=None, **server) -> AsyncIterator:
    """The avatar's call in a room, without a worker around it; yields its task."""
    settings = worker_settings(livekit, **server)
    engines = engines or RoomEngines()
    context = ServerContext(settings, engines, ScriptedReasoner([""]))
    attributes = {ATTRIBUTE_PUBLISH_ON_BEHALF: AGENT}
    async with in_room(livekit, room_name, AVATAR, attributes=attributes) as room:
        call = AvatarCall(room, JobMetadata(avatar_of=AGENT), context, "test")
        async with asyncio.TaskGroup() as group:
            running = group.create_task(call.run())
            try:
                yield running
            finally:
                call.end("hang_up")
    engines.close()


def loud_s(caller: Caller) -> list[float]:
    """When something of the avatar was to be heard, by 10 ms."""
    return [
        heard.at_s
        for heard in caller.sounds[AVATAR]
        if np.abs(heard.pcm.astype(np.int32)).max() > AUDIBLE
    ]


def pitches_hz(caller: Caller) -> np.ndarray:
    """The pitch of every 40 ms of the avatar that sound fills, to 5 Hz.

    A window with the last milliseconds of a tone has no pitch: its peak is 20 Hz off, more where
    the receiver conceals the end of it.
    """
    pcm = caller.sound(AVATAR)
    windows = pcm[: len(pcm) // 1920 * 1920].reshape(-1, 1920).astype(np.float32)
    loud = windows[np.sqrt(np.mean(windows**2, 1)) > 4500]  # of 5,657
    return 5 * np.abs(np.fft.rfft(loud * np.hanning(1920), 9600)).argmax(1)


def near(hz: np.ndarray, pitch: int) -> np.ndarray:
    return np.abs(hz - pitch) < 50


async def test_what_an_agent_says_is_heard_and_each_segment_is_answered_once(livekit, room_name):
    async with (
        bare_agent(livekit, room_name) as agent,
        Caller(livekit, room_name) as caller,
        avatar_call(livekit, room_name),
    ):
        await caller.wait_for_picture(AVATAR)
        for length in (0.5, 0.25, 0.8):
            await agent.say(tone(length))
        assert await agent.until_finished(3) == [(0.5, False), (0.25, False), (0.8, False)]
        assert [what for what, _, _ in agent.reports] == ["started", "finished"] * 3
        await caller.until(lambda: len(loud_s(caller)) >= 145)
        spectrum = np.abs(np.fft.rfft(caller.sound(AVATAR)))
        hz = np.argmax(spectrum) * 48_000 / len(caller.sound(AVATAR))
        assert hz == pytest.approx(400, abs=5)


async def test_a_clear_is_silent_at_once_and_answers_all_that_was_sent(livekit, room_name):
    # A pitch that rises tells how far the caller heard, however the receiver stretches a line that
    # stutters: 400 Hz and 100 more a second.
    at_s = np.arange(20 * RATE) / RATE
    rising = (8000 * np.sin(2 * np.pi * (400 + 50 * at_s) * at_s)).astype(np.int16)
    cleared_hz, told_hz = 3500, 3000
    async with (
        bare_agent(livekit, room_name) as agent,
        Caller(livekit, room_name) as caller,
        avatar_call(livekit, room_name),
    ):
        await caller.wait_for_picture(AVATAR)
        await agent.say(rising)
        await agent.say(tone(5, cleared_hz))
        open_stream = await agent.open()
        await open_stream.write(tone(5, cleared_hz).tobytes())
        await caller.until(lambda: len(loud_s(caller)) >= 100)
        assert await agent.clear() == "ok"
        (played_s, was_cut), *others = await agent.until_finished(3)
        assert was_cut
        assert others == [(0.0, True), (0.0, True)]
        await open_stream.write(tone(1, cleared_hz).tobytes())  # late, of a segment that is over
        await open_stream.aclose()
        await agent.say(tone(0.5, told_hz))
        assert (await agent.until_finished(4))[3] == (0.5, False)
        assert await agent.clear() == "ok"  # there is nothing to clear
        await agent.say(tone(0.4, told_hz))
        assert (await agent.until_finished(5))[4] == (0.4, False)
        assert len(agent.finished()) == 5
        # The caller has heard what the agent was told, and no tail of what was cleared.
        await caller.until(lambda: near(pitches_hz(caller), told_hz).sum() >= 0.72 / 0.04)
        heard_hz = pitches_hz(caller)
        assert not near(heard_hz, cleared_hz).any()
        rise_s = (heard_hz[~near(heard_hz, told_hz)].max() - 400) / 100
        assert rise_s == pytest.approx(played_s, abs=0.15)


async def test_segments_that_go_wrong_are_answered_too(livekit, room_name):
    async with bare_agent(livekit, room_name) as agent, avatar_call(livekit, room_name):
        await asyncio.wait_for(_until_avatar(agent.room), 20)
        writer = await agent.open()  # nothing in it
        await writer.aclose()
        await agent.until_finished(1)
        for attributes in ({}, {"sample_rate": "24k", "num_channels": "1"},
                           {"sample_rate": "24000", "num_channels": "9"},
                           {"sample_rate": "1", "num_channels": "1"}):  # fmt: skip
            await agent.say(tone(0.2), attributes)
        lost = await agent.open()  # its end never comes
        await lost.write(tone(0.4).tobytes() + b"\x01")  # half a sample
        await agent.say(np.repeat(tone(0.6)[:, None], 2, axis=1), {**FORMAT, "num_channels": "2"})
        answers = await agent.until_finished(7)
        assert [position for position, _ in answers] == [0, 0, 0, 0, 0, 0.4, 0.6]
        assert agent.finished() == answers


async def test_only_the_agent_is_obeyed(livekit, room_name):
    async with (
        bare_agent(livekit, room_name) as agent,
        in_room(livekit, room_name, "stranger") as room,
        avatar_call(livekit, room_name),
    ):
        stranger = BareAgent(room)
        stranger.listen()
        await asyncio.wait_for(_until_avatar(agent.room), 20)
        await stranger.say(tone(5))
        await agent.say(tone(0.5))
        assert await stranger.clear() == "reject"
        assert await agent.until_finished(1) == [(0.5, False)]
        assert not stranger.reports


async def test_a_call_outlives_its_agents_absence_and_ends_when_it_stays_away(livekit, room_name):
    async with avatar_call(livekit, room_name, reconnect_s=4) as running:
        async with bare_agent(livekit, room_name) as agent:
            await asyncio.wait_for(_until_avatar(agent.room), 20)
            writer = await agent.open()
            await writer.write(tone(30).tobytes())
        async with bare_agent(livekit, room_name) as agent:  # the same again
            await asyncio.wait_for(_until_avatar(agent.room), 20)
            await agent.clear()
            await agent.say(tone(0.3))
            async with asyncio.timeout(WAIT_S):
                while (0.3, False) not in agent.finished():
                    await agent.until_finished(len(agent.finished()) + 1)
        async with asyncio.timeout(WAIT_S):
            assert await running == "agent_left"


async def test_another_program_in_the_agents_place_is_told_of_its_own_segments_alone(
    livekit, room_name
):
    async with (
        Caller(livekit, room_name) as caller,
        avatar_call(livekit, room_name, reconnect_s=20),
    ):
        async with bare_agent(livekit, room_name) as agent:
            await asyncio.wait_for(_until_avatar(agent.room), 20)
            await agent.say(tone(30))
            await caller.until(lambda: len(loud_s(caller)) >= 50)
        async with bare_agent(livekit, room_name) as agent:
            await asyncio.wait_for(_until_avatar(agent.room), 20)
            await agent.say(tone(0.3))
            assert await agent.until_finished(1) == [(0.3, False)]


async def test_an_agent_that_had_to_connect_anew_is_told_of_what_it_said_before(livekit, room_name):
    async with (
        bare_agent(livekit, room_name) as agent,
        Caller(livekit, room_name) as caller,
        avatar_call(livekit, room_name),
    ):
        await caller.wait_for_picture(AVATAR)
        await agent.say(tone(3))
        await caller.until(lambda: len(loud_s(caller)) >= 50)
        await agent.room.simulate_scenario(rtc.SimulateScenarioKind.SIMULATE_FULL_RECONNECT)
        assert await agent.until_finished(1) == [(3.0, False)]
        await agent.say(tone(0.3))
        assert await agent.until_finished(2) == [(3.0, False), (0.3, False)]


async def test_the_face_shows_what_the_agent_shows_of_itself(livekit, room_name):
    class Mirror(SmallPictures):
        def __init__(self) -> None:
            self.seen: list[tuple[str, FaceStyle]] = []
            self.cues: list[tuple[bool, bool]] = []
            self.changed = asyncio.Event()

        def push(self, item):
            if hasattr(item, "speech"):
                if (mood := (item.state, item.face)) not in self.seen[-1:]:
                    self.seen.append(mood)
                self.cues.append((item.caller.is_speaking, item.caller.has_paused))
            return super().push(item)

        async def until(self, is_true) -> None:
            async with asyncio.timeout(WAIT_S):
                while not is_true():  # noqa: ASYNC110 - the face's thread has no event for it
                    await asyncio.sleep(0.02)

    engines = RoomEngines()
    engines.presence = mirror = Mirror()
    async with (
        bare_agent(livekit, room_name) as agent,
        Caller(livekit, room_name) as caller,
        avatar_call(livekit, room_name, engines),
    ):
        await caller.wait_for_picture(AVATAR)
        me = agent.room.local_participant
        await me.set_attributes({ATTRIBUTE_AGENT_STATE: "thinking"})
        await mirror.until(lambda: ("thinking", FaceStyle()) in mirror.seen)
        await me.set_attributes({ATTRIBUTE_AGENT_STATE: "speaking"})
        sad = json.dumps({"expression": "softly", "mood": "empathetic"})
        await me.send_text(
            "I am sorry", topic=TOPIC_TRANSCRIPTION,
            attributes={ATTRIBUTE_TRANSCRIPTION_EXPRESSION: sad},
        )  # fmt: skip
        await agent.say(tone(0.5))
        await mirror.until(lambda: ("speaking", FaceStyle("sad", 0.5)) in mirror.seen)
        await agent.until_finished(1)
        await me.send_text("And so on", topic=TOPIC_TRANSCRIPTION)  # says nothing of itself
        await agent.say(tone(0.5))
        await agent.until_finished(2)
        assert mirror.seen[-1] != ("speaking", FaceStyle("sad", 0.5))
        # Somebody speaks to the avatar: it attends, and nods when they pause.
        await caller.publish_microphone()
        await caller.speak(LOUD)
        await mirror.until(lambda: (True, False) in mirror.cues)
        await mirror.until(lambda: (False, True) in mirror.cues)


async def _until_avatar(room: rtc.Room) -> None:
    """Wait for the avatar's picture, as livekit-agents does before it speaks."""
    arrived = asyncio.Event()
    room.on("track_published", lambda *_what: arrived.set())
    while True:
        avatar = room.remote_participants.get(AVATAR)
        tracks = avatar.track_publications.values() if avatar is not None else ()
        if any(one.kind == rtc.TrackKind.KIND_VIDEO for one in tracks):
            return
        arrived.clear()
        await arrived.wait()
