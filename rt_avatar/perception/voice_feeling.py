"""What a voice's emotion tells of a feeling: ``VoiceEmotionEstimate`` → evidence and valence.

Acted voices taught the engine, and callers show less than actors: a likeliest emotion that is not
clearly likelier than others tells nothing. Knows nothing of words and face.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rt_avatar.engines.types import Emotion
from rt_avatar.engines.voice_emotion import VOICE_EMOTIONS, VoiceEmotion, VoiceEmotionEstimate

_DOUBT: Final = 0.3  # a probability up to here tells nothing
# Calm is no feeling of ours: it is neutral.
_EMOTION: Final[Mapping[VoiceEmotion, Emotion]] = {
    "happy": "happy", "sad": "sad", "angry": "angry", "fear": "fear", "disgusted": "disgusted",
    "surprised": "surprised",
}  # fmt: skip
_PLEASANT: Final[Mapping[Emotion, float]] = {
    "happy": 0.8, "surprised": 0.0, "sad": -0.7, "angry": -0.8, "fear": -0.7, "disgusted": -0.7,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class VoiceFeeling:
    """What the voice alone tells.

    Attributes:
        shares: Of the emotions that are clear, each 0 to 1, together 1 at most.
        valence: -1 to 1, their mean.
    """

    shares: Mapping[Emotion, float] = field(default_factory=dict)
    valence: float = 0.0

    @property
    def strength(self) -> float:
        """How much is told, 0 to 1."""
        return sum(self.shares.values())

    def faded(self, left: float) -> "VoiceFeeling":
        """Return so much of it."""
        shares = {emotion: left * share for emotion, share in self.shares.items()}
        return VoiceFeeling(shares, self.valence)


def read_voice(estimate: VoiceEmotionEstimate) -> VoiceFeeling:
    """Return what an estimate tells."""
    shares = {
        _EMOTION[name]: (share - _DOUBT) / (1 - _DOUBT)
        for name, share in zip(VOICE_EMOTIONS, estimate.probabilities, strict=True)
        if share > _DOUBT and name in _EMOTION
    }
    whole = sum(shares.values())
    if not whole:
        return VoiceFeeling()
    pleasant = sum(share * _PLEASANT[emotion] for emotion, share in shares.items())
    return VoiceFeeling(shares, pleasant / whole)
