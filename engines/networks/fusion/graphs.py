"""The graphs that the two modules leave torch as; latents are their means, nothing is random."""

import torch
from torch import Tensor, nn

from rt_avatar.engines.empatheia.export_manifest import NANO_VOICE
from rt_avatar.engines.networks.fusion.disentangler import Known, StyleDisentangler
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.nano_tts.acoustic import NanoAcoustic

STYLES = ("speech_style", "video_style", "emotion", "age", "gender", "tone")
_TOKENS = 4  # of the examples
_PHONEMES = 6
_FRAMES = 5
_SIGNALS = 16  # of each modality


class SpeechContent(nn.Module):  # type: ignore[misc]
    """The branch for speech."""

    def __init__(self, synchronizer: ContentSynchronizer) -> None:
        super().__init__()
        self.synchronizer = synchronizer

    def forward(self, reply: Tensor, reply_mask: Tensor, phonemes: Tensor) -> Tensor:
        """Return C^s (B, speech, T)."""
        return self.synchronizer.speech_content(reply, reply_mask, phonemes)


class VideoContent(nn.Module):  # type: ignore[misc]
    """The branch for video."""

    def __init__(self, synchronizer: ContentSynchronizer) -> None:
        super().__init__()
        self.synchronizer = synchronizer

    def forward(self, reply: Tensor, reply_mask: Tensor, frames: Tensor) -> Tensor:
        """Return C^v (B, L, video), or with whole windows (B, L, 11, video)."""
        return self.synchronizer.video_content(reply, reply_mask, frames)


class NanoVoiceContent(nn.Module):  # type: ignore[misc]
    """The branch for speech and the nano voice's encoder, which goes on from its contents."""

    def __init__(self, synchronizer: ContentSynchronizer, voice: NanoAcoustic) -> None:
        super().__init__()
        self.synchronizer, self.voice = synchronizer, voice

    def forward(self, reply: Tensor, reply_mask: Tensor, symbol: Tensor, speaker: Tensor) -> Tensor:
        """Return what the voice's decoder takes (B, T, C) of symbols (B, T), speaker (B, S)."""
        own = self.voice.symbol(symbol)
        every = torch.ones_like(own[:, :, 0])
        content = self.synchronizer.speech_content(reply, reply_mask, every, own)
        encoded: Tensor = self.voice.encoder(content.transpose(1, 2), speaker, every)
        return encoded


class StylesOut(nn.Module):  # type: ignore[misc]
    """Styles and classes."""

    def __init__(self, disentangler: StyleDisentangler) -> None:
        super().__init__()
        self.disentangler = disentangler

    def forward(
        self,
        speech: Tensor,
        video: Tensor,
        profile: Tensor | None = None,
        felt: Tensor | None = None,
    ) -> tuple[Tensor, ...]:
        """Return S^s, S^v, and the logits of emotion, age, gender, tone."""
        known = None if profile is None or felt is None else Known(profile, felt)
        styles = self.disentangler(speech, video, known=known)
        return styles.speech, styles.video, *styles.logits


def nano_voice_graph(synchronizer: ContentSynchronizer, voice: NanoAcoustic) -> Graph:
    """Return the graph that speaks a clause's contents by the nano voice of the package."""
    inputs = synchronizer.config.inputs
    text, sounds = {1: "tokens"}, {1: "phonemes"}
    return Graph(
        NANO_VOICE,
        NanoVoiceContent(synchronizer, voice),
        {
            "reply": torch.zeros(1, _TOKENS, inputs),
            "reply_mask": torch.ones(1, _TOKENS),
            "symbol": torch.arange(_PHONEMES)[None],
            "speaker": torch.zeros(1, voice.speakers.weight.shape[1]),
        },
        ("encoded",),
        {"reply": text, "reply_mask": text, "symbol": sounds},
        traced=True,
        dynamic_outputs={"encoded": {1: "phonemes"}},
    )


def graphs(synchronizer: ContentSynchronizer, disentangler: StyleDisentangler) -> tuple[Graph, ...]:
    """List those of any size."""
    inputs = synchronizer.config.inputs
    text = {1: "tokens"}

    def reply() -> dict[str, Tensor]:
        return {
            "reply": torch.zeros(1, _TOKENS, inputs),
            "reply_mask": torch.ones(1, _TOKENS),
        }

    def signals() -> Tensor:
        return torch.zeros(1, _SIGNALS, disentangler.config.inputs)

    given = {"speech": signals(), "video": signals()}
    if disentangler.config.sees == "known":
        given |= {
            "profile": torch.zeros(1, 3, dtype=torch.long),
            "felt": torch.zeros(1, disentangler.config.inputs),
        }

    return (
        Graph(
            "fusion_speech_content",
            SpeechContent(synchronizer),
            {**reply(), "phonemes": torch.ones(1, _PHONEMES)},
            ("content",),
            {"reply": text, "reply_mask": text, "phonemes": {1: "phonemes"}},
            traced=True,
            dynamic_outputs={"content": {2: "phonemes"}},
        ),
        Graph(
            "fusion_video_content",
            VideoContent(synchronizer),
            {**reply(), "frames": torch.ones(1, _FRAMES)},
            ("content",),
            {"reply": text, "reply_mask": text, "frames": {1: "frames"}},
            traced=True,
            dynamic_outputs={"content": {1: "frames"}},
        ),
        Graph(
            "fusion_styles",
            StylesOut(disentangler),
            given,
            STYLES,
            {name: {0: "replies"} for name in given},
            traced=True,
            dynamic_outputs={name: {0: "replies"} for name in STYLES},
        ),
    )
