"""How read speech comes to pause as people do who talk, and to sound as callers do.

``Pcm`` at 16 kHz in and out. Pauses are made within sentences, with the sound before them drawn
out or said again behind them; then another speed, another room, noise.
"""

from typing import Final

import numpy as np

from rt_avatar.engines.training.end_of_turn.sounds import joined, room_noise, room_of
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

_STEP: Final = 160
_EDGE_S: Final = 0.5  # nothing is made so near to the ends
_PAUSE_S: Final = (0.55, 0.7)  # median, deviation of the ln: as readers and talkers pause
_REPEATED_S: Final = (0.25, 0.8)
_SPEEDS: Final = (0.85, 1.2)


def with_inserted_pauses(pcm: Pcm, dice: np.random.Generator) -> Pcm:
    """Return speech with one to three more pauses inside its sentences."""
    parts = []
    room = room_of(pcm, [])
    begin = 0
    for cut in sorted(_gaps(pcm, int(dice.integers(1, 4)), dice)):
        before = pcm[begin:cut]
        kind = dice.random()
        if kind < 0.45:
            before = drawn_out(before, dice.uniform(0.08, 0.4))
        pause_s = min(2.5, _PAUSE_S[0] * np.exp(dice.normal(0, _PAUSE_S[1])))
        silence = room_noise(room, int(max(0.15, pause_s) * INPUT_RATE_HZ), dice)
        parts += [before, silence]
        begin = cut
        if kind > 0.8:  # begins again
            begin = max(0, cut - int(dice.uniform(*_REPEATED_S) * INPUT_RATE_HZ))
    return joined([*parts, pcm[begin:]])


def _gaps(pcm: Pcm, count: int, dice: np.random.Generator) -> list[int]:
    """Return samples at which speech is quiet for a moment: between words, mostly."""
    steps = len(pcm) // _STEP
    level = np.log10(np.square(pcm[: steps * _STEP]).reshape(-1, _STEP).mean(axis=1) + 1e-9)
    smooth = np.convolve(level, np.ones(3) / 3, mode="same")
    edge = int(_EDGE_S * INPUT_RATE_HZ / _STEP)
    inside = np.arange(edge, max(edge, steps - edge))
    dips = inside[smooth[inside] < np.median(smooth) - 0.6]
    chosen: list[int] = []
    for dip in dice.permutation(dips):
        if all(abs(dip * _STEP - other) > 0.7 * INPUT_RATE_HZ for other in chosen):
            chosen.append(int(dip) * _STEP)
        if len(chosen) == count:
            break
    return chosen


def drawn_out(pcm: Pcm, seconds: float) -> Pcm:
    """Return speech whose last vowel is held for so much longer, period by period."""
    reach, length = INPUT_RATE_HZ // 3, INPUT_RATE_HZ // 25
    tail = pcm[-reach:]
    if len(tail) < reach:
        return pcm
    starts = range(0, len(tail) - 2 * length, _STEP)
    place = max(starts, key=lambda at: float(tail[at : at + length] @ tail[at : at + length]))
    part = tail[place : place + 2 * length]
    lags = np.correlate(part, part[:length], mode="valid")
    shortest = INPUT_RATE_HZ // 400
    lag = shortest + int(np.argmax(lags[shortest:]))
    period = tail[place : place + lag]
    times = int(seconds * INPUT_RATE_HZ / lag)
    at = len(pcm) - reach + place + lag
    swell = 1 + 0.05 * np.sin(np.arange(times * lag) / 900)
    return np.concatenate([pcm[:at], np.tile(period, times) * swell, pcm[at:]]).astype(np.float32)


def respoken(pcm: Pcm, dice: np.random.Generator) -> Pcm:
    """Return speech at another speed, and with it another throat."""
    factor = dice.uniform(*_SPEEDS)
    at = np.arange(0, len(pcm) - 1, factor)
    return np.asarray(np.interp(at, np.arange(len(pcm)), pcm), np.float32)


def disguised(pcm: Pcm, dice: np.random.Generator) -> Pcm:
    """Return speech in another room, through another microphone, in noise."""
    sound = pcm.astype(np.float64)
    rms = float(np.sqrt(np.mean(sound**2))) + 1e-9
    size = 1 << (len(sound) + INPUT_RATE_HZ).bit_length()
    hz = np.maximum(np.fft.rfftfreq(size, 1 / INPUT_RATE_HZ), 20.0)
    points = np.arange(4.0, 14.0)
    curve = np.interp(np.log2(hz), points, dice.normal(0, 3.0, len(points)))
    shape = 10 ** (curve / 20)
    spectrum = np.fft.rfft(sound, size) * shape
    if dice.random() < 0.4:  # what comes back decays by 60 dB in 0.1 to 0.5 s
        length = int(dice.uniform(0.1, 0.5) * INPUT_RATE_HZ)
        echo = dice.standard_normal(length) * 10 ** (-3 * np.arange(length) / length)
        echo *= 10 ** (dice.uniform(-22, -5) / 20) / np.sqrt(np.sum(echo**2))
        echo[0] = 1.0
        spectrum = spectrum * np.fft.rfft(echo, size)
    sound = np.fft.irfft(spectrum, size)[: len(pcm)]
    if dice.random() < 0.7:
        phases = np.exp(2j * np.pi * dice.random(len(hz)))
        noise = np.fft.irfft((hz / 1000) ** dice.uniform(-1.2, 0.2) * phases, size)[: len(pcm)]
        sound += noise * (rms * 10 ** (-dice.uniform(10, 45) / 20) / noise.std())
    level = 10 ** (dice.uniform(-38, -16) / 20) / (float(np.sqrt(np.mean(sound**2))) + 1e-9)
    return np.clip(sound * level, -1, 1).astype(np.float32)
