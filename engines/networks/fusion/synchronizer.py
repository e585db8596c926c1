"""The content synchronizer: the reply's states → what the voice says and how the face says it.

One branch for speech, one for video, of the same make and from the same states. Their outputs take
the places of the generators' own text encoder and content encoder, so that both generators start
from one understanding of the reply. The length of the output is the generators' matter: phonemes
are counted before the voice, frames after its durations are known; as many queries are made.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.fusion.blocks import (
    Latent,
    VariationalTransformer,
    sample,
    sinusoids,
)
from rt_avatar.engines.networks.fusion.config import BlockConfig, SynchronizerConfig


class Content(NamedTuple):
    """What a branch gives: the content (B, T, outputs), 0 where none is wanted; its latent."""

    content: Tensor
    latent: Latent


class Branch(nn.Module):  # type: ignore[misc]
    """Linear map, learnt queries, transformer VAE, linear map."""

    def __init__(self, config: SynchronizerConfig, outputs: int) -> None:
        super().__init__()
        self.config = config
        width = config.block.width
        self.enter = feedforward(config.inputs, config.block)
        self.query = nn.Parameter(0.02 * torch.randn(width))
        self.vae = VariationalTransformer(config.block)
        self.leave = nn.Linear(width, outputs)
        if config.begins == "own":
            self.know = nn.Linear(outputs, width)
            self.gate = nn.Linear(width, 1)

    def forward(
        self,
        reply: Tensor,
        reply_mask: Tensor,
        wanted: Tensor,
        noise: Tensor | None = None,
        own: Tensor | None = None,
    ) -> Content:
        """Make the content of a reply, or of one of its sentences.

        Args:
            reply: (B, S, inputs), the language model's last states at the reply's tokens.
            reply_mask: (B, S), 1 where there is a token.
            wanted: (B, T), 1 for each phoneme or frame wanted, from the first on.
            noise: (B, T, width) of unit variance while training; None: z is the mean.
            own: (B, T, outputs) that contents begin from; only with ``begins = "own"``.
        """
        places = _count(wanted)
        width = self.config.block.width
        sequence = self.enter(reply)
        if self.config.text_places:
            sequence = sequence + sinusoids(_count(reply_mask), width)
        if self.config.places == "proportional":
            ratio = reply_mask.sum(1, keepdim=True) / wanted.sum(1, keepdim=True).clamp(min=1)
            places = (places + 0.5) * ratio - 0.5
        queries = self.query + sinusoids(places, width)
        if own is not None:
            queries = queries + self.know(own)
        latent = self.vae.encode(sequence, reply_mask, queries, wanted)
        out = self.vae.decode(sample(latent, noise), queries, wanted)
        content = self.leave(out)
        if own is not None:
            content = own + self.gate(out).sigmoid() * content
        return Content(content * wanted[:, :, None], latent)


class ContentSynchronizer(nn.Module):  # type: ignore[misc]
    """Both branches."""

    def __init__(self, config: SynchronizerConfig) -> None:
        super().__init__()
        self.config = config
        self.speech = Branch(config, config.speech)
        self.video = Branch(config, config.window * config.video)

    def speech_content(
        self, reply: Tensor, reply_mask: Tensor, phonemes: Tensor, own: Tensor | None = None
    ) -> Tensor:
        """Return C^s (B, speech, T) as the voice's decoder takes it; ``phonemes`` (B, T) mask."""
        return self.speech(reply, reply_mask, phonemes, own=own).content.transpose(1, 2)

    def video_content(self, reply: Tensor, reply_mask: Tensor, frames: Tensor) -> Tensor:
        """Return C^v (B, L, video), or (B, L, 11, video) with whole windows."""
        content = self.video(reply, reply_mask, frames).content
        if self.config.window == 1:
            return content
        return content.unflatten(2, (self.config.window, self.config.video))


def feedforward(inputs: int, block: BlockConfig) -> nn.Sequential:
    """Return the net that brings the language model's states to a block's width."""
    return nn.Sequential(
        nn.Linear(inputs, block.width), nn.GELU(), nn.Linear(block.width, block.width)
    )


def _count(mask: Tensor) -> Tensor:
    # The n-th place is n whatever is masked: masks are 1 from the first place to the last.
    return torch.arange(mask.shape[1], device=mask.device, dtype=mask.dtype).expand_as(mask)
