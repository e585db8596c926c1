"""The speech stage over a voice of this process: every chunk leaves as soon as it is made."""

import asyncio
import threading

import numpy as np
import pytest

from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import CHUNK_S, CHUNK_SAMPLES, SPEECH_RATE_HZ, SpeechChunk, VoiceStyle
from rt_avatar.errors import EngineError
from rt_avatar.messages import Clause, TurnId
from rt_avatar.queues import END
from rt_avatar.services.worker import EngineWorker
from rt_avatar.tts.reply_clock import ReplyClock
from rt_avatar.tts.service import LocalTts
from tests.fakes.virtual_time import run_virtual

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
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
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


# --- clauses that are late ------------------------------------------------------------------------
SHORT = "It will heal."  # ends 65 ms into a chunk
LONG = "Thank you, I will be there at half past seven."


@pytest.fixture(scope="module")
def nano() -> NanoEngine:
    return NanoEngine()


def at_once(nano: NanoEngine, *texts: str) -> list[SpeechChunk]:
    stream = nano.open("young_female")
    items = [SpeechRequest(text, VoiceStyle(), index) for index, text in enumerate(texts)]
    return [chunk for item in items for chunk in stream.push(item)] + stream.flush()


def sound(chunks: list[SpeechChunk]) -> np.ndarray:
    return np.concatenate([chunk.pcm for chunk in chunks])


def heard(
    nano: NanoEngine, *script: str | float, released_s: float = 0.0
) -> list[tuple[float, SpeechChunk]]:
    """Say clauses, with seconds between them; return when each chunk was there.

    Nobody may hear of them before ``released_s``.
    """

    async def main(loop) -> list[tuple[float, SpeechChunk]]:
        worker, begun_s = EngineWorker("voice"), loop.time()
        clauses, chunks = asyncio.Queue(maxsize=4), asyncio.Queue(maxsize=2)
        came: list[tuple[float, SpeechChunk]] = []
        clock = ReplyClock(is_released=not released_s)
        loop.call_later(released_s, clock.release)
        async with asyncio.TaskGroup() as group:
            group.create_task(
                LocalTts(nano, worker).speak("young_female", VoiceStyle(), clauses, chunks, clock)
            )

            async def listen() -> None:
                while (item := await chunks.get()) is not END:
                    came.append((loop.time() - begun_s, item))

            group.create_task(listen())
            for index, item in enumerate(script):
                if isinstance(item, str):
                    await clauses.put(Clause(TurnId(1), 0, index, item))
                else:
                    await asyncio.sleep(item)
            await clauses.put(END)
        worker.close()
        return came

    return run_virtual(main)


@pytest.mark.parametrize("text", [SHORT, "Hello!", LONG])
def test_the_end_of_a_clause_does_not_wait_for_one_that_is_late(nano, text):
    came = heard(nano, text, 5.0, LONG)
    alone = sound(at_once(nano, text))
    early = [(at_s, chunk) for at_s, chunk in came if at_s < 5]
    said = sound([chunk for _, chunk in early])
    np.testing.assert_array_equal(said[: len(alone)], alone)
    assert len(said) >= len(alone) + CHUNK_SAMPLES  # a mouth that looks ahead comes to the end
    assert not said[len(alone) :].any()
    assert all(at_s <= chunk.start / SPEECH_RATE_HZ for at_s, chunk in early)
    assert [chunk.start for _, chunk in came] == [CHUNK_SAMPLES * at for at in range(len(came))]
    words = [word.text for _, chunk in came for word in chunk.words]
    assert words == f"{text} {LONG}".split()
    late = sound([chunk for at_s, chunk in came if at_s >= 5])
    assert np.flatnonzero(late)[0] < CHUNK_SAMPLES


@pytest.mark.parametrize("after_s", [0.0, 0.5, 2.0])
def test_a_clause_in_time_changes_nothing(nano, after_s):
    came = heard(nano, LONG, after_s, SHORT, after_s / 5, LONG)
    wanted = at_once(nano, LONG, SHORT, LONG)
    np.testing.assert_array_equal(sound([chunk for _, chunk in came]), sound(wanted))
    assert [(c.start, c.words, c.phonemes) for _, c in came] == [
        (c.start, c.words, c.phonemes) for c in wanted
    ]


@pytest.mark.parametrize("text", [SHORT, "Hello!", LONG])
def test_a_reply_that_is_held_back_waits_for_its_clauses_as_one_that_is_heard(nano, text):
    came = heard(nano, text, 5.0, LONG, released_s=5.1)
    wanted = at_once(nano, text, LONG)
    np.testing.assert_array_equal(sound([chunk for _, chunk in came]), sound(wanted))
    late = heard(nano, text, 15.0, LONG, released_s=5.0)
    plain = heard(nano, text, 10.0, LONG)
    np.testing.assert_array_equal(
        sound([chunk for _, chunk in late]), sound([chunk for _, chunk in plain])
    )


def test_once_a_clause_was_late_the_next_ones_have_their_time_again(nano):
    came = heard(nano, SHORT, 30.0, LONG, 2.0, SHORT)
    words = [word for _, chunk in came for word in chunk.words][len(SHORT.split()) :]
    wanted = [word for chunk in at_once(nano, SHORT, LONG, SHORT) for word in chunk.words]
    starts = np.array([word.start for word in wanted[len(SHORT.split()) :]])
    assert np.array_equal([w.start - words[0].start for w in words], starts - starts[0])


def test_what_cannot_be_said_adds_no_more_silence(nano):
    plain = heard(nano, SHORT, 9.0, LONG)
    odd = heard(nano, "…", 3.0, SHORT, 3.0, "…", 3.0, "🙂", 3.0, LONG, 9.0, "…")
    np.testing.assert_array_equal(
        sound([chunk for _, chunk in odd])[: len(plain) * CHUNK_SAMPLES],
        sound([chunk for _, chunk in plain]),
    )
    assert len(odd) * CHUNK_S <= len(plain) * CHUNK_S + 2 * CHUNK_S


async def test_a_reply_that_is_stopped_while_it_waits_gives_no_more(nano, worker):
    said, chunks = asyncio.Queue(maxsize=1), asyncio.Queue(maxsize=20)
    said.put_nowait(Clause(TurnId(1), 0, 0, "Hello!"))
    speaking = asyncio.ensure_future(
        LocalTts(nano, worker).speak("young_female", VoiceStyle(), said, chunks)
    )
    alone = at_once(nano, "Hello!")
    async with asyncio.timeout(60):
        settled = [await chunks.get() for _ in range(len(alone) + 1)]
    speaking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await speaking
    np.testing.assert_array_equal(sound(settled[: len(alone)]), sound(alone))
    assert chunks.empty()
