"""What the meter in the page has seen: sound, pictures and messages as arrays, on one clock.

The clock is the page's AudioContext: seconds, float64, 0 when it was made. Sound is counted in its
samples; pictures and messages are mapped to it (``clock``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sound:
    """Loudness of the microphone and of the avatar; one entry for 128 samples (2.67 ms).

    Attributes:
        at_s: (n,) when the first of the 128 samples was.
        mic_peak: (n,) 0..1, the highest absolute sample.
        mic_rms: (n,) 0..1.
        remote_peak: (n,) of the avatar's sound.
        remote_rms: (n,).
    """

    at_s: Floats
    mic_peak: Floats
    mic_rms: Floats
    remote_peak: Floats
    remote_rms: Floats


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures of the avatar that were presented, one entry each.

    Attributes:
        at_s: (n,) when the browser expected it to be on the screen.
        brightness: (n,) mean luma, 0..255.
        mouth: (n,) how open the mouth looks, 0..1: see ``meter.js``.
        change: (n,) mean absolute change of the mouth's luma since the last picture, 0..255.
        rtp: (n,) RTP time stamp at 90 kHz; −1 where there is none.
        count: (n,) pictures presented up to here; gaps are pictures that the page did not see.
    """

    at_s: Floats
    brightness: Floats
    mouth: Floats
    change: Floats
    rtp: Floats
    count: Floats


@dataclass(frozen=True, slots=True)
class Message:
    """What the server said on the data channel, and when it came."""

    at_s: float
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Readings:
    """What came since the last drain."""

    sound: Sound
    pictures: Pictures
    messages: Sequence[Message]


def join(parts: Sequence[Readings]) -> Readings:
    """Put readings that follow each other together."""
    raise NotImplementedError
