"""The style disentangler: the signal tokens' states → how to sound and how to look.

Two blocks, one for emotion and one for the speaker's profile, each sees the voice's and the face's
signal tokens and asks one learnt query for either. Emotion and profile of the voice are joined to
S^s, of the face to S^v; classifiers read emotion and profile from both modalities at once. The
paper's equations 3 and 5 print the speech states for both modalities; its figure has them right.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.fusion.blocks import Latent, VariationalTransformer, sample
from rt_avatar.engines.networks.fusion.config import (
    AGE_CLASSES,
    EMOTION_CLASSES,
    GENDER_CLASSES,
    TONE_CLASSES,
    DisentanglerConfig,
)
from rt_avatar.engines.networks.fusion.synchronizer import feedforward


class Logits(NamedTuple):
    """What the classifiers say: emotion (B, 7), age (B, 4), gender (B, 2), tone (B, 3)."""

    emotion: Tensor
    age: Tensor
    gender: Tensor
    tone: Tensor


class Known(NamedTuple):
    """What is known beside the signal tokens.

    Attributes:
        profile: (B, 3) int64, classes of age, gender and tone.
        emotion: (B, inputs), mean embedding of the chain's word for it; 0 where there is none.
    """

    profile: Tensor
    emotion: Tensor


class Styles(NamedTuple):
    """What the disentangler gives.

    Attributes:
        speech: S^s (B, acoustic + prosodic).
        video: S^v (B, video).
        logits: Of the classifiers.
        emotion: The latent of E^s, E^v, (B, 2, width).
        profile: The latent of P^s, P^v, (B, 2, width).
    """

    speech: Tensor
    video: Tensor
    logits: Logits
    emotion: Latent
    profile: Latent


class Factor(nn.Module):  # type: ignore[misc]
    """One block: emotion or profile, of both modalities."""

    def __init__(self, config: DisentanglerConfig) -> None:
        super().__init__()
        self.queries = nn.Parameter(0.02 * torch.randn(2, config.block.width))  # speech, video
        self.vae = VariationalTransformer(config.block)

    def forward(
        self, sequence: Tensor, mask: Tensor, noise: Tensor | None
    ) -> tuple[Tensor, Latent]:
        """Return (B, 2, width), speech first, and its latent."""
        queries = self.queries.expand(sequence.shape[0], -1, -1)
        wanted = torch.ones_like(queries[:, :, 0])
        latent = self.vae.encode(sequence, mask, queries, wanted)
        return self.vae.decode(sample(latent, noise), queries, wanted), latent


class StyleDisentangler(nn.Module):  # type: ignore[misc]
    """Both blocks, the style layers, the classifiers."""

    def __init__(self, config: DisentanglerConfig) -> None:
        super().__init__()
        self.config = config
        width = config.block.width
        joined = 2 * width if config.join == "concat" else width
        self.enter_speech = feedforward(config.inputs, config.block)
        self.enter_video = feedforward(config.inputs, config.block)
        self.kind = nn.Parameter(0.02 * torch.randn(2, width))  # tells the modalities apart
        if config.sees == "known":
            self.ages = nn.Embedding(AGE_CLASSES, width)
            self.genders = nn.Embedding(GENDER_CLASSES, width)
            self.tones = nn.Embedding(TONE_CLASSES, width)
            self.enter_emotion = feedforward(config.inputs, config.block)
        self.emotion = Factor(config)
        self.profile = Factor(config)
        self.speech_style = nn.Linear(joined, config.speech)
        self.video_style = nn.Linear(joined, config.video)
        self.emotion_class = nn.Linear(joined, EMOTION_CLASSES)
        self.age_class = nn.Linear(joined, AGE_CLASSES)
        self.gender_class = nn.Linear(joined, GENDER_CLASSES)
        self.tone_class = nn.Linear(joined, TONE_CLASSES)

    def forward(
        self,
        speech: Tensor,
        video: Tensor,
        mask: Tensor | None = None,
        noise: tuple[Tensor, Tensor] | None = None,
        known: Known | None = None,
    ) -> Styles:
        """Make the styles of a reply.

        Args:
            speech: (B, 16, inputs), states plus own embeddings of the voice's signal tokens.
            video: (B, 16, inputs), the same of the face's.
            mask: (B, 32), 0 where a signal is to be left out (for ablation); None: none is.
            noise: For emotion and profile, each (B, 2, width), while training; None: the means.
            known: What else styles follow from; only with ``sees = "known"``.
        """
        sequence = torch.cat(
            [self.enter_speech(speech) + self.kind[0], self.enter_video(video) + self.kind[1]], 1
        )
        mask = torch.ones_like(sequence[:, :, 0]) if mask is None else mask
        if known is not None:
            added = self._enter_known(known)
            sequence = torch.cat([sequence, added], 1)
            mask = torch.cat([mask, torch.ones_like(added[:, :, 0])], 1)
        emotion_noise, profile_noise = noise or (None, None)
        emotion, emotion_latent = self.emotion(sequence, mask, emotion_noise)
        profile, profile_latent = self.profile(sequence, mask, profile_noise)
        felt = self._join(emotion[:, 0], emotion[:, 1])
        known = self._join(profile[:, 0], profile[:, 1])
        return Styles(
            self.speech_style(self._join(emotion[:, 0], profile[:, 0])),
            self.video_style(self._join(emotion[:, 1], profile[:, 1])),
            Logits(
                self.emotion_class(felt),
                self.age_class(known),
                self.gender_class(known),
                self.tone_class(known),
            ),
            emotion_latent,
            profile_latent,
        )

    def _enter_known(self, known: Known) -> Tensor:
        """Return (B, 4, width) of age, gender, tone, emotion."""
        age, gender, tone = known.profile.unbind(1)
        parts = (self.ages(age), self.genders(gender), self.tones(tone))
        return torch.stack([*parts, self.enter_emotion(known.emotion)], 1)

    def _join(self, first: Tensor, second: Tensor) -> Tensor:
        if self.config.join == "add":
            return first + second
        return torch.cat([first, second], dim=-1)
