"""An agent's speech, where order matters within one turn of the event loop."""

import asyncio
from types import SimpleNamespace

import numpy as np
import pytest
from livekit import rtc

from rt_avatar.signaling.livekit.agent_speech import AgentSpeech

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
    """Stands for the SDK's room and its local participant; keeps the handlers."""

    def __init__(self) -> None:
        self.local_participant = self
        self.handlers: dict[str, object] = {}

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
    async with asyncio.timeout(10):
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
