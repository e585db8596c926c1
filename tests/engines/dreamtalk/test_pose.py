"""A pose template never ends and never jumps."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.pose import STILL, PoseLoop

pytestmark = pytest.mark.unit


def template(frames: int) -> np.ndarray:
    return np.arange(frames * 9, dtype=np.float32).reshape(frames, 9)


def test_the_first_pass_is_the_template_itself():
    poses = template(7)
    assert np.array_equal(PoseLoop(poses).rows(0, 7), poses)


def test_speech_of_an_hour_over_a_template_of_83_seconds_does_not_jump():
    """The published template has 2,077 frames; the reference ends with an error after them."""
    rows = PoseLoop(template(2077)).rows(0, 25 * 3600)
    steps = np.abs(np.diff(rows[:, 0]))
    assert len(rows) == 25 * 3600
    assert steps.max() == steps.min() == 9  # always to a neighbour


def test_rows_do_not_depend_on_who_asks():
    loop = PoseLoop(template(5))
    whole = loop.rows(0, 40)
    for first in range(0, 38):
        assert np.array_equal(loop.rows(first, 3)[: 40 - first], whole[first : first + 3])


def test_a_template_may_be_written_over_by_who_gave_it():
    given = template(3)
    loop = PoseLoop(given)
    given[:] = 0
    assert np.array_equal(loop.rows(0, 3), template(3))


def test_a_still_head_is_a_template_of_one():
    assert STILL.tolist() == [
        [0] * 6 + [pytest.approx(v) for v in (0.9370641, 126.84911, 129.03864)]
    ]
    assert np.array_equal(PoseLoop(STILL).rows(1000, 3), np.repeat(STILL, 3, axis=0))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (np.zeros((3, 8), np.float32), r"\(3, 8\)"),
        (np.zeros((0, 9), np.float32), r"\(0, 9\)"),
        (np.full((2, 9), np.nan, np.float32), "finite"),
    ],
)
def test_a_wrong_template_is_refused(wrong, named):
    with pytest.raises(ValueError, match=named):
        PoseLoop(wrong)
