"""How the voice sounds: pitch, loudness and colour of every 32 ms (``Pcm`` → ``ProsodyFrame``).

Windows are the 512 samples of the voice activity engine, so that frame *n* here and probability
*n* there speak of the same sound. Pitch is YIN by FFT over the window and the one before it: the
frame needs no look-ahead. What a pitch or a hum *means* is decided elsewhere.

Source: A. de Cheveigné, H. Kawahara, "YIN, a fundamental frequency estimator for speech and music",
JASA 111 (2002), §II steps 2-5.
"""

import math
from collections import deque
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

WINDOW_SAMPLES: Final = 512
SILENCE_DB: Final = -100.0  # what digital silence reads; 16-bit sound ends at about -98

_F0_MIN_HZ: Final = 60.0  # below the lowest speaking voices
_F0_MAX_HZ: Final = 500.0  # above a child's
_SPAN: Final = 2 * WINDOW_SAMPLES  # pitch is looked for in two windows
_LAG_MIN: Final = int(INPUT_RATE_HZ / _F0_MAX_HZ)  # 32
_LAG_MAX: Final = int(INPUT_RATE_HZ / _F0_MIN_HZ)  # 266
_INTEGRATION: Final = _SPAN - _LAG_MAX - 1  # 757 samples: 2.8 periods of the lowest pitch
_DIP: Final = 0.15  # YIN's absolute threshold: 0.1 in the paper, 0.15 for speech in a room
_VOICED: Final = 0.30  # deepest dip above this: no pitch. Clean vowels dip to 0.02, hiss to 0.8
_VOICED_DB: Final = -55.0  # quieter than this no pitch is looked for: hum of the mains, self-noise
_JUMP: Final = 0.08  # how much deeper a dip must be to leave the pitch of the window before
_SLOPE_WINDOWS: Final = 5  # 160 ms
_SLOPE_POINTS: Final = 3
_SLOPE_OUTLIER: Final = 6.0  # semitones from the median: an octave slip, not intonation
_TIE: Final = 0.05  # dips this near to the deepest are as good: the shortest period wins
# A hum: darker than this for two windows, whose levels differ little. Measured on synthetic hums of
# 90..300 Hz (all found, also 10 dB above hiss) and 22 onsets of real speech: 4 hold one or two dark
# windows ("m", "w"), none holds three. At -16 dB it were 6; three windows would tell too late, as
# two windows of other voice already silence the avatar.
_HUM_DB: Final = -20.0
_HUM_WINDOWS: Final = 2
_HUM_STEADY_DB: Final = 6.0
_HISS_RISE: Final = 1.02  # a window: 2.7 dB a second, slower than any syllable
_HISS_MARGIN: Final = 1.5  # a single window of steady hiss is this much above its minimum
_FLOOR_BIN: Final = 2  # bins below 62 Hz carry the room, not the voice
_SPLIT_BIN: Final = 32  # 1 kHz: nearly all of a hum, the nose's first resonance, lies below it
_BRIGHTNESS_MAX_DB: Final = 60.0


@dataclass(frozen=True, slots=True)
class ProsodyFrame:
    """One window of 512 samples at 16 kHz.

    Attributes:
        pts: First sample of the window, counted from ``open`` or ``reset``.
        energy_db: Level in dBFS (RMS of full-scale square = 0), not below ``SILENCE_DB``.
        f0_hz: Pitch, 60..500; None where there is none.
        f0_slope: Rise of pitch over the voiced windows of the last 160 ms, in semitones a second;
            None when fewer than three of them are voiced.
        is_hum: Whether it sounds like "mm": voiced, closed mouth, steady level, for 64 ms or more.
        brightness_db: Energy above 1 kHz against energy below; about -25 for a hum, -5..-15 for
            vowels, above 0 for "s". The steady noise of the room is taken off.
    """

    pts: int
    energy_db: float
    f0_hz: float | None
    f0_slope: float | None
    is_hum: bool
    brightness_db: float


class ProsodyStream:
    """One caller's prosody. Any chunking of the same sound gives the same frames."""

    def __init__(self) -> None:
        self._taper: NDArray[np.float32] = np.hanning(WINDOW_SAMPLES).astype(np.float32)
        self._rest: Pcm = np.zeros(0, np.float32)
        self._before: Pcm = np.zeros(WINDOW_SAMPLES, np.float32)
        self._tones: deque[float | None] = deque(maxlen=_SLOPE_WINDOWS)
        self._levels: deque[float] = deque(maxlen=_HUM_WINDOWS)
        self._lag: float | None = None  # the period of the window before
        self._hiss: float | None = None  # running minimum of the energy above 1 kHz
        self._dark = 0  # voiced windows in a row that are as dark as a hum
        self._pts = 0

    def push(self, item: Pcm) -> list[ProsodyFrame]:
        """Take any number of samples at 16 kHz; return a frame for every whole window.

        Raises:
            ValueError: Not a one-dimensional float array.
        """
        if item.ndim != 1 or item.dtype != np.float32:
            raise ValueError(
                f"prosody: expected float32 samples of shape (n,); got {item.dtype} {item.shape}"
            )
        self._rest = np.concatenate((self._rest, item))
        whole = len(self._rest) // WINDOW_SAMPLES
        frames = [
            self._measure(self._rest[i * WINDOW_SAMPLES : (i + 1) * WINDOW_SAMPLES])
            for i in range(whole)
        ]
        self._rest = self._rest[whole * WINDOW_SAMPLES :].copy()
        return frames

    def flush(self) -> list[ProsodyFrame]:
        """Drop the rest that is shorter than a window (it tells nothing) and begin a new window."""
        self._rest = np.zeros(0, np.float32)
        return []

    def reset(self) -> None:
        """Forget everything: afterwards the stream equals a fresh one."""
        self._rest = np.zeros(0, np.float32)
        self._before = np.zeros(WINDOW_SAMPLES, np.float32)
        self._tones.clear()
        self._levels.clear()
        self._lag = None
        self._hiss = None
        self._dark = 0
        self._pts = 0

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()

    def _measure(self, window: Pcm) -> ProsodyFrame:
        """Measure one window of (512,) samples."""
        power = float(np.dot(window, window)) / WINDOW_SAMPLES
        energy_db = max(SILENCE_DB, 10 * math.log10(power)) if power > 1e-10 else SILENCE_DB
        if energy_db >= _VOICED_DB:
            self._lag = self._period(np.concatenate((self._before, window)))
        else:
            self._lag = None
        self._before = window
        brightness_db = self._brightness_db(window)
        f0_hz = INPUT_RATE_HZ / self._lag if self._lag is not None else None
        self._tones.append(12 * math.log2(f0_hz) if f0_hz is not None else None)
        self._levels.append(energy_db)
        frame = ProsodyFrame(
            pts=self._pts,
            energy_db=energy_db,
            f0_hz=f0_hz,
            f0_slope=_slope(list(self._tones)),
            is_hum=self._is_hum(f0_hz is not None, brightness_db),
            brightness_db=brightness_db,
        )
        self._pts += WINDOW_SAMPLES
        return frame

    def _brightness_db(self, window: Pcm) -> float:
        """Return the energy above 1 kHz against that below, the steady hiss taken off."""
        spectrum = np.fft.rfft(window * self._taper)
        energy = spectrum.real**2 + spectrum.imag**2
        low = float(energy[_FLOOR_BIN:_SPLIT_BIN].sum())
        high = float(energy[_SPLIT_BIN:].sum())
        if self._hiss is not None:
            self._hiss = min(high, self._hiss * _HISS_RISE)
        elif self._lag is None:  # begin with a window without voice, or a vowel would be the hiss
            self._hiss = high
        above = max(0.0, high - _HISS_MARGIN * (self._hiss or 0.0))
        brightness_db = 10 * math.log10((above + 1e-10) / (low + 1e-10))
        return min(_BRIGHTNESS_MAX_DB, max(-_BRIGHTNESS_MAX_DB, brightness_db))

    def _period(self, span: Pcm) -> float | None:
        """Return the period of (1024,) samples in samples, or None without pitch.

        Source: YIN §II.B-E; the autocorrelation terms by one circular FFT, which does not wrap
        because the integration window and the longest lag together fit the span.
        """
        head = np.zeros(_SPAN, np.float32)
        head[:_INTEGRATION] = span[:_INTEGRATION]
        product = np.conj(np.fft.rfft(head)) * np.fft.rfft(span)
        correlation = np.fft.irfft(product, _SPAN)[: _LAG_MAX + 1]
        sums = np.concatenate(((0.0,), np.cumsum(span.astype(np.float64) ** 2)))
        energies = sums[_INTEGRATION : _INTEGRATION + _LAG_MAX + 1] - sums[: _LAG_MAX + 1]
        difference = np.maximum(energies[0] + energies - 2 * correlation, 0.0)
        mean = np.cumsum(difference[1:]) / np.arange(1, _LAG_MAX + 1)
        curve = np.ones(_LAG_MAX + 1)
        curve[1:] = difference[1:] / np.maximum(mean, 1e-12)
        return self._pick(curve)

    def _pick(self, curve: NDArray[np.float64]) -> float | None:
        """Pick the dip of the normalised difference that is the period.

        The first dip under the threshold guards against half the pitch; the dip near the last
        window's period is kept unless another is clearly deeper, which guards against slips.
        """
        inner = curve[_LAG_MIN:_LAG_MAX]
        is_dip = (inner < curve[_LAG_MIN - 1 : _LAG_MAX - 1]) & (
            inner <= curve[_LAG_MIN + 1 : _LAG_MAX + 1]
        )
        lags = np.flatnonzero(is_dip) + _LAG_MIN
        if lags.size == 0:
            return None
        depths = curve[lags]
        deepest = float(depths.min())
        if deepest > _VOICED:
            return None
        best = int(lags[np.argmax(depths <= max(_DIP, deepest + _TIE))])
        if self._lag is not None:
            near = np.abs(lags - self._lag) <= 0.2 * self._lag
            if near.any():
                kept = int(lags[near][np.argmin(depths[near])])
                if curve[kept] <= curve[best] + _JUMP:
                    best = kept
        left, middle, right = curve[best - 1 : best + 2]
        bend = left - 2 * middle + right
        return best + (0.5 * float((left - right) / bend) if bend > 1e-9 else 0.0)

    def _is_hum(self, is_voiced: bool, brightness_db: float) -> bool:
        """Tell whether the last windows are a nasal hum."""
        self._dark = self._dark + 1 if is_voiced and brightness_db < _HUM_DB else 0
        is_steady = max(self._levels) - min(self._levels) <= _HUM_STEADY_DB
        return self._dark >= _HUM_WINDOWS and is_steady


class ProsodyEngine:
    """Prosody for any number of callers; holds no weights."""

    @property
    def spec(self) -> EngineSpec:
        """One frame per 512 samples, without look-ahead."""
        return EngineSpec("prosody", INPUT_RATE_HZ, INPUT_RATE_HZ // WINDOW_SAMPLES, WINDOW_SAMPLES)

    def warmup(self) -> None:
        """Measure one window, so that the transforms are planned."""
        self.open().push(np.zeros(WINDOW_SAMPLES, np.float32))

    def open(self) -> ProsodyStream:
        """Create the state of one caller."""
        return ProsodyStream()


def _slope(tones: list[float | None]) -> float | None:
    """Return the median rise between all pairs (Theil-Sen) of semitones a window, per second."""
    points = [(index, tone) for index, tone in enumerate(tones) if tone is not None]
    if not points:
        return None
    middle = sorted(tone for _, tone in points)[len(points) // 2]
    points = [point for point in points if abs(point[1] - middle) <= _SLOPE_OUTLIER]
    if len(points) < _SLOPE_POINTS:
        return None
    rises = sorted((b - a) / (j - i) for (i, a), (j, b) in combinations(points, 2))
    half = len(rises) // 2
    median = rises[half] if len(rises) % 2 else (rises[half - 1] + rises[half]) / 2
    return median * INPUT_RATE_HZ / WINDOW_SAMPLES
