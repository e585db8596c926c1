"""Triangular filters on the mel scale: power spectrum → mean square of the sound in each band."""

import numpy as np
from numpy.typing import NDArray


def mel_filters(
    window: NDArray[np.floating], fft: int, rate_hz: int, bands: int, range_hz: tuple[float, float]
) -> NDArray[np.float64]:
    """Return (fft // 2 + 1, bands) by which the power of a window's spectrum is multiplied.

    Args:
        window: What the sound is weighted with before it is transformed.
        fft: Samples of the transform.
        rate_hz: Of the sound.
        bands: How many; their edges are evenly spaced in mel.
        range_hz: Lower edge of the first band, upper edge of the last.
    """
    bins = _mel_of(np.fft.rfftfreq(fft, 1 / rate_hz))
    lowest, highest = _mel_of(np.array(range_hz)).tolist()
    edges = np.linspace(lowest, highest, bands + 2)
    rising = (bins[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins[:, None]) / (edges[2:] - edges[1:-1])
    # Parseval: both halves of the spectrum, against the window's own energy.
    scale = 2.0 / (fft * np.square(window, dtype=np.float64).sum())
    filters: NDArray[np.float64] = np.maximum(0.0, np.minimum(rising, falling)) * scale
    return filters


def _mel_of(hz: NDArray[np.floating]) -> NDArray[np.floating]:
    """Source: D. O'Shaughnessy, "Speech Communication", 1987, p. 150."""
    mel: NDArray[np.floating] = 2595.0 * np.log10(1.0 + hz / 700.0)
    return mel
