import math

import cv2
import numpy as np
import pytest
from skimage.data import camera

from rt_avatar.benchmarks.metrics.image import cpbd, edge_widths, luma_of, ssim

pytestmark = pytest.mark.unit


def stripes(ramp_px: int, contrast: float) -> np.ndarray:
    """Bright bars whose edges rise over so many pixels."""
    ramp = 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, ramp_px + 1))
    period = np.concatenate((np.zeros(12), ramp, np.ones(12), ramp[::-1]))
    row = np.tile(period, 20)[:256]
    return 60 + contrast * np.tile(row, (128, 1))


def test_the_same_picture_is_wholly_alike_and_noise_is_not():
    picture = camera().astype(float)
    noisy = picture + np.random.default_rng(0).normal(0, 40, picture.shape)
    assert ssim(picture, picture) == pytest.approx(1)
    assert ssim(picture, noisy) < 0.4


def test_ssim_of_flat_pictures_is_its_formula():
    dark, light = np.full((32, 32), 50.0), np.full((32, 32), 100.0)
    c1 = (0.01 * 255) ** 2
    expected = (2 * 50 * 100 + c1) / (50**2 + 100**2 + c1)
    assert ssim(dark, light) == pytest.approx(expected)


def test_cpbd_is_that_of_the_common_tool():
    picture = camera().astype(float)
    blurred = np.round(cv2.GaussianBlur(picture, (0, 0), 1))
    # As `cpbd` 1.0.7 gives them.
    assert cpbd(picture) == pytest.approx(0.748, abs=0.003)
    assert cpbd(blurred) == pytest.approx(0.348, abs=0.003)


def test_more_blur_is_never_sharper():
    picture = camera().astype(float)
    values = [cpbd(cv2.GaussianBlur(picture, (0, 0), sigma)) for sigma in (0.7, 1, 1.5, 2, 3)]
    assert values == sorted(values, reverse=True)


@pytest.mark.parametrize(
    ("ramp_px", "contrast", "sharp"), [(2, 150, 1), (4, 150, 0), (4, 45, 1), (6, 45, 0)]
)
def test_blur_is_noticed_from_three_pixels_on_or_from_five_where_contrast_is_low(
    ramp_px, contrast, sharp
):
    assert cpbd(stripes(ramp_px, contrast)) == sharp


def test_widths_reach_from_minimum_to_maximum():
    widths = edge_widths(stripes(4, 150))
    assert set(widths[widths > 0]) == {4.0}


def test_a_picture_without_edges_has_no_sharpness():
    assert math.isnan(cpbd(np.full((64, 64), 90.0)))


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="RGB"):
        luma_of(np.zeros((4, 4), np.uint8))
    with pytest.raises(ValueError, match="same"):
        ssim(np.zeros((20, 20)), np.zeros((20, 21)))
    with pytest.raises(ValueError, match="64"):
        cpbd(np.zeros((63, 200)))
