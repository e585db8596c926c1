"""DreamTalk's denoiser: noisy expressions, content, style and time → clean expressions.

A frame sees nothing of the others: attention runs within its own window of speech. Frames may
therefore be computed in any chunks. All sizes come from ``DreamTalkConfig``; the names of the
parameters are those of the published weights (``denoising_network.pth``, ``diff_net.*``).
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from rt_avatar.engines.dreamtalk.schedule import alpha_bars, betas
from rt_avatar.engines.networks.dreamtalk.blocks import DecoderLayer, PositionTable, frequencies
from rt_avatar.engines.networks.dreamtalk.config import DreamTalkConfig
from rt_avatar.engines.networks.dreamtalk.encoders import ContentEncoder, StyleEncoder


def time_waves(steps: Sequence[int], width: int) -> Tensor:
    """Return (S, width) sinusoids of the steps t: all cosines, then all sines."""
    angles = torch.tensor(steps, dtype=torch.float64)[:, None] * frequencies(width)
    return torch.cat((angles.cos(), angles.sin()), 1).float()


def tail(config: DreamTalkConfig, channels: int) -> nn.Sequential:
    """Make a head that reads ``channels`` coefficients out of a token."""
    return nn.Sequential(
        nn.Linear(config.model_size, config.tail_size),
        nn.ReLU(),
        nn.Linear(config.tail_size, config.tail_size),
        nn.ReLU(),
        nn.Linear(config.tail_size, channels),
    )


class FaceDecoder(nn.Module):  # type: ignore[misc]
    """The decoder of one half of the face."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.layers))
        self.norm = nn.LayerNorm(config.model_size)

    def forward(self, x: Tensor, memory: Tensor) -> Tensor:
        """Take (B, 1, W, D) queries and (B, N, W, D) memory; return (B, N, W, D)."""
        for layer in self.layers:
            x = layer(x, memory)
        return self.norm(x)


class DisentangledDecoder(nn.Module):  # type: ignore[misc]
    """Two decoders, one for the upper and one for the lower face."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        self.pos_embed = PositionTable(config.window, config.model_size)
        self.upper_decoder = FaceDecoder(config)
        self.lower_decoder = FaceDecoder(config)
        self.upper_tail_fc = tail(config, len(config.upper_channels))
        self.lower_tail_fc = tail(config, len(config.lower_channels))
        self.order = config.channel_order

    def forward(self, memory: Tensor, style: Tensor) -> Tensor:
        """Decode frames.

        Args:
            memory: (B, N, W, D).
            style: (B, D).

        Returns:
            (B, N, channels).
        """
        tokens = memory.shape[-2]
        query = (self.pos_embed(tokens) + style[:, None])[:, None]  # (B, 1, W, D)
        middle = tokens // 2
        upper = self.upper_tail_fc(self.upper_decoder(query, memory)[:, :, middle])
        lower = self.lower_tail_fc(self.lower_decoder(query, memory)[:, :, middle])
        order = torch.tensor(self.order, device=upper.device)
        return torch.cat((upper, lower), -1).index_select(-1, order)


class Denoiser(nn.Module):  # type: ignore[misc]
    """All that DreamTalk computes with."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        self.config = config
        width = config.model_size
        self.content_encoder = ContentEncoder(config)
        self.style_encoder = StyleEncoder(config)
        self.decoder = DisentangledDecoder(config)
        self.content_xt_to_decoder_input_wo_time = nn.Sequential(
            nn.Linear(width + config.expression_size, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
            nn.Linear(width, width),
        )
        self.time_embed_net = nn.Sequential(
            nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width)
        )

    def time_table(self, steps: Sequence[int]) -> Tensor:
        """Return the (S, D) embeddings of the steps t."""
        return self.time_embed_net(time_waves(steps, self.config.model_size))

    def forward(self, x: Tensor, content: Tensor, style: Tensor, time: Tensor) -> Tensor:
        """Guess the clean expressions.

        Args:
            x: (B, N, channels) noisy expressions.
            content: (B, N, W, D) from the content encoder.
            style: (B, D) from the style encoder, or ready.
            time: (D,) a row of the time table, or (B, D) where batches differ in t.

        Returns:
            (B, N, channels), raw coefficients.
        """
        repeated = x[:, :, None].expand(*content.shape[:-1], x.shape[-1])
        memory = self.content_xt_to_decoder_input_wo_time(torch.cat((content, repeated), -1))
        if time.dim() == 2:
            time = time[:, None, None]
        return self.decoder(memory + time, style)


class NoiseSchedule(nn.Module):  # type: ignore[misc]
    """The training's schedule, as the published file carries it; sampling has its own tables."""

    def __init__(self) -> None:
        super().__init__()
        beta, alpha_bar = torch.from_numpy(betas()), torch.from_numpy(alpha_bars())
        before = torch.cat((alpha_bar[:1], alpha_bar[:-1]))
        least = (1 - before) / (1 - alpha_bar).clamp(min=1e-12) * beta  # the posterior's variance
        for name, values in (
            ("betas", beta),
            ("alphas", 1 - beta),
            ("alpha_bars", alpha_bar),
            ("sigmas_flex", beta.sqrt()),
            ("sigmas_inflex", least.sqrt()),
        ):
            self.register_buffer(name, values.float())


class DreamTalk(nn.Module):  # type: ignore[misc]
    """The denoiser with what the published file keeps beside it."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        frames = config.style_frames
        self.net = Denoiser(config)
        self.var_sched = NoiseSchedule()
        self.register_buffer("null_style_clip", torch.zeros(frames, config.expression_size))
        self.register_buffer("null_pad_mask", torch.zeros(frames, dtype=torch.bool))

    def null_style(self) -> Tensor:
        """Return the (1, D) style of no style: a clip of zeros, all of it valid."""
        return self.net.style_encoder(self.null_style_clip[None], self.null_pad_mask[None])
