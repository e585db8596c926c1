"""Pictures: likeness to another one (SSIM) and sharpness without one (CPBD)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from skimage.feature import canny
from skimage.filters import sobel_v
from skimage.metrics import structural_similarity

from rt_avatar.engines.types import Image

Luma = NDArray[np.float64]  # (height, width), 0..255

# Rec. 601, as the pictures of a call are coded.
_WEIGHTS: Final = np.array([0.299, 0.587, 0.114])
_BLOCK_PX: Final = 64  # CPBD, §III
_EDGE_SHARE: Final = 0.002  # share of edge pixels from which a block counts
_LOW_CONTRAST: Final = 50  # grey levels of a block; up to this blur is noticed from 5 px on …
_JNB_LOW_PX, _JNB_PX = 5.0, 3.0  # … above it from 3 px on


def luma_of(picture: Image) -> Luma:
    """Return (height, width) luminance 0..255 of an (height, width, 3) RGB picture.

    Raises:
        ValueError: It has another shape.
    """
    if picture.ndim != 3 or picture.shape[2] != 3:
        raise ValueError(f"picture: expected (height, width, 3) RGB, got {picture.shape}")
    luma: Luma = picture @ _WEIGHTS
    return luma


def ssim(first: Luma, second: Luma) -> float:
    """Return how alike two pictures look: -1 to 1, 1 for the same picture.

    Source: Z. Wang, A. Bovik, H. Sheikh, E. Simoncelli, "Image quality assessment: from error
    visibility to structural similarity", IEEE TIP 13 (2004): Gaussian windows of 11 pixels,
    sigma 1.5, K = (0.01, 0.03), range 255. (Empatheia cites its predecessor of 2002.)

    Args:
        first: (height, width), 0..255.
        second: The same shape.

    Raises:
        ValueError: The shapes differ or are smaller than a window.
    """
    if first.ndim != 2 or first.shape != second.shape or min(first.shape) < 11:
        raise ValueError(
            "pictures: expected two of the same (height, width) of 11 or more, "
            f"got {first.shape} and {second.shape}"
        )
    similarity = structural_similarity(
        first, second, data_range=255, gaussian_weights=True, sigma=1.5, use_sample_covariance=False
    )
    return float(similarity)


def cpbd(picture: Luma) -> float:
    """Return how sharp a picture looks: the share of its edges whose blur nobody would notice.

    Source: N. Narvekar, L. Karam, "A no-reference image blur metric based on the cumulative
    probability of blur detection (CPBD)", IEEE TIP 20 (2011), §III: widths of vertical edges,
    the just noticeable blur of their block's contrast, probability of noticing
    1 - exp(-(width / JNB)^3.6), share of the edges at or below 63 %.

    It depends on size and content: compare only pictures of the same size and kind.

    Args:
        picture: (height, width), 0..255.

    Returns:
        0 (everything blurred) to 1 (everything sharp); NaN of a picture without edges.

    Raises:
        ValueError: The shape is another, or smaller than a block of 64 pixels.
    """
    if picture.ndim != 2 or min(picture.shape) < _BLOCK_PX:
        raise ValueError(
            f"picture: expected (height, width) of {_BLOCK_PX} or more, got {picture.shape}"
        )
    widths = edge_widths(picture)
    is_edge = canny(picture)
    sharp: list[NDArray[np.bool_]] = []
    for top in range(0, picture.shape[0] - _BLOCK_PX + 1, _BLOCK_PX):
        for left in range(0, picture.shape[1] - _BLOCK_PX + 1, _BLOCK_PX):
            block = slice(top, top + _BLOCK_PX), slice(left, left + _BLOCK_PX)
            if is_edge[block].mean() <= _EDGE_SHARE:
                continue
            contrast = picture[block].max() - picture[block].min()
            just = _JNB_LOW_PX if int(contrast) <= _LOW_CONTRAST else _JNB_PX
            found = widths[block][widths[block] > 0]
            # Blur is seen with 1 - exp(-(width / JNB)^3.6): 63 % of viewers see the JNB itself,
            # so the share up to 63 % is the share of widths up to the JNB.
            sharp.append(found <= just)
    if not sum(map(len, sharp)):
        return float("nan")
    return float(np.mean(np.concatenate(sharp)))


def edge_widths(picture: Luma) -> NDArray[np.float64]:
    """Return the width in pixels of every vertical edge, 0 where there is none.

    An edge reaches along its row from the last local minimum to the next local maximum.

    Source: P. Marziliano et al., "Perceptual blur and ringing metrics", Signal Processing: Image
    Communication 19 (2004), §2.
    """
    down: NDArray[np.float64] = np.gradient(picture, axis=0)
    right: NDArray[np.float64] = np.gradient(picture, axis=1)
    # Only edges that stand upright: their gradient points along the row, to within 22.5°.
    is_upright = (right != 0) & (np.abs(down) <= np.abs(right) * np.tan(np.pi / 8))
    is_upright[:, [0, -1]] = is_upright[[0, -1]] = False
    rows, columns = np.nonzero(_edges(picture) & is_upright)
    rises = right[rows, columns] > 0
    rising, falling = _ramps(picture), _ramps(-picture)
    # An edge takes its two neighbours in, whatever they do: it is two pixels wide or more.
    begin = np.where(rises, rising[0][rows, columns - 1], falling[0][rows, columns - 1])
    end = np.where(rises, rising[1][rows, columns + 1], falling[1][rows, columns + 1])
    widths = np.zeros(picture.shape)
    widths[rows, columns] = end - begin
    return widths


def _ramps(picture: Luma) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return, for every pixel, where the rise along its row that it lies on begins and ends."""
    height, width = picture.shape
    columns = np.broadcast_to(np.arange(width), (height, width))
    rises = np.diff(picture, axis=1) > 0  # from column c to c + 1
    edge = np.zeros((height, 1), np.bool_)
    from_left = np.concatenate((edge, rises), axis=1)  # the step to this pixel rises
    to_right = np.concatenate((rises, edge), axis=1)
    begins = np.maximum.accumulate(np.where(from_left, 0, columns), axis=1)
    last = np.where(to_right, width - 1, columns)
    ends = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    return begins, ends


def _edges(picture: Luma) -> NDArray[np.bool_]:
    """Return thin upright edges: ridges of the gradient's power above a threshold of their own.

    The threshold is that of the tool with which published figures were made (``cpbd`` of PyPI,
    after Octave's ``edge``): twice the RMS of the gradient. MATLAB's own is higher, finds fewer
    faint edges and so gives lower values.
    """
    gradient = sobel_v(picture) / 2  # weights that sum to 1
    power = gradient**2
    power[power <= 2 * np.sqrt(power.mean())] = 0
    padded = np.pad(power, 1)
    along_row = (power > padded[1:-1, :-2]) & (power > padded[1:-1, 2:])
    along_column = (power > padded[:-2, 1:-1]) & (power > padded[2:, 1:-1])
    found: NDArray[np.bool_] = along_row | along_column
    return found
