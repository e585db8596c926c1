"""The graphs that the two modules leave torch as; latents are their means, nothing is random."""

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from rt_avatar.engines.networks.graph import Graph

_TOKENS = 4  # of the examples
_PHONEMES = 6
_FRAMES = 5
_SIGNALS = 16  # of each modality


class SpeechContent(nn.Module):  # type: ignore[misc]
    """The branch for speech."""

    def __init__(self, synchronizer: ContentSynchronizer) -> None:
        super().__init__()
        self.synchronizer = synchronizer

    def forward(
        self, reply: Tensor, reply_mask: Tensor, phonemes: Tensor, own: Tensor | None = None
    ) -> Tensor:
        """Return C^s (B, speech, T)."""
        return self.synchronizer.speech_content(reply, reply_mask, phonemes, own)


class VideoContent(nn.Module):  # type: ignore[misc]
    """The branch for video."""

    def __init__(self, synchronizer: ContentSynchronizer) -> None:
        super().__init__()
        self.synchronizer = synchronizer

    def forward(
        self, reply: Tensor, reply_mask: Tensor, frames: Tensor, own: Tensor | None = None
    ) -> Tensor:
        """Return C^v (B, L, video), or with whole windows (B, L, 11, video)."""
        return self.synchronizer.video_content(reply, reply_mask, frames, own)


class StylesOut(nn.Module):  # type: ignore[misc]
    """Styles and classes."""

    def __init__(self, disentangler: StyleDisentangler) -> None:
        super().__init__()
        self.disentangler = disentangler

    def forward(self, speech: Tensor, video: Tensor) -> tuple[Tensor, ...]:
        """Return S^s, S^v, and the logits of emotion, age, gender, tone."""
        styles = self.disentangler(speech, video)
        return styles.speech, styles.video, *styles.logits


def graphs(synchronizer: ContentSynchronizer, disentangler: StyleDisentangler) -> tuple[Graph, ...]:
    """List them."""
    inputs = synchronizer.config.inputs
    text = {1: "tokens"}

    def reply() -> dict[str, Tensor]:
        return {
            "reply": torch.zeros(1, _TOKENS, inputs),
            "reply_mask": torch.ones(1, _TOKENS),
        }

    def own(count: int, size: int) -> dict[str, Tensor]:
        begins = synchronizer.config.begins == "own"
        return {"own": torch.zeros(1, count, size)} if begins else {}

    def along(axis: str) -> dict[str, dict[int, str]]:
        names = (axis, "own") if synchronizer.config.begins == "own" else (axis,)
        return {name: {1: axis} for name in names}

    def signals() -> Tensor:
        return torch.zeros(1, _SIGNALS, disentangler.config.inputs)

    return (
        Graph(
            "fusion_speech_content",
            SpeechContent(synchronizer),
            {
                **reply(),
                "phonemes": torch.ones(1, _PHONEMES),
                **own(_PHONEMES, synchronizer.config.speech),
            },
            ("content",),
            {"reply": text, "reply_mask": text, **along("phonemes")},
            traced=True,
            dynamic_outputs={"content": {2: "phonemes"}},
        ),
        Graph(
            "fusion_video_content",
            VideoContent(synchronizer),
            {
                **reply(),
                "frames": torch.ones(1, _FRAMES),
                **own(_FRAMES, synchronizer.config.video),
            },
            ("content",),
            {"reply": text, "reply_mask": text, **along("frames")},
            traced=True,
            dynamic_outputs={"content": {1: "frames"}},
        ),
        Graph(
            "fusion_styles",
            StylesOut(disentangler),
            {"speech": signals(), "video": signals()},
            ("speech_style", "video_style", "emotion", "age", "gender", "tone"),
            {"speech": {0: "replies"}, "video": {0: "replies"}},
            traced=True,
            dynamic_outputs={
                name: {0: "replies"}
                for name in ("speech_style", "video_style", "emotion", "age", "gender", "tone")
            },
        ),
    )
