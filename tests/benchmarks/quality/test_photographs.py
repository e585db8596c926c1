"""Photographs of a folder: what is found is counted, what is not says why, and folds are seen."""

import cv2
import numpy as np
import pytest

from rt_avatar.benchmarks.quality.photographs import least_determinant, photographs
from rt_avatar.benchmarks.quality.take import Studio
from rt_avatar.errors import BadInputError
from tests.media import photograph

pytestmark = pytest.mark.unit


def test_a_face_is_moved_and_a_wall_says_why_it_is_not(tmp_path):
    cv2.imwrite(str(tmp_path / "me.png"), cv2.cvtColor(photograph(), cv2.COLOR_RGB2BGR))
    cv2.imwrite(str(tmp_path / "wall.png"), np.full((300, 300, 3), 128, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    group = photographs(Studio(), tmp_path, quick=False)
    assert group.figures["photographs"] == 2
    assert group.figures["photographs_found"] == 1
    assert "wall.png: picture: expected a face" in group.rows[0][2]
    assert group.figures["photograph_lips_shut_percent"] == 100
    assert group.figures["photograph_unmoved_ssim"] > 0.98
    assert 0.1 < group.figures["photograph_least_determinant"] < 1


def test_a_folder_without_pictures_is_said(tmp_path):
    with pytest.raises(BadInputError, match="expected photographs"):
        photographs(Studio(), tmp_path, quick=True)


def test_what_is_turned_inside_out_folds():
    away = np.zeros((8, 8, 2), np.float32)
    assert least_determinant(away, 8) == 1
    away[3, 4, 0] = 12  # passes its neighbour, 8 px further
    assert least_determinant(away, 8) < 0
