"""Sounds of a room, made on the spot: coughs, clicks, doors, keys, noise, babble, music, "mm-hm".

Every sound is (samples,) float64 at 48 kHz, -1..1, made of a seed: the same call gives the same
sound. Levels are dB of full scale (a square wave of 1.0 is 0 dB) over the sound's *active* windows,
those of 10 ms within 25 dB of the loudest; so a sentence with pauses and one without are as loud.
They are plausible, not recorded: a synthetic cough has a cough's envelope and colour, no throat.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.speech import VOICED_DB, WINDOW
from rt_avatar.engines.types import WIRE_RATE_HZ

Sound = NDArray[np.float64]  # (samples,) at 48 kHz, -1..1

# ITU-T P.56/P.800 tests play speech at 26 dB below overload.
SPEECH_DB: Final = -26.0
_FADE_S: Final = 0.05  # a television is switched on, not faded in; less would be a click


def active_level_db(sound: Sound) -> float:
    """Return the level of the windows that count; raises ValueError on silence."""
    windows = sound[: len(sound) // WINDOW * WINDOW].reshape(-1, WINDOW)
    power = np.mean(windows**2, axis=1)
    if not power.size or power.max() <= 0:
        raise ValueError("sound: expected at least 10 ms that are not silent")
    return float(10 * np.log10(power[power > power.max() / 10 ** (VOICED_DB / 10)].mean()))


def at_level(sound: Sound, level_db: float) -> Sound:
    """Bring a sound to that active level."""
    return np.asarray(sound * 10 ** ((level_db - active_level_db(sound)) / 20))


def to_int16(sound: Sound) -> NDArray[np.int16]:
    """Return samples as a microphone gives them; what is too loud is clipped, as there."""
    return np.clip(np.round(sound * 32768), -32768, 32767).astype(np.int16)


def from_int16(pcm: NDArray[np.int16]) -> Sound:
    """Undo ``to_int16``."""
    return pcm.astype(np.float64) / 32768


# --- short ones ---------------------------------------------------------------------------------
def cough(seed: int) -> Sound:
    """One cough, 0.35 s: a burst of 40 ms, then rough noise, then a voiced end.

    Source of the phases: Korpáš, Sadloňová, Vrabec, "Analysis of the cough sound: an overview",
    Pulmonary Pharmacology 9 (1996).
    """
    rng = np.random.default_rng(seed)
    time_s = _time(0.35)
    burst = _noise(time_s, rng, _bump(1200, 1.5)) * np.exp(-time_s / 0.02)
    rough = _noise(time_s, rng, _bump(700, 1.2)) * _hump(time_s, 0.03, 0.25)
    pitch_hz = rng.uniform(160, 320) * (1 - 0.5 * time_s)
    voiced = _harmonics(time_s, pitch_hz, [1 / k for k in range(1, 9)]) * _hump(time_s, 0.2, 0.35)
    return _normal(burst) + 0.5 * _normal(rough) + 0.2 * _normal(voiced)


def click(seed: int) -> Sound:
    """A mouse button: down, and up after 90 ms."""
    rng = np.random.default_rng(seed)
    time_s = _time(0.15)
    return _tick(time_s, rng) + 0.6 * _tick(time_s - 0.09, rng)


def door(seed: int) -> Sound:
    """A door falls shut, 0.5 s: the latch, then the panel's boom."""
    rng = np.random.default_rng(seed)
    time_s = _time(0.5)
    panel = _normal(_noise(time_s, rng, _bump(rng.uniform(70, 140), 1.0)))
    later_s = time_s - 0.03
    boom = panel * np.exp(-np.maximum(later_s, 0) / 0.1) * (later_s >= 0)
    return boom + 0.3 * _tick(time_s, rng)


def keys(seed: int, seconds: float = 2.0) -> Sound:
    """Typing: about six keys a second, each down and up, each a little different."""
    rng = np.random.default_rng(seed)
    time_s = _time(seconds)
    sound = np.zeros_like(time_s)
    at_s = 0.0
    while at_s < seconds - 0.15:
        loudness = 10 ** (rng.normal(0, 3) / 20)
        sound += loudness * _tick(time_s - at_s, rng)
        sound += loudness * 0.4 * _tick(time_s - at_s - 0.08, rng)
        at_s += rng.uniform(0.1, 0.24)
    return sound


def mm_hm(pitch_hz: float) -> Sound:
    """A listener's hum, 0.42 s: two nasal sounds, the second higher, a breath between them.

    Mouth closed there is one resonance at about 250 Hz and little above (Fujimura, "Analysis of
    nasal consonants", 1962). A voice that reads text cannot hum: espeak-ng spells "mm-hm".
    """
    time_s = _time(0.42)
    glide_hz = pitch_hz * np.where(time_s < 0.2, 0.92, 1.12)
    weights = [1 / (1 + (k * pitch_hz / 300) ** 3) for k in range(1, 12)]
    hum = _normal(_harmonics(time_s, glide_hz, weights))
    breath = _normal(_noise(time_s, np.random.default_rng(0), _bump(500, 1.0)))
    first, second = _hump(time_s, 0.0, 0.18), _hump(time_s, 0.21, 0.42)
    return np.asarray(hum * (first + second) + 0.05 * breath * _hump(time_s, 0.16, 0.24))


# --- steady ones --------------------------------------------------------------------------------
def pink(seed: int, seconds: float) -> Sound:
    """Noise of 1/f power, 50 Hz to 12 kHz: rain, a fan, a street far away."""
    time_s = _time(seconds)
    rng = np.random.default_rng(seed)
    noise = _noise(time_s, rng, _pink_gain)
    return _switched(_normal(noise))


def babble(voices: Sequence[Sound], seed: int, seconds: float) -> Sound:
    """Mix voices, equally loud, each read round and round from another place in it.

    Raises:
        ValueError: There are none.
    """
    if not voices:
        raise ValueError("babble: expected voices, got none")
    rng = np.random.default_rng(seed)
    samples = len(_time(seconds))
    mixed = np.zeros(samples)
    for voice in voices:
        start = rng.integers(len(voice))
        mixed += np.resize(np.roll(at_level(voice, SPEECH_DB), -start), samples)
    return _switched(mixed)


def music(seed: int, seconds: float) -> Sound:
    """Struck chords, two a second, of four tones with six partials each."""
    rng = np.random.default_rng(seed)
    time_s = _time(seconds)
    sound = np.zeros_like(time_s)
    for beat in range(int(seconds * 2)):
        later_s = time_s - beat / 2
        root_hz = 220.0 * 2 ** (rng.choice([0, 3, 5, 7, 10]) / 12)
        decay = np.exp(-np.maximum(later_s, 0) / 0.4) * (later_s >= 0)
        for interval in (0, 4, 7, 12):
            tone_hz = np.full_like(time_s, root_hz * 2 ** (interval / 12))
            sound += decay * _harmonics(time_s, tone_hz, [1 / k**1.5 for k in range(1, 7)])
    return _switched(_normal(sound))


# --- parts --------------------------------------------------------------------------------------
def _time(seconds: float) -> Sound:
    return np.arange(round(seconds * WIRE_RATE_HZ)) / WIRE_RATE_HZ


def _normal(sound: Sound) -> Sound:
    return np.asarray(sound / np.sqrt(np.mean(sound**2)))


def _noise(time_s: Sound, rng: np.random.Generator, gain: Callable[[Sound], Sound]) -> Sound:
    """Return noise whose spectrum follows ``gain`` of the frequency in Hz."""
    spectrum = np.fft.rfft(rng.normal(size=len(time_s)))
    hz = np.asarray(np.fft.rfftfreq(len(time_s), 1 / WIRE_RATE_HZ), np.float64)
    return np.asarray(np.fft.irfft(spectrum * gain(hz), len(time_s)))


def _pink_gain(hz: Sound) -> Sound:
    return np.where((hz > 50) & (hz < 12_000), 1 / np.sqrt(hz + 1), 0.0)


def _bump(centre_hz: float, octaves: float) -> Callable[[Sound], Sound]:
    """Return a gain that is highest at one frequency and falls off on both sides."""
    return lambda hz: np.exp(-0.5 * (np.log2((hz + 1) / centre_hz) / octaves) ** 2)


def _harmonics(time_s: Sound, pitch_hz: Sound, weights: Sequence[float]) -> Sound:
    """Return a tone of a moving pitch; ``weights`` are the amplitudes of its partials."""
    phase = 2 * np.pi * np.cumsum(pitch_hz) / WIRE_RATE_HZ
    tone = np.zeros_like(time_s)
    for partial, weight in enumerate(weights, start=1):
        tone += weight * np.sin(partial * phase)
    return tone


def _hump(time_s: Sound, begin_s: float, end_s: float) -> Sound:
    """Return a smooth rise and fall between two times, 0 outside."""
    place = np.clip((time_s - begin_s) / (end_s - begin_s), 0, 1)
    return np.asarray(np.sqrt(np.sin(np.pi * place)))


def _tick(time_s: Sound, rng: np.random.Generator) -> Sound:
    """Return a hard, high sound of some 5 ms that begins at time 0."""
    ring = np.exp(-np.maximum(time_s, 0) / 0.0015) * (time_s >= 0)
    return np.asarray(_normal(_noise(time_s, rng, _bump(rng.uniform(2000, 4500), 0.7))) * ring)


def _switched(sound: Sound) -> Sound:
    """Let a steady sound begin and end without a click."""
    ramp = np.minimum(_time(len(sound) / WIRE_RATE_HZ) / _FADE_S, 1.0)
    return np.asarray(sound * ramp * ramp[::-1])
