"""Shares of readers → a voice that is as high, lively, fast and bright as the recording.

What can be measured is measured on the voice itself: it speaks, and what is missing is added.
"""

from dataclasses import replace
from math import exp
from typing import Final

import numpy as np

from rt_avatar.engines.nano_tts.contour import DURATION_MEAN, DURATION_SPREAD
from rt_avatar.engines.nano_tts.engine import NanoStream
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.tokens import PAUSE
from rt_avatar.engines.nano_tts.voices import NanoVoice
from rt_avatar.engines.own_voice.fit import Doubles
from rt_avatar.engines.own_voice.pitch import describe_pitch
from rt_avatar.engines.own_voice.reference import BANDS, Reference
from rt_avatar.engines.styletts2.spectrum import FFT, LOG_SCALE, log_mel, mel_filters
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.tts_tone import TIMBRE_HZ
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, VoiceStyle

SAMPLE: Final = (
    "I walked along the river until it was nearly dark, and nobody was there.",
    "She told us that the train would leave at noon.",
)
_ROUNDS: Final = 2
_RATES: Final = (0.8, 1.25)
_RANGES: Final = (0.6, 2.0)
_DRAWS: Final = 2
_TEMPERATURE: Final = 0.4
_PER_CLAUSE: Final = 12  # words
_ACTIVE_LN: Final = 3 * np.log(10)  # 30 dB below the loudest tenth
_SMOOTHED: Final = 7  # mel bands
_TIMBRE_DB: Final = 9.0  # beyond, it is the room or the microphone


def tune(model: NanoModel, readers: dict[str, float], reference: Reference) -> NanoVoice:
    """Return the voice of these shares, tuned to the recording."""
    voice = NanoVoice(readers, rate=_rate(model, readers, reference))
    pitch, spread = describe_pitch(reference.pcm)
    for _ in range(_ROUNDS):
        own_pitch, own_spread = describe_pitch(say(model, voice, SAMPLE))
        voice = replace(
            voice,
            pitch=voice.pitch * exp(pitch - own_pitch),
            pitch_range=float(np.clip(voice.pitch_range * spread / own_spread, *_RANGES)),
        )
    return replace(voice, timbre_db=_timbre(model, voice, reference))


def say(model: NanoModel, voice: NanoVoice, clauses: tuple[str, ...]) -> Pcm:
    """Return clauses as the voice says them, at 24 kHz."""
    stream = NanoStream(model, voice)
    chunks = [
        chunk
        for index, clause in enumerate(clauses)
        for chunk in stream.push(SpeechRequest(clause, VoiceStyle(), index))
    ]
    return np.concatenate([chunk.pcm for chunk in [*chunks, *stream.flush()]])


def _rate(model: NanoModel, readers: dict[str, float], reference: Reference) -> float:
    """Return how much faster the person says the recording's words than the voice would."""
    speaker = model.speaker(readers)
    encoded = model.encode(reference.tokens, speaker)
    drawn = [model.draw(encoded, speaker, _TEMPERATURE, seed)[:, 0] for seed in range(_DRAWS)]
    frames = np.exp(np.mean(drawn, axis=0) * DURATION_SPREAD + DURATION_MEAN)
    is_phone = reference.tokens.symbol != PAUSE
    ratio = frames[is_phone].sum() / reference.frames[is_phone].sum()
    return float(np.clip(ratio, *_RATES))


def _timbre(model: NanoModel, voice: NanoVoice, reference: Reference) -> tuple[float, ...]:
    """Return the gains at ``TIMBRE_HZ`` that bring the mean spectrum to the recording's."""
    words = reference.words.split()
    starts = range(0, len(words), _PER_CLAUSE)
    own = say(model, voice, tuple(" ".join(words[at : at + _PER_CLAUSE]) for at in starts))
    missing = (_mean_mel(reference.pcm) - _mean_mel(own)) * LOG_SCALE * 10 / np.log(10)
    missing -= missing.mean()
    padded = np.pad(missing, _SMOOTHED // 2, mode="edge")
    smooth = np.convolve(padded, np.ones(_SMOOTHED) / _SMOOTHED, "valid")
    peaks = mel_filters().argmax(axis=0)[:BANDS] * SPEECH_RATE_HZ / FFT
    gains = _TIMBRE_DB * np.tanh(np.interp(TIMBRE_HZ, peaks, smooth) / _TIMBRE_DB)
    return tuple(round(float(gain), 1) for gain in gains)


def _mean_mel(pcm: Pcm) -> Doubles:
    """Return the mean of the log mel (BANDS,) while it sounds."""
    mel = log_mel(pcm)[:BANDS].T.astype(np.float64)
    level = np.log(np.exp(LOG_SCALE * mel).sum(axis=1))
    mean: Doubles = mel[level > np.percentile(level, 90) - _ACTIVE_LN].mean(axis=0)
    return mean
