"""Pictures (N, 3, size, size) → one vector each (N, width): CLIP's vision tower, pooled."""

from torch import Tensor, nn
from transformers import CLIPVisionModel

from rt_avatar.engines.networks.encoders.config import VisionConfig


class VisionEncoder(nn.Module):  # type: ignore[misc]
    """CLIP's class token after the last norm; pictures do not see each other."""

    def __init__(self, config: VisionConfig) -> None:
        super().__init__()
        self.config = config
        self.clip = CLIPVisionModel(config.huggingface())

    def forward(self, pictures: Tensor) -> Tensor:
        """Return (N, width)."""
        clip = self.clip
        x = clip.pre_layrnorm(clip.embeddings(pictures))
        for layer in clip.encoder.layers:
            x = layer(x, attention_mask=None)
        return clip.post_layernorm(x[:, 0])
