"""The network's renderer in a call: one picture a frame, of the caller's choice, at their size."""

import cv2
import numpy as np
import pytest

from rt_avatar.engines.empatheia.live_face import LiveFace
from rt_avatar.engines.types import MOTION_SIZE, SHIFT_Y
from tests.engines.empatheia.torch import live
from tests.engines.empatheia.torch.made import PICTURE_PX, picture

pytestmark = pytest.mark.networks


def motions(count: int = 4) -> list[np.ndarray]:
    dice = np.random.default_rng(1)
    made = np.zeros((count, MOTION_SIZE), np.float32)
    made[:, :52] = dice.uniform(0, 0.6, (count, 52))
    made[:, 64:69] = dice.normal(0, 0.05, (count, 5))
    return list(made)


def rgb(planes: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(planes, cv2.COLOR_YUV2RGB_I420).astype(int)


def test_every_frame_gives_its_picture_at_once(engines):
    stream = live.face(engines, 128).open("ava")
    assert live.face(engines).spec.lookahead == 0
    for motion in motions():
        (planes,) = stream.push(motion)
        assert planes.shape == (192, 128)
        assert planes.dtype == np.uint8
    assert stream.flush() == []


def test_pictures_are_the_graphs_own_of_that_portrait_and_a_framed_pose(engines):
    stream = live.face(engines).open("leonie")
    own = engines.face(0, pose=None).open(picture(len("leonie"), PICTURE_PX))
    for motion in motions():
        (planes,) = stream.push(motion)
        framed = motion.copy()
        framed[SHIFT_Y + 1 :] = (0, 0.9370641, 126.84911, 129.03864)
        (drawn,) = own.push(framed)
        assert np.array_equal(planes, cv2.cvtColor(drawn, cv2.COLOR_RGB2YUV_I420))


def test_another_size_shows_the_same_picture(engines):
    (motion,) = motions(1)
    coarse = picture(1, 4)  # smooth: of noise a smaller picture shows something else
    portrait = cv2.resize(coarse, (PICTURE_PX, PICTURE_PX), interpolation=cv2.INTER_CUBIC)
    small, large = (
        LiveFace(engines, px, lambda look: portrait).open("ava").push(motion)[0] for px in (32, 256)
    )
    shrunk = cv2.resize(rgb(large).astype(np.uint8), (32, 32), interpolation=cv2.INTER_AREA)
    assert np.abs(shrunk.astype(int) - rgb(small)).mean() < 12


def test_a_look_is_asked_for_once_and_the_picker_shows_it(engines):
    asked = []

    def portrait_of(look: str) -> np.ndarray:
        asked.append(look)
        if look == "nobody":
            raise ValueError("look: there is none")
        return picture(len(look), PICTURE_PX)

    face = LiveFace(engines, 256, portrait_of)
    face.open("ava")
    face.open("ava").close()
    data = np.frombuffer(face.portrait_png("ava"), np.uint8)
    shown = cv2.cvtColor(cv2.imdecode(data, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    assert asked == ["ava"]
    assert shown.shape == (256, 256, 3)
    expected = cv2.resize(picture(3, PICTURE_PX), (256, 256), interpolation=cv2.INTER_CUBIC)
    assert np.array_equal(shown, expected)
    with pytest.raises(ValueError, match="there is none"):
        face.open("nobody")


def test_what_cannot_be_drawn_is_refused_and_named(engines):
    stream = live.face(engines).open("ava")
    with pytest.raises(ValueError, match=r"expected shape \(73,\)"):
        stream.push(np.zeros(5, np.float32))
    with pytest.raises(ValueError, match="finite numbers, got nan in jawOpen"):
        stream.push(np.where(np.arange(MOTION_SIZE) == 17, np.nan, 0).astype(np.float32))
    stream.close()
    with pytest.raises(RuntimeError, match="got a closed one"):
        stream.push(motions(1)[0])
    with pytest.raises(ValueError, match="expected an even number"):
        live.face(engines, 255)
