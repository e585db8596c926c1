"""A photographed face: what is found in a picture, and how it moves."""

from itertools import combinations_with_replacement

import cv2
import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.image import cpbd, luma_of
from rt_avatar.benchmarks.quality.photographs import least_determinant
from rt_avatar.engines.photo import Landmarks, PhotoEngine, PhotoPortrait, PortraitError
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.expression_field import ExpressionField
from rt_avatar.engines.photo.face_file import SIDE_PX, FaceFile
from rt_avatar.engines.photo.head_field import HeadField
from rt_avatar.engines.photo.landmarks import Frame, found_landmarks, mean_landmarks
from rt_avatar.engines.photo.sheet import make_motion
from rt_avatar.engines.photo.weights import MAX_ANGLE_RAD, MAX_ROLL_RAD, Pose
from rt_avatar.engines.rig.engine import draw_portrait
from rt_avatar.engines.types import ARKIT, Image
from tests.media import photograph, photographed_face

pytestmark = pytest.mark.unit
STEP_PX = 8  # from one place of a field to the next


@pytest.fixture(scope="module")
def face() -> FaceFile:
    return photographed_face()


@pytest.fixture(scope="module")
def portrait(face: FaceFile) -> PhotoPortrait:
    return PhotoPortrait(face.picture, face.landmarks)


def grid() -> np.ndarray:
    at = ((np.arange(SIDE_PX // STEP_PX) + 0.5) * STEP_PX - 0.5).astype(np.float32)
    return np.stack(np.meshgrid(at, at), -1)


def around(landmarks: Landmarks, name: str, reach: float) -> tuple[slice, slice]:
    x, y = landmarks[name]
    far = reach * landmarks.frame.unit
    return slice(int(y - far), int(y + far)), slice(int(x - far), int(x + far))


def inside_of_lips(portrait: PhotoPortrait, **values: float) -> float:
    """Return the pixels that are seen between the lips."""
    return portrait.opening(make_motion(values))


# --- finding ------------------------------------------------------------------------------------
def test_irises_lips_and_corners_are_found_in_a_smile_with_teeth() -> None:
    found = find_landmarks(photograph())
    # As marked by hand on the photograph.
    marked = {
        "right_iris": (201, 99), "left_iris": (245, 104), "right_mouth": (203, 140),
        "left_mouth": (243, 143), "lip_upper": (223, 142), "lip_lower": (222, 149),
    }  # fmt: skip
    for name, place in marked.items():
        off = np.hypot(*(found[name] - place)) / found.frame.unit
        assert off < 0.12, f"{name}: {off:.2f} of the distance between the irises away"


@pytest.mark.parametrize("look", ["ava", "leo"])
def test_the_line_between_shut_lips_is_found(look: str) -> None:
    picture = draw_portrait(look, 512)
    found = find_landmarks(picture)
    x, top, bottom = (*found["lip_top"], found["lip_bottom"][1])
    lips = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)[int(top) : int(bottom) + 1, int(x)]
    line = top + int(np.argmin(lips))
    for name in ("lip_upper", "lip_lower"):
        assert abs(found[name][1] - line) < 0.06 * found.frame.unit


def test_a_face_in_a_tilted_picture_is_found() -> None:
    picture = photograph()
    turn = cv2.getRotationMatrix2D((223, 120), 20, 1.0)
    turned = cv2.warpAffine(picture, turn, picture.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
    straight, found = find_landmarks(picture), find_landmarks(turned)
    for name in ("left_iris", "right_iris", "left_mouth", "right_mouth"):
        expected = turn @ (*straight[name], 1.0)
        assert np.hypot(*(found[name] - expected)) < 0.15 * straight.frame.unit


def test_something_bright_across_the_mouth_does_no_harm() -> None:
    picture = photograph().copy()
    picture[140:148, 210:290] = 235
    found = find_landmarks(picture)
    assert np.hypot(*(found["left_iris"] - (245, 104))) / found.frame.unit < 0.12


def test_shut_lips_that_were_found_crossed_are_uncrossed() -> None:
    points = mean_landmarks(Frame(np.array([200.0, 200.0]), np.array([1.0, 0.0]), 100))
    points["lip_upper"], points["lip_lower"] = points["lip_lower"] + (0, 2), points["lip_upper"]
    found = found_landmarks(points)
    assert found.in_face("lip_upper")[1] == pytest.approx(found.in_face("lip_lower")[1])
    points["lip_upper"] = points["chin"]
    with pytest.raises(PortraitError, match="expected a face seen from the front"):
        found_landmarks(points)


def test_no_face_is_said() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (300, 300, 3)).astype(np.uint8)
    with pytest.raises(PortraitError, match="expected a face seen from the front; found none"):
        find_landmarks(noise)


def test_three_faces_are_counted() -> None:
    head = photograph()[:256, 90:346]
    with pytest.raises(PortraitError, match="expected one face; got 3; cut the picture"):
        find_landmarks(np.hstack([head, head, head]))


def test_a_face_that_is_too_small_is_measured() -> None:
    small = cv2.resize(photograph(), None, fx=0.45, fy=0.45, interpolation=cv2.INTER_AREA)
    with pytest.raises(PortraitError, match=r"24 pixels or more between the eyes; got \d+"):
        find_landmarks(small)


def test_points_that_turn_a_face_inside_out_are_refused(face: FaceFile) -> None:
    with pytest.raises(PortraitError, match="lip_top above lip_upper"):
        face.landmarks.moved({"lip_top": face.landmarks["chin"]})
    with pytest.raises(PortraitError, match="expected chin as"):
        face.landmarks.moved({"chin": [1, 2, 3]})
    with pytest.raises(PortraitError, match=r"expected names out of .*; got chn"):
        face.landmarks.moved({"chn": [1, 2]})


# --- moving -------------------------------------------------------------------------------------
def test_no_shape_nor_pair_of_shapes_folds_the_face(face: FaceFile) -> None:
    places = grid()
    field = ExpressionField(face.landmarks, places)
    worst = 1.0
    for pair in combinations_with_replacement(range(len(ARKIT)), 2):
        weights = np.zeros(len(ARKIT), np.float32)
        weights[list(pair)] = 1
        worst = min(worst, least_determinant(field.at(weights), STEP_PX))
    assert worst > 0.1


def test_no_pose_folds_the_head(face: FaceFile) -> None:
    places = grid()
    field = HeadField(face.landmarks, places)
    for yaw in (-MAX_ANGLE_RAD, 0, MAX_ANGLE_RAD):
        for pitch in (-MAX_ANGLE_RAD, 0, MAX_ANGLE_RAD):
            for roll in (-MAX_ROLL_RAD, 0, MAX_ROLL_RAD):
                moved = field.at(Pose(pitch, yaw, roll, 0.1, 0.1))
                assert least_determinant(moved, STEP_PX) > 0.05


def test_lips_of_a_smile_with_teeth_shut_at_rest_and_at_m(portrait: PhotoPortrait) -> None:
    assert inside_of_lips(portrait) < 1
    assert inside_of_lips(portrait, mouthPress=0.6, mouthRollLower=0.4) < 1
    # An open jaw under closed lips, as in "m" between two vowels.
    assert inside_of_lips(portrait, jawOpen=0.3, mouthClose=0.34) < 1


def test_the_wider_the_jaw_the_wider_the_mouth(portrait: PhotoPortrait) -> None:
    seen = [inside_of_lips(portrait, jawOpen=weight) for weight in (0.05, 0.2, 0.5, 1.0)]
    assert seen == sorted(seen)
    assert seen[0] > 20


def test_a_blink_covers_the_eyes(face: FaceFile, portrait: PhotoPortrait) -> None:
    at_rest, shut = portrait.draw(make_motion({})), portrait.draw(make_motion({"eyeBlink": 1}))
    for side in ("left", "right"):
        eye = around(face.landmarks, f"{side}_iris", 0.06)
        # Skin is brighter than an iris.
        assert shut[eye].mean() > at_rest[eye].mean() + 40


def test_a_gaze_moves_the_iris_and_not_the_brow(face: FaceFile, portrait: PhotoPortrait) -> None:
    ahead = portrait.draw(make_motion({})).astype(int)
    aside = portrait.draw(make_motion({"eyeLookOutLeft": 1, "eyeLookInRight": 1})).astype(int)
    eye, brow = (around(face.landmarks, f"left_{name}", 0.08) for name in ("iris", "brow_middle"))
    assert np.abs(aside - ahead)[eye].mean() > 12
    assert np.array_equal(aside[brow], ahead[brow])


def test_a_turn_moves_the_nose_and_leaves_the_background(
    face: FaceFile, portrait: PhotoPortrait
) -> None:
    places = grid()
    field = HeadField(face.landmarks, places).at(Pose(0, 0.21, 0, 0, 0))
    column, row = (face.landmarks["nose_tip"] / (SIDE_PX / 64)).astype(int)
    assert field[row, column, 0] > 12  # towards the viewer's right
    straight, turned = portrait.draw(make_motion({})), portrait.draw(make_motion({"yaw": 0.21}))
    corner = np.s_[:64, :64]
    assert np.abs(turned[corner].astype(int) - straight[corner]).mean() < 1


def test_what_does_not_move_stays_as_it_is_in_the_photograph(
    face: FaceFile, portrait: PhotoPortrait
) -> None:
    from skimage.metrics import structural_similarity

    spoken = portrait.draw(make_motion({"jawOpen": 0.5, "mouthSmile": 0.4}))
    above = np.s_[: int(face.landmarks["right_brow_middle"][1])]
    assert structural_similarity(spoken[above], face.picture[above], channel_axis=2) >= 0.98


@pytest.mark.parametrize("name", ARKIT)
def test_every_shape_is_seen(portrait: PhotoPortrait, name: str) -> None:
    # On a mouth a little open, since some shapes have nothing to do on a shut one.
    before = portrait.draw(make_motion({"jawOpen": 0.2})).astype(int)
    values = {"jawOpen": 0.2, name: 1.0}
    assert np.abs(portrait.draw(make_motion(values)) - before).max() > 20


# --- the engine ---------------------------------------------------------------------------------
def test_each_frame_of_motion_gives_exactly_one_fresh_picture(face: FaceFile) -> None:
    stream = PhotoEngine(face, 256).open()
    (first,), (second,) = stream.push(make_motion({})), stream.push(make_motion({}))
    assert first.shape == (384, 256)
    assert first.dtype == np.uint8
    assert not np.shares_memory(first, second)
    assert stream.flush() == []


def test_bad_motion_is_refused_and_the_stream_lives_on(face: FaceFile) -> None:
    stream = PhotoEngine(face, 256).open()
    with pytest.raises(ValueError, match=r"expected shape \(73,\), got \(52,\)"):
        stream.push(np.zeros(52, np.float32))
    bad = make_motion({})
    bad[3] = np.nan
    with pytest.raises(ValueError, match="got nan in eyeLookOutLeft"):
        stream.push(bad)
    assert len(stream.push(make_motion({}))) == 1
    stream.close()
    with pytest.raises(RuntimeError, match="closed"):
        stream.push(make_motion({}))


def test_points_out_of_the_picture_do_not_break_a_face(face: FaceFile) -> None:
    # A face at the very edge, its chin and one cheek outside.
    frame = Frame(np.array([40.0, 200.0]), np.array([1.0, 0.0]), 60.0)
    portrait = PhotoPortrait(face.picture, Landmarks(mean_landmarks(frame)))
    picture: Image = portrait.draw(make_motion({"jawOpen": 0.5, "eyeBlink": 0.5, "yaw": 0.2}))
    assert picture.shape == face.picture.shape


@pytest.mark.parametrize("look", ["ava", "leo"])
def test_a_face_that_is_moved_by_parts_of_a_pixel_stays_sharp(look: str) -> None:
    picture = draw_portrait(look, 512)
    moved = PhotoPortrait(picture, find_landmarks(picture)).draw(make_motion({"yaw": 0.08}))
    sharp, found = (cpbd(luma_of(one)) for one in (picture, moved))
    assert found > 0.9 * sharp
