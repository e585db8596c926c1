"""Functionals of an utterance: its frames so far → one row of numbers, however long it is.

Means, deviations, percentiles, slopes and rates of bands, cepstra, level, periodicity and pitch.
All but ``LOUDNESS`` stay the same when the caller speaks nearer to the microphone. Pure functions
of the frames, so that what is said of an utterance does not depend on how it arrived.

Sources: F. Eyben et al., "The Geneva minimalistic acoustic parameter set (GeMAPS) for voice
research and affective computing", IEEE Trans. Affective Computing 7 (2016), for what tells
emotions; the modulation spectrum after S. Greenberg, B. Kingsbury, "The modulation spectrogram",
ICASSP 1997.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.prosody import WINDOW_SAMPLES
from rt_avatar.engines.types import INPUT_RATE_HZ
from rt_avatar.engines.voice_emotion.frames import BANDS, HOP_S, LEVEL, PERIODICITY, PITCH, Frames

Floats = NDArray[np.float64]
MIN_FRAMES: Final = 30  # 0.5 s: less is a "hm"
MIN_VOICED: Final = 3  # windows with a pitch: a whisper has no melody, but it has a spectrum
_ACTIVE_DB: Final = 30.0  # below the loudest: what is further down is pause or room
_PAUSE_DB: Final = 40.0  # levels are not followed further down
_DEEPEST_DB: Final = 70.0  # bands likewise, below the strongest
_CEPSTRA: Final = 19
_WINDOW_HZ: Final = INPUT_RATE_HZ / WINDOW_SAMPLES
_REACH: Final = 14.0  # semitones from the median: further is an octave slip
_MODULATION_HZ: Final = ((0.5, 1.5), (1.5, 3), (3, 5), (5, 8), (8, 12), (12, 20))
_MODULATION_FFT: Final = 512
_RATIOS: Final = ((0, 8), (8, 16), (16, 26), (26, 38), (38, BANDS))  # parts of the spectrum
_GROUPS: Final = 16  # of four bands
_AT: Final = np.arange(BANDS, dtype=np.float64)
_DCT: Final = np.cos(np.pi * np.outer(_AT + 0.5, np.arange(1, _CEPSTRA + 1)) / BANDS) * np.sqrt(
    2 / BANDS
)


def functionals(frames: Frames) -> NDArray[np.float32] | None:
    """Return (FUNCTIONALS,) of an utterance; None where it is too short or nothing is loud.

    Args:
        frames: (T, COLUMNS) of ``VoiceFrames``; silence before and behind is left out.
    """
    level = frames[:, LEVEL].astype(np.float64)
    if not len(level):
        return None
    loud = np.flatnonzero(level > np.percentile(level, 95) - _ACTIVE_DB)
    heard: Floats = frames[loud[0] : loud[-1] + 1].astype(np.float64)
    if len(heard) < MIN_FRAMES:
        return None
    level = heard[:, LEVEL]
    top = float(np.percentile(level, 95))
    active = level > top - _ACTIVE_DB
    bands = heard[:, :BANDS]
    bands = np.maximum(bands, bands.max() - _DEEPEST_DB)
    tones = np.where(active[::2], heard[::2, PITCH], 0.0)
    voiced = active & (heard[:, PITCH] > 0)
    row = np.concatenate(
        (
            [top],
            _spectrum(bands, active, voiced),
            _cepstra(bands, active),
            _colour(bands[active], level[active]),
            _level(level, top, active),
            _statistics(heard[active, PERIODICITY]),
            _statistics(heard[voiced, PERIODICITY]),
            _melody(tones),
        )
    )
    return row.astype(np.float32)


LOUDNESS: Final = 0  # the one functional that depends on the microphone


def _statistics(values: Floats) -> Floats:
    """Return mean, deviation and three percentiles; zeros of less than two values."""
    if len(values) < 2:
        return np.zeros(5)
    return np.concatenate(([values.mean(), values.std()], np.percentile(values, (10, 50, 90))))


def _slope(values: Floats) -> float:
    """Return the rise of a straight line through the values, by value."""
    if len(values) < 3:
        return 0.0
    at = np.arange(len(values)) - (len(values) - 1) / 2
    return float((at * values).sum() / (at * at).sum())


def _centred(values: Floats) -> Floats:
    centred: Floats = values - values.mean()
    return centred


def _spectrum(bands: Floats, active: NDArray[np.bool_], voiced: NDArray[np.bool_]) -> Floats:
    """Return the mean spectra of all, vowels and the rest, its deviation, how fast it changes."""
    every = bands[active]
    vowels = bands[voiced] if voiced.sum() > 3 else every
    rest = bands[active & ~voiced]
    noise = _centred(rest.mean(axis=0)) if len(rest) > 3 else np.zeros(BANDS)
    half = len(every) // 2
    drift = every[half:].mean(axis=0) - every[:half].mean(axis=0)
    return np.concatenate(
        (
            _centred(every.mean(axis=0)), every.std(axis=0), _centred(vowels.mean(axis=0)), noise,
            np.abs(np.diff(bands, axis=0)).mean(axis=0), drift.reshape(_GROUPS, -1).mean(axis=1),
        )
    )  # fmt: skip


def _cepstra(bands: Floats, active: NDArray[np.bool_]) -> Floats:
    """Return deviations, speeds, skews and tails of the cepstra."""
    cepstra = bands[active] @ _DCT
    away = cepstra - cepstra.mean(axis=0)
    deviation = cepstra.std(axis=0)
    return np.concatenate(
        (
            deviation,
            np.diff(bands @ _DCT, axis=0).std(axis=0),
            (away**3).mean(axis=0) / (deviation**3 + 1e-6),
            *np.percentile(away, (10, 90), axis=0),
        )
    )


def _colour(bands: Floats, level: Floats) -> Floats:
    """Return where the power lies, its tilt, its flux, and how loud parts differ from soft ones."""
    power = 10 ** (bands / 10)
    whole = power.sum(axis=1)
    shape = bands - bands.mean(axis=1, keepdims=True)
    ratios = []
    for first, last in _RATIOS:
        share = power[:, first:last].sum(axis=1) / whole
        ratios += [np.log(share.mean() + 1e-5), np.log(share + 1e-5).std()]
    tilt = shape @ _centred(_AT) / np.square(_centred(_AT)).sum() * BANDS
    flux = np.sqrt(np.square(np.diff(shape, axis=0)).mean(axis=1))
    is_loud = level >= np.median(level)
    loud = shape[is_loud].mean(axis=0)
    soft = loud if is_loud.all() else shape[~is_loud].mean(axis=0)
    return np.concatenate(
        (
            _statistics((power * _AT).sum(axis=1) / whole), ratios, _statistics(tilt),
            _statistics(flux), (loud - soft).reshape(_GROUPS, -1).mean(axis=1),
        )
    )  # fmt: skip


def _level(level: Floats, top: float, active: NDArray[np.bool_]) -> Floats:
    """Return spread, slope, speed, modulation, pauses and the rate of syllables."""
    rises = np.diff(level)
    heard = np.maximum(level, top - _PAUSE_DB)
    modulation = np.abs(np.fft.rfft(_centred(heard), _MODULATION_FFT)) ** 2 / len(level)
    hz = np.fft.rfftfreq(_MODULATION_FFT, HOP_S)
    smooth = np.convolve(heard, np.ones(5) / 5, "same")
    peaks = (smooth[1:-1] > smooth[:-2]) & (smooth[1:-1] >= smooth[2:])
    syllables = np.sum(peaks & (smooth[1:-1] > top - 25))
    return np.concatenate(
        (
            _statistics(level[active] - top),
            [_slope(level[active]) / HOP_S, active.mean(), np.abs(rises[active[1:]]).mean()],
            np.percentile(rises, (5, 95)),
            [
                np.log(modulation[(hz >= low) & (hz < high)].mean() + 1e-3)
                for low, high in _MODULATION_HZ
            ],
            [syllables / (len(level) * HOP_S)],
        )
    )


def _melody(tones: Floats) -> Floats:
    """Return height, range, movement and stretches of the pitch; all 0 without one.

    Args:
        tones: (W,) Hz by window; 0 where there is none.
    """
    voiced = tones > 0
    if voiced.sum() < MIN_VOICED:
        return np.concatenate(([voiced.mean()], np.zeros(_MELODY - 1)))
    at = np.flatnonzero(voiced)
    semitones = 12 * np.log2(tones[voiced])
    middle = float(np.median(semitones))
    tune = np.clip(semitones - middle, -_REACH, _REACH)
    steps = np.diff(tune)[np.diff(at) == 1]
    steps = steps if len(steps) > 1 else np.zeros(2)
    away = at - at.mean()
    third = max(1, len(tune) // 3)
    edges = np.diff(np.concatenate(([0], voiced.astype(int), [0])))
    begins, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    lengths = ends - begins
    whole = np.zeros(len(tones))
    whole[at] = tune
    runs = np.array(
        [
            (float(part[-1] - part[0]), float(np.ptp(part)), _slope(part))
            for part in (whole[a:b] for a, b in zip(begins, ends, strict=True))
            if len(part) >= MIN_VOICED
        ]
        or [(0.0, 0.0, 0.0)]
    )
    return np.concatenate(
        (
            [voiced.mean(), middle, tune.mean(), tune.std()],
            np.percentile(tune, (5, 25, 75, 95)),
            [
                (away * tune).sum() / (away * away).sum() * _WINDOW_HZ,
                np.abs(steps).mean(), np.median(np.abs(steps)), steps.std(),
                (steps > 0.3).mean(), (steps < -0.3).mean(), np.abs(np.diff(steps)).mean(),
                tune[-third:].mean() - tune[:third].mean(), tune[-3:].mean(), tune[:3].mean(),
                tune.max(),
            ],
            [len(lengths) / len(tones) * _WINDOW_HZ, lengths.mean(), lengths.max(), lengths.std()],
            runs.mean(axis=0), runs.std(axis=0), [np.abs(runs[:, 0]).mean()],
        )
    )  # fmt: skip


_MELODY: Final = 30
FUNCTIONALS: Final = 1 + 5 * BANDS + _GROUPS + 5 * _CEPSTRA + 25 + _GROUPS + 17 + 10 + _MELODY
