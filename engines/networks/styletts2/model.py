"""The whole of a StyleTTS 2, its parts named as the checkpoints name them."""

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.styletts2.config import StyleTTS2Config
from rt_avatar.engines.networks.styletts2.decoder import Decoder
from rt_avatar.engines.networks.styletts2.diffusion import StyleDenoiser
from rt_avatar.engines.networks.styletts2.plbert import PlBert
from rt_avatar.engines.networks.styletts2.prosody import ProsodyPredictor
from rt_avatar.engines.networks.styletts2.style_encoder import StyleEncoder
from rt_avatar.engines.networks.styletts2.text_encoder import TextEncoder


class StyleTTS2(nn.Module):  # type: ignore[misc]
    """All parts; what a configuration has not, is not there. They meet outside, as engines do."""

    def __init__(self, config: StyleTTS2Config) -> None:
        super().__init__()
        self.config = config
        self.bert = PlBert(config)
        self.bert_encoder = nn.Linear(config.bert.hidden, config.hidden)
        self.text_encoder = TextEncoder(config)
        self.predictor = ProsodyPredictor(config)
        self.decoder = Decoder(config)
        if config.style_encoder:
            self.style_encoder = StyleEncoder(config.style_encoder, config.style)
            self.predictor_encoder = StyleEncoder(config.style_encoder, config.style)
        if config.diffusion:
            self.diffusion = StyleDenoiser(config, config.diffusion)

    def contextualise(self, tokens: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return PL-BERT's output twice: as the denoiser wants it, and as the predictor does.

        Args:
            tokens: (B, T) ids.
            mask: (B, T) 1 for tokens, 0 for padding; None for no padding.

        Returns:
            (B, T, 768) and (B, hidden, T).
        """
        context = self.bert(tokens, mask)
        return context, self.bert_encoder(context).transpose(1, 2)

    def reference_style(self, mel: Tensor) -> Tensor:
        """Return the style of a reference, (B, 256), acoustic half first, of mel (B, 1, 80, M)."""
        return torch.cat([self.style_encoder(mel), self.predictor_encoder(mel)], dim=1)
