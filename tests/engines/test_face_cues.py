from functools import cache

import cv2
import numpy as np
import pytest

from rt_avatar.engines.face_cues import FaceCue, FaceCueEngine
from rt_avatar.engines.types import Image
from tests.media import DRAWN, FILMED, PHOTOGRAPH, draw, pictures, recorded, talking_motion

pytestmark = pytest.mark.unit

FACES = [*DRAWN, PHOTOGRAPH, *recorded(*FILMED)]
NOTHING = FaceCue()


def load(face: str, step: int = 6) -> list[Image]:
    """Return three seconds of a face; every sixth image is about four a second."""
    return pictures(face, step)


def look(images: list[Image]) -> list[FaceCue]:
    stream = ENGINE.open()
    return [cue for image in images for cue in stream.push(image)]


@cache
def look_at(face: str) -> list[FaceCue]:
    """What a fresh stream sees of a face."""
    return look(load(face))


def smiling(image: Image, box: tuple[int, int, int, int]) -> Image:
    """Draw the corners of the mouth up and out."""
    left, top, width, height = box
    x, y = np.meshgrid(np.arange(image.shape[1]), np.arange(image.shape[0]))
    across = (x - left - width / 2) / width
    down = (y - top - 0.8 * height) / height
    pull = np.exp(-(((np.abs(across) - 0.17) / 0.11) ** 2) - (down / 0.1) ** 2)
    from_x = (x - np.sign(across) * pull * 0.09 * width).astype(np.float32)
    from_y = (y + pull * 0.085 * height).astype(np.float32)
    return cv2.remap(image, from_x, from_y, cv2.INTER_LINEAR)


def shut_eyes(image: Image, box: tuple[int, int, int, int]) -> Image:
    """Paint skin over the eyes."""
    left, top, width, height = box
    out = image.copy()
    cheek = image[top + int(0.55 * height), left + int(0.25 * width)]
    out[top + int(0.3 * height) : top + int(0.5 * height), left + 8 : left + width - 8] = cheek
    return cv2.GaussianBlur(out, (9, 9), 0)


ENGINE = FaceCueEngine()
ENGINE.warmup()


@pytest.mark.parametrize("face", FACES)
def test_a_face_is_seen_and_its_box_is_steady(face: str) -> None:
    images = load(face)
    cues = look_at(face)
    assert all(cue.has_face for cue in cues)
    boxes = np.array([cue.box for cue in cues])
    height, width = images[0].shape[:2]
    assert (boxes[:, 0] >= 0).all()
    assert (boxes[:, :2] + boxes[:, 2:] <= (width, height)).all()
    centres = boxes[:, :2] + boxes[:, 2:] / 2
    assert (np.ptp(centres, axis=0) < 0.25 * boxes[:, 2].mean()).all()
    assert all(cue.yaw == 0 for cue in cues)


@pytest.mark.parametrize("face", ["rose", "finn"])
def test_talking_is_no_smile_and_a_drawn_smile_is(face: str) -> None:
    smiles = [draw(face, talking_motion(frame, smile=1.0)) for frame in range(48, 75, 6)]
    cues = look(load(face)[:8] + smiles)
    assert np.mean([cue.is_smiling > 0.6 for cue in look_at(face)]) < 0.1
    assert np.mean([cue.is_smiling for cue in cues[9:]]) > 0.8


def test_a_photographed_smile_is_one_from_the_first_image_on() -> None:
    cues = look_at(PHOTOGRAPH)
    assert min(cue.is_smiling for cue in cues[1:]) > 0.8


@pytest.mark.recordings
def test_talking_people_do_not_smile_and_raised_corners_do() -> None:
    plain, smiles = [], []
    for face in FILMED:
        images = load(face)
        cues = look_at(face)
        box = cues[0].box
        assert box is not None
        plain += cues
        smiles += look(images[:8] + [smiling(image, box) for image in images[8:]])[9:]
    assert np.mean([cue.is_smiling > 0.6 for cue in plain]) < 0.05
    assert np.mean([cue.is_smiling for cue in smiles]) > 0.5


@pytest.mark.parametrize("face", ["ava", "mei", *recorded(FILMED[1])])
def test_covered_eyes_of_a_person_whose_eyes_were_seen_are_closed(face: str) -> None:
    images = load(face, 3)
    plain = look(images)
    assert max(cue.eyes_closed for cue in plain[5:]) < 0.7
    box = plain[0].box
    assert box is not None
    cues = look(images[:20] + [shut_eyes(image, box) for image in images[20:]])
    assert cues[-1].eyes_closed > 0.8


@pytest.mark.parametrize("face", ["ava", PHOTOGRAPH, *recorded(FILMED[1])])
def test_a_nod_moves_and_a_still_head_does_not(face: str) -> None:
    still = load(face)[3]
    nodding = [np.roll(still, round(6 * np.sin(step * 2)), axis=0) for step in range(10)]
    shaking = [np.roll(still, round(6 * np.sin(step * 2)), axis=1) for step in range(10)]
    resting, nod, shake = (look(images) for images in ([still] * 10, nodding, shaking))
    assert max(cue.motion for cue in resting) < 0.05
    assert np.mean([cue.nod for cue in nod]) > 0.3
    assert np.mean([cue.nod for cue in shake]) < 0.1
    assert np.mean([cue.motion for cue in shake]) > 0.3


@pytest.mark.parametrize("face", [PHOTOGRAPH, *recorded(FILMED[0])])
def test_one_missed_image_keeps_the_face_and_two_lose_it(face: str) -> None:
    images = load(face)
    blank = np.full_like(images[0], 90)
    cues = look([*images[:3], blank, blank, images[3]])
    assert [cue.has_face for cue in cues] == [True, True, True, True, False, True]
    assert cues[3].box == cues[2].box


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((480, 640, 3), np.uint8),
        np.full((480, 640, 3), 255, np.uint8),
        np.random.default_rng(1).integers(0, 256, (480, 640, 3), np.uint8),
        np.repeat(np.random.default_rng(2).integers(0, 256, (120, 160, 3), np.uint8), 4, 0),
        np.tile(np.linspace(0, 255, 640).astype(np.uint8)[None, :, None], (480, 1, 3)),
        np.zeros((1, 1, 3), np.uint8),
        np.zeros((3, 2000, 3), np.uint8),
        np.zeros((2000, 3, 3), np.uint8),
        np.zeros((4320, 7680, 3), np.uint8),
    ],
    ids=["black", "white", "noise", "stripes", "ramp", "dot", "line", "pole", "8k"],
)
def test_what_is_no_face_shows_nothing(image: Image) -> None:
    assert look([image] * 3) == [NOTHING] * 3


@pytest.mark.parametrize("face", [PHOTOGRAPH, *recorded(FILMED[2])])
def test_a_grey_picture_of_a_face_shows_the_face(face: str) -> None:
    image = load(face)[0]
    grey = np.repeat(image.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    assert look([grey])[0].has_face


@pytest.mark.parametrize("face", ["ava", *recorded(FILMED[0])])
def test_images_may_change_size_and_turn_upright(face: str) -> None:
    image = load(face)[0]
    large = cv2.resize(image, (1280, 1024))
    upright = np.ascontiguousarray(image[:, 60:240])
    cues = look([image, large, upright, image[::4, ::4].copy(), np.zeros((5, 5, 3), np.uint8)])
    assert [cue.has_face for cue in cues[:3]] == [True] * 3
    assert cues[1].box is not None
    assert cues[0].box is not None
    assert cues[1].box[2] == pytest.approx(cues[0].box[2] * 1280 / 360, rel=0.15)


def test_reset_equals_fresh_and_streams_do_not_leak() -> None:
    images = load("tom")
    others = load(PHOTOGRAPH)
    expected = look_at("tom")
    one, other = ENGINE.open(), ENGINE.open()
    mixed = []
    for image, foreign in zip(images, others, strict=True):
        mixed += one.push(image)
        other.push(foreign)
    assert mixed == expected
    one.reset()
    assert [cue for image in images for cue in one.push(image)] == expected
    assert one.flush() == []
    one.close()
    one.close()


@pytest.mark.parametrize(
    ("image", "got"),
    [
        (np.zeros((48, 64), np.uint8), r"uint8 \(48, 64\)"),
        (np.zeros((48, 64, 4), np.uint8), r"uint8 \(48, 64, 4\)"),
        (np.zeros((48, 64, 3), np.float32), r"float32 \(48, 64, 3\)"),
        (np.zeros((0, 64, 3), np.uint8), r"\(0, 64, 3\)"),
        (np.zeros((9000, 1, 3), np.uint8), r"at most 8192 pixels"),
    ],
)
def test_images_of_the_wrong_kind_are_refused_in_words(image: Image, got: str) -> None:
    with pytest.raises(ValueError, match=f"face_cues: expected .*{got}"):
        ENGINE.open().push(image)
