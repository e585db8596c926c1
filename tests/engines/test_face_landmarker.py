"""MediaPipe's face landmarker: its mesh as our points, and what happens without it.

Where its file was fetched (``rt-avatar models fetch face-landmarker``) it finds faces here, too.
"""

import logging
from pathlib import Path

import cv2
import numpy as np
import pytest

from rt_avatar.engines.photo import prepare
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.photo.face_landmarker import (
    _OUTLINES,
    _POINTS,
    FETCHED,
    FaceLandmarker,
    FaceLandmarkerFileError,
    landmarks_of,
)
from rt_avatar.engines.photo.landmarks import IRIS_RADIUS, NAMES, Frame, mean_landmarks
from rt_avatar.engines.rig.engine import draw_portrait
from tests.media import photograph

pytestmark = pytest.mark.unit
needs_file = pytest.mark.skipif(
    not FETCHED.expanduser().is_file(), reason="rt-avatar models fetch face-landmarker"
)


@pytest.mark.parametrize("tilt_deg", [0, 25])
def test_points_of_the_mesh_are_ours_however_the_head_is_tilted(tilt_deg: float) -> None:
    tilt = np.radians(tilt_deg)
    frame = Frame(np.array([300.0, 200.0]), np.array([np.cos(tilt), np.sin(tilt)]), 80.0)
    wanted = mean_landmarks(frame)
    mesh = np.zeros((478, 2))
    for name, rows in _POINTS.items():
        mesh[list(rows)] = wanted[name]
    for side, rows in _OUTLINES.items():
        corners = [wanted[n] for n in ("forehead", f"{side}_cheek", f"{side}_jaw", "chin")]
        at = np.linspace(0, 3, len(rows))
        mesh[list(rows)] = np.stack(
            [np.interp(at, range(4), axis) for axis in np.array(corners).T], 1
        )
    found = landmarks_of(mesh)
    for name in NAMES:
        assert np.hypot(*(found[name] - wanted[name])) < IRIS_RADIUS * frame.unit, name


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x05\x06" + bytes(18)])
def test_another_file_is_said_with_the_way_to_the_right_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "face_landmarker.task"
    path.write_bytes(content)
    with pytest.raises(
        FaceLandmarkerFileError, match=r"another file.*models fetch face-landmarker"
    ):
        FaceLandmarker(path)


def test_with_a_broken_file_faces_are_found_as_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "face_landmarker.task"
    path.write_bytes(b"nonsense")
    monkeypatch.setattr(prepare, "FETCHED", path)
    with caplog.at_level(logging.WARNING):
        found = prepare.find_face(photograph())
    assert found.as_dict() == find_landmarks(photograph()).as_dict()
    assert "models fetch face-landmarker" in caplog.text


@needs_file
@pytest.mark.parametrize("turn_deg", [0, 40, -60])
def test_it_finds_a_smile_as_marked_by_hand_however_it_is_tilted(turn_deg: float) -> None:
    turn = cv2.getRotationMatrix2D((222, 110), turn_deg, 1.0)
    picture = cv2.warpAffine(photograph(), turn, (512, 512), borderMode=cv2.BORDER_REPLICATE)
    found = FaceLandmarker(FETCHED.expanduser()).find(picture)
    assert found is not None
    marked = {
        "right_iris": (201, 99), "left_iris": (245, 104), "right_mouth": (203, 140),
        "left_mouth": (243, 143), "lip_upper": (223, 142), "lip_lower": (222, 149),
    }  # fmt: skip
    for name, place in marked.items():
        off = np.hypot(*(found[name] - turn @ (*place, 1.0))) / found.frame.unit
        assert off < 0.12, f"{name}: {off:.2f} of the distance between the irises away"


@needs_file
def test_it_says_when_there_are_two_faces_and_when_there_is_none() -> None:
    landmarker = FaceLandmarker(FETCHED.expanduser())
    with pytest.raises(PortraitError, match="one face"):
        landmarker.find(np.hstack([draw_portrait("ava", 512), draw_portrait("leo", 512)]))
    assert landmarker.find(np.full((300, 400, 3), 128, np.uint8)) is None
