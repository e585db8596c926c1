"""Sizes of DreamTalk: the official one and ``NANO``, from one definition."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.engines.dreamtalk.stream import WINDOW
from rt_avatar.engines.dreamtalk.style import STYLE_FRAMES
from rt_avatar.engines.motion.channels import MOUTH
from rt_avatar.engines.types import EXPRESSION_SIZE


@dataclass(frozen=True, slots=True)
class DreamTalkConfig:
    """Sizes of the network.

    Attributes:
        audio_size: Numbers in one feature of speech (wav2vec 2.0 large: 1,024), 50 a second.
        model_size: Width of all transformers; a multiple of ``heads``, even.
        heads: Attention heads.
        feedforward_size: Hidden units between attention layers.
        layers: Layers of each transformer (content, style, upper face, lower face).
        tail_size: Hidden units of the heads that read the coefficients out.
        lower_channels: Which of the expression's channels the lower face's decoder makes, in its
            order; the upper face's makes the rest, ascending.
        expression_size: Channels of the expression.
        window: Features of speech a frame sees; odd, the middle one is the frame's own.
        style_frames: Longest clip that a style is taken from, in frames at 25 fps.
        dropout: Share of units dropped while training.

    Raises:
        ValueError: The sizes contradict each other.
    """

    audio_size: int
    model_size: int
    heads: int
    feedforward_size: int
    layers: int
    tail_size: int
    lower_channels: tuple[int, ...]
    expression_size: int = EXPRESSION_SIZE
    window: int = WINDOW
    style_frames: int = STYLE_FRAMES
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if self.model_size % self.heads or self.model_size % 2:
            raise ValueError(
                f"dreamtalk: expected an even model_size that {self.heads} heads divide; "
                f"got {self.model_size}"
            )
        if self.window % 2 == 0:
            raise ValueError(f"dreamtalk: expected an odd window; got {self.window}")
        lower = set(self.lower_channels)
        if len(lower) != len(self.lower_channels) or not lower <= set(range(self.expression_size)):
            raise ValueError(
                f"dreamtalk: expected lower_channels without repetition among "
                f"0..{self.expression_size - 1}; got {self.lower_channels}"
            )

    @property
    def upper_channels(self) -> tuple[int, ...]:
        """The channels that the upper face's decoder makes."""
        return tuple(
            channel for channel in range(self.expression_size) if channel not in self.lower_channels
        )

    @property
    def channel_order(self) -> tuple[int, ...]:
        """Where each channel lies in [upper, lower]: a gather instead of two scatters."""
        channels = self.upper_channels + self.lower_channels
        return tuple(channels.index(channel) for channel in range(self.expression_size))


# As the published weights have it; sources: the configuration and the code of the release.
OFFICIAL: Final = DreamTalkConfig(
    audio_size=1024,
    model_size=256,
    heads=8,
    feedforward_size=1024,
    layers=3,
    tail_size=128,
    lower_channels=(0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 14),
)
# For one thread of a CPU. Two layers: folded, the first needs no self-attention and the second
# only the middle query. The lower face is what speech moves among ARKit's shapes.
NANO: Final = DreamTalkConfig(
    audio_size=256,
    model_size=192,
    heads=6,
    feedforward_size=768,
    layers=2,
    tail_size=96,
    lower_channels=tuple(int(row) for row in np.flatnonzero(MOUTH)),
)
