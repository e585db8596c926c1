"""The speech stage over a voice of this process: every atom leaves as soon as it is made."""

import asyncio
import threading

import numpy as np
import pytest

from engines.tts import SpeechRequest
from engines.types import ATOM_SAMPLES, SpeechAtom, VoiceStyle
from rt_avatar.engine_room.worker import EngineWorker
from rt_avatar.errors import EngineError
from rt_avatar.messages import Clause, TurnId
from rt_avatar.queues import END
from rt_avatar.speech.stage import VoiceSpeech

pytestmark = pytest.mark.unit


def atom(index: int) -> SpeechAtom:
    return SpeechAtom(index * ATOM_SAMPLES, np.zeros(ATOM_SAMPLES, np.float32), (), (), 0)


class SlowVoice:
    """Says each clause in two atoms; makes the second only when it is told to."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.asked: list[SpeechRequest] = []
        self.is_closed = False
        self.fails = False

    def open(self, voice):
        return self

    def say(self, item):
        self.asked.append(item)
        yield atom(2 * len(self.asked) - 2)
        if self.fails:
            raise RuntimeError("the graph is broken")
        assert self.may_go_on.wait(10), "nobody took the first atom"
        yield atom(2 * len(self.asked) - 1)

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


async def test_an_atom_leaves_before_the_rest_of_its_clause_is_made(worker):
    voice, atoms = SlowVoice(), asyncio.Queue(maxsize=10)
    speech = VoiceSpeech(voice, worker)
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        group.create_task(speech.speak("any", VoiceStyle(), clauses("One."), atoms))
        first = await atoms.get()
        voice.may_go_on.set()
        second = await atoms.get()
        assert await atoms.get() is END
    assert (first.start, second.start) == (0, ATOM_SAMPLES)
    assert voice.is_closed


async def test_style_and_states_of_every_clause_reach_the_voice(worker):
    voice, atoms = SlowVoice(), asyncio.Queue(maxsize=10)
    voice.may_go_on.set()
    states, style = np.ones((2, 4), np.float32), VoiceStyle("sad", 0.3)
    said = clauses("One.", "Two.", states=states)
    await VoiceSpeech(voice, worker).speak("any", style, said, atoms)
    assert [(item.text, item.clause_index) for item in voice.asked] == [("One.", 0), ("Two.", 1)]
    assert all(item.style is style and item.states is states for item in voice.asked)
    assert atoms.qsize() == 5


async def test_what_a_voice_said_before_it_failed_is_passed_on(worker):
    voice, atoms = SlowVoice(), asyncio.Queue(maxsize=10)
    voice.fails = True
    with pytest.raises(EngineError, match="the graph is broken"):
        await VoiceSpeech(voice, worker).speak("any", VoiceStyle(), clauses("One."), atoms)
    assert atoms.get_nowait().start == 0
    assert atoms.empty()
    assert voice.is_closed
