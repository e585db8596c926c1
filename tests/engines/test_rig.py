"""The rig as an engine: one frame in, one picture out, whoever else is drawing."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple
from itertools import pairwise

import cv2
import numpy as np
import pytest

from rt_avatar.engines.rig import LOOKS, RigEngine, behind, listening_motion
from rt_avatar.engines.rig.behind import STEPS
from rt_avatar.engines.rig.hair import Hair
from rt_avatar.engines.rig.projection import Pose
from rt_avatar.engines.types import (
    BLENDSHAPE,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SHIFT_X,
    SHIFT_Y,
    YAW,
    Image,
    MotionFrame,
)

pytestmark = pytest.mark.unit

SIZE_PX = 256


@pytest.fixture(scope="module")
def engine() -> RigEngine:
    return RigEngine(SIZE_PX)


def speaking(seed: int) -> MotionFrame:
    dice = np.random.default_rng(seed)
    motion = np.zeros(MOTION_SIZE, np.float32)
    motion[:52] = dice.uniform(0, 0.5, 52)
    motion[PITCH : YAW + 1] = dice.uniform(-0.2, 0.2, 2)
    return motion


def test_declares_25_frames_a_second_without_lookahead(engine: RigEngine) -> None:
    spec = engine.spec
    assert (spec.name, spec.input_rate_hz, spec.output_rate_hz) == ("rig", 25, 25)
    assert (spec.chunk, spec.lookahead) == (1, 0)


def test_each_frame_of_motion_gives_exactly_one_fresh_picture(engine: RigEngine) -> None:
    stream = engine.open("ava")
    (first,) = stream.push(listening_motion())
    (second,) = stream.push(listening_motion())
    assert first.shape == (SIZE_PX * 3 // 2, SIZE_PX)
    assert first.dtype == np.uint8
    assert not np.shares_memory(first, second)
    assert stream.flush() == []


def test_i420_is_the_same_picture_as_rgb(engine: RigEngine) -> None:
    stream = engine.open("tom")
    (planes,) = stream.push(listening_motion())
    back = cv2.cvtColor(planes, cv2.COLOR_YUV2RGB_I420).astype(int)
    error = np.abs(back - stream.rgb(listening_motion()))
    assert error.mean() < 2.5  # chroma has half the resolution
    luma = planes[:SIZE_PX]
    assert luma.min() >= 16
    assert luma.max() <= 235


def test_same_motion_gives_the_same_picture_whatever_came_before(engine: RigEngine) -> None:
    stream = engine.open("mei")
    first = stream.push(speaking(1))[0]
    stream.push(speaking(2))
    assert np.array_equal(stream.push(speaking(1))[0], first)
    stream.reset()
    assert np.array_equal(stream.push(speaking(1))[0], first)
    assert np.array_equal(RigEngine(SIZE_PX).open("mei").push(speaking(1))[0], first)


def test_what_lies_behind_a_head_that_sways_is_drawn_once_and_the_face_each_time(
    engine: RigEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    draw_back = Hair.draw_back
    monkeypatch.setattr(Hair, "draw_back", lambda *args: drawn.append(1) or draw_back(*args))
    stream, motion, pictures = engine.open("zuri"), listening_motion(), []
    for _ in range(8):
        motion[PITCH] += 0.0008  # a tenth of a pixel of the face
        pictures += stream.push(motion)
    assert len(drawn) <= 2
    assert all(not np.array_equal(one, two) for one, two in pairwise(pictures))


@pytest.mark.parametrize("look", LOOKS)
def test_nobody_sees_that_what_lies_behind_the_face_moves_in_steps(
    monkeypatch: pytest.MonkeyPatch, look: str
) -> None:
    """Half a step of every number at once, the furthest that it ever is from its place."""
    motion = listening_motion()
    for row, step in zip((PITCH, YAW, ROLL, SHIFT_X, SHIFT_Y), astuple(STEPS), strict=True):
        motion[row] = 2.45 * step
    stepped = RigEngine(512).open(look).rgb(motion).astype(int)
    monkeypatch.setattr(behind, "STEPS", Pose(*(step / 1000 for step in astuple(STEPS))))
    exact = RigEngine(512).open(look).rgb(motion).astype(int)
    assert np.mean((stepped - exact) ** 2) < 255**2 / 10**4.2  # 42 dB


def test_streams_of_two_looks_do_not_leak(engine: RigEngine) -> None:
    ava, sam, other = engine.open("ava"), engine.open("sam"), engine.open("ava")
    alone = [ava.push(speaking(seed))[0] for seed in range(3)]
    for seed in range(3):
        sam.push(speaking(seed + 10))
        other.push(speaking(seed + 20))
        assert np.array_equal(ava.push(speaking(seed))[0], alone[seed])


def test_two_threads_on_one_look_do_not_mix_their_pictures(engine: RigEngine) -> None:
    expected = [engine.open("finn").push(speaking(seed))[0] for seed in range(8)]
    with ThreadPoolExecutor(4) as threads:
        drawn = list(
            threads.map(lambda seed: engine.open("finn").push(speaking(seed))[0], range(8))
        )
    for picture, wanted in zip(drawn, expected, strict=True):
        assert np.array_equal(picture, wanted)


def test_looks_differ_from_each_other(engine: RigEngine) -> None:
    pictures = [engine.open(look).rgb(listening_motion()).astype(int) for look in LOOKS]
    for index, one in enumerate(pictures):
        for two in pictures[index + 1 :]:
            assert np.abs(one - two).mean() > 10


def test_a_closed_stream_refuses_to_draw(engine: RigEngine) -> None:
    stream = engine.open("ava")
    stream.close()
    stream.close()
    with pytest.raises(RuntimeError, match="closed"):
        stream.push(listening_motion())


@pytest.mark.parametrize("shape", [(52,), (1, MOTION_SIZE), (MOTION_SIZE + 1,), ()])
def test_motion_of_the_wrong_shape_is_refused(engine: RigEngine, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected shape \(73,\), got"):
        engine.open("ava").push(np.zeros(shape, np.float32))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_motion_that_is_not_finite_is_refused_by_name(engine: RigEngine, bad: float) -> None:
    stream = engine.open("ava")
    before = stream.push(listening_motion())[0]
    motion = listening_motion()
    motion[BLENDSHAPE["jawOpen"]] = bad
    with pytest.raises(ValueError, match="jawOpen"):
        stream.push(motion)
    assert np.array_equal(stream.push(listening_motion())[0], before)


def test_motion_beyond_its_range_is_clipped(engine: RigEngine) -> None:
    def drawn(weight: float, angle: float) -> Image:
        motion = np.zeros(MOTION_SIZE, np.float32)
        motion[BLENDSHAPE["jawOpen"]] = weight
        motion[YAW] = angle
        return engine.open("ava").rgb(motion)

    assert np.array_equal(drawn(7.0, 3.0), drawn(1.0, 0.35))
    assert np.array_equal(drawn(-7.0, -3.0), drawn(0.0, -0.35))


def test_reserved_rows_change_nothing(engine: RigEngine) -> None:
    motion = listening_motion()
    motion[52:64] = 1.0
    stream = engine.open("ava")
    assert np.array_equal(stream.rgb(motion), stream.rgb(listening_motion()))


def test_unknown_looks_and_sizes_are_refused(engine: RigEngine) -> None:
    with pytest.raises(ValueError, match="expected one of ava, leo"):
        engine.open("nobody")
    with pytest.raises(ValueError, match="expected one of ava, leo"):
        engine.portrait_png("nobody")
    with pytest.raises(ValueError, match="got 0"):
        engine.portrait_png("ava", 0)
    with pytest.raises(ValueError, match="even number"):
        RigEngine(255)


def test_portrait_is_a_png_of_the_size_asked_for(engine: RigEngine) -> None:
    data = engine.portrait_png("zuri", 96)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (96, 96, 3)
    assert engine.portrait_png("zuri", 96) is data
    scene = cv2.resize(
        engine.open("zuri").rgb(listening_motion()), (96, 96), interpolation=cv2.INTER_AREA
    )
    assert np.abs(picture[..., ::-1].astype(int) - scene).max() <= 1


def test_pictures_of_other_sizes_show_the_same_scene(engine: RigEngine) -> None:
    large = RigEngine(SIZE_PX * 2).open("leo").rgb(speaking(3))
    scaled = cv2.resize(large, (SIZE_PX, SIZE_PX), interpolation=cv2.INTER_AREA).astype(int)
    assert np.abs(scaled - engine.open("leo").rgb(speaking(3))).mean() < 3
