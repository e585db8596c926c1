"""What the end of a turn is heard by: one window of 32 ms → a row of numbers, whatever the level.

A row has the bands of the spectrum against the loudest of late, the pitch against the caller's own,
how long voice and silence have lasted. In a pause a summary says what a listener compares: where
the pitch ended within the caller's range, how it moved, whether the last sounds were longer than
theirs mostly are, how they pause. Causal, one window at a time: streaming and offline give the same
bits. It does not know what is said.
"""

import math
from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.mel import mel_filters
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

WINDOW_SAMPLES: Final = 512
WINDOW_S: Final = WINDOW_SAMPLES / INPUT_RATE_HZ
BANDS: Final = 20
FEATURES: Final = BANDS + 7
SUMMARY: Final = 14
_LOWEST_HZ, _HIGHEST_HZ = 90.0, 7_000.0
# The loudest of late falls 1 dB a second, so that a caller may lean back; it never falls so low
# that a quiet room becomes a voice.
_PEAK_FALL_DB: Final = 0.032  # a window
_PEAK_MIN_DB: Final = -50.0
# What is further below is all alike: a room must not tell its own silence from another's.
_RANGE_DB: Final = 40.0
# Probabilities of speech at which it begins and ends, as turn detection has them by default.
_SPEECH, _SILENCE = 0.5, 0.35
_LONG_S: Final = 3.0  # of silence
_LONG_SPEECH_S: Final = 20.0
_LONG_UNVOICED_S: Final = 1.0
_TONES: Final = 300  # voiced windows the caller's range is taken from: 10 s of voice
_RUNS: Final = 60  # voiced stretches their usual length is taken from
_LAST: Final = 8  # voiced windows of a contour's end
_FEWEST: Final = 12  # voiced windows before which the range is not known
_RANGE_MIN: Final = 0.12  # of ln F0, 2 semitones: a monotonous caller has a range, too
# A caller of whom nothing is known pauses as readers do: median, and pauses it counts for.
USUAL_PAUSE_S: Final = 0.45
_USUAL_WEIGHT: Final = 2.0
_MIN_PAUSE_S: Final = 0.2  # shorter ones are between words
_CUT_OFF_S: Final = 1.0  # who goes on so soon after the end of a turn had not finished it


@dataclass(frozen=True, slots=True, eq=False)
class EndOfTurnInput:
    """One window of the microphone.

    Attributes:
        pcm: (512,) at 16 kHz.
        speech_probability: 0..1, from the voice activity network.
        f0_hz: Pitch; None where there is none.
    """

    pcm: Pcm
    speech_probability: float
    f0_hz: float | None


class Features:
    """One caller. Not thread-safe.

    Attributes:
        silence_s: How long it has been silent; 0 in speech, and before any.
    """

    def __init__(self) -> None:
        self._before: Pcm = np.zeros(WINDOW_SAMPLES, np.float32)
        self._peak_db = _PEAK_MIN_DB
        self._tones: deque[float] = deque(maxlen=_TONES)  # ln F0 of the caller's voiced windows
        self._runs: deque[int] = deque(maxlen=_RUNS)  # windows of the caller's voiced stretches
        self._levels: deque[float] = deque(maxlen=_TONES)  # dB of the same windows
        self._pauses = 0  # in this turn and those before it
        self._log_pauses = 0.0  # their sum
        self._is_speech = False
        self._middle = 0.0  # median of the tones, as of the last pause or the first voice
        self._run = 0
        self._unvoiced_s = 0.0  # since the last voiced window
        self._in_turn = 0  # pauses
        self._ended_s = 0.0  # silence since the last voice of the turn before; 0: none is known
        self._speech_s = 0.0  # since the turn began
        self.silence_s = 0.0

    def begin_turn(self) -> None:
        """Forget how long the last turn was; level, pitch and pauses are the caller's still."""
        self._is_speech = False
        self._in_turn = 0
        self._ended_s = self.silence_s  # the caller may not have finished
        self._speech_s = self.silence_s = 0.0

    def push(self, item: EndOfTurnInput) -> NDArray[np.float32]:
        """Take the next window; return (FEATURES,), each about 0 to 1."""
        # Two windows: what is new and, for the bass, what was before.
        span = np.concatenate((self._before, item.pcm))
        self._before = item.pcm
        power = np.square(np.abs(np.fft.rfft(span * _HANN)))
        bands = power @ _MEL
        level_db = 10 * math.log10(float(bands.sum()) + 1e-12)
        self._peak_db = max(self._peak_db - _PEAK_FALL_DB, level_db, _PEAK_MIN_DB)
        row = np.zeros(FEATURES, np.float32)
        row[:BANDS] = (10 * np.log10(bands + 1e-12) - self._peak_db) / _RANGE_DB + 1
        row[BANDS] = (level_db - self._peak_db) / _RANGE_DB + 1
        np.maximum(row, 0.0, out=row)
        self._time(item.speech_probability)
        self._voice(item.f0_hz if self._is_speech else None, level_db, row)
        row[BANDS + 4] = item.speech_probability
        row[BANDS + 5] = _share_of_log(self.silence_s, _LONG_S)
        row[BANDS + 6] = _share_of_log(self._speech_s, _LONG_SPEECH_S)
        return row

    def _time(self, probability: float) -> None:
        """Take how long voice and silence last, and which pauses there were."""
        self._is_speech = probability >= (_SILENCE if self._is_speech else _SPEECH)
        if self._is_speech:
            if self.silence_s >= _MIN_PAUSE_S:
                self._in_turn += 1
                self._learn_pause(self.silence_s)
            elif 0 < self._ended_s <= _CUT_OFF_S:
                self._learn_pause(self._ended_s)
            self._speech_s += self.silence_s + WINDOW_S
            self.silence_s = self._ended_s = 0.0
        elif self._speech_s > 0:
            self.silence_s += WINDOW_S
        elif self._ended_s > 0:
            self._ended_s += WINDOW_S

    def _learn_pause(self, seconds: float) -> None:
        self._pauses += 1
        self._log_pauses += math.log(min(seconds, _LONG_S))

    def _voice(self, f0_hz: float | None, level_db: float, row: NDArray[np.float32]) -> None:
        """Take the pitch of a window, or that it has none; write what it says to the row."""
        if f0_hz is None:
            self._unvoiced_s += WINDOW_S
            if self._run:
                self._runs.append(self._run)
                self._run = 0
                self._middle = float(np.median(self._tones))
        else:
            tone = math.log(f0_hz)
            self._tones.append(tone)
            self._levels.append(level_db)
            self._middle = self._middle or tone
            self._run += 1
            self._unvoiced_s = 0.0
            row[BANDS + 1] = 1.0
            row[BANDS + 2] = min(1.0, max(-1.0, 2 * (tone - self._middle)))
        row[BANDS + 3] = _share_of_log(self._unvoiced_s, _LONG_UNVOICED_S)

    def summary(self) -> NDArray[np.float32]:
        """Return (SUMMARY,) of the caller's voice until this pause, each about -1 to 1."""
        found = np.zeros(SUMMARY, np.float32)
        found[0] = _share_of_log(self._speech_s, _LONG_SPEECH_S)
        found[1] = min(1.0, self._in_turn / 4)
        usual = _USUAL_WEIGHT * math.log(USUAL_PAUSE_S)
        mean = (usual + self._log_pauses) / (_USUAL_WEIGHT + self._pauses)
        found[2] = mean - math.log(USUAL_PAUSE_S)
        found[3] = math.log1p(self._pauses) / 3
        found[4] = _share_of_log(self._unvoiced_s - self.silence_s, _LONG_UNVOICED_S)
        if len(self._tones) < _FEWEST:
            return found
        tones = np.array(self._tones)
        low, middle, high = np.percentile(tones, (8, 50, 92))
        reach = max(_RANGE_MIN, high - low)
        last = tones[-_LAST:]
        found[5] = 1.0
        found[6] = (np.median(last[-3:]) - low) / reach - 0.5
        found[7] = (np.mean(last) - middle) / reach
        found[8] = (np.median(last[-3:]) - np.median(last[:3])) / reach
        found[9] = (last.max() - low) / reach - 0.5
        found[10] = reach / 0.6 - 1
        runs = np.array(self._runs or (1,))
        found[11] = math.log(runs[-1] / np.median(runs)) / 2
        levels = np.array(self._levels)
        found[12] = (levels[-3:].mean() - np.median(levels)) / 20
        found[13] = (levels[-_LAST:].mean() - np.median(levels)) / 20
        np.clip(found, -1.5, 1.5, out=found)
        return found


def _share_of_log(seconds: float, longest_s: float) -> float:
    """Return 0 for nothing, 1 for the longest, finer at the beginning."""
    scale = 12 / longest_s
    return math.log1p(scale * min(max(seconds, 0.0), longest_s)) / math.log1p(12)


_HANN: Final = np.hanning(2 * WINDOW_SAMPLES + 1)[:-1].astype(np.float32)
_MEL: Final = mel_filters(
    _HANN, 2 * WINDOW_SAMPLES, INPUT_RATE_HZ, BANDS, (_LOWEST_HZ, _HIGHEST_HZ)
)
