"""The living face: what can be seen is drawn."""

import asyncio
import itertools
import threading

import numpy as np
import pytest

from rt_avatar.budget import Budget
from rt_avatar.config.settings import BudgetSettings
from rt_avatar.engines.motion.presence import PresenceStream
from rt_avatar.engines.motion.space import ARKIT52
from rt_avatar.engines.photo import PortraitError
from rt_avatar.engines.types import BLENDSHAPE, FPS, MOTION_SIZE, ROLL
from rt_avatar.talking_head.face import Face

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
        return [np.full((6, 4), len(self.drawn) % 256, np.uint8)]

    def close(self):
        pass


def frame(**changes: float) -> np.ndarray:
    motion = np.zeros(MOTION_SIZE, np.float32)
    for name, value in changes.items():
        motion[ROLL if name == "roll" else BLENDSHAPE[name]] = value
    return motion


async def shown(worker, *frames: np.ndarray) -> list[int]:
    face = Face(Presence(), Rig(), worker, NO_BUDGET, "ava", 1)
    return [int((await face.render(motion)).planes[0, 0]) for motion in frames]


async def test_a_change_that_can_be_seen_is_drawn(worker):
    frames = [frame(), frame(jawOpen=0.01), frame(jawOpen=0.01, roll=0.002)]
    assert await shown(worker, *frames) == [1, 2, 3]


async def test_small_changes_add_up_until_they_can_be_seen(worker):
    frames = [frame(jawOpen=0.0015 * step) for step in range(7)]
    assert await shown(worker, *frames) == [1, 1, 1, 2, 2, 2, 3]


async def test_slow_sway_is_drawn_in_every_second_tick(worker):
    frames = [frame(roll=0.001 * step) for step in range(7)]
    assert await shown(worker, *frames) == [1, 1, 2, 2, 3, 3, 4]


class Living:
    """Presence as it is; ``lived`` is what it said of each tick."""

    def __init__(self):
        self.lived = []

    def open(self, seed):
        lived = self.lived

        class Watched(PresenceStream):
            def push(self, item):
                lived.extend(moved := super().push(item))
                return moved

        return Watched(seed)


async def test_a_face_at_rest_is_never_shown_a_fifth_of_a_pixel_late(worker):
    rig, presence, late = Rig(), Living(), []
    face, lived = Face(presence, rig, worker, NO_BUDGET, "ava", 3), presence.lived
    for _ in range(30 * FPS):
        picture = await face.render(None)
        late.append(ARKIT52.difference(lived[-1], picture.motion))
    assert max(late) < 2
    assert all(min(pair) < 1 for pair in itertools.pairwise(late))
    assert len(rig.drawn) <= len(lived) / 2
    assert worker.calls == len(rig.drawn)  # a tick in which nothing is drawn asks no thread


async def test_a_nod_and_a_blink_are_drawn_25_times_a_second(worker):
    presence, late = Living(), []
    face, lived = Face(presence, Rig(), worker, NO_BUDGET, "ava", 3), presence.lived
    for tick in range(20 * FPS):
        if tick % (4 * FPS) == 2 * FPS:
            face.nod()
        picture = await face.render(None)
        late.append(ARKIT52.difference(lived[-1], picture.motion))
    quick = [
        tick
        for tick in range(1, len(lived))
        if ARKIT52.difference(lived[tick], lived[tick - 1]) >= 2
    ]
    assert len(quick) > 80
    # All, but where it has come back to what is shown.
    assert sum(late[tick] > 0 for tick in quick) <= len(quick) / 50
    assert max(late) < 2


async def test_another_look_is_drawn_at_once(worker):
    face = Face(Presence(), Rig(), worker, NO_BUDGET, "ava", 1)
    first = await face.render(frame())
    face.change_look("leo")
    assert (await face.render(frame())).planes[0, 0] != first.planes[0, 0]


async def test_a_look_that_cannot_be_opened_leaves_the_one_that_is_shown(worker):
    class Deleted(Rig):
        def open(self, look):
            if look != "ava":
                raise PortraitError("deleted")
            return super().open(look)

    face = Face(Presence(), Deleted(), worker, NO_BUDGET, "portrait/me", 1, own_look="ava")
    assert (await face.render(frame())).planes[0, 0] == 1
    face.change_look("portrait/me")
    assert (await face.render(frame(jawOpen=0.5))).planes[0, 0] == 2


@pytest.mark.parametrize(
    ("looks", "during"),
    [
        (("ava", "portrait/me"), "portrait/me"),
        (("portrait/me",), "portrait/me"),
        (("portrait/me",), "ava"),
    ],
)
async def test_a_look_asked_for_while_one_that_fails_is_opened_is_shown(worker, looks, during):
    rigs = {"ava": Rig(), "leo": Rig()}

    class Deleted(Rig):
        def open(self, look):
            if look == during:
                face.change_look("leo")
            if look not in rigs:
                raise PortraitError("deleted")
            return rigs[look]

    face = Face(Presence(), Deleted(), worker, NO_BUDGET, looks[0], 1, own_look="ava")
    for look in looks:
        face.change_look(look)
        await face.render(frame())
    await face.render(frame())
    assert len(rigs["leo"].drawn) == 1


@pytest.mark.parametrize("is_first_deleted", [True, False])
async def test_who_answers_next_is_shown_where_a_look_cannot_be(worker, is_first_deleted):
    rigs = {"ava": Rig(), "leo": Rig(), "tom": Rig()}

    class Deleted(Rig):
        def open(self, look):
            if look not in rigs:
                raise PortraitError("deleted")
            return rigs[look]

    first = "portrait/me" if is_first_deleted else "ava"
    face = Face(Presence(), Deleted(), worker, NO_BUDGET, first, 1, own_look="ava")
    await face.render(frame())
    face.change_look("portrait/me")
    await face.render(frame())
    face.change_look("portrait/me", "tom")  # answers, and before a picture is drawn another one
    face.change_look("portrait/me", "leo")
    await face.render(frame())
    assert [len(rig.drawn) for rig in rigs.values()] == [1, 1, 0]


async def test_a_look_that_was_chosen_stays_where_another_cannot_be_shown(worker):
    rigs = {"ava": Rig(), "leo": Rig(), "portrait/me": Rig()}

    class Deleted(Rig):
        def open(self, look):
            if look not in rigs:
                raise PortraitError("deleted")
            return rigs[look]

    face = Face(Presence(), Deleted(), worker, NO_BUDGET, "portrait/me", 1, own_look="ava")
    await face.render(frame())
    face.change_look("portrait/me", "leo")
    face.change_look("portrait/deleted", "leo")
    await face.render(frame(jawOpen=0.5))
    assert [len(rig.drawn) for rig in rigs.values()] == [0, 0, 2]


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
    await face.render(frame())
    picture, _ = await asyncio.gather(face.render(frame(jawOpen=0.5)), face.aclose())
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
        await face.render(None)
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
        budget.note_chunk("face", 1.0)
    else:
        for _ in range(25):
            budget.note_picture(0.05)
    return budget


async def test_at_half_the_rate_every_second_picture_is_drawn_and_no_tick_is_missed(worker):
    presence, rig = Restless(), Rig()
    face = Face(presence, rig, worker, hurried(is_idle=False), "ava", 1)
    numbers = [int((await face.render(frame())).planes[0, 0]) for _ in range(9)]
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
    numbers = [int((await face.render(frame())).planes[0, 0]) for _ in range(12)]
    assert numbers == [1] * 12
    may_draw.set()
    await worker.call(lambda: None)  # behind the picture
    assert int((await face.render(frame())).planes[0, 0]) == 2


async def test_a_picture_that_fails_behind_an_idle_face_is_told(worker):
    class Failing(Rig):
        def push(self, motion):
            if self.drawn:
                raise RuntimeError("out of textures")
            return super().push(motion)

    face = Face(Restless(), Failing(), worker, hurried(is_idle=True), "ava", 1)
    for _ in range(6):
        await face.render(frame())
    await worker.call(lambda: None)
    with pytest.raises(RuntimeError, match="out of textures"):
        await face.render(frame())
