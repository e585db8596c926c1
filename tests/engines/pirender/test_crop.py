"""A photograph is cropped as PIRenderer and DreamTalk were trained."""

import numpy as np
import pytest

from rt_avatar.engines.cascades import Cascades
from rt_avatar.engines.pirender.crop import crop_portrait
from tests.media import photograph

pytestmark = pytest.mark.unit


def test_the_face_is_as_large_and_as_high_as_published():
    """Its box takes 1 of 1.8 parts, shifted down by a tenth of the box: what the program cuts."""
    cropped = crop_portrait(photograph(), 256)
    assert cropped.shape == (256, 256, 3)
    grey = np.ascontiguousarray(cropped.mean(axis=2).astype(np.uint8))
    left, top, width, height = Cascades().frontal(grey, 60, 256)
    assert width / 256 == pytest.approx(1 / 1.8, abs=0.08)
    assert (left + width / 2) / 256 == pytest.approx(0.5, abs=0.05)
    assert (top + height / 2) / 256 == pytest.approx(0.5 + 0.1 / 1.8, abs=0.05)


def test_a_picture_of_the_right_size_is_cropped_already():
    picture = np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    assert crop_portrait(picture, 64) is picture


def test_a_picture_without_a_face_is_refused_with_what_to_do():
    with pytest.raises(ValueError, match=r"found none in 300 x 200.*of 64 x 64 pixels"):
        crop_portrait(np.full((200, 300, 3), 90, np.uint8), 64)
