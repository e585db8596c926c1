"""How a voice is used, in numbers: pitch, its range, duration, level, brightness, breath, timbre.

All from the sound of one utterance. Differences between two utterances of the same words by the
same speaker tell how the delivery differs; single values tell little, since words and microphone
are in them, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyworld
from numpy.typing import NDArray

from rt_avatar.engines.styletts2.spectrum import FFT, LOG_SCALE, log_mel, mel_filters
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm

Doubles = NDArray[np.float64]

_PERIOD_MS: Final = 5.0
_HOP: Final = round(SPEECH_RATE_HZ * _PERIOD_MS / 1000)
_WINDOW: Final = 960  # 40 ms: three periods of 75 Hz
_PITCH_HZ: Final = (65.0, 620.0)
_ACTIVE_DB: Final = 30.0  # below the loudest tenth: room and breath between words
_MIN_VOICED: Final = 20  # frames
_LEAST_RANGE: Final = 0.5  # semitones
_LEAST_JITTER: Final = 0.01  # percent
CEPSTRA: Final = 16
_BANDS: Final = 66  # of 80 end below 7.6 kHz, so that recordings at 16 kHz compare


@dataclass(frozen=True, slots=True)
class VoiceMeasures:
    """One utterance.

    Attributes:
        pitch: Median F0 in semitones against 1 Hz.
        pitch_range: From the 10th to the 90th percentile of F0, semitones.
        seconds: From the first to the last sound.
        level_db: Mean power while it sounds.
        brightness_db: Energy of 1-5 kHz against that of 50-1,000 Hz, in voiced frames.
        hnr_db: Harmonics against noise in voiced frames; breath and roughness lower it.
        jitter: Median change of F0's slope over 5 ms, percent of F0.
        voiced: Share of the sounding frames with F0.
        cepstra: (2, CEPSTRA) means and deviations of mel-cepstra while it sounds; the level is
            not in them.
    """

    pitch: float
    pitch_range: float
    seconds: float
    level_db: float
    brightness_db: float
    hnr_db: float
    jitter: float
    voiced: float
    cepstra: Doubles

    def row(self) -> Doubles:
        """Return all of it as numbers whose differences tell a change, (8 + 2 CEPSTRA,).

        The ln of F0, of its range, of the pace, level, brightness, harmonics to noise, the ln of
        jitter, voicing, cepstra.
        """
        return np.array(
            [
                self.pitch * np.log(2) / 12,
                np.log(max(self.pitch_range, _LEAST_RANGE)),
                -np.log(self.seconds),
                self.level_db,
                self.brightness_db,
                self.hnr_db,
                np.log(max(self.jitter, _LEAST_JITTER)),
                self.voiced,
                *self.cepstra.ravel(),
            ]
        )


def measure_voice(pcm: Pcm) -> VoiceMeasures:
    """Return the measures of an utterance at 24 kHz.

    Sources: F0 by WORLD (dio, stonemask; M. Morise et al., IEICE Trans. E99-D, 2016); harmonics to
    noise from the autocorrelation at one period (P. Boersma, Proc. Inst. Phonetic Sciences 17,
    1993).

    Raises:
        ValueError: There is less than 0.1 s of voice in it.
    """
    sound = pcm.astype(np.float64)
    coarse, times = pyworld.dio(
        sound, SPEECH_RATE_HZ, f0_floor=_PITCH_HZ[0], f0_ceil=_PITCH_HZ[1], frame_period=_PERIOD_MS
    )
    hz = pyworld.stonemask(sound, coarse, times, SPEECH_RATE_HZ)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(sound, _WINDOW // 2), _WINDOW)[::_HOP]
    count = min(len(hz), len(windows))
    hz, windows = hz[:count], windows[:count]
    power = (windows**2).mean(axis=1)
    active = power > np.percentile(power, 90) * 10 ** (-_ACTIVE_DB / 10)
    voiced = active & (hz > 0)
    if voiced.sum() < _MIN_VOICED:
        raise ValueError(f"expected 0.1 s of voice or more; got {voiced.sum() * 5} ms")
    semitones = 12 * np.log2(hz[voiced])
    low, middle, high = np.percentile(semitones, (10, 50, 90))
    first, last = np.flatnonzero(active)[[0, -1]]
    spectra = np.abs(np.fft.rfft(windows[voiced] * np.hanning(_WINDOW), 2 * _WINDOW, axis=1)) ** 2
    return VoiceMeasures(
        pitch=float(middle),
        pitch_range=float(high - low),
        seconds=float((last + 1 - first) * _PERIOD_MS / 1000),
        level_db=float(10 * np.log10(power[active].mean())),
        brightness_db=_brightness_db(spectra),
        hnr_db=_hnr_db(spectra, hz[voiced]),
        jitter=_jitter(hz, voiced),
        voiced=float(voiced.sum() / active.sum()),
        cepstra=_cepstra(pcm),
    )


def _brightness_db(spectra: Doubles) -> float:
    hz = np.fft.rfftfreq(2 * _WINDOW, 1 / SPEECH_RATE_HZ)
    power = spectra.sum(axis=0)
    low = power[(hz >= 50) & (hz < 1000)].sum()
    high = power[(hz >= 1000) & (hz < 5000)].sum()
    return float(10 * np.log10(high / low))


def _hnr_db(spectra: Doubles, hz: Doubles) -> float:
    window = np.hanning(_WINDOW)
    own = np.fft.irfft(np.abs(np.fft.rfft(window, 2 * _WINDOW)) ** 2)
    correlation = np.fft.irfft(spectra, axis=1) / own.clip(1e-9)
    correlation /= correlation[:, :1]
    lag = np.round(SPEECH_RATE_HZ / hz).astype(int)
    near = lag[:, None] + np.arange(-3, 4)
    peak = np.take_along_axis(correlation, near, axis=1).max(axis=1).clip(0.01, 0.9999)
    return float(np.median(10 * np.log10(peak / (1 - peak))))


def _jitter(hz: Doubles, voiced: NDArray[np.bool_]) -> float:
    inside = voiced[:-2] & voiced[1:-1] & voiced[2:]
    bend = np.abs(hz[:-2] - 2 * hz[1:-1] + hz[2:])[inside] / hz[1:-1][inside]
    return float(100 * np.median(bend)) if len(bend) else float("nan")


def _cepstra(pcm: Pcm) -> Doubles:
    mel = log_mel(pcm)[:_BANDS].T.astype(np.float64)  # (T, bands)
    level = np.log(np.exp(4 * mel).sum(axis=1))
    mel = mel[level > np.percentile(level, 90) - _ACTIVE_DB / 10 * np.log(10)]
    cepstra = mel @ waves(np.arange(_BANDS)).T * (2 / _BANDS)
    return np.stack([cepstra.mean(axis=0), cepstra.std(axis=0)])


def gains_db(cepstra: Doubles, hz: Sequence[float]) -> Doubles:
    """Return the spectrum's shape that mel-cepstra (N, CEPSTRA) tell, at frequencies, (N, F) dB."""
    peaks = mel_filters().argmax(axis=0) * SPEECH_RATE_HZ / FFT
    bands = np.interp(hz, peaks, np.arange(len(peaks)))
    gains: Doubles = cepstra @ waves(bands) * LOG_SCALE * 10 / np.log(10)
    return gains


def waves(bands: NDArray[np.floating] | NDArray[np.integer]) -> Doubles:
    """Return the cosines (CEPSTRA, B) at places between the mel bands."""
    waves: Doubles = np.cos(np.arange(1, CEPSTRA + 1)[:, None] * (np.pi / _BANDS * (bands + 0.5)))
    return waves
