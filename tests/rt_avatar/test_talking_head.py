"""The living face: what can be seen is drawn; a mouth that looks ahead stays with its sound."""

import asyncio
import threading
import time

import numpy as np
import pytest

from engines.types import (
    ATOM_SAMPLES,
    BLENDSHAPE,
    MOTION_SIZE,
    ROLL,
    FaceStyle,
    SpeechAtom,
    VoiceStyle,
    Word,
)
from rt_avatar.budget import PATIENCE, Budget
from rt_avatar.config.settings import BudgetSettings
from rt_avatar.engine_room.worker import EngineWorker
from rt_avatar.errors import EngineError
from rt_avatar.messages import Chain, Plan, TurnId
from rt_avatar.playout.reply import ReplyBuffer
from rt_avatar.queues import END
from rt_avatar.talking_head import Face, animate
from rt_avatar.telemetry.trace import TurnTrace

pytestmark = pytest.mark.unit

NO_BUDGET = Budget(BudgetSettings(enabled=False), 0.0)


class Presence:
    """Scripted: shows exactly what speech moves."""

    def open(self, seed):
        return self

    def push(self, moment):
        return [moment.speech]


class Rig:
    """Counts what it draws."""

    def __init__(self):
        self.drawn: list[np.ndarray] = []

    def open(self, look):
        return self

    def push(self, motion):
        self.drawn.append(motion)
        return [np.full((6, 4), len(self.drawn), np.uint8)]

    def close(self):
        pass


@pytest.fixture
def worker():
    worker = EngineWorker("face")
    yield worker
    worker.close()


def frame(**changes: float) -> np.ndarray:
    motion = np.zeros(MOTION_SIZE, np.float32)
    for name, value in changes.items():
        motion[ROLL if name == "roll" else BLENDSHAPE[name]] = value
    return motion


async def shown(worker, *frames: np.ndarray) -> list[int]:
    face = Face(Presence(), Rig(), worker, NO_BUDGET, "ava", 1)
    return [int((await face.paint(motion)).planes[0, 0]) for motion in frames]


async def test_a_change_that_can_be_seen_is_drawn(worker):
    frames = [frame(), frame(jawOpen=0.01), frame(jawOpen=0.01, roll=0.002)]
    assert await shown(worker, *frames) == [1, 2, 3]


async def test_small_changes_add_up_until_they_can_be_seen(worker):
    frames = [frame(jawOpen=0.0015 * step) for step in range(7)]
    assert await shown(worker, *frames) == [1, 1, 1, 2, 2, 2, 3]


async def test_another_look_is_drawn_at_once(worker):
    face = Face(Presence(), Rig(), worker, NO_BUDGET, "ava", 1)
    first = await face.paint(frame())
    face.change_look("leo")
    assert (await face.paint(frame())).planes[0, 0] != first.planes[0, 0]


async def test_closing_waits_for_the_picture_that_is_being_drawn(worker):
    class Slow(Rig):
        is_closed = False

        def push(self, motion):
            assert not self.is_closed
            return super().push(motion)

        def close(self):
            self.is_closed = True

    rig = Slow()
    face = Face(Presence(), rig, worker, NO_BUDGET, "ava", 1)
    await face.paint(frame())
    picture, _ = await asyncio.gather(face.paint(frame(jawOpen=0.5)), face.aclose())
    assert rig.is_closed
    assert picture.planes[0, 0] == 2


async def test_a_nod_is_seen_once(worker):
    seen = []

    class Watching(Presence):
        def push(self, moment):
            seen.append(moment.caller.has_paused)
            return [frame()]

    face = Face(Watching(), Rig(), worker, NO_BUDGET, "ava", 1)
    face.nod()
    for _ in range(3):
        await face.paint(None)
    assert seen == [True, False, False]


class Restless(Presence):
    """Moves more than can be overlooked in every tick."""

    ticks = 0

    def push(self, moment):
        self.ticks += 1
        return [frame(jawOpen=(self.ticks % 7) / 7)]


def hurried(*, is_idle: bool) -> Budget:
    """A budget that slow pictures have brought to half the rate, or a slow face to idling."""
    budget = Budget(BudgetSettings(), 0.0)
    if is_idle:
        budget.note_atom("face", 1.0)
    else:
        for _ in range(25):
            budget.note_picture(0.05)
    return budget


async def test_at_half_the_rate_every_second_picture_is_drawn_and_no_tick_is_missed(worker):
    presence, rig = Restless(), Rig()
    face = Face(presence, rig, worker, hurried(is_idle=False), "ava", 1)
    numbers = [int((await face.paint(frame())).planes[0, 0]) for _ in range(9)]
    assert numbers == [1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert presence.ticks == 9


async def test_an_idle_face_is_sent_on_while_a_slow_picture_is_drawn(worker):
    may_draw = threading.Event()

    class Stuck(Rig):
        def push(self, motion):
            if self.drawn:
                may_draw.wait(10)
            return super().push(motion)

    face = Face(Restless(), Stuck(), worker, hurried(is_idle=True), "ava", 1)
    numbers = [int((await face.paint(frame())).planes[0, 0]) for _ in range(12)]
    assert numbers == [1] * 12
    may_draw.set()
    await worker.call(lambda: None)  # behind the picture
    assert int((await face.paint(frame())).planes[0, 0]) == 2


async def test_a_picture_that_fails_behind_an_idle_face_is_told(worker):
    class Failing(Rig):
        def push(self, motion):
            if self.drawn:
                raise RuntimeError("out of textures")
            return super().push(motion)

    face = Face(Restless(), Failing(), worker, hurried(is_idle=True), "ava", 1)
    for _ in range(6):
        await face.paint(frame())
    await worker.call(lambda: None)
    with pytest.raises(RuntimeError, match="out of textures"):
        await face.paint(frame())


# --- speech → face ------------------------------------------------------------------------------
class LateMouth:
    """An articulator that gives an atom's motion when ``lookahead`` more were pushed."""

    def __init__(self, lookahead: int) -> None:
        self.lookahead = lookahead
        self.held: list[int] = []  # starts
        self.resets = 0
        self.is_closed = False

    def open(self):
        return self

    def push(self, item):
        if self.held and item.atom.start != self.held[-1] + ATOM_SAMPLES:
            raise ValueError("an atom is missing")
        self.held.append(item.atom.start)
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
        return [np.full((5, MOTION_SIZE), 1 + start // ATOM_SAMPLES, np.float32) for start in ready]


def speech_atom(index: int) -> SpeechAtom:
    start = index * ATOM_SAMPLES
    pcm = np.full(ATOM_SAMPLES, index / 100, np.float32)
    return SpeechAtom(start, pcm, (), (Word(f"word{index}", start, start + 2400),), 0)


class Watched(ReplyBuffer):
    """A buffer that tells when something was put."""

    def __init__(self) -> None:
        super().__init__(TurnId(1), 20)
        self.put_count = asyncio.Semaphore(0)

    async def put(self, atom):
        await super().put(atom)
        self.put_count.release()


class Stage:
    """``animate`` between two ends that a test holds."""

    def __init__(self, mouth, worker, budget=NO_BUDGET) -> None:
        self.atoms: asyncio.Queue = asyncio.Queue(maxsize=20)
        self.reply = Watched()
        self.trace = TurnTrace(TurnId(1), asyncio.get_running_loop().time())
        self._parts = (mouth, worker)
        self._budget = budget

    async def run(self) -> None:
        plan = Plan(TurnId(1), 0, Chain(), "neutral", VoiceStyle(), FaceStyle())
        await animate(plan, self.atoms, self.reply, self.trace, self._budget, *self._parts)
        self.reply.end()

    async def feed(self, indices: range, wait_for: int) -> None:
        """Give these atoms; return when so many more have come out."""
        for index in indices:
            self.atoms.put_nowait(speech_atom(index))
        for _ in range(wait_for):
            await self.reply.put_count.acquire()

    def taken(self) -> list[tuple[int, int, str]]:
        """What can be played now: index of the atom by its sound, number of its motion, words."""
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
        stage.atoms.put_nowait(speech_atom(index))
    stage.atoms.put_nowait(END)
    await stage.run()
    assert stage.taken() == [(index, index + 1, f"word{index}") for index in range(6)]
    assert stage.reply.is_finished


async def test_an_atom_waits_for_its_motion_and_no_longer(worker):
    stage = Stage(LateMouth(1), worker)
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        group.create_task(stage.run())
        await stage.feed(range(2), wait_for=1)
        first = stage.taken()
        stage.atoms.put_nowait(END)
    assert first == [(0, 1, "word0")]
    assert stage.taken() == [(1, 2, "word1")]


async def test_what_the_look_ahead_waits_for_is_counted_as_the_voices_time(worker):
    stage = Stage(LateMouth(1), worker)
    loop = asyncio.get_running_loop()
    begun_s = loop.time()
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        group.create_task(stage.run())
        await stage.feed(range(1), wait_for=0)
        await loop.run_in_executor(None, time.sleep, 0.1)  # a slow voice
        second_s = loop.time()
        await stage.feed(range(1, 2), wait_for=1)
        stage.atoms.put_nowait(END)
    assert stage.trace.stages_s()["voice"] >= second_s - begun_s


async def test_a_reply_shorter_than_the_look_ahead_is_played(worker):
    stage = Stage(LateMouth(3), worker)
    for item in (speech_atom(0), END):
        stage.atoms.put_nowait(item)
    await stage.run()
    assert stage.taken() == [(0, 1, "word0")]


@pytest.mark.parametrize("lookahead", [0, 1])
async def test_a_face_that_idles_in_mid_reply_loses_no_sound_and_moves_again_later(
    worker, lookahead
):
    budget = Budget(BudgetSettings(), 0.0)
    mouth = LateMouth(lookahead)
    stage = Stage(mouth, worker, budget)
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        group.create_task(stage.run())
        await stage.feed(range(2), wait_for=2 - lookahead)
        budget.note_atom("face", 1.0)
        assert not budget.effort.moves_face
        await stage.feed(range(2, 4), wait_for=2 + lookahead)
        for _ in range(PATIENCE):
            budget.note_turn({"face": 0.001})
        assert budget.effort.moves_face
        await stage.feed(range(4, 7), wait_for=0)
        stage.atoms.put_nowait(END)
    played = stage.taken()
    assert [atom for atom, _, _ in played] == list(range(7))
    # The second atom's motion had not come when the face began to idle: it idles, too.
    resting = (2, 3) if lookahead == 0 else (1, 2, 3)
    assert [motion for _, motion, _ in played] == [
        0 if index in resting else index + 1 for index in range(7)
    ]
    assert mouth.resets == lookahead
    assert mouth.is_closed


async def test_few_steps_are_asked_for_from_the_next_atom_on_and_all_when_it_goes_well(worker):
    asked: list[bool] = []

    class Noting(LateMouth):
        def push(self, item):
            asked.append(item.few_steps)
            return super().push(item)

    budget = Budget(BudgetSettings(), 0.0, has_steps=True)
    stage = Stage(Noting(0), worker, budget)
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        group.create_task(stage.run())
        await stage.feed(range(1), wait_for=1)
        budget.note_atom("face", 1.0)
        await stage.feed(range(1, 2), wait_for=1)
        for _ in range(PATIENCE):
            budget.note_turn({"face": 0.001})
        await stage.feed(range(2, 3), wait_for=1)
        stage.atoms.put_nowait(END)
    assert asked == [False, True, False]
    assert [motion for _, motion, _ in stage.taken()] == [1, 2, 3]


async def test_an_articulator_that_fails_ends_the_reply_and_is_closed(worker):
    mouth = LateMouth(1)
    stage = Stage(mouth, worker)
    for index in (0, 2):
        stage.atoms.put_nowait(speech_atom(index))
    with pytest.raises(EngineError, match="an atom is missing"):
        await stage.run()
    assert mouth.is_closed
