"""The tone of a voice: a curve, a little room, loudness. One short filter a clause, no state.

A formant synthesiser's sound is dry and harsh: all its energy comes from one point. A gentle curve
and a few early reflections, 30 dB under the voice in sum, take the edge off without blurring words.
"""

import functools
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm

TAPS: Final = 1_200  # 50 ms: the last reflection and its tone
_DESIGN: Final = 2_048  # points of the spectrum in which the tone is designed
_TONE_TAPS: Final = 256
# (delay ms, level against the voice): a desk, two walls and a ceiling of a small furnished room;
# delays without a common divisor, so that no pitch comes of them.
_REFLECTIONS: Final = ((7.3, 0.11), (11.9, -0.09), (17.1, 0.07), (23.7, 0.055), (33.1, -0.04))
# Where a change of timbre is told. Above, the last value holds: recordings at 16 kHz end there.
TIMBRE_HZ: Final = (
    100, 200, 300, 450, 650, 900, 1200, 1600, 2100, 2800, 3700, 4800, 6200, 7500,
)  # fmt: skip
_LOUDNESS_KNEE: Final = 0.7  # above it peaks are rounded; 1 is never reached


@dataclass(frozen=True, slots=True)
class Tone:
    """What of a voice's sound is made by a filter.

    Attributes:
        gain_db: Brings the voice to the common loudness.
        low_db, mid_db, high_db: Below 250 Hz, at 1-3 kHz, above 5 kHz.
        lowest_db, top_db: At 60 Hz, and at 11 kHz against 5 kHz.
        has_room: Whether early reflections are added; recordings have theirs.
    """

    gain_db: float = 0.0
    low_db: float = 0.0
    mid_db: float = 0.0
    high_db: float = 0.0
    lowest_db: float = -12.0
    top_db: float = -3.0
    has_room: bool = True


@functools.lru_cache(maxsize=64)
def design(
    own: Tone, brightness_db: float, volume: float, timbre_db: tuple[float, ...] = ()
) -> NDArray[np.float32]:
    """Return the filter (TAPS,) of a voice in a style.

    Args:
        own: The voice's tone.
        brightness_db: Tilt above 1 kHz.
        volume: A factor.
        timbre_db: Gains at ``TIMBRE_HZ``; empty: none.
    """
    tone = _minimum_phase(_tone_db(own, brightness_db, timbre_db))[:_TONE_TAPS]
    room = np.zeros(TAPS)
    room[0] = 1.0
    for delay_ms, level in _REFLECTIONS if own.has_room else ():
        room[round(delay_ms * SPEECH_RATE_HZ / 1000)] = level
    gain = volume * 10 ** (own.gain_db / 20)
    filtered: NDArray[np.float32] = (np.convolve(room, tone)[:TAPS] * gain).astype(np.float32)
    filtered.setflags(write=False)
    return filtered


def colour(pcm: Pcm, taps: NDArray[np.float32]) -> Pcm:
    """Return the whole convolution, (samples + TAPS - 1,): its tail belongs to what follows."""
    length = len(pcm) + len(taps) - 1
    size = 1 << (length - 1).bit_length()
    spectrum = np.fft.rfft(pcm, size) * np.fft.rfft(taps, size)
    coloured: Pcm = np.fft.irfft(spectrum, size)[:length].astype(np.float32)
    return coloured


def limit(pcm: Pcm) -> Pcm:
    """Round peaks so that no sample reaches 1; below the knee nothing changes."""
    magnitude = np.abs(pcm)
    room = 1.0 - _LOUDNESS_KNEE
    rounded = _LOUDNESS_KNEE + room * np.tanh((magnitude - _LOUDNESS_KNEE) / room)
    limited: Pcm = np.where(magnitude > _LOUDNESS_KNEE, np.sign(pcm) * rounded, pcm)
    return limited.astype(np.float32)


def _tone_db(own: Tone, brightness_db: float, timbre_db: tuple[float, ...]) -> NDArray[np.float64]:
    """Return the gain (_DESIGN // 2 + 1,) in dB at every frequency."""
    frequencies = np.fft.rfftfreq(_DESIGN, 1 / SPEECH_RATE_HZ)
    octaves = np.log2(np.maximum(frequencies, 20.0))
    points = np.log2([60, 120, 250, 700, 1200, 3000, 5000, 11_000])
    gains = [own.lowest_db, own.low_db, own.low_db, 0.0, own.mid_db, own.mid_db, own.high_db]
    gains.append(own.top_db + own.high_db)
    tilt = brightness_db * np.clip(octaves - np.log2(1000), 0, 1)
    curve: NDArray[np.float64] = np.interp(octaves, points, gains) + tilt
    if timbre_db:
        curve += np.interp(octaves, np.log2(TIMBRE_HZ), timbre_db)
    return curve


def _minimum_phase(gain_db: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the impulse response with that gain and the least delay.

    Source: A. Oppenheim, R. Schafer, "Discrete-Time Signal Processing", §13 (folding of the real
    cepstrum).
    """
    cepstrum = np.fft.irfft(gain_db / 20 * np.log(10), _DESIGN)
    cepstrum[1 : _DESIGN // 2] *= 2
    cepstrum[_DESIGN // 2 + 1 :] = 0
    response: NDArray[np.float64] = np.fft.irfft(np.exp(np.fft.rfft(cepstrum)), _DESIGN)
    return response
