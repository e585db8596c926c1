"""Estimate a speaker's affect from the voice alone: ``Pcm`` → ``FaceStyle`` of low intensity.

Excitement is heard, but not whether it is pleasant: a voice that serves people is taken for glad
when it is lively, and for concerned when it is subdued. Whoever knows better says so (a style that
is given wins, see ``runner``).
"""

from typing import Final

import numpy as np
import soxr

from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, FaceStyle, Pcm
from rt_avatar.perception.voice_arousal import VoiceArousal

# A synthetic voice pauses in digital silence, a line's noise lies near -60 dBFS; vowels and
# consonants of speech at usual levels are above (-20 to -45).
_SPEECH_DB: Final = -50.0
# Arousal within it is the common up and down of reading aloud.
_USUAL: Final = 0.15
# The most that is shown: half of what a given style shows (0.6), as a guess may be wrong.
_MOST_GLAD: Final = 0.30
_MOST_CONCERNED: Final = 0.25


class VoiceAffect:
    """One speaker's feeling; remembers how this voice usually sounds. One thread at a time."""

    def __init__(self) -> None:
        self._resampler = soxr.ResampleStream(
            SPEECH_RATE_HZ, INPUT_RATE_HZ, 1, dtype="float32", quality="LQ"
        )
        self._prosody = ProsodyEngine().open()
        self._arousal = VoiceArousal()

    def push(self, pcm: Pcm) -> FaceStyle:
        """Take any number of samples at 24 kHz; return how the face feels by now."""
        sound: Pcm = self._resampler.resample_chunk(np.ascontiguousarray(pcm))
        for frame in self._prosody.push(sound):
            if frame.energy_db > _SPEECH_DB:
                self._arousal.push(frame)
        arousal = self._arousal.confidence * self._arousal.arousal
        beyond = max(0.0, abs(arousal) - _USUAL) / (1.0 - _USUAL)
        if not beyond:
            return FaceStyle()
        if arousal > 0:
            return FaceStyle("happy", _MOST_GLAD * beyond)
        return FaceStyle("sad", _MOST_CONCERNED * beyond)
