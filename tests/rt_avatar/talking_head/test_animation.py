"""A mouth that looks ahead stays with its sound; a face that idles loses none of it."""

import asyncio
import time

import numpy as np
import pytest

from rt_avatar.budget import FULL_EFFORT, PATIENCE, Budget
from rt_avatar.config.settings import BudgetSettings
from rt_avatar.engines.types import (
    CHUNK_SAMPLES,
    MOTION_SIZE,
    FaceStyle,
    SpeechChunk,
    VoiceStyle,
    Word,
)
from rt_avatar.errors import EngineError
from rt_avatar.messages import Chain, Plan, TurnId
from rt_avatar.playout.reply import ReplyBuffer
from rt_avatar.queues import END
from rt_avatar.talking_head.animation import animate
from rt_avatar.telemetry.trace import TurnTrace

pytestmark = pytest.mark.unit

NO_BUDGET = Budget(BudgetSettings(enabled=False), 0.0)


class LateMouth:
    """An articulator that gives a chunk's motion when ``lookahead`` more were pushed."""

    def __init__(self, lookahead: int) -> None:
        self.lookahead = lookahead
        self.held: list[int] = []  # starts
        self.resets = 0
        self.is_closed = False

    def open(self):
        return self

    def push(self, item):
        if self.held and item.chunk.start != self.held[-1] + CHUNK_SAMPLES:
            raise ValueError("a chunk is missing")
        self.held.append(item.chunk.start)
        return self._give(self.lookahead)

    def flush(self):
        return self._give(0)

    def reset(self):
        self.resets += 1
        self.held.clear()

    def close(self):
        self.is_closed = True

    def _give(self, keep: int) -> list[np.ndarray]:
        ready, self.held = self.held[: len(self.held) - keep], self.held[len(self.held) - keep :]
        return [
            np.full((5, MOTION_SIZE), 1 + start // CHUNK_SAMPLES, np.float32) for start in ready
        ]


def speech_chunk(index: int) -> SpeechChunk:
    start = index * CHUNK_SAMPLES
    pcm = np.full(CHUNK_SAMPLES, index / 100, np.float32)
    return SpeechChunk(start, pcm, (), (Word(f"word{index}", start, start + 2400),), 0)


class Watched(ReplyBuffer):
    """A buffer that tells when something was put."""

    def __init__(self) -> None:
        super().__init__(TurnId(1), 20)
        self.put_count = asyncio.Semaphore(0)

    async def put(self, chunk):
        await super().put(chunk)
        self.put_count.release()


class Stage:
    """``animate`` between two ends that a test holds."""

    def __init__(self, mouth, worker, budget=NO_BUDGET) -> None:
        self.chunks: asyncio.Queue = asyncio.Queue(maxsize=20)
        self.reply = Watched()
        self.trace = TurnTrace(TurnId(1), asyncio.get_running_loop().time())
        self._parts = (mouth, worker)
        self._budget = budget

    async def run(self) -> None:
        plan = Plan(TurnId(1), 0, Chain(), "neutral", VoiceStyle(), FaceStyle())
        await animate(plan, self.chunks, self.reply, self.trace, self._budget, *self._parts)
        self.reply.end()

    async def feed(self, indices: range, wait_for: int) -> None:
        """Give these chunks; return when so many more have come out."""
        for index in indices:
            self.chunks.put_nowait(speech_chunk(index))
        for _ in range(wait_for):
            await self.reply.put_count.acquire()

    def taken(self) -> list[tuple[int, int, str]]:
        """What can be played now: index of the chunk by its sound, number of its motion, words."""
        slices = iter(self.reply.take_nowait, None)
        return [
            (round(float(s.pcm[0]) * 100), int(s.motion[0]), s.words[0].text)
            for s in slices
            if s.words
        ]


@pytest.mark.parametrize("lookahead", [0, 1, 3])
async def test_sound_and_face_stay_together_whatever_the_look_ahead(worker, lookahead):
    stage = Stage(LateMouth(lookahead), worker)
    for index in range(6):
        stage.chunks.put_nowait(speech_chunk(index))
    stage.chunks.put_nowait(END)
    await stage.run()
    assert stage.taken() == [(index, index + 1, f"word{index}") for index in range(6)]
    assert stage.reply.is_finished


async def test_a_chunk_waits_for_its_motion_and_no_longer(worker):
    stage = Stage(LateMouth(1), worker)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(stage.run())
        await stage.feed(range(2), wait_for=1)
        first = stage.taken()
        stage.chunks.put_nowait(END)
    assert first == [(0, 1, "word0")]
    assert stage.taken() == [(1, 2, "word1")]


async def test_what_the_look_ahead_waits_for_is_counted_as_the_voices_time(worker):
    stage = Stage(LateMouth(1), worker)
    loop = asyncio.get_running_loop()
    begun_s = loop.time()
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(stage.run())
        await stage.feed(range(1), wait_for=0)
        await loop.run_in_executor(None, time.sleep, 0.1)  # a slow voice
        second_s = loop.time()
        await stage.feed(range(1, 2), wait_for=1)
        stage.chunks.put_nowait(END)
    assert stage.trace.stages_s()["voice"] >= second_s - begun_s


@pytest.mark.parametrize("is_foreign", [True, False])
async def test_only_a_voice_of_our_own_that_is_late_costs_effort(worker, is_foreign):
    budget = Budget(BudgetSettings(), 0.0)
    stage = Stage(LateMouth(0), worker, budget)
    stage.trace.begun_s -= 60.0
    if not is_foreign:
        stage.trace.mark("plan", stage.trace.begun_s)
    for item in (speech_chunk(0), END):
        stage.chunks.put_nowait(item)
    await stage.run()
    assert (budget.effort == FULL_EFFORT) == is_foreign


async def test_a_face_that_idles_for_a_slow_chunk_moves_again_to_a_foreign_voice(worker):
    budget = Budget(BudgetSettings(), 0.0)
    budget.note_chunk("face", 1.0)
    assert not budget.effort.moves_face
    for _ in range(PATIENCE):
        stage = Stage(LateMouth(0), worker, budget)
        stage.trace.begun_s -= 60.0
        for item in (speech_chunk(0), END):
            stage.chunks.put_nowait(item)
        await stage.run()
    assert budget.effort.moves_face


async def test_a_reply_shorter_than_the_look_ahead_is_played(worker):
    stage = Stage(LateMouth(3), worker)
    for item in (speech_chunk(0), END):
        stage.chunks.put_nowait(item)
    await stage.run()
    assert stage.taken() == [(0, 1, "word0")]


@pytest.mark.parametrize("lookahead", [0, 1])
async def test_a_face_that_idles_in_mid_reply_loses_no_sound_and_moves_again_later(
    worker, lookahead
):
    budget = Budget(BudgetSettings(), 0.0)
    mouth = LateMouth(lookahead)
    stage = Stage(mouth, worker, budget)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(stage.run())
        await stage.feed(range(2), wait_for=2 - lookahead)
        budget.note_chunk("face", 1.0)
        assert not budget.effort.moves_face
        await stage.feed(range(2, 4), wait_for=2 + lookahead)
        for _ in range(PATIENCE):
            budget.note_turn({"face": 0.001})
        assert budget.effort.moves_face
        await stage.feed(range(4, 7), wait_for=0)
        stage.chunks.put_nowait(END)
    played = stage.taken()
    assert [chunk for chunk, _, _ in played] == list(range(7))
    # The second chunk's motion had not come when the face began to idle: it idles, too.
    resting = (2, 3) if lookahead == 0 else (1, 2, 3)
    assert [motion for _, motion, _ in played] == [
        0 if index in resting else index + 1 for index in range(7)
    ]
    assert mouth.resets == lookahead
    assert mouth.is_closed


async def test_few_steps_are_asked_for_from_the_next_chunk_on_and_all_when_it_goes_well(worker):
    asked: list[bool] = []

    class Noting(LateMouth):
        def push(self, item):
            asked.append(item.few_steps)
            return super().push(item)

    budget = Budget(BudgetSettings(), 0.0, has_steps=True)
    stage = Stage(Noting(0), worker, budget)
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(stage.run())
        await stage.feed(range(1), wait_for=1)
        budget.note_chunk("face", 1.0)
        await stage.feed(range(1, 2), wait_for=1)
        for _ in range(PATIENCE):
            budget.note_turn({"face": 0.001})
        await stage.feed(range(2, 3), wait_for=1)
        stage.chunks.put_nowait(END)
    assert asked == [False, True, False]
    assert [motion for _, motion, _ in stage.taken()] == [1, 2, 3]


async def test_an_articulator_that_fails_ends_the_reply_and_is_closed(worker):
    mouth = LateMouth(1)
    stage = Stage(mouth, worker)
    for index in (0, 2):
        stage.chunks.put_nowait(speech_chunk(index))
    with pytest.raises(EngineError, match="a chunk is missing"):
        await stage.run()
    assert mouth.is_closed
