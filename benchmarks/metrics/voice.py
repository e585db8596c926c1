"""A voice in numbers: words understood, pitch, pace, pauses, level, brightness.

All of it from the sound alone, except the number of syllables, which its maker knows. Nothing here
says whether a voice is pleasant or natural: that takes listeners.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import jiwer
import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.metrics.pitch import pitch_track
from rt_avatar.engines.types import Pcm

_WINDOW_S: Final = 0.01
_ACTIVE_DB: Final = 30.0  # below the loudest tenth: breath, room and tails of sounds
_PAUSE_S: Final = 0.15  # shorter gaps are closures of "p", "t", "k" (up to 0.1 s), not pauses
_SPLIT_HZ: Final = 1000.0
_BAND_HZ: Final = (50.0, 5000.0)


@dataclass(frozen=True, slots=True)
class Voice:
    """How a voice sounds.

    Attributes:
        pitch_hz: Median pitch of what is voiced.
        range_semitones: From the 10th to the 90th percentile of pitch.
        level_db: Mean power while it sounds, dBFS (full-scale square = 0).
        brightness_db: Energy of 1-5 kHz against that of 0.05-1 kHz, while it sounds.
        sounding_s: From first to last sound, without pauses.
        pauses: How many gaps of 150 ms or more are between.
        pause_s: How long they are together.
    """

    pitch_hz: float
    range_semitones: float
    level_db: float
    brightness_db: float
    sounding_s: float
    pauses: int
    pause_s: float


def plain(text: str) -> str:
    """Return words as a transcript and a recogniser would both write them: "mister o'neill"."""
    text = re.sub(r"\bmr\b\.?", "mister", text.lower())
    return " ".join(re.sub(r"[^\w' ]", " ", text).split())


def word_error(truths: Sequence[str], heard: Sequence[str]) -> float:
    """Return wrong, missing and superfluous words against words said: 0 and more.

    Source: the usual word error rate over all utterances together (jiwer), after ``plain``.

    Raises:
        ValueError: Not one heard text a truth, or no word was said.
    """
    said = [plain(truth) for truth in truths]
    if len(said) != len(heard) or not "".join(said):
        raise ValueError(f"heard: expected one text for each of {len(said)} with words")
    # An utterance without words has no error rate of its own, but what is heard in it counts.
    return float(jiwer.wer(said, [plain(text) for text in heard]))


def describe(pcm: Pcm, rate_hz: int) -> Voice:
    """Return how a voice sounds.

    Sources: pitch as ``pitch.pitch_track``; brightness is the alpha ratio of eGeMAPS, turned round
    (F. Eyben et al., IEEE TAC 7, 2016); level of what sounds, as in ITU-T P.56: windows within
    30 dB of the loudest tenth.

    Args:
        pcm: (samples,) of one speaker, -1..1, half a second or more.
        rate_hz: 8,000 or more.

    Raises:
        ValueError: The shape or the rate is another, or it is silent.
    """
    if pcm.ndim != 1 or rate_hz < 8000 or len(pcm) < rate_hz // 2:
        raise ValueError(
            f"pcm: expected (samples,) of half a second or more at 8 kHz or more, "
            f"got {pcm.shape} at {rate_hz}"
        )
    sound = pcm.astype(np.float64)
    hop = int(_WINDOW_S * rate_hz)
    windows = sound[: len(sound) // hop * hop].reshape(-1, hop)
    power = (windows**2).mean(1)
    if not power.max() > 1e-9:  # false for NaN, too
        raise ValueError("pcm: expected a voice, got silence")
    is_active = power > np.percentile(power, 90) * 10 ** (-_ACTIVE_DB / 10)
    gaps = _gaps(is_active)
    first, last = np.flatnonzero(is_active)[[0, -1]]
    pause_s = sum(gaps) * _WINDOW_S
    pitch = pitch_track(pcm, rate_hz)
    semitones = 12 * np.log2(pitch[pitch > 0])
    low, middle, high = (
        np.percentile(semitones, (10, 50, 90)) if len(semitones) else np.full(3, np.nan)
    )
    return Voice(
        pitch_hz=float(2 ** (middle / 12)),
        range_semitones=float(high - low),
        level_db=float(10 * np.log10(power[is_active].mean())),
        brightness_db=_brightness_db(windows[is_active], rate_hz),
        sounding_s=(last + 1 - first) * _WINDOW_S - pause_s,
        pauses=len(gaps),
        pause_s=pause_s,
    )


def _gaps(is_active: NDArray[np.bool_]) -> list[int]:
    """Return the lengths of the pauses between the first and the last sound, in windows."""
    sounding = np.flatnonzero(is_active)
    lengths = np.diff(sounding) - 1
    return [int(length) for length in lengths if length * _WINDOW_S >= _PAUSE_S - 1e-9]


def _brightness_db(windows: NDArray[np.float64], rate_hz: int) -> float:
    power = (np.abs(np.fft.rfft(windows * np.hanning(windows.shape[1]), axis=1)) ** 2).sum(0)
    hz = np.fft.rfftfreq(windows.shape[1], 1 / rate_hz)
    low = power[(hz >= _BAND_HZ[0]) & (hz < _SPLIT_HZ)].sum()
    high = power[(hz >= _SPLIT_HZ) & (hz <= _BAND_HZ[1])].sum()
    return float(10 * np.log10((high + 1e-12) / (low + 1e-12)))
