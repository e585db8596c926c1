"""What a face does is read from its pixels: the part that moved, the way that it moved."""

import cv2
import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.face_actions import ACTIONS, FaceReader
from rt_avatar.benchmarks.quality.view import anatomy, landmarks
from rt_avatar.engines.photo.engine import PhotoEngine
from rt_avatar.engines.photo.prepare import make_face
from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE

pytestmark = pytest.mark.unit


def drawn():
    draw = RigEngine(512).open("tom").rgb
    points, unit = landmarks(anatomy("tom"))
    return draw, FaceReader(draw(np.zeros(MOTION_SIZE, np.float32)), points, unit)


def photographed():
    from skimage.data import astronaut

    done, data = cv2.imencode(".png", cv2.cvtColor(astronaut()[:300], cv2.COLOR_RGB2BGR))
    assert done
    face, _, _ = make_face(data.tobytes())
    draw = PhotoEngine(face, 512).open().rgb
    rest = draw(np.zeros(MOTION_SIZE, np.float32))
    return draw, FaceReader(rest, face.landmarks, face.landmarks.frame.unit)


@pytest.fixture(scope="module", params=[drawn, photographed])
def face(request):
    return request.param()


def read(face, **shapes):
    draw, reader = face
    motion = np.zeros(MOTION_SIZE, np.float32)
    for name, weight in shapes.items():
        motion[BLENDSHAPE[name]] = weight
    return dict(zip(ACTIONS, reader.read(draw(motion)), strict=True))


def test_a_face_at_rest_does_nothing(face):
    assert max(map(abs, read(face).values())) < 0.005


def test_brows_lids_and_corners_are_told_apart(face):
    brows = read(face, browInnerUp=0.8, browOuterUpLeft=0.8, browOuterUpRight=0.8)
    smile = read(face, mouthSmileLeft=0.8, mouthSmileRight=0.8)
    frown = read(face, mouthFrownLeft=0.8, mouthFrownRight=0.8)
    wide = read(face, eyeWideLeft=1.0, eyeWideRight=1.0)
    narrow = read(face, eyeBlinkLeft=0.4, eyeBlinkRight=0.4)
    assert brows["inner brows up"] > 0.03
    assert abs(smile["inner brows up"]) < 0.01
    assert smile["left corner up"] > 0.02
    assert smile["mouth wider"] > 0.03
    assert frown["left corner up"] < -0.02
    assert wide["eyes wider"] > 0 > narrow["eyes wider"]
    assert wide["eyes wider"] > narrow["eyes wider"] + 0.01


def test_the_two_sides_are_told_apart(face):
    left = read(face, mouthSmileLeft=0.9, browOuterUpLeft=0.9)
    assert left["left corner up"] > left["right corner up"] + 0.01
    assert left["left brow up"] > left["right brow up"] + 0.02
