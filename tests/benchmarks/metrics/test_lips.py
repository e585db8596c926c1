import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.lips import (
    MOTION_CLOSED,
    contrast,
    is_bilabial,
    is_vowel,
    is_wide_vowel,
    motion_opening,
    opening_px,
    opens,
    shuts,
)
from rt_avatar.benchmarks.quality.view import anatomy, cut, mouth_region
from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE

pytestmark = pytest.mark.unit

SKIN, LIP, TEETH, DARK = (220, 170, 140), (190, 90, 90), (250, 245, 240), (15, 5, 8)


def mouth(teeth: int, dark: int) -> np.ndarray:
    """A drawn mouth with so many rows of teeth and of dark."""
    rows = [SKIN] * 6 + [LIP] * 5 + [TEETH] * teeth + [DARK] * dark + [LIP] * 6 + [SKIN] * 20
    return np.tile(np.array(rows, np.uint8)[:, None], (1, 60, 1))


def motion_of(**shapes: float) -> np.ndarray:
    motion = np.zeros((1, MOTION_SIZE), np.float32)
    for name, weight in shapes.items():
        motion[0, BLENDSHAPE[name]] = weight
    return motion


@pytest.mark.parametrize(("teeth", "dark"), [(0, 0), (3, 0), (4, 9), (0, 7)])
def test_the_opening_is_what_is_seen_between_the_lips(teeth, dark):
    assert opening_px(mouth(teeth, dark)) == teeth + dark


def test_a_grey_beard_about_shut_lips_is_no_opening():
    beard = mouth(0, 0)
    beard[:6] = beard[17:] = (160, 160, 165)
    assert opening_px(beard) == 0


@pytest.mark.parametrize("persona", ["ava", "sam", "zuri"])
def test_every_drawn_face_reads_shut_when_shut_and_rises_with_the_jaw(rig_512, persona):
    stream, region = rig_512.open(persona), mouth_region(anatomy(persona))
    heights = []
    for jaw in (0.0, 0.08, 0.15, 0.24):
        motion = motion_of(jawOpen=jaw)[0]
        heights.append(opening_px(cut(stream.rgb(motion), motion, region)))
    assert heights[0] == 0
    assert heights == sorted(set(heights))


def test_the_mouth_is_found_however_the_head_is_held(rig_512):
    stream, region = rig_512.open("ava"), mouth_region(anatomy("ava"))
    motion = motion_of(jawOpen=0.2)[0]
    straight = opening_px(cut(stream.rgb(motion), motion, region))
    motion[64:69] = 0.1, -0.12, 0.15, 0.05, 0.03
    assert opening_px(cut(stream.rgb(motion), motion, region)) == pytest.approx(straight, abs=2)


def test_motion_counts_what_parts_lips_and_what_closes_them():
    assert motion_opening(motion_of(jawOpen=0.5))[0] == pytest.approx(0.5)
    assert motion_opening(motion_of(jawOpen=0.5, mouthClose=0.5))[0] == 0
    assert motion_opening(motion_of(mouthLowerDownLeft=1, mouthLowerDownRight=1))[0] > MOTION_CLOSED


def test_an_open_filmed_mouth_has_more_contrast():
    shut, half_open = np.full((20, 30), 150.0), np.full((20, 30), 150.0)
    half_open[8:14] = 30
    assert np.diff(contrast(np.array([shut, half_open])))[0] > 20


def test_a_sound_sees_the_mouth_shut_up_to_one_picture_beside_it():
    times = (np.arange(10) + 0.5) / 25
    opening = np.ones(10)
    opening[4] = 0  # shown about 0.18 s
    spans = [(0.17, 0.19), (0.215, 0.26), (0.225, 0.26), (0.09, 0.145), (0.0, 0.05)]
    assert shuts(opening, times, spans, 0.1) == (True, True, False, True, False)


def test_a_mouth_that_never_opens_fails_its_vowels():
    times = (np.arange(10) + 0.5) / 25
    assert opens(np.zeros(10), times, [(0.1, 0.2)], 0.1) == (False,)
    assert opens(np.ones(10), times, [(0.1, 0.2)], 0.1) == (True,)


def test_sounds_are_told_by_their_first_letter():
    assert [is_bilabial(ipa) for ipa in ("p", "b", "m", "mʲ", "f", "", "n")] == [
        True, True, True, True, False, False, False,
    ]  # fmt: skip
    assert is_vowel("aɪ")
    assert is_wide_vowel("aɪ")
    assert not is_wide_vowel("iː")
    assert not is_vowel("t")


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="RGB"):
        opening_px(np.zeros((4, 30), np.uint8))
    with pytest.raises(ValueError, match="pictures"):
        contrast(np.zeros((4, 4)))
    with pytest.raises(ValueError, match="73"):
        motion_opening(np.zeros((4, 52), np.float32))
    with pytest.raises(ValueError, match="one length"):
        shuts(np.zeros(4), np.zeros(5), [], 0)
