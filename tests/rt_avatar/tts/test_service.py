"""The speech stage over a voice of this process: every chunk leaves as soon as it is made."""

import asyncio
import threading

import numpy as np
import pytest

from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import CHUNK_SAMPLES, SpeechChunk, VoiceStyle
from rt_avatar.errors import EngineError
from rt_avatar.messages import Clause, TurnId
from rt_avatar.queues import END
from rt_avatar.services.worker import EngineWorker
from rt_avatar.tts.service import LocalTts

pytestmark = pytest.mark.unit


def chunk(index: int) -> SpeechChunk:
    return SpeechChunk(index * CHUNK_SAMPLES, np.zeros(CHUNK_SAMPLES, np.float32), (), (), 0)


class SlowVoice:
    """Says each clause in two chunks; makes the second only when it is told to."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.asked: list[SpeechRequest] = []
        self.is_closed = False
        self.fails = False

    def open(self, voice):
        return self

    def say(self, item):
        self.asked.append(item)
        yield chunk(2 * len(self.asked) - 2)
        if self.fails:
            raise RuntimeError("the graph is broken")
        assert self.may_go_on.wait(10), "nobody took the first chunk"
        yield chunk(2 * len(self.asked) - 1)

    def flush(self):
        return []

    def close(self):
        self.is_closed = True


@pytest.fixture
def worker():
    worker = EngineWorker("voice")
    yield worker
    worker.close()


def clauses(*texts: str, **more) -> asyncio.Queue:
    queue: asyncio.Queue = asyncio.Queue(maxsize=10)
    for index, text in enumerate(texts):
        queue.put_nowait(Clause(TurnId(1), 0, index, text, **more))
    queue.put_nowait(END)
    return queue


async def test_a_chunk_leaves_before_the_rest_of_its_clause_is_made(worker):
    voice, chunks = SlowVoice(), asyncio.Queue(maxsize=10)
    speech = LocalTts(voice, worker)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        group.create_task(speech.speak("any", VoiceStyle(), clauses("One."), chunks))
        first = await chunks.get()
        voice.may_go_on.set()
        second = await chunks.get()
        assert await chunks.get() is END
    assert (first.start, second.start) == (0, CHUNK_SAMPLES)
    assert voice.is_closed


async def test_style_and_states_of_every_clause_reach_the_voice(worker):
    voice, chunks = SlowVoice(), asyncio.Queue(maxsize=10)
    voice.may_go_on.set()
    states, style = np.ones((2, 4), np.float32), VoiceStyle("sad", 0.3)
    said = clauses("One.", "Two.", states=states)
    await LocalTts(voice, worker).speak("any", style, said, chunks)
    assert [(item.text, item.clause_index) for item in voice.asked] == [("One.", 0), ("Two.", 1)]
    assert all(item.style is style and item.states is states for item in voice.asked)
    assert chunks.qsize() == 5


async def test_what_a_voice_said_before_it_failed_is_passed_on(worker):
    voice, chunks = SlowVoice(), asyncio.Queue(maxsize=10)
    voice.fails = True
    with pytest.raises(EngineError, match="the graph is broken"):
        await LocalTts(voice, worker).speak("any", VoiceStyle(), clauses("One."), chunks)
    assert chunks.get_nowait().start == 0
    assert chunks.empty()
    assert voice.is_closed


AHEAD = 60  # chunks: 12 s


class FluentVoice:
    """Says chunk after chunk; tells whose it makes."""

    def __init__(self, name: str, spoken: list[str]) -> None:
        self._name, self._spoken = name, spoken
        self.is_ahead = threading.Event()

    def open(self, voice):
        return self

    def say(self, item):
        for index in range(2 * AHEAD):
            self._spoken.append(self._name)
            if index == AHEAD:
                self.is_ahead.set()
            yield chunk(index)

    def flush(self):
        return []

    def close(self):
        pass


async def test_what_is_heard_first_is_made_first(worker):
    """Who is seconds ahead of what is heard makes way for a reply that begins."""
    spoken: list[str] = []
    voices = [FluentVoice(name, spoken) for name in "abc"]
    queues = [asyncio.Queue(maxsize=AHEAD) for _ in voices]
    has_begun, may_end = threading.Event(), threading.Event()

    def busy() -> None:
        has_begun.set()
        assert may_end.wait(10)

    async def speak(voice, queue) -> None:
        await LocalTts(voice, worker).speak("any", VoiceStyle(), clauses("One."), queue)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(speak(voices[at], queues[at])) for at in (0, 1)]
        for voice in voices[:2]:
            assert await asyncio.to_thread(voice.is_ahead.wait, 10)
        blocking = worker.start(busy)
        assert await asyncio.to_thread(has_begun.wait, 10)
        for queue in queues[:2]:
            queue.get_nowait()
        for _ in range(10):  # both find room for the chunk in hand, and ask for the next
            await asyncio.sleep(0)
        tasks.append(group.create_task(speak(voices[2], queues[2])))
        for _ in range(10):
            await asyncio.sleep(0)
        may_end.set()
        await blocking
        await queues[2].get()
        for task in tasks:
            task.cancel()
    assert spoken[2 * (AHEAD + 1)] == "c"
