"""How far a generator looks: the frames of its input and source that one frame of sound needs.

With statistics held fixed, a window whose margin covers this gives the very samples of the whole.
The reach is followed backwards through the layers as an interval of positions; nothing is
measured, nothing is estimated.
"""

from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.networks.styletts2.config import UpsamplerConfig
from rt_avatar.engines.networks.styletts2.upsampler import (
    source_convolution,
    source_kernel,
    up_convolution,
)
from rt_avatar.engines.styletts2.windows import FRAME_SAMPLES

_POST_KERNEL: Final = 7


@dataclass(frozen=True, slots=True)
class Reach:
    """Positions ``first`` to ``last``, both included, that something depends on."""

    first: int
    last: int

    def wider(self, radius: int) -> "Reach":
        """Return the reach before a layer that looks ``radius`` to both sides."""
        return Reach(self.first - radius, self.last + radius)

    def convolution(self, kernel: int, stride: int, padding: int) -> "Reach":
        """Return the reach before a convolution."""
        return Reach(self.first * stride - padding, self.last * stride - padding + kernel - 1)

    def transposed(self, kernel: int, stride: int, padding: int) -> "Reach":
        """Return the reach before a transposed convolution."""
        first = -((kernel - 1 - padding - self.first) // stride)  # rounded up
        return Reach(first, (self.last + padding) // stride)

    def joined(self, other: "Reach") -> "Reach":
        """Return the reach of both."""
        return Reach(min(self.first, other.first), max(self.last, other.last))


def block_radius(kernel: int, dilations: tuple[int, ...]) -> int:
    """Return how far a ``SnakeResBlock`` looks to each side."""
    return sum((kernel - 1) // 2 * (dilation + 1) for dilation in dilations)


def reach(config: UpsamplerConfig, first: int, last: int) -> tuple[Reach, Reach]:
    """Return what samples ``first`` to ``last`` need of the input's frames and of the source.

    The source is counted in samples for HiFi-GAN and in frames of its spectrum for iSTFTNet.
    """
    at = Reach(first, last)
    if config.kind == "istftnet":
        half = config.fft // 2
        at = Reach(-((half - 1 - first) // config.hop), (last + half) // config.hop)
    at = at.wider(_POST_KERNEL // 2)
    widest = block_radius(max(config.block_kernels), config.dilations)
    source: Reach | None = None
    for stage in reversed(range(len(config.rates))):
        at = at.wider(widest)
        added = at.wider(block_radius(source_kernel(config, stage), config.dilations))
        added = added.convolution(*source_convolution(config, stage))
        source = added if source is None else source.joined(added)
        if config.kind == "istftnet" and stage + 1 == len(config.rates):
            at = Reach(at.first - 1, at.last - 1)  # the frame reflected on the left
        kernel, rate, padding, _ = up_convolution(config, stage)
        at = at.transposed(kernel, rate, padding)
    assert source is not None, "a generator has stages"
    return at, source


def margin_frames(config: UpsamplerConfig) -> int:
    """Return the frames of 12.5 ms that a window needs at both sides to be exact."""
    frames, source = reach(config, 0, FRAME_SAMPLES - 1)
    columns = FRAME_SAMPLES // config.hop if config.kind == "istftnet" else FRAME_SAMPLES
    extra = 1 if config.kind == "istftnet" else 0
    before = max(-frames.first, -(source.first // columns))
    after = max(frames.last, (source.last - extra) // columns)
    return max(before, after)
