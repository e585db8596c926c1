"""Pictures before their encoder: when to look, and CLIP's own cut and scale."""

import numpy as np
import pytest
from PIL import Image

from rt_avatar.engines.encoders.pictures import DEVIATION, MEAN, choose, prepare, sample_times

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(("duration", "count"), [(0.3, 8), (4.0, 8), (5.0, 10), (60.0, 32)])
def test_two_a_second_between_eight_and_thirty_two(duration, count):
    times = sample_times(duration)
    assert len(times) == count
    assert 0 < times[0] < times[-1] < duration
    np.testing.assert_allclose(np.diff(times), duration / count)


def test_few_frames_are_not_looked_at_twice():
    frames = [np.full((4, 4, 3), value, np.uint8) for value in range(3)]
    assert [f[0, 0, 0] for f in choose(frames, [0.1, 0.5, 0.9], 1.0)] == [0, 1, 2]
    assert choose([], [], 1.0) == []
    many = [np.full((2, 2, 3), value, np.uint8) for value in range(125)]
    assert [f[0, 0, 0] for f in choose(many, np.arange(125) / 25, 5.0)] == [
        6, 19, 31, 44, 56, 69, 81, 94, 106, 119,
    ]  # fmt: skip


@pytest.mark.parametrize("shape", [(480, 640), (90, 60), (128, 128), (37, 211)])
def test_it_is_what_clips_library_makes(shape):
    rng = np.random.default_rng(3)
    coarse = rng.integers(0, 256, (5, 7, 3), dtype=np.uint8)
    picture = np.asarray(Image.fromarray(coarse).resize(shape[::-1]), np.uint8)
    height, width = shape
    short = min(shape)
    scaled = (width * 128 // short, height * 128 // short)
    image = Image.fromarray(picture).resize(scaled, Image.Resampling.BICUBIC)
    left, top = (scaled[0] - 128) // 2, (scaled[1] - 128) // 2
    wanted = np.asarray(image.crop((left, top, left + 128, top + 128)), np.float32)
    got = prepare(picture, 128)
    assert got.shape == (3, 128, 128)
    back = (got.transpose(1, 2, 0) * DEVIATION + MEAN) * 255
    assert np.abs(back - wanted).max() <= 1.01  # a half may be rounded the other way
    assert np.abs(back - wanted).mean() < 0.01


@pytest.mark.parametrize(
    "picture",
    [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3), np.float32), np.zeros((0, 4, 3), np.uint8)],
)
def test_what_is_no_picture_is_refused(picture):
    with pytest.raises(ValueError, match="vision encoder: expected"):
        prepare(picture, 32)


def test_a_time_that_is_none_is_refused():
    with pytest.raises(ValueError, match="above 0 s"):
        sample_times(0.0)
