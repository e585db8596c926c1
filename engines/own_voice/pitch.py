"""The pitch of a recording: the product's ears, moved by thirds of a window."""

from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.own_voice.errors import OwnVoiceError
from rt_avatar.engines.prosody import WINDOW_SAMPLES, ProsodyStream
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, Pcm

FRAMES_HZ: Final = 80
_MOVES: Final = tuple(WINDOW_SAMPLES * third // 3 for third in range(3))
_LEAST_VOICED_S: Final = 0.5
_SLIP_OCTAVES: Final = 0.8  # from the median: an octave error, not intonation


def pitch_track(pcm: Pcm) -> NDArray[np.float64]:
    """Return F0 in Hz, 80 times a second, (frames,); 0 without voice.

    Args:
        pcm: (samples,) at 24 kHz.
    """
    low = soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ).astype(np.float32)
    low = low / max(float(np.abs(low).max()), 1e-9) / 2
    found = sorted(
        ((move + frame.pts) / INPUT_RATE_HZ, frame.f0_hz or 0.0)
        for move in _MOVES
        for frame in ProsodyStream().push(low[move:])
    )
    times, hz = np.array(found).reshape(-1, 2).T
    at = (np.arange(len(pcm) * FRAMES_HZ // SPEECH_RATE_HZ) + 0.5) / FRAMES_HZ
    after = np.clip(np.searchsorted(times, at), 1, len(times) - 1)
    track = hz[np.where(at - times[after - 1] < times[after] - at, after - 1, after)]
    if not (track > 0).any():
        return track
    octaves = np.log2(np.maximum(track, 1.0) / np.median(track[track > 0]))
    return np.where(np.abs(octaves) < _SLIP_OCTAVES, track, 0.0)


def describe_pitch(pcm: Pcm) -> tuple[float, float]:
    """Return the ln of the median F0, and the ln from its 10th to its 90th percentile.

    Raises:
        OwnVoiceError: Nobody's voice sounds in it: it is a whisper, or noise.
    """
    track = pitch_track(pcm)
    voiced = track[track > 0]
    if len(voiced) < _LEAST_VOICED_S * FRAMES_HZ:
        raise OwnVoiceError(
            f"recording: expected {_LEAST_VOICED_S:g} s or more in which the voice has a pitch; "
            f"got {len(voiced) / FRAMES_HZ:.1f} s, as of a whisper; speak aloud"
        )
    low, middle, high = np.percentile(np.log(voiced), (10, 50, 90))
    return float(middle), float(high - low)
