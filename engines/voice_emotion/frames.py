"""What a voice's emotion is heard by: 16 kHz ``Pcm`` → bands, level, periodicity and pitch.

Two frames for every 32 ms, each over the 512 samples that end with it. Causal: streaming and
offline give the same bits. Levels stay as they are in the microphone; what is loud for a caller is
decided elsewhere.

Source of the periodicity: P. Boersma, "Accurate short-term analysis of the fundamental frequency
and the harmonics-to-noise ratio of a sampled sound", IFA Proceedings 17 (1993), §3: the
autocorrelation of the windowed sound over that of the window.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.mel import mel_filters
from rt_avatar.engines.prosody import WINDOW_SAMPLES, ProsodyStream
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

BANDS: Final = 64
LEVEL: Final = BANDS  # columns of a frame
PERIODICITY: Final = BANDS + 1
PITCH: Final = BANDS + 2
COLUMNS: Final = BANDS + 3
FRAMES: Final = 2  # a window
HOP_SAMPLES: Final = WINDOW_SAMPLES // FRAMES
HOP_S: Final = HOP_SAMPLES / INPUT_RATE_HZ
_FFT: Final = 2 * WINDOW_SAMPLES  # the autocorrelation must not wrap
_LOWEST_HZ, _HIGHEST_HZ = 60.0, 7_600.0
_LAGS: Final = slice(INPUT_RATE_HZ // 500, INPUT_RATE_HZ // 75)  # 500 to 75 Hz
_QUIETEST: Final = 1e-10  # -100 dB
# The pitch tracker hears nothing below -55 dBFS, where self-noise begins; people who speak softly
# far from a microphone are below it.
_PITCH_GAIN: Final = 10.0
Frames = NDArray[np.float32]


class VoiceFrames:
    """One caller's sound. Not thread-safe."""

    def __init__(self) -> None:
        self._before: Pcm = np.zeros(HOP_SAMPLES, np.float32)
        self._pitch = ProsodyStream()

    def push(self, pcm: Pcm) -> Frames:
        """Take whole windows of sound, (n * 512,); return (n * FRAMES, COLUMNS).

        Columns: the bands' power in dB of full scale, the RMS in dB of full scale, how periodic the
        frame is, 0 (noise) to 1, and the pitch in Hz, 0 where there is none.
        """
        sound = np.concatenate((self._before, pcm))
        self._before = sound[len(pcm) :]
        spans = np.lib.stride_tricks.sliding_window_view(sound, WINDOW_SAMPLES)[::HOP_SAMPLES]
        spectra = np.fft.rfft(spans * _HANN, _FFT)
        power = spectra.real**2 + spectra.imag**2
        frames = np.empty((len(spans), COLUMNS), np.float32)
        frames[:, :BANDS] = 10 * np.log10(power @ _MEL + _QUIETEST)
        squares = np.square(spans, dtype=np.float64).mean(axis=1)
        frames[:, LEVEL] = 10 * np.log10(squares + _QUIETEST)
        repeated = np.fft.irfft(power, _FFT)
        highest = (repeated[:, _LAGS] / _WINDOW_REPEATED).max(axis=1)
        frames[:, PERIODICITY] = np.clip(highest / (repeated[:, 0] + 1e-6), 0.0, 1.0)
        tones = [one.f0_hz or 0.0 for one in self._pitch.push(pcm * np.float32(_PITCH_GAIN))]
        frames[:, PITCH] = np.repeat(tones, FRAMES)
        return frames


_HANN: Final = np.hanning(WINDOW_SAMPLES + 1)[:-1].astype(np.float32)
_MEL: Final = mel_filters(_HANN, _FFT, INPUT_RATE_HZ, BANDS, (_LOWEST_HZ, _HIGHEST_HZ)).astype(
    np.float32
)
_HANN_REPEATED: Final = np.fft.irfft(np.abs(np.fft.rfft(_HANN, _FFT)) ** 2, _FFT)
_WINDOW_REPEATED: Final = _HANN_REPEATED[_LAGS] / _HANN_REPEATED[0]
