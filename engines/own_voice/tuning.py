"""Shares of readers → a voice that is as high, as lively and as bright as the recording.

What can be measured is measured on the voice itself: it speaks, and what is missing is added.
"""

from dataclasses import replace
from math import exp
from typing import Final

import numpy as np

from rt_avatar.engines.nano_tts.engine import NanoStream
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.voices import NanoVoice
from rt_avatar.engines.own_voice.encoder import BANDS, describe_spectrum
from rt_avatar.engines.own_voice.pitch import describe_pitch
from rt_avatar.engines.styletts2.spectrum import FFT, LOG_SCALE, mel_filters
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.tts_tone import TIMBRE_HZ
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, VoiceStyle

SAMPLE: Final = (
    "I walked along the river until it was nearly dark, and nobody was there.",
    "She told us that the train would leave at noon.",
    "Please bring five large boxes of fresh fish, some cheese and a jug of water.",
    "What would you do with a whole week of free time?",
)
_ROUNDS: Final = 2
_RANGES: Final = (0.6, 2.0)
_SMOOTHED: Final = 7  # mel bands
_TIMBRE_DB: Final = 9.0  # beyond, it is the room or the microphone


def tune(model: NanoModel, readers: dict[str, float], pcm: Pcm) -> NanoVoice:
    """Return the voice of these shares, tuned to a recording at 24 kHz."""
    voice = NanoVoice(readers)
    pitch, spread = describe_pitch(pcm)
    for _ in range(_ROUNDS):
        own_pitch, own_spread = describe_pitch(say(model, voice, SAMPLE))
        voice = replace(
            voice,
            pitch=voice.pitch * exp(pitch - own_pitch),
            pitch_range=float(np.clip(voice.pitch_range * spread / own_spread, *_RANGES)),
        )
    return replace(voice, timbre_db=_timbre(pcm, say(model, voice, SAMPLE)))


def say(model: NanoModel, voice: NanoVoice, clauses: tuple[str, ...]) -> Pcm:
    """Return clauses as the voice says them, at 24 kHz."""
    stream = NanoStream(model, voice)
    chunks = [
        chunk
        for index, clause in enumerate(clauses)
        for chunk in stream.push(SpeechRequest(clause, VoiceStyle(), index))
    ]
    return np.concatenate([chunk.pcm for chunk in [*chunks, *stream.flush()]])


def _timbre(pcm: Pcm, own: Pcm) -> tuple[float, ...]:
    """Return the gains at ``TIMBRE_HZ`` that bring the voice's mean spectrum to the recording's."""
    missing = describe_spectrum(pcm)[0] - describe_spectrum(own)[0]
    padded = np.pad(missing * LOG_SCALE * 10 / np.log(10), _SMOOTHED // 2, mode="edge")
    smooth = np.convolve(padded, np.ones(_SMOOTHED) / _SMOOTHED, "valid")
    peaks = mel_filters().argmax(axis=0)[:BANDS] * SPEECH_RATE_HZ / FFT
    gains = _TIMBRE_DB * np.tanh(np.interp(TIMBRE_HZ, peaks, smooth) / _TIMBRE_DB)
    return tuple(round(float(gain), 1) for gain in gains)
