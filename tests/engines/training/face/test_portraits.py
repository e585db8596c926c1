"""Portraits to learn from: one look is never shown, and known flows lead to the portrait."""

import cv2
import numpy as np
import pytest

from rt_avatar.engines.rig.looks import LOOKS
from rt_avatar.engines.training.face.looks import HELD_OUT, LEARNT, random_look
from rt_avatar.engines.training.face.pictures import read_photographs
from rt_avatar.engines.training.face.portraits import DrawnPortrait, PhotographedPortrait
from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE, PITCH, ROLL, SHIFT_X, YAW

pytestmark = pytest.mark.unit

SIDE = 128


def turned(**shapes: float) -> np.ndarray:
    motion = np.zeros(MOTION_SIZE, np.float32)
    motion[[PITCH, YAW, ROLL, SHIFT_X]] = 0.12, -0.2, 0.08, 0.05
    for name, weight in shapes.items():
        motion[BLENDSHAPE[name]] = weight
    return motion


def photographed() -> PhotographedPortrait:
    (photograph,), held_out = read_photographs(None)
    assert held_out == []
    return PhotographedPortrait(*photograph.square(SIDE))


def differences(portrait, motion):
    """Mean difference of the frame, where its flow is known: to the portrait moved by it, still."""
    flow, known = portrait.flow(motion)
    where = cv2.resize(known.astype(np.uint8), (SIDE, SIDE), interpolation=cv2.INTER_NEAREST) > 0
    x, y = np.meshgrid(*[np.arange(SIDE, dtype=np.float32)] * 2)
    flow = cv2.resize(flow, (SIDE, SIDE)) * SIDE / 2
    moved = cv2.remap(portrait.source, x + flow[..., 0], y + flow[..., 1], cv2.INTER_LINEAR)
    frame = portrait.draw(motion).astype(np.float32)
    assert where.sum() > SIDE * SIDE / 20
    return tuple(np.abs(frame - other)[where].mean() for other in (moved, portrait.source))


def test_nobody_like_the_look_that_is_held_out_is_drawn():
    rng = np.random.default_rng(0)
    kept = LOOKS[HELD_OUT]
    assert HELD_OUT not in [look.name for look in LEARNT]
    drawn = [random_look(rng) for _ in range(2000)]
    assert not [look for look in drawn if (look.age, look.gender) == (kept.age, kept.gender)]
    assert not [look for look in drawn if look.hair == kept.hair]
    assert len({(look.age, look.gender) for look in drawn}) == 7
    assert len({look.hair for look in drawn}) == 7


@pytest.mark.parametrize("look", ["ava", "zuri", "sam"])
def test_the_known_flow_of_a_drawn_face_leads_to_its_portrait(look):
    moved, still = differences(DrawnPortrait(LOOKS[look], SIDE), turned())
    assert moved < 0.6 * still


def test_the_known_flow_of_a_photograph_leads_to_it():
    moved, still = differences(photographed(), turned(mouthSmileLeft=0.8, browInnerUp=1.0))
    assert moved < 0.4 * still


@pytest.mark.parametrize("make", [lambda: DrawnPortrait(LOOKS["ava"], SIDE), photographed])
def test_a_face_at_rest_does_not_flow(make):
    portrait = make()
    motion = np.zeros(MOTION_SIZE, np.float32)
    flow, _ = portrait.flow(motion)
    assert np.abs(flow).max() < 1e-3
    source = portrait.source
    if portrait.kind == "photograph":  # it is made crisper, by a tenth of its second difference
        crisper = np.array([[0, -0.1, 0], [-0.1, 1.4, -0.1], [0, -0.1, 0]])
        source = cv2.filter2D(source, -1, crisper, borderType=cv2.BORDER_REPLICATE)
    moved = np.abs(portrait.draw(motion).astype(int) - source).mean(axis=2)
    # Of 255. At rest a smile's lips are shut over its teeth: all but mouth and eyes is as it was.
    assert moved[portrait.attention == 1].mean() < 0.02
    assert moved[portrait.attention > 1].mean() < 6


def test_a_varied_photograph_keeps_its_landmarks_on_the_face():
    (photograph,), _ = read_photographs(None)
    rng = np.random.default_rng(3)
    for _ in range(12):
        picture, landmarks = photograph.varied(SIDE, rng)
        gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
        # Irises are dark, cheeks are not.
        for side in ("left", "right"):
            x, y = landmarks[f"{side}_iris"].astype(int)
            iris = gray[y - 1 : y + 2, x - 1 : x + 2].mean()
            assert iris < gray[y + 14 : y + 18, x - 3 : x + 4].mean()


def test_attention_is_on_mouth_and_eyes():
    portrait = photographed()
    (photograph,), _ = read_photographs(None)
    _, landmarks = photograph.square(SIDE)
    assert set(np.unique(portrait.attention)) == {1.0, 12.0}
    for name in ("left_iris", "right_iris", "left_mouth", "right_mouth", "lip_bottom"):
        x, y = landmarks[name].astype(int)
        assert portrait.attention[y, x] == 12.0
    assert portrait.attention[0, 0] == portrait.attention[-1, -1] == 1.0
