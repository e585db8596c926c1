import cv2
import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.face import LOWER, UPPER, brows_and_eyes, mouth_corners
from rt_avatar.benchmarks.quality.view import FACE, anatomy, cut, lips_region, places
from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE

pytestmark = pytest.mark.unit


def shown(rig: RigEngine, persona: str, **shapes: float) -> dict[str, float]:
    """Return what is seen when a face makes these shapes; a name without side means both."""
    rest, motion = np.zeros(MOTION_SIZE, np.float32), np.zeros(MOTION_SIZE, np.float32)
    for name, weight in shapes.items():
        for side in ("",) if name in BLENDSHAPE else ("Left", "Right"):
            motion[BLENDSHAPE[name + side]] = weight
    stream, measures = rig.open(persona), anatomy(persona)
    grey = [
        cv2.cvtColor(cut(stream.rgb(frame), frame, FACE), cv2.COLOR_RGB2GRAY)
        for frame in (rest, motion)
    ]
    upper = brows_and_eyes(grey[0], grey[1], places(measures))
    lower = mouth_corners(cut(stream.rgb(motion), motion, lips_region(measures)))
    return dict(zip((*UPPER, *LOWER), (*upper, *lower), strict=True))


def test_a_resting_face_shows_nothing(rig_512):
    seen = shown(rig_512, "ava")
    assert [seen[name] for name in UPPER] == pytest.approx([0] * 4, abs=0.3)
    assert seen["corner_left"] == pytest.approx(seen["corner_right"], abs=1.5)


@pytest.mark.parametrize("persona", ["ava", "leo", "rose", "finn"])
def test_brows_are_seen_to_rise_and_to_frown(rig_512, persona):
    assert shown(rig_512, persona, browInnerUp=0.6, browOuterUp=0.6)["brow_inner"] > 3
    assert shown(rig_512, persona, browDown=0.7)["brow_inner"] < -1.5


def test_one_raised_brow_is_told_from_the_other(rig_512):
    seen = shown(rig_512, "ava", browOuterUpLeft=0.7)  # the person's left: the viewer's right
    assert seen["brow_outer_right"] > seen["brow_outer_left"] + 2


def test_eyes_are_seen_to_widen_and_to_narrow(rig_512):
    assert shown(rig_512, "mei", eyeWide=0.8)["eye_opening"] > 1.5
    assert shown(rig_512, "mei", eyeSquint=0.8)["eye_opening"] < -1.5


@pytest.mark.parametrize("persona", ["ava", "sam", "zuri"])
def test_a_smile_lifts_the_corners_and_a_frown_lowers_them(rig_512, persona):
    rest, smile = shown(rig_512, persona), shown(rig_512, persona, mouthSmile=0.8)
    frown = shown(rig_512, persona, mouthFrown=0.8)
    for side in ("corner_left", "corner_right"):
        assert frown[side] < rest[side] - 1 < smile[side] - 2
    assert smile["mouth_width"] > rest["mouth_width"]


def test_a_mouth_that_cannot_be_told_from_the_skin_reads_zero():
    assert not mouth_corners(np.full((60, 90, 3), 160, np.uint8)).any()


def test_wrong_shapes_are_refused():
    flat = np.zeros((100, 100), np.uint8)
    with pytest.raises(ValueError, match="brow_inner_left"):
        brows_and_eyes(flat, flat, {})
    with pytest.raises(ValueError, match="same"):
        brows_and_eyes(flat, flat[:90], {})
    with pytest.raises(ValueError, match="RGB"):
        mouth_corners(flat)
