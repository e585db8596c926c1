"""Sizes of PIRenderer: the published network and ``NANO``, which shares only its beginning."""

from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.pirender.windows import WINDOW
from rt_avatar.engines.types import MOTION_SIZE


@dataclass(frozen=True, slots=True)
class MappingConfig:
    """Sizes of the network that sums a window of motion up in one descriptor.

    Attributes:
        width: Numbers in the descriptor.
        layers: Layers after the first; each looks six frames further.
        coefficients: Numbers in a frame of motion.
        window: Frames of motion looked at.

    Raises:
        ValueError: The window is too short for so many layers.
    """

    width: int = 256
    layers: int = 3
    coefficients: int = MOTION_SIZE
    window: int = WINDOW

    def __post_init__(self) -> None:
        if self.places < 1:
            raise ValueError(
                f"pirender: expected a window of more than {6 * (self.layers + 1)} frames for "
                f"{self.layers} layers; got {self.window}"
            )

    @property
    def places(self) -> int:
        """Places of the window that are left at its end, to be averaged."""
        return self.window - 6 * (self.layers + 1)


@dataclass(frozen=True, slots=True)
class PIRendererConfig:
    """Sizes of the published network.

    Attributes:
        mapping: Of the descriptor.
        modulation: Hidden units between the descriptor and a layer's gains.
        widest: No layer has more channels.
        warp_width: Channels at the image's size in the warping network.
        warp_encoders: Halvings of it.
        warp_decoders: Doublings, up to the flow's size.
        edit_width: Channels at the image's size in the editing network.
        edit_layers: Its halvings and doublings.
        edit_blocks: Residual blocks at each of its sizes.
    """

    mapping: MappingConfig = MappingConfig()
    modulation: int = 128
    widest: int = 256
    warp_width: int = 32
    warp_encoders: int = 5
    warp_decoders: int = 3
    edit_width: int = 64
    edit_layers: int = 3
    edit_blocks: int = 2

    def warp_channels(self, level: int) -> int:
        """Return the channels after ``level`` halvings in the warping network."""
        return min(self.warp_width << level, self.widest)

    def edit_channels(self, level: int) -> int:
        """Return the channels after ``level`` halvings in the editing network."""
        return min(self.edit_width << level, self.widest)


@dataclass(frozen=True, slots=True)
class NanoRendererConfig:
    """Sizes of the renderer for one thread of a CPU.

    Attributes:
        mapping: Of the descriptor.
        modulation: Hidden units between the descriptor and all gains.
        channels: At a half, a quarter, an eighth and a sixteenth of half the image's size.
            Multiples of 16, the block in which CPUs with 512-bit vectors convolve; others are
            filled up.
        flow_width: Channels that the flow is read from.
        blocks: Residual blocks at the smallest size.
    """

    mapping: MappingConfig = MappingConfig(width=96)
    modulation: int = 96
    channels: tuple[int, int, int, int] = (32, 32, 80, 96)
    flow_width: int = 32
    blocks: int = 2


OFFICIAL: Final = PIRendererConfig()
NANO: Final = NanoRendererConfig()
