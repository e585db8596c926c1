"""S^s of the nano voice: who speaks and how → 256 numbers, and back to what a clause is said with.

The acoustic half holds the speaker's codes and the timbre, the prosodic half pitch, pace and the
rest, each about as large as it varies; what is left of a half is 0. So a style disentangler can
learn them, and every vector near to one of them is a voice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.engines.llm.profile import Profile
from rt_avatar.engines.nano_tts.clause import PITCH_RANGE_MAX, RATE_MAX, Delivery
from rt_avatar.engines.nano_tts.contour import Floats
from rt_avatar.engines.nano_tts.emotions import actors_prosody
from rt_avatar.engines.nano_tts.model import SpeakerCode
from rt_avatar.engines.nano_tts.voices import VOICES
from rt_avatar.engines.tts_tone import TIMBRE_HZ
from rt_avatar.engines.types import VoiceStyle

HALF: Final = 128
SIZE: Final = 2 * HALF
_CODE: Final = 32  # numbers of either code of a speaker
_BANDS: Final = len(TIMBRE_HZ)
_PITCH_MEAN: Final = 5.0  # of ln F0 of the readers
# What is told beside codes: place (of the whole vector), 0 of the scale, and its unit.
_TIMBRE_DB: Final = 4.0
_ACOUSTIC: Final = 2 * _CODE + _BANDS
_PLACES: Final = {
    "formant": (_ACOUSTIC, 0.1), "volume": (_ACOUSTIC + 1, 0.2),
    "brightness_db": (_ACOUSTIC + 2, 3.0), "breath_db": (_ACOUSTIC + 3, 3.0),
    "mean": (HALF, 0.3), "spread": (HALF + 1, 0.1), "rate": (HALF + 2, 0.1),
    "pitch": (HALF + 3, 0.1), "pitch_range": (HALF + 4, 0.3), "pause": (HALF + 5, 0.2),
    "jitter": (HALF + 6, 0.3), "voiced": (HALF + 7, 0.05),
}  # fmt: skip
_RATIOS: Final = ("formant", "volume", "rate", "pitch", "pitch_range", "pause", "jitter")
_LEAST: Final = 1e-3  # of a ratio, whose logarithm is told
# Beyond these nothing of the voices lies: a vector of an untrained network is a voice all the same.
_MOST: Final = {
    "formant": (0.85, 1.25), "volume": (0.3, 1.6), "rate": (0.6, RATE_MAX), "pitch": (0.5, 2.2),
    "pitch_range": (0.0, PITCH_RANGE_MAX), "pause": (0.3, 3.0), "jitter": (0.5, 3.0),
    "voiced": (-0.2, 0.0), "brightness_db": (-9.0, 9.0), "breath_db": (-12.0, 12.0),
    "mean": (4.2, 5.6), "spread": (0.05, 0.5),
}  # fmt: skip
_MOST_TIMBRE_DB: Final = 15.0
# Steps of rate, pitch, its range and volume from a person's own, by the tone of a profile.
_TONES: Final = {
    "high": (1.03, 1.03, 1.1, 1.05), "mid": (1.0, 1.0, 1.0, 1.0), "low": (0.96, 0.99, 0.95, 0.9),
}  # fmt: skip
_AGES: Final = {"middle-aged": "middle"}  # in voices' names, where it is another word


@dataclass(frozen=True, slots=True, eq=False)
class Manner:
    """How a clause is said, as the voice's parts take it.

    Attributes:
        speaker: Who speaks.
        delivery: Pace, pitch and so on.
        volume: A factor.
        pause: Of the silence behind the clause, a factor.
        brightness_db: Tilt above 1 kHz.
        timbre_db: Gains at ``tts_tone.TIMBRE_HZ``.
    """

    speaker: SpeakerCode
    delivery: Delivery
    volume: float
    pause: float
    brightness_db: float
    timbre_db: tuple[float, ...]


def voice_of(profile: Profile) -> str:
    """Return the person, of ``voices.VOICES``, who answers as a profile says."""
    return f"{_AGES.get(profile.age, profile.age)}_{profile.gender}"


def toned(style: VoiceStyle, tone: str) -> VoiceStyle:
    """Return a style in a profile's tone."""
    rate, pitch, pitch_range, volume = _TONES[tone]
    return VoiceStyle(
        style.emotion, style.intensity, style.rate * rate, style.pitch * pitch,
        style.pitch_range * pitch_range, style.volume * volume,
    )  # fmt: skip


def add_timbre(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    """Return the gains of both filters one behind the other; an empty one changes nothing."""
    if not one or not other:
        return one or other
    return tuple(round(first + second, 1) for first, second in zip(one, other, strict=True))


def write_vector(
    speaker: Callable[[dict[str, float]], SpeakerCode], voice: str, style: VoiceStyle
) -> Floats:
    """Return S^s (256,) of a person in a style.

    Args:
        speaker: Of the voice's model: a mixture of readers.
        voice: Of ``voices.VOICES``.
        style: How.
    """
    person, prosody = VOICES[voice], actors_prosody(style)
    code, delivery = speaker(person.speakers), person.delivery(prosody)
    values = {
        "formant": delivery.formant, "volume": prosody.volume,
        "brightness_db": prosody.brightness_db, "breath_db": delivery.breath_db,
        "mean": code.pitch, "spread": code.spread, "rate": delivery.rate, "pitch": delivery.pitch,
        "pitch_range": delivery.pitch_range, "pause": prosody.pause, "jitter": delivery.jitter,
        "voiced": delivery.voiced,
    }  # fmt: skip
    vector = np.zeros(SIZE, np.float32)
    vector[:_CODE], vector[_CODE : 2 * _CODE] = code.acoustic[0], code.timbre[0]
    timbre_db = add_timbre(person.timbre_db, prosody.timbre_db) or (0.0,) * _BANDS
    vector[2 * _CODE : _ACOUSTIC] = np.array(timbre_db) / _TIMBRE_DB
    for name, value in values.items():
        at, unit = _PLACES[name]
        value = min(max(value, _MOST[name][0]), _MOST[name][1])
        vector[at] = (np.log(max(value, _LEAST)) if name in _RATIOS else value - _zero(name)) / unit
    return vector


def read_vector(vector: Floats) -> Manner:
    """Return how a clause is said by S^s (256,), within what the voice can do.

    Raises:
        ValueError: It is of another size, or not finite.
    """
    if vector.shape != (SIZE,) or not np.isfinite(vector).all():
        raise ValueError(f"style: expected {SIZE} finite numbers; got {vector.shape}")
    values = {}
    for name, (at, unit) in _PLACES.items():
        value = float(vector[at]) * unit
        value = float(np.exp(min(value, 5.0))) if name in _RATIOS else value + _zero(name)
        values[name] = min(max(value, _MOST[name][0]), _MOST[name][1])
    bands = vector[2 * _CODE : _ACOUSTIC] * _TIMBRE_DB
    return Manner(
        SpeakerCode(
            vector[None, :_CODE].copy(), vector[None, _CODE : 2 * _CODE].copy(),
            values["mean"], values["spread"],
        ),
        Delivery(
            rate=values["rate"], pitch=values["pitch"], pitch_range=values["pitch_range"],
            formant=values["formant"], breath_db=values["breath_db"], jitter=values["jitter"],
            voiced=values["voiced"],
        ),
        values["volume"], values["pause"], round(values["brightness_db"], 1),
        tuple(round(float(band), 1) for band in np.clip(bands, -_MOST_TIMBRE_DB, _MOST_TIMBRE_DB)),
    )  # fmt: skip


def _zero(name: str) -> float:
    return _PITCH_MEAN if name == "mean" else 0.0
