"""What a mouth can be heard by: 24 kHz ``Pcm`` → log-mel bands every 10 ms, whatever the level.

Every band is measured against the loudest that the speaker was lately, so that a voice 20 dB softer
gives the same numbers. Causal and in whole hops: streaming and offline give the same bits. It does
not know what is speech.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.mel import mel_filters
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm

HOP_SAMPLES: Final = SPEECH_RATE_HZ // 100  # 10 ms: a closure of 50 ms is five of them
BANDS: Final = 32
_WINDOW_SAMPLES: Final = 600  # 25 ms: two periods of a low voice
_FFT: Final = 1024
# Telephones and 16 kHz recordings end below 8 kHz, and what tells sounds apart lies below it.
_LOWEST_HZ, _HIGHEST_HZ = 80.0, 7_600.0
# The peak falls 1 dB a second: through a pause of ten seconds noise rises by 10 dB, and a speaker
# who leans back is followed. It never falls so low that a quiet room becomes a voice.
_PEAK_FALL_DB: Final = 0.01  # a hop
_PEAK_MIN_DB: Final = -50.0  # dBFS of the RMS
# Bands further below the peak are all alike: about the room of a good recording.
_RANGE_DB: Final = 60.0
_NOTHING_DB: Final = -120.0


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """Some hops of sound.

    Attributes:
        bands: (H, BANDS) float32 level of each band against the peak: 0 where it is ``_RANGE_DB``
            or more below, 1 where all the peak's power is in one band.
        level_db: (H,) RMS in dBFS.
    """

    bands: NDArray[np.float32]
    level_db: NDArray[np.float64]


class Spectrum:
    """One stream of sound. Not thread-safe."""

    def __init__(self) -> None:
        self._before: Pcm = np.zeros(_WINDOW_SAMPLES - HOP_SAMPLES, np.float32)
        self._peak_db = _PEAK_MIN_DB

    def push(self, pcm: Pcm) -> Heard:
        """Take whole hops of sound; return as many. A window ends with its hop."""
        sound = np.concatenate((self._before, pcm))
        self._before = sound[len(pcm) :]
        windows = np.lib.stride_tricks.sliding_window_view(sound, _WINDOW_SAMPLES)[::HOP_SAMPLES]
        power = np.square(np.abs(np.fft.rfft(windows * _HANN, _FFT)))  # (H, FFT // 2 + 1)
        bands = power @ _MEL  # (H, BANDS)
        band_db = 10 * np.log10(bands + 1e-12)
        level_db = np.maximum(_NOTHING_DB, 10 * np.log10(bands.sum(axis=1) + 1e-12))
        peaks = np.empty(len(level_db))
        for index, level in enumerate(level_db.tolist()):
            self._peak_db = max(self._peak_db - _PEAK_FALL_DB, level, _PEAK_MIN_DB)
            peaks[index] = self._peak_db
        relative = (band_db - peaks[:, None]) / _RANGE_DB + 1.0
        return Heard(np.maximum(relative, 0.0).astype(np.float32), level_db)


_HANN: Final = np.hanning(_WINDOW_SAMPLES + 2)[1:-1].astype(np.float32)
_MEL: Final = mel_filters(_HANN, _FFT, SPEECH_RATE_HZ, BANDS, (_LOWEST_HZ, _HIGHEST_HZ))
