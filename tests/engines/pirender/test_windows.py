"""Windows of motion: as trained with a look-ahead of 13, the same in any chunks with each."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.pose import PoseLoop
from rt_avatar.engines.dreamtalk.stream import FeatureWindows
from rt_avatar.engines.pirender.windows import LOOKAHEADS, MotionWindows, to_rgb

pytestmark = pytest.mark.unit

LOOP = PoseLoop(np.random.default_rng(9).standard_normal((11, 9)).astype(np.float32))
CHUNKS = [[1] * 40, [40], [5] * 8, [3, 0, 17, 20]]


def clip(frames: int = 40, first: int = 0) -> np.ndarray:
    motion = np.random.default_rng(0).standard_normal((frames, 73)).astype(np.float32)
    motion[:, 64:] = LOOP.rows(first, frames)
    return motion


def pushed(cutter: MotionWindows, motion: np.ndarray, chunks: list[int]) -> np.ndarray:
    parts = np.split(motion, np.cumsum(chunks)[:-1])
    return np.concatenate([cutter.push(part) for part in parts] + [cutter.flush()])


def offline(motion: np.ndarray, lookahead: int, knows_pose: bool) -> np.ndarray:
    """Each window by its definition, row by row."""
    windows = []
    for frame in range(len(motion)):
        newest = min(frame + lookahead, len(motion) - 1)
        columns = []
        for asked in range(frame - 13, frame + 14):
            column = motion[min(max(asked, 0), newest)].copy()
            if knows_pose:
                column[64:] = LOOP.rows(max(asked, 0), 1)[0]
            columns.append(column)
        windows.append(np.stack(columns, 1))
    return np.stack(windows)


@pytest.mark.parametrize("lookahead", LOOKAHEADS)
@pytest.mark.parametrize("knows_pose", [False, True])
@pytest.mark.parametrize("chunks", CHUNKS)
def test_any_chunks_give_the_windows_of_the_whole_clip(lookahead, knows_pose, chunks):
    cutter = MotionWindows(lookahead, LOOP.rows if knows_pose else None)
    got = pushed(cutter, clip(), chunks)
    assert np.array_equal(got, offline(clip(), lookahead, knows_pose))


def test_a_look_ahead_of_13_is_the_published_offline_window():
    """Frames n - 13 .. n + 13, each index kept within the clip, poses too."""
    motion, columns = clip(), np.arange(40)[:, None] + np.arange(-13, 14)
    published = motion[np.clip(columns, 0, 39)].transpose(0, 2, 1)
    assert np.array_equal(pushed(MotionWindows(), motion, [7, 33]), published)


@pytest.mark.parametrize("frames", [0, 1, 2, 13, 14, 27])
@pytest.mark.parametrize("lookahead", LOOKAHEADS)
def test_clips_shorter_than_a_window_lose_no_frame(frames, lookahead):
    got = pushed(MotionWindows(lookahead), clip(frames), [frames])
    assert len(got) == frames
    if frames:
        assert np.array_equal(got, offline(clip(frames), lookahead, knows_pose=False))


def test_less_look_ahead_repeats_expressions_but_not_poses():
    cutter = MotionWindows(2, LOOP.rows)
    window = cutter.push(clip()[:30])[20]
    assert (window[:64, 15:] == window[:64, 15:16]).all()
    assert np.array_equal(window[64:, 13:], LOOP.rows(20, 14).T)


@pytest.mark.parametrize("lookahead", LOOKAHEADS)
def test_the_measured_look_ahead_is_the_declared_one(lookahead):
    """Alone in frames, and behind the denoiser in sound: 125 ms + 40 ms a frame."""
    features, motion = FeatureWindows(4), MotionWindows(lookahead)
    shown = 0
    for number in range(120):
        moved = features.push(np.zeros((1, 4), np.float32))
        for _ in motion.push(np.zeros((len(moved), 73), np.float32)):
            heard_ms = number * 20 + 25
            assert heard_ms - 40 * shown == 125 + 40 * lookahead
            shown += 1
    assert shown > 40


@pytest.mark.parametrize("lookahead", LOOKAHEADS)
def test_a_frame_sees_no_expression_beyond_its_look_ahead(lookahead):
    base = pushed(MotionWindows(lookahead, LOOP.rows), clip(), [40])
    for moved in (0, 13, 20, 39):
        other = clip()
        other[moved, :64] += 1
        changed = (pushed(MotionWindows(lookahead, LOOP.rows), other, [40]) != base).any((1, 2))
        frames = np.arange(40)
        expected = (frames >= moved - lookahead) & (frames <= moved + 13)
        assert np.array_equal(changed, expected)


def test_poses_are_counted_on_through_clips_and_from_0_after_reset():
    cutter = MotionWindows(4, LOOP.rows)
    pushed(cutter, clip(33), [33])  # no multiple of the 20 frames after which poses come again
    for first in (33, 48):
        window = pushed(cutter, clip(15, first), [15])[0]
        assert np.array_equal(window[64:, 13:], LOOP.rows(first, 14).T)
        assert not np.array_equal(window[64:, 13:], LOOP.rows(0, 14).T)
    cutter.reset()
    assert np.array_equal(pushed(cutter, clip(), [40]), offline(clip(), 4, knows_pose=True))


def test_the_ring_stays_small_for_hours():
    cutter = MotionWindows(13, LOOP.rows)
    for first in range(0, 5000, 50):
        assert len(cutter.push(clip(50, first))) == (37 if not first else 50)
        assert len(cutter._held) <= 26


def test_wrong_options_and_shapes_are_refused():
    with pytest.raises(ValueError, match="got 3"):
        MotionWindows(3)
    cutter = MotionWindows(0)
    with pytest.raises(ValueError, match=r"got \(2, 64\)"):
        cutter.push(np.zeros((2, 64), np.float32))
    with pytest.raises(ValueError, match="finite motion; got NaN"):
        cutter.push(np.full((1, 73), np.nan, np.float32))
    assert len(cutter.push(clip(2))) == 2


def test_colours_are_clamped_and_rounded_down():
    frames = np.array([-2, -1, 0, 0.999, 1, 3], np.float32).reshape(1, 1, 1, 6).repeat(3, 1)
    colours = to_rgb(frames)
    assert colours.shape == (1, 1, 6, 3)
    assert colours[0, 0, :, 0].tolist() == [0, 0, 127, 254, 255, 255]
