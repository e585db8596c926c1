"""The measures measure: the reference itself is perfect, a late mouth is late."""

import numpy as np
import pytest

from rt_avatar.engines.lipsync import LipsyncEngine
from rt_avatar.engines.training.lipsync.clips import HELD_OUT, Cast, speak
from rt_avatar.engines.training.lipsync.measure import (
    alike,
    find_offset_ms,
    gap,
    measure,
    reference,
)

pytestmark = pytest.mark.unit

ESPEAK = Cast(HELD_OUT.espeak, ())  # flite need not be installed


def test_a_late_mouth_is_late_and_a_copy_agrees():
    speech = speak(ESPEAK, np.random.default_rng(1))
    wanted = gap(reference(speech))
    assert alike(wanted, wanted) == (pytest.approx(1.0), 0.0)
    assert find_offset_ms(wanted, wanted) == pytest.approx(0.0, abs=5)
    assert find_offset_ms(np.roll(wanted, 2), wanted) == pytest.approx(80.0, abs=5)
    assert find_offset_ms(np.roll(wanted, -1), wanted) == pytest.approx(-40.0, abs=5)


def test_the_mouth_follows_a_voice_that_it_was_not_trained_on():
    dice = np.random.default_rng(2)
    clips = [speak(ESPEAK, dice) for _ in range(3)]
    score = measure(LipsyncEngine(), [(clip, clip) for clip in clips])
    assert score.jaw[0] > 0.8
    assert score.recall > 0.6
    assert abs(score.offset_ms) <= 40
