"""An agent's speech, where order matters within one turn of the event loop, and its absences."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from livekit import rtc

from rt_avatar.signaling.livekit.agent_speech import AgentSpeech
from tests.fakes.virtual_time import run_virtual
from tests.rt_avatar.avatar_runner.test_runner import Hall, hall, tone

pytestmark = pytest.mark.unit

CHUNK = np.ones(2400, np.int16).tobytes()


class ScriptedReader:
    """Gives a chunk that had arrived before it was closed, as the SDK's does."""

    def __init__(self) -> None:
        self.info = SimpleNamespace(attributes={"sample_rate": "24000", "num_channels": "1"})
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue(maxsize=10)
        self._is_closed = False

    def arrive(self) -> None:
        self._chunks.put_nowait(CHUNK)

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._chunks.put_nowait(b"")

    async def __anext__(self) -> bytes:
        if self._is_closed:
            raise StopAsyncIteration
        if chunk := await self._chunks.get():
            return chunk
        raise StopAsyncIteration


class ScriptedRoom:
    """Stands for the SDK's room and its local participant; keeps the handlers, and what is told."""

    def __init__(self) -> None:
        self.local_participant = self
        self.handlers: dict[str, object] = {}
        self.listeners: dict[str, object] = {}
        self.told: list[tuple[str, float, bool]] = []  # (what, position, cut)
        self.is_here = True
        self.has_missed_an_end = asyncio.Event()

    def on(self, event, listener) -> None:
        self.listeners[event] = listener

    def off(self, event, listener) -> None:
        assert self.listeners.pop(event) == listener

    def leave(self, identity="agent") -> None:
        self.is_here = self.is_here and identity != "agent"
        self.listeners["participant_disconnected"](SimpleNamespace(identity=identity))

    def come(self, identity="agent") -> None:
        self.is_here = self.is_here or identity == "agent"
        self.listeners["participant_connected"](SimpleNamespace(identity=identity))

    async def perform_rpc(self, *, destination_identity, method, payload, response_timeout) -> str:
        if not self.is_here:
            if method == "lk.playback_finished":
                self.has_missed_an_end.set()
            raise rtc.RpcError(rtc.RpcError.ErrorCode.RECIPIENT_NOT_FOUND, "nobody")
        news = json.loads(payload or "{}")
        position, is_cut = news.get("playback_position", 0.0), news.get("interrupted", False)
        self.told.append((method.removeprefix("lk.playback_"), position, is_cut))
        return "ok"

    def register_byte_stream_handler(self, topic, handler) -> None:
        self.handlers[topic] = handler

    register_rpc_method = register_byte_stream_handler

    def unregister_byte_stream_handler(self, topic) -> None:
        del self.handlers[topic]

    unregister_rpc_method = unregister_byte_stream_handler

    def stream(self, reader: ScriptedReader) -> None:
        self.handlers["lk.audio_stream"](reader, "agent")

    def clear(self) -> str:
        call = rtc.RpcInvocationData("id", "agent", "", 5.0)
        return self.handlers["lk.clear_buffer"](call)


class ScriptedAvatarRunner:
    """Notes what is asked of it; nothing is ever told."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.segments = 0
        self.has_sound = asyncio.Event()

    def say(self, pcm, rate_hz) -> None:
        self.asked.append("say")
        self.has_sound.set()

    def end_segment(self) -> None:
        self.asked.append("end")

    def stop(self) -> None:
        self.asked.append("stop")

    async def next_event(self):
        await asyncio.Event().wait()


async def test_a_chunk_that_arrives_with_the_clear_is_not_played():
    room, runner = ScriptedRoom(), ScriptedAvatarRunner()
    speech = AgentSpeech(room, "agent", runner)
    running = asyncio.ensure_future(speech.run())
    first, second = ScriptedReader(), ScriptedReader()
    async with asyncio.timeout(60):
        room.stream(first)
        first.arrive()
        await runner.has_sound.wait()
        await asyncio.sleep(0)  # it waits for the next chunk again
        first.arrive()
        assert room.clear() == "ok"
        runner.has_sound.clear()
        room.stream(second)
        second.arrive()
        await runner.has_sound.wait()
    assert runner.asked == ["say", "end", "stop", "say"]
    running.cancel()
    await asyncio.wait({running})
    speech.close()
    assert not room.handlers
    assert not room.listeners


class WholeReader(ScriptedReader):
    """Takes sound of any length at once, and its end."""

    def __init__(self, pcm: np.ndarray | None = None) -> None:
        super().__init__()
        self._chunks = asyncio.Queue(maxsize=10)
        if pcm is not None:
            self._chunks.put_nowait(pcm.tobytes())
            self._chunks.put_nowait(b"")

    def begin(self, pcm: np.ndarray) -> None:
        self._chunks.put_nowait(pcm.tobytes())


@dataclass
class Scene:
    """An agent, and its avatar with a real runner."""

    room: ScriptedRoom
    speech: AgentSpeech
    hall: Hall

    def say(self, seconds: float) -> None:
        self.room.stream(WholeReader(tone(seconds)))

    def told(self) -> list[tuple[float, bool]]:
        return [(position, cut) for what, position, cut in self.room.told if what == "finished"]


@asynccontextmanager
async def scene(loop) -> AsyncIterator[Scene]:
    async with hall(loop, has_programme=False) as place:
        room = ScriptedRoom()
        speech = AgentSpeech(room, "agent", place.runner)
        running = asyncio.ensure_future(speech.run())
        yield Scene(room, speech, place)
        running.cancel()
        await asyncio.wait({running})
        speech.close()


def play(story) -> None:
    async def run(loop) -> None:
        async with scene(loop) as told:
            await story(told)

    run_virtual(run)


@pytest.mark.parametrize("is_leaving_told", [True, False])
def test_another_program_of_the_same_name_is_told_of_its_own_segments_alone(is_leaving_told):
    """It waited for 25 s of what the dead one had said, whose end then ended its first segment."""

    async def story(scene: Scene) -> None:
        reader = WholeReader()
        scene.room.stream(reader)
        reader.begin(tone(30))
        await asyncio.sleep(2)
        if is_leaving_told:
            scene.room.leave()
            await asyncio.sleep(3)
        scene.room.come()
        sounded_s = scene.hall.sounded_s()
        scene.say(0.3)
        await asyncio.sleep(2)
        assert scene.told() == [(0.3, False)]
        assert scene.hall.sounded_s() - sounded_s < 0.5
        scene.say(0.4)
        await asyncio.sleep(2)
        assert scene.told() == [(0.3, False), (0.4, False)]

    play(story)


def test_another_program_waits_for_nothing_that_had_not_begun_either():
    async def story(scene: Scene) -> None:
        for _ in range(3):
            scene.say(5)
        empty = WholeReader()
        scene.room.stream(empty)
        await asyncio.sleep(1)
        scene.room.leave()
        scene.room.come()
        scene.say(0.3)
        await asyncio.sleep(30)
        assert scene.told() == [(0.3, False)]

    play(story)


def test_an_agent_whose_line_was_lost_is_told_of_all_that_it_has_said():
    async def story(scene: Scene) -> None:
        scene.say(1)
        scene.say(0.5)
        scene.say(6)
        await asyncio.sleep(0.5)
        scene.room.leave()
        await asyncio.sleep(3)
        assert scene.told() == []  # two have ended meanwhile
        scene.room.come()
        await asyncio.sleep(0.1)
        assert scene.told() == [(1, False), (0.5, False)]
        await asyncio.sleep(10)
        assert scene.told() == [(1, False), (0.5, False), (6, False)]  # it was not cut
        scene.say(0.3)
        await asyncio.sleep(2)
        assert scene.told()[3:] == [(0.3, False)]

    play(story)


def test_an_agent_that_is_back_and_clears_what_it_has_said_is_told_so():
    async def story(scene: Scene) -> None:
        scene.say(30)
        await asyncio.sleep(2)
        scene.room.leave()
        scene.room.come()
        assert scene.room.clear() == "ok"
        scene.say(0.3)
        await asyncio.sleep(2)
        (position, was_cut), last = scene.told()
        assert was_cut
        assert 1 < position < 3
        assert last == (0.3, False)

    play(story)


def test_what_was_not_told_before_another_program_speaks_is_told_to_nobody():
    async def story(scene: Scene) -> None:
        scene.say(0.5)
        await asyncio.sleep(0.1)
        scene.room.leave()
        await asyncio.sleep(2)
        scene.room.come()
        scene.say(0.3)
        await asyncio.sleep(2)
        assert scene.told() == [(0.3, False)]

    play(story)


def test_an_agent_that_leaves_while_it_is_told_is_told_at_its_return():
    async def story(scene: Scene) -> None:
        scene.say(0.5)
        scene.room.is_here = False  # its line is gone; that is known later
        await scene.room.has_missed_an_end.wait()
        scene.room.leave()
        await asyncio.sleep(5)
        scene.room.come()
        await asyncio.sleep(1)
        assert scene.told() == [(0.5, False)]

    play(story)


def test_others_come_and_go_as_they_like():
    async def story(scene: Scene) -> None:
        scene.say(1)
        await asyncio.sleep(0.5)
        scene.room.leave("somebody")
        scene.room.come("somebody")
        scene.say(0.5)
        await asyncio.sleep(3)
        assert scene.told() == [(1, False), (0.5, False)]

    play(story)
