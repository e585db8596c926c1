"""Express a voice style for a speech endpoint: voice name, speed, instructions.

``VoiceStyle`` and a persona's voice in; what OpenAI's ``/audio/speech`` takes out. Models that take
no instructions (tts-1, most local ones) still get the speed.
"""

from typing import Final

from rt_avatar.engines.tts_prosody import prosody_of
from rt_avatar.engines.types import Emotion, VoiceStyle

# By the persona's voice (age and gender). Only the six voices of the first API version, because
# local servers that speak this protocol know these names, if any. Female: nova, shimmer, alloy;
# male: echo, fable, onyx (the deepest). None is a child's: the brightest of each stands in.
VOICE_NAMES: Final[dict[str, str]] = {
    "young_female": "nova",
    "young_male": "echo",
    "middle_female": "alloy",
    "middle_male": "onyx",
    "elderly_female": "shimmer",
    "elderly_male": "onyx",
    "child_female": "shimmer",
    "child_male": "fable",
}
_SPEED_MIN, _SPEED_MAX = 0.25, 4.0  # of the API

_FEELINGS: Final[dict[Emotion, str]] = {
    "neutral": "calm and friendly",
    "happy": "happy, with a smile in the voice",
    "surprised": "surprised",
    "angry": "angry, but controlled",
    "fear": "worried",
    "sad": "sad and compassionate",
    "disgusted": "disgusted",
    "contempt": "cool and dismissive",
}
# A style's factor counts as meant from a twentieth on.
_LEAST: Final = 0.05


def speed_of(style: VoiceStyle) -> float:
    """Return the speed to ask for: the style's rate and the emotion's, within the API's bounds."""
    return round(min(max(prosody_of(style).rate, _SPEED_MIN), _SPEED_MAX), 2)


def instructions_of(style: VoiceStyle) -> str:
    """Return how to speak, in a sentence or two."""
    strength = "slightly " if style.intensity < 0.34 else "very " if style.intensity > 0.8 else ""
    if style.emotion == "neutral":
        strength = ""
    manners = [
        more if factor > 1 else less
        for factor, more, less in (
            (style.pitch, "a higher pitch", "a lower pitch"),
            (style.pitch_range, "lively intonation", "level intonation"),
            (style.volume, "a strong voice", "a soft voice"),
        )
        if abs(factor - 1) >= _LEAST
    ]
    tone = f"Speak as in a conversation. Sound {strength}{_FEELINGS[style.emotion]}."
    return f"{tone} Use {', '.join(manners)}." if manners else tone
