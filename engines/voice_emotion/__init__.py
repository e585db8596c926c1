"""Which of eight emotions a caller's voice has, by how it sounds and not by what it says."""

from rt_avatar.engines.voice_emotion.engine import (
    SpokenWindow,
    VoiceEmotionEngine,
    VoiceEmotionEstimate,
)
from rt_avatar.engines.voice_emotion.kernel import VOICE_EMOTIONS, VoiceEmotion

__all__ = [
    "VOICE_EMOTIONS",
    "SpokenWindow",
    "VoiceEmotion",
    "VoiceEmotionEngine",
    "VoiceEmotionEstimate",
]
