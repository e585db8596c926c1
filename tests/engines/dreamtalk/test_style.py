"""A style is taken from the beginning of a clip, however long it is; from nothing else."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.style import style_clip

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("frames", "taken"), [(1, 1), (94, 94), (256, 256), (257, 256), (900, 256)]
)
def test_the_first_ten_seconds_are_taken(frames, taken):
    expressions = np.random.default_rng(0).standard_normal((frames, 64))
    clip = style_clip(expressions)
    assert clip.dtype == np.float32
    assert np.array_equal(clip, expressions[None, :taken].astype(np.float32))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (np.zeros((0, 64), np.float32), r"got \(0, 64\)"),
        (np.zeros((9, 73), np.float32), r"got \(9, 73\)"),
        (np.zeros(64, np.float32), r"got \(64,\)"),
        (np.full((2, 64), np.inf, np.float32), "finite"),
    ],
)
def test_what_is_no_clip_is_refused(wrong, named):
    with pytest.raises(ValueError, match=named):
        style_clip(wrong)
