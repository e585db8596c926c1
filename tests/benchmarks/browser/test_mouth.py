"""All faces that can answer show the meter when their mouth is open."""

import numpy as np
import pytest

from rt_avatar.benchmarks.browser.analysis import OPEN
from rt_avatar.benchmarks.browser.mouth import mouth_opening
from rt_avatar.engines.rig.engine import RigEngine, listening_motion
from rt_avatar.engines.types import BLENDSHAPE, PITCH, YAW
from rt_avatar.personas import PERSONAS

pytestmark = pytest.mark.unit

SIZE_PX = 128
SHUT = 0.006  # share of the mouth's place that is dark, at most, in idle faces


@pytest.fixture(scope="module")
def rig() -> RigEngine:
    return RigEngine(SIZE_PX)


@pytest.mark.parametrize("name", sorted(PERSONAS))
def test_an_open_mouth_is_told_from_a_shut_one(rig, name):
    portrait = rig.open(name)

    def opening(jaw: float, turn: float = 0.0) -> float:
        motion = listening_motion()
        motion[BLENDSHAPE["jawOpen"]] = jaw
        motion[YAW] += turn
        motion[PITCH] += turn / 2
        return mouth_opening(portrait.push(motion)[0][:SIZE_PX])

    assert max(opening(0), opening(0, 0.1), opening(0, -0.2)) < SHUT
    assert opening(0.35) > OPEN
    assert opening(0.35) < opening(0.6)


def test_the_share_of_dark_is_that_of_the_mouths_place():
    luma = np.full((512, 512), 120, np.uint8)
    luma[320:355] = 20  # the upper half of the place, over the whole width
    assert mouth_opening(luma) == pytest.approx(0.5)
