"""How a clean synthetic voice comes to sound like many others: microphones, rooms, lines, throats.

``Pcm`` at 24 kHz in and out, same length, nothing moved in time by more than a hop (10 ms). The
amounts are wide on purpose: what the network shall not care for, it must have met.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm

_Floats = NDArray[np.float64]
_FRAME: Final = 512
_HOP: Final = 128


def disguise(pcm: Pcm, babble: Pcm, dice: np.random.Generator) -> Pcm:
    """Return the voice through another throat, room, microphone and line.

    Args:
        pcm: (samples,) the voice.
        babble: (samples,) other voices, for the background.
        dice: What decides.
    """
    sound = np.asarray(pcm, np.float64)
    if dice.random() < 0.5:
        sound = _roughen(sound, dice)
    if dice.random() < 0.3:
        sound = np.sign(sound) * np.abs(sound) ** dice.uniform(0.6, 1.0)
    if dice.random() < 0.5:
        sound = sound * _swell(len(sound), dice)
    sound = _colour(sound, dice)
    if dice.random() < 0.45:
        sound = _room(sound, dice)
    sound = _add_noise(sound, np.asarray(babble, np.float64), dice)
    rms = float(np.sqrt(np.mean(sound**2))) + 1e-9
    level = 10 ** (dice.uniform(-42, -10) / 20)
    return np.clip(sound * (level / rms), -1, 1).astype(np.float32)


def _roughen(sound: _Floats, dice: np.random.Generator) -> _Floats:
    """Mix breath into the voice, and blur its spectrum: formants as wide as people's."""
    whole = np.concatenate((np.zeros(_FRAME), sound, np.zeros(2 * _FRAME)))
    hann = np.hanning(_FRAME + 1)[:-1]
    frames = np.lib.stride_tricks.sliding_window_view(whole, _FRAME)[::_HOP] * hann
    spectrum = np.fft.rfft(frames)
    width = int(dice.integers(3, 9))
    envelope = np.sqrt(
        np.apply_along_axis(np.convolve, 1, np.abs(spectrum) ** 2, np.ones(width) / width, "same")
    )
    breath = envelope * np.exp(2j * np.pi * dice.random(spectrum.shape))
    share = dice.uniform(0.1, 1.0) ** 2
    # More breath above than below, as in a real voice.
    rise = np.clip(np.linspace(0.3, 1.7, spectrum.shape[1]) * share, 0, 1)
    mixed = np.fft.irfft(spectrum * (1 - rise) + breath * rise) * hann
    out = np.zeros(len(whole))
    for index, frame in enumerate(mixed):
        out[index * _HOP : index * _HOP + _FRAME] += frame
    return out[_FRAME : _FRAME + len(sound)] / 1.5  # Hann squared at a quarter sums to 1.5


def _swell(length: int, dice: np.random.Generator) -> _Floats:
    """A gain that wanders by some dB within a second or two, as people speak."""
    points = np.arange(0, length + SPEECH_RATE_HZ, SPEECH_RATE_HZ // 2)
    gains_db = dice.normal(0, 3.5, len(points))
    swell: _Floats = 10 ** (np.interp(np.arange(length), points, gains_db) / 20)
    return swell


def _colour(sound: _Floats, dice: np.random.Generator) -> _Floats:
    """Another microphone and line: a smooth random curve, at times cut off above and below."""
    size = 1 << (len(sound) - 1).bit_length()
    hz = np.maximum(np.fft.rfftfreq(size, 1 / SPEECH_RATE_HZ), 20.0)
    octaves = np.log2(hz / 62.5)
    points = np.arange(-2.0, 9.0, 0.75)
    curve = np.interp(octaves, points, dice.normal(0, 4.0, len(points)))
    curve += dice.uniform(-4.0, 3.0) * np.clip(octaves - 3, 0, 4)  # tilt above 500 Hz, dB an octave
    kind = dice.random()
    if kind < 0.15:  # a telephone
        curve -= 40 * np.clip(np.log2(300 / hz), 0, 2) + 60 * np.clip(np.log2(hz / 3400), 0, 2)
    elif kind < 0.35:
        curve -= 60 * np.clip(np.log2(hz / dice.uniform(3600, 8000)), 0, 2)
    if dice.random() < 0.4:
        curve -= 24 * np.clip(np.log2(dice.uniform(80, 220) / hz), 0, 2)
    coloured = np.fft.irfft(np.fft.rfft(sound, size) * 10 ** (curve / 20), size)
    return coloured[: len(sound)]


def _room(sound: _Floats, dice: np.random.Generator) -> _Floats:
    """A room: what comes back decays by 60 dB in 0.1 to 0.6 s."""
    decay_s = dice.uniform(0.1, 0.6)
    length = int(decay_s * SPEECH_RATE_HZ)
    echo = dice.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
    echo[: int(dice.uniform(0.001, 0.006) * SPEECH_RATE_HZ)] = 0
    echo *= 10 ** (dice.uniform(-22, -3) / 20) / np.sqrt(np.sum(echo**2))
    echo[0] = 1.0
    size = 1 << (len(sound) + length - 1).bit_length()
    wet = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(echo, size), size)
    return wet[: len(sound)]


def _add_noise(sound: _Floats, babble: _Floats, dice: np.random.Generator) -> _Floats:
    """Hiss, rumble or hum under the voice, at times other voices far away."""
    rms = float(np.sqrt(np.mean(sound**2)))
    if dice.random() < 0.65:
        size = 1 << (len(sound) - 1).bit_length()
        hz = np.maximum(np.fft.rfftfreq(size, 1 / SPEECH_RATE_HZ), 20.0)
        slope = dice.uniform(-1.2, 0.3)  # of the amplitude: brown to blue
        phases = np.exp(2j * np.pi * dice.random(len(hz)))
        noise = np.fft.irfft((hz / 1000) ** slope * phases, size)[: len(sound)]
        if dice.random() < 0.3:
            hum_hz = float(dice.choice((50.0, 60.0)))
            time_s = np.arange(len(sound)) / SPEECH_RATE_HZ
            for overtone in range(1, 6):
                noise += noise.std() * np.sin(2 * np.pi * hum_hz * overtone * time_s) / overtone
        below = 10 ** (-dice.uniform(12, 50) / 20)
        sound = sound + noise * (rms * below / (noise.std() + 1e-12))
    if dice.random() < 0.15:
        below = 10 ** (-dice.uniform(18, 35) / 20)
        sound = sound + babble * (rms * below / (babble.std() + 1e-12))
    return sound
