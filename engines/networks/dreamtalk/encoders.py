"""What DreamTalk is told: the content of speech a frame, and a style a clip."""

from torch import Tensor, nn

from rt_avatar.engines.networks.attention import additive_mask
from rt_avatar.engines.networks.dreamtalk.blocks import Encoder, PositionTable
from rt_avatar.engines.networks.dreamtalk.config import DreamTalkConfig

_PADDING_LOGIT = -1e5  # added to the logit of a padded frame, as the published pooling has it


class ContentEncoder(nn.Module):  # type: ignore[misc]
    """Features of speech around each frame → content; frames do not see each other."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        self.increase_embed_dim = nn.Linear(config.audio_size, config.model_size)
        self.pos_embed = PositionTable(config.window, config.model_size)
        self.encoder = Encoder(config)

    def forward(self, audio: Tensor) -> Tensor:
        """Encode the windows of N frames.

        Args:
            audio: (B, N, window, audio_size).

        Returns:
            (B, N, window, model_size).
        """
        x = self.increase_embed_dim(audio)
        return self.encoder(x + self.pos_embed(x.shape[-2]))


class AttentionPooling(nn.Module):  # type: ignore[misc]
    """The mean over a clip, each frame weighted by what it shows."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.W = nn.Sequential(nn.Linear(width, width), nn.Mish(), nn.Linear(width, 1))

    def forward(self, x: Tensor, padding: Tensor | None = None) -> Tensor:
        """Pool (B, T, width) to (B, width); ``padding`` (B, T) is True where a frame is none."""
        logits = self.W(x)
        if padding is not None:
            logits = logits + _PADDING_LOGIT * padding[..., None].to(logits.dtype)
        return (logits.softmax(-2) * x).sum(-2)


class StyleEncoder(nn.Module):  # type: ignore[misc]
    """A clip of expressions → the style in which they were made."""

    def __init__(self, config: DreamTalkConfig) -> None:
        super().__init__()
        self.increase_embed_dim = nn.Linear(config.expression_size, config.model_size)
        self.pos_embed = PositionTable(config.style_frames, config.model_size)
        self.encoder = Encoder(config)
        self.aggregate_method = AttentionPooling(config.model_size)

    def forward(self, clip: Tensor, padding: Tensor | None = None) -> Tensor:
        """Encode clips.

        Args:
            clip: (B, T, expression_size) raw coefficients, T up to ``style_frames``.
            padding: (B, T), True where a frame is none. A clip cut to its own length needs none,
                and gives the same style.

        Returns:
            (B, model_size).
        """
        x = self.increase_embed_dim(clip) + self.pos_embed(clip.shape[-2])
        mask = None
        if padding is not None:
            mask = additive_mask(1.0 - padding[:, None, None, :].to(x.dtype))
        return self.aggregate_method(self.encoder(x, mask), padding)
