"""PIRenderer whole: a portrait and the motion around a frame → the frame.

The names of the parameters are those of the published weights, their spelling included.
"""

from torch import Tensor, nn

from rt_avatar.engines.networks.pirender.blocks import Mapping
from rt_avatar.engines.networks.pirender.config import PIRendererConfig
from rt_avatar.engines.networks.pirender.editing import EditingNetwork
from rt_avatar.engines.networks.pirender.warping import WarpingNetwork


class FaceGenerator(nn.Module):  # type: ignore[misc]
    """As published, for training and as the measure of ``FoldedGenerator``."""

    def __init__(self, config: PIRendererConfig) -> None:
        super().__init__()
        self.config = config
        self.mapping_net = Mapping(config.mapping)
        self.warpping_net = WarpingNetwork(config)
        self.editing_net = EditingNetwork(config)

    def forward(self, source: Tensor, window: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Render frames.

        Args:
            source: (B, 3, 256, 256) the portrait, RGB in -1..1.
            window: (B, 73, 27) motion around each frame (``engines.pirender.windows``).

        Returns:
            Flow (B, 2, 64, 64), moved portrait and frame (B, 3, 256, 256) in -1..1.
        """
        descriptor = self.mapping_net(window)
        flow, moved = self.warpping_net(source, descriptor)
        return flow, moved, self.editing_net(source, moved, descriptor)
