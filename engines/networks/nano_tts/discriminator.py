"""Tell recordings from what the generator makes: by spectra, and by samples a period apart.

Sources: Jang et al. 2021 (UnivNet, arXiv 2106.07889) for spectra; Kong et al. 2020 (HiFi-GAN,
arXiv 2010.05646) for periods; both with fewer channels.
"""

from typing import Final

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.networks.nano_tts.config import NanoTtsConfig

_CHANNELS: Final = 16
_PERIOD_CHANNELS: Final = (16, 64, 128, 256)
_SLOPE: Final = 0.1
_LEVEL: Final = 20.0  # speech lies at 0.05: at less than a weight's size a critic learns nothing
_norm = nn.utils.parametrizations.weight_norm


class SpectrumDiscriminator(nn.Module):  # type: ignore[misc]
    """Magnitudes (B, bins, frames) → scores (B, 1, bins / 8, frames) and the layers' outputs.

    Kernels of nine bins and strides of two: wide strides with narrow kernels leave bands of level
    in the sound.

    Args:
        channels: Of its layers.
        readers: Who may speak, if it is told who does.
    """

    def __init__(self, channels: int = _CHANNELS, readers: int = 0) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            _norm(nn.Conv2d(inputs, channels, (9, 3), (stride, 1), (4, 1)))
            for inputs, stride in ((1, 2), (channels, 2), (channels, 2))
        )
        self.score = _norm(nn.Conv2d(channels, 1, (3, 3), padding=1))
        self.readers = _table(readers, channels) if readers else None

    def forward(
        self, magnitudes: Tensor, reader: Tensor | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """Return scores, high for recordings, and features for matching; ``reader`` (B,)."""
        x = torch.log(magnitudes)[:, None] / 4.0
        return _judge(self, x, reader)


class PeriodDiscriminator(nn.Module):  # type: ignore[misc]
    """Sound (B, N) → scores (B, 1, N / (81 period), period) and the layers' outputs.

    Args:
        period: Samples from one of a column to the next.
        readers: Who may speak.
    """

    def __init__(self, period: int, readers: int) -> None:
        super().__init__()
        self.period = period
        inputs = (1, *_PERIOD_CHANNELS[:-1])
        self.layers = nn.ModuleList(
            _norm(nn.Conv2d(narrow, wide, (5, 1), (3, 1), (2, 0)))
            for narrow, wide in zip(inputs, _PERIOD_CHANNELS, strict=True)
        )
        self.score = _norm(nn.Conv2d(_PERIOD_CHANNELS[-1], 1, (3, 1), padding=(1, 0)))
        self.readers = _table(readers, _PERIOD_CHANNELS[0])

    def forward(self, sound: Tensor, reader: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Return scores, high for recordings, and features for matching; ``reader`` (B,)."""
        rest = -sound.shape[1] % self.period
        x = F.pad(sound * _LEVEL, (0, rest)).unflatten(1, (-1, self.period))[:, None]
        return _judge(self, x, reader)


class Critics(nn.Module):  # type: ignore[misc]
    """One of each kind for every resolution and period.

    Args:
        config: For how many readers.
        resolutions: How many spectra.
        periods: In samples; primes, so that none sees what another does.
        channels: Of those of spectra.
    """

    def __init__(
        self,
        config: NanoTtsConfig,
        resolutions: int,
        periods: tuple[int, ...] = (2, 3, 5, 7, 11),
        channels: int = 32,
    ) -> None:
        super().__init__()
        self.spectra = nn.ModuleList(
            SpectrumDiscriminator(channels, config.speakers) for _ in range(resolutions)
        )
        self.periods = nn.ModuleList(PeriodDiscriminator(one, config.speakers) for one in periods)

    def forward(
        self, magnitudes: list[Tensor], sound: Tensor, reader: Tensor
    ) -> list[tuple[Tensor, list[Tensor]]]:
        """Return what each says of magnitudes at every resolution, or of the sound (B, N)."""
        of_spectra = [
            critic(one, reader) for critic, one in zip(self.spectra, magnitudes, strict=True)
        ]
        return of_spectra + [critic(sound, reader) for critic in self.periods]


def _table(readers: int, channels: int) -> nn.Embedding:
    """Return what a critic's first layer adds for a reader: nothing at first, lest sound drown."""
    table = nn.Embedding(readers, channels)
    nn.init.zeros_(table.weight)
    return table


def _judge(
    critic: SpectrumDiscriminator | PeriodDiscriminator, x: Tensor, reader: Tensor | None
) -> tuple[Tensor, list[Tensor]]:
    features = []
    for layer in critic.layers:
        x = layer(x)
        if not features and reader is not None and critic.readers is not None:
            x = x + critic.readers(reader)[:, :, None, None].to(x.dtype)
        x = F.leaky_relu(x, _SLOPE)
        features.append(x)
    return critic.score(x), features
