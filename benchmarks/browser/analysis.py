"""What readings tell: where the tape was, when a sound began and ended, when a mouth moved.

Pure functions of arrays. Times are seconds on the clock of the readings. ``None`` means that it
did not happen in the readings.
"""

import numpy as np
from numpy.typing import NDArray

from benchmarks.browser.readings import Pictures, Sound
from benchmarks.browser.tape import Spoken


def locate_tape(
    sound: Sound, tape: NDArray[np.int16], spoken: Spoken, near_s: float | None = None
) -> float | None:
    """Find an utterance of the tape in the microphone's sound, to less than a millisecond.

    Args:
        sound: Where it was said.
        tape: (samples,) ``MicTape.pcm``.
        spoken: Which utterance; it is located by itself, as a browser's microphone may slip.
        near_s: An offset found before: only within half a second around it is searched.

    Returns:
        Offset: add it to a time on the tape (``spoken.end_s``) to have it on the clock.
    """
    raise NotImplementedError


def first_sound(sound: Sound, after_s: float) -> float | None:
    """Return when the avatar is first audible after a time."""
    raise NotImplementedError


def last_sound(sound: Sound, after_s: float, quiet_s: float = 0.3) -> float | None:
    """Return when the avatar was last audible before it was quiet for so long."""
    raise NotImplementedError


def first_mouth_motion(pictures: Pictures, after_s: float) -> float | None:
    """Return when the mouth first opens after a time; breath, blinks and sway do not count."""
    raise NotImplementedError


def mouth_closed(pictures: Pictures, after_s: float, quiet_s: float = 0.3) -> float | None:
    """Return the first picture after a time with a closed mouth that stays so for so long."""
    raise NotImplementedError
