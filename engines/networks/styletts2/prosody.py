"""The prosody predictor: how long each phoneme is, and the F0 and energy of each frame.

It is cut where lengths come from values: ``durations`` gives logits for tokens; the caller rounds
them and brings tokens to frames (``engines.styletts2.alignment``); ``curves`` takes frames. For
HiFi-GAN's checkpoints the alignment of both halves is shifted by a frame, by the caller.
"""

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.styletts2.config import StyleTTS2Config
from rt_avatar.engines.networks.styletts2.primitives import (
    AdainResBlk1d,
    AdaLayerNorm,
    BiLstm,
    Moments,
)


class DurationEncoder(nn.Module):  # type: ignore[misc]
    """LSTMs and adaptive norms in turn; the style is put beside every layer's input again."""

    def __init__(self, config: StyleTTS2Config) -> None:
        super().__init__()
        self.lstms = nn.ModuleList()
        for _ in range(config.layers):
            self.lstms.append(BiLstm(config.hidden + config.style, config.hidden))
            self.lstms.append(AdaLayerNorm(config.hidden, config.style))

    def forward(self, text: Tensor, style: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return (B, T, C + S) of text (B, C, T); the last S channels are the style."""
        beside = style[:, None, :].expand(-1, text.shape[2], -1)
        x = torch.cat([text.transpose(1, 2), beside], dim=2)
        for lstm, norm in zip(self.lstms[::2], self.lstms[1::2], strict=True):
            x = torch.cat([norm(lstm(x, mask), style), beside], dim=2)
            if mask is not None:
                x = x * mask[:, :, None]
        return x


class ProsodyPredictor(nn.Module):  # type: ignore[misc]
    """Durations of tokens, and F0 and energy of frames, in the prosodic style."""

    def __init__(self, config: StyleTTS2Config) -> None:
        super().__init__()
        hidden, style, norm = config.hidden, config.style, config.norm
        self.pitch_unit_hz = config.pitch_unit_hz
        self.energy_unit = config.energy_unit
        self.text_encoder = DurationEncoder(config)
        self.lstm = BiLstm(hidden + style, hidden)
        self.duration_proj = nn.Module()
        self.duration_proj.linear_layer = nn.Linear(hidden, config.max_duration)
        # Untrained, a token lasts some 4 of 50 frames (95 ms, about a phoneme's time) and not 25.
        nn.init.constant_(self.duration_proj.linear_layer.bias, -2.5)
        self.shared = BiLstm(hidden + style, hidden)

        def stack() -> nn.ModuleList:
            return nn.ModuleList(
                [
                    AdainResBlk1d(hidden, hidden, style, norm=norm),
                    AdainResBlk1d(hidden, hidden // 2, style, upsample=True, norm=norm),
                    AdainResBlk1d(hidden // 2, hidden // 2, style, norm=norm),
                ]
            )

        self.F0, self.N = stack(), stack()
        self.F0_proj = nn.Conv1d(hidden // 2, 1, 1)
        self.N_proj = nn.Conv1d(hidden // 2, 1, 1)

    def durations(
        self, text: Tensor, style: Tensor, mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the encoded text and the logits of its durations.

        Args:
            text: (B, C, T) of ``bert_encoder``.
            style: (B, S) prosodic half.
            mask: (B, T) 1 for tokens, 0 for padding; None for no padding.

        Returns:
            (B, C + S, T) to be aligned for ``curves``, and (B, T, 50): a duration in frames of
            25 ms is the sum of their sigmoids.
        """
        encoded = self.text_encoder(text, style, mask)
        logits = self.duration_proj.linear_layer(self.lstm(encoded, mask))
        return encoded.transpose(1, 2), logits

    def curves(self, aligned: Tensor, style: Tensor) -> tuple[Tensor, Tensor]:
        """Return F0 (B, 2 F) in Hz, about 0 where there is no voice, and the energy N (B, 2 F).

        N is the ln of the norm of a frame's 80 mel powers. Sentences of one batch must be equally
        long: norms over time and convolutions would see what they are padded with.

        Args:
            aligned: (B, C + S, F) of ``durations``, brought to frames.
            style: (B, S) prosodic half.
        """
        x = self.shared(aligned.transpose(1, 2)).transpose(1, 2)
        moments = Moments()
        pitch, energy = x, x
        for block in self.F0:
            pitch = block(pitch, style, moments)
        for block in self.N:
            energy = block(energy, style, moments)
        pitch = self.F0_proj(pitch)[:, 0] * self.pitch_unit_hz
        return pitch, self.N_proj(energy)[:, 0] * self.energy_unit
