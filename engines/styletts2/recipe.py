"""The recipe of a released StyleTTS 2: all numbers of inference that no checkpoint holds.

The released models differ not only in weights. A wrong choice here gives speech that is nearly
right, which is why each of them is a named constant and not a default somewhere in the code.

Source: arXiv 2306.07691; the demo programs released with LJSpeech and LibriTTS; Kokoro-82M's.
"""

from dataclasses import dataclass
from typing import Final, Literal

Wrap = Literal["lead", "both"]
Notation = Literal["espeak", "misaki"]


@dataclass(frozen=True, slots=True)
class SourceRecipe:
    """The harmonic source (hn-NSF): a fundamental and its overtones, and noise.

    Attributes:
        harmonics: Sines, the fundamental included.
        sine_amplitude: Amplitude of each sine.
        voiced_noise: Standard deviation of the noise where there is voice.
        unvoiced_noise: The same where there is none. It must not become zero: it keeps the phase of
            near-empty bins from being decided by rounding, which differs from backend to backend.
        voiced_above_hz: A frame is voiced where its F0 is above this.
        samples_per_frame: Samples of one F0 frame.
        sample_rate_hz: Rate of the sound.
    """

    harmonics: int = 9
    sine_amplitude: float = 0.1
    voiced_noise: float = 0.003
    unvoiced_noise: float = 0.1 / 3
    voiced_above_hz: float = 10.0
    samples_per_frame: int = 300
    sample_rate_hz: int = 24_000


@dataclass(frozen=True, slots=True)
class StyleRecipe:
    """How a sampled style, the reference and the sentence before are mixed.

    Attributes:
        alpha: Share of the sampled style in the acoustic half; 0 is the reference alone.
        beta: The same for the prosodic half.
        carry: Share of the style of the sentence before; 0 without a sentence before.
        carries_mixed: What the next sentence is given: the style as used, after mixing with the
            reference (LibriTTS), or the sampled style after mixing with its predecessor (LJSpeech).
        steps: Noise levels of the sampler; it makes ``steps - 1`` steps of two evaluations.
        guidance: Scale of classifier-free guidance; 1 is without.
    """

    alpha: float = 1.0
    beta: float = 1.0
    carry: float = 0.0
    carries_mixed: bool = False
    steps: int = 10
    guidance: float = 1.5

    @property
    def has_reference(self) -> bool:
        """Whether the reference has any share."""
        return self.alpha != 1.0 or self.beta != 1.0

    @property
    def is_sampled(self) -> bool:
        """Whether the sampled style has any share."""
        return self.alpha != 0.0 or self.beta != 0.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything of a released model's inference that is not a weight.

    Attributes:
        sigma_data: Standard deviation of the styles that the denoiser was trained on. It is not in
            the checkpoint; the value of the published configuration must be used, not the 0.2 that
            stands in the training configurations.
        style: How styles are sampled and mixed, for sentences that follow each other.
        notation: How phonemes were written in training: as espeak-ng does, or as misaki does.
        wrap: Whether the pad symbol stands at the beginning only or at both ends of the tokens.
        shifted_frames: Frames by which what is aligned is shifted right (1 for HiFi-GAN only).
        last_token_frames: Frames added to the last token's duration.
        dropped_samples: Samples dropped at the end of a sentence.
        source: The harmonic source.
    """

    sigma_data: float
    style: StyleRecipe
    notation: Notation = "espeak"
    wrap: Wrap = "lead"
    shifted_frames: int = 0
    last_token_frames: int = 0
    dropped_samples: int = 0
    source: SourceRecipe = SourceRecipe()


LJSPEECH: Final = Recipe(
    sigma_data=0.45731624995853165,
    style=StyleRecipe(carry=0.7),
    last_token_frames=5,
)
LIBRITTS: Final = Recipe(
    sigma_data=0.19926648961191362,
    style=StyleRecipe(alpha=0.3, beta=0.9, carry=0.7, carries_mixed=True),
    shifted_frames=1,
    dropped_samples=50,  # a pulse that this generator makes at the end
)
# Kokoro has no diffusion: its styles are a table, indexed by the number of phonemes.
KOKORO: Final = Recipe(
    sigma_data=0.2,
    style=StyleRecipe(alpha=0.0, beta=0.0),
    notation="misaki",
    wrap="both",
)
NANO: Final = Recipe(
    sigma_data=0.2,
    style=StyleRecipe(alpha=0.0, beta=0.0),
    wrap="both",
)
