"""Speech (B, samples) at 16 kHz → features (B, frames, width), 50 a second: a HuBERT.

The layers are transformers' own. What ties them together is written out here, because their own
way of masking writes into tensors by index and asks for lengths as numbers, which no graph keeps.
"""

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize
from transformers import HubertModel

from rt_avatar.engines.encoders.waveform import FEATURE_SAMPLES, REACH_SAMPLES
from rt_avatar.engines.networks.attention import additive_mask
from rt_avatar.engines.networks.encoders.config import SpeechConfig


class SpeechEncoder(nn.Module):  # type: ignore[misc]
    """HuBERT with the weight norm of its positions folded; the last layer's features."""

    def __init__(self, config: SpeechConfig) -> None:
        super().__init__()
        self.config = config
        self.hubert = HubertModel(config.huggingface())
        positions = self.hubert.encoder.pos_conv_embed.conv
        parametrize.remove_parametrizations(positions, "weight")

    def forward(self, wave: Tensor, lengths: Tensor | None = None) -> Tensor:
        """Encode utterances.

        Args:
            wave: (B, samples), each normalised on its own, zeros after its end.
            lengths: (B,) samples of each, None: all full. A padded one gives the features that it
                gives alone; after its end come zeros. Not with the norm ``group``.

        Returns:
            (B, frames, width).

        Raises:
            ValueError: Lengths for a network whose first norm is over time.
        """
        if lengths is not None and self.config.norm == "group":
            raise ValueError(
                f"{self.config.name}: expected one utterance at a time, without padding: "
                "its first norm is over the whole of it; got lengths"
            )
        hubert = self.hubert
        x = hubert.feature_projection(hubert.feature_extractor(wave).transpose(1, 2))
        mask = None if lengths is None else feature_mask(lengths, x.shape[1]).to(x.dtype)
        added = None
        if mask is not None:
            x = x * mask[:, :, None]
            added = additive_mask(mask[:, None, None, :])
        encoder = hubert.encoder
        x = x + encoder.pos_conv_embed(x)
        stable = hubert.config.do_stable_layer_norm  # norms before the sums, one after all layers
        x = x if stable else encoder.layer_norm(x)
        for layer in encoder.layers:
            x = layer(x, attention_mask=added)
        x = encoder.layer_norm(x) if stable else x
        return x if mask is None else x * mask[:, :, None]


def feature_mask(lengths: Tensor, frames: int) -> Tensor:
    """Return (B, frames) bool: which features lie wholly within (B,) samples of speech."""
    ends = torch.arange(frames, device=lengths.device) * FEATURE_SAMPLES + REACH_SAMPLES
    return ends[None, :] <= lengths[:, None]
