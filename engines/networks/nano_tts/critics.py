"""Tell recordings from what a voice makes: by spectra, by mels, by samples a period apart.

Plain convolutions on inputs of about unit size: with norms of weights, and sound as quiet as speech
is, critics learnt nothing in thousands of steps. Loudness is compressed (to the power of 0.3, as
loudness is heard) instead of taken as a logarithm, by which hush counts as much as words.

Sources: Jang et al. 2021 (UnivNet, arXiv 2106.07889) for spectra; Kong et al. 2020 (HiFi-GAN,
arXiv 2010.05646) for periods; both with fewer channels.
"""

from itertools import pairwise
from typing import Final, TypeAlias

import torch.nn.functional as F
from torch import Tensor, nn

_SLOPE: Final = 0.1
_LOUDNESS: Final = 0.3  # power of magnitudes (Stevens' law of loudness)
_FIRST_READER: Final = 0.05  # deviation of what tells the readers apart, before anything is learnt
_SOUND_LEVEL: Final = 0.06  # of speech at -23 LUFS
_PERIOD_CHANNELS: Final = (32, 128, 512, 1024)
PERIODS: Final = (2, 3, 5, 7, 11)  # primes, so that none sees what another does
Judgement: TypeAlias = tuple[Tensor, list[Tensor]]  # scores, high for recordings; layers' outputs


class _Critic(nn.Module):  # type: ignore[misc]
    """Layers of convolutions, told the reader behind the first, and a score at every place."""

    def __init__(self, layers: list[nn.Conv2d], score: nn.Conv2d, readers: int) -> None:
        super().__init__()
        self.layers, self.score = nn.ModuleList(layers), score
        self.readers = nn.Embedding(readers, layers[0].out_channels)
        nn.init.normal_(self.readers.weight, std=_FIRST_READER)

    def judge(self, x: Tensor, reader: Tensor) -> Judgement:
        features: list[Tensor] = []
        for layer in self.layers:
            x = layer(x)
            if not features:
                x = x + self.readers(reader)[:, :, None, None].to(x.dtype)
            x = F.leaky_relu(x, _SLOPE)
            features.append(x)
        return self.score(x), features


class SpectrumCritic(_Critic):
    """Magnitudes (B, bins, frames), of a transform or in mel bands, judged by pieces of 9 by 3.

    Strides of two along frequency: wide ones with narrow kernels leave bands of level in the sound.
    """

    def __init__(self, readers: int, channels: int = 32) -> None:
        layers = [
            nn.Conv2d(inputs, channels, (9, 3), (stride, 1), (4, 1))
            for inputs, stride in ((1, 2), (channels, 2), (channels, 2), (channels, 1))
        ]
        super().__init__(layers, nn.Conv2d(channels, 1, (3, 3), padding=1), readers)

    def forward(self, magnitudes: Tensor, reader: Tensor) -> Judgement:
        """Return scores (B, 1, bins / 8, frames) and features; ``reader`` (B,)."""
        return self.judge((magnitudes**_LOUDNESS)[:, None], reader)


class PeriodCritic(_Critic):
    """Sound (B, N), a period's samples side by side, judged along its columns.

    Args:
        period: Samples from one of a column to the next.
        readers: Who may speak.
    """

    def __init__(self, period: int, readers: int) -> None:
        layers = [
            nn.Conv2d(narrow, wide, (5, 1), (3, 1), (2, 0))
            for narrow, wide in pairwise((1, *_PERIOD_CHANNELS))
        ]
        super().__init__(
            layers, nn.Conv2d(_PERIOD_CHANNELS[-1], 1, (3, 1), padding=(1, 0)), readers
        )
        self.period = period

    def forward(self, sound: Tensor, reader: Tensor) -> Judgement:
        """Return scores (B, 1, N / (81 period), period) and features; ``reader`` (B,)."""
        rest = -sound.shape[1] % self.period
        x = F.pad(sound / _SOUND_LEVEL, (0, rest)).unflatten(1, (-1, self.period))
        return self.judge(x[:, None], reader)


class Critics(nn.Module):  # type: ignore[misc]
    """One for every spectrum and for every period.

    Args:
        readers: Who may speak.
        spectra: How many spectra, mels among them.
    """

    def __init__(self, readers: int, spectra: int) -> None:
        super().__init__()
        self.spectra = nn.ModuleList(SpectrumCritic(readers) for _ in range(spectra))
        self.periods = nn.ModuleList(PeriodCritic(one, readers) for one in PERIODS)

    def forward(self, magnitudes: list[Tensor], sound: Tensor, reader: Tensor) -> list[Judgement]:
        """Return what each says of (B, bins, frames) of every spectrum, or of the sound (B, N)."""
        heard = [one(x, reader) for one, x in zip(self.spectra, magnitudes, strict=True)]
        return heard + [one(sound, reader) for one in self.periods]
