"""The inverse short-time Fourier transform without complex numbers, equal to ``torch.istft``.

A fixed basis and one transposed convolution: every exporter takes it, and no backend needs an FFT.
The two steps that shortcuts leave out are here: bins between the ends count twice (their mirror
images are not stored), and the sum is divided by the overlapped squares of the window. Without
them those bins come out at 0.75 and the ends at 1.5 times their strength.
"""

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from rt_avatar.engines.networks.constants import table


def hann(size: int) -> NDArray[np.float64]:
    """Return the periodic Hann window, (size,)."""
    return np.asarray(0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(size) / size))


def inverse_basis(size: int) -> NDArray[np.float64]:
    """Return the windowed basis, (size + 2, size): rows of the real parts, then the imaginary.

    A frame of spectrum times this is its piece of sound, times the periodic Hann window.
    """
    bins = np.arange(size // 2 + 1)[:, None]
    angle = 2.0 * np.pi * bins * np.arange(size)[None] / size
    weight = np.full(bins.shape, 2.0 / size)
    weight[0] = weight[-1] = 1.0 / size
    return np.concatenate([weight * np.cos(angle), -weight * np.sin(angle)]) * hann(size)


class InverseStft(nn.Module):  # type: ignore[misc]
    """Spectra (B, size / 2 + 1, T) → sound (B, 1, (T - 1) hop), centred, trimmed at both ends."""

    def __init__(self, size: int, hop: int) -> None:
        super().__init__()
        self.hop = hop
        self.trim = size // 2
        basis, squares = table(inverse_basis(size)), table(hann(size) ** 2)
        self.register_buffer("basis", basis[:, None], persistent=False)
        self.register_buffer("squares", squares[None, None], persistent=False)

    def forward(self, real: Tensor, imaginary: Tensor) -> Tensor:
        """Return (B, 1, (T - 1) hop)."""
        spectrum = torch.cat([real, imaginary], dim=1)
        sound = F.conv_transpose1d(spectrum, self.basis, stride=self.hop, padding=self.trim)
        ones = torch.ones_like(real[:1, :1])
        overlap = F.conv_transpose1d(ones, self.squares, stride=self.hop, padding=self.trim)
        return sound / overlap
