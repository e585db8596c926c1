"""What readings tell: where the tape was, when a sound began and ended, when a mouth moved.

Pure functions of arrays. Times are seconds on the clock of the readings; ``None`` means that it did
not happen in them.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.browser.readings import WINDOW_S, Floats, Pictures, Sound
from rt_avatar.benchmarks.browser.tape import Spoken
from rt_avatar.engines.types import WIRE_RATE_HZ

AUDIBLE: Final = 0.005  # −46 dBFS: quieter cannot be told from a room
# Share of the mouth's place that is dark. The idle faces of all personas stay below 0.006 (0.0054,
# measured in calls); half of speech is above this.
OPEN: Final = 0.010
# Correlation of envelopes. Speech that went through a browser's noise suppression and gain control
# keeps 0.95, with a gain that rises by 12 dB meanwhile 0.84; another's speech reaches 0.40, or 0.70
# with an utterance of only a second.
ALIKE: Final = 0.75
ENDS_S: Final = 1.5  # so much of an utterance tells where its beginning and its end is
SLIP_S: Final = 0.25  # more than a browser's microphone can slip within an utterance
WINDOW: Final = round(WINDOW_S * WIRE_RATE_HZ)  # samples
PHASES: Final = 15  # of a window: steps of 0.17 ms


@dataclass(frozen=True, slots=True)
class Located:
    """An utterance of the tape, as the microphone heard it.

    Attributes:
        start_s: When its first sample was.
        end_s: When its last sample was. Both are found by themselves: when a busy browser slips, an
            utterance lasts some ms longer or shorter than it does on the tape.
        likeness: Correlation of the envelopes, 0..1.
    """

    start_s: float
    end_s: float
    likeness: float


def locate_tape(
    mic: Sound, tape: NDArray[np.int16], spoken: Spoken, near_s: float | None = None
) -> Located | None:
    """Find an utterance of the tape in the microphone's sound, to less than a millisecond.

    Args:
        mic: Where it was said.
        tape: (samples,) ``MicTape.pcm``.
        spoken: Which utterance.
        near_s: About when its beginning was; it is searched within a second around. Without it,
            everywhere: long readings then take long.

    Returns:
        None if it is not in the readings as a whole.
    """
    at_s, heard = _regular(mic.at_s, mic.rms)
    if near_s is not None:
        length_s = spoken.end_s - spoken.start_s
        part = slice(*np.searchsorted(at_s, [near_s - 1.0, near_s + length_s + 1.0]))
        at_s, heard = at_s[part], heard[part]
    begin, end = round(spoken.start_s * WIRE_RATE_HZ), round(spoken.end_s * WIRE_RATE_HZ)
    pcm = tape[begin:end].astype(np.float64)
    coarse = _alike(heard, _envelope(pcm, 0))
    if not len(coarse) or coarse.max() < ALIKE:
        return None
    start_s = float(at_s[np.argmax(coarse)])
    some = pcm[: round(ENDS_S * WIRE_RATE_HZ)], pcm[-round(ENDS_S * WIRE_RATE_HZ) :]
    head_s = _refine(at_s, heard, some[0], start_s)
    tail_s = _refine(at_s, heard, some[1], start_s + (len(pcm) - len(some[1])) / WIRE_RATE_HZ)
    return Located(head_s, tail_s + len(some[1]) / WIRE_RATE_HZ, float(coarse.max()))


def first_sound(sound: Sound, after_s: float, above: float = AUDIBLE) -> float | None:
    """Return when the avatar is first audible after a time; at once if it is already."""
    is_loud = (sound.peak > above) & (sound.at_s >= after_s)
    return _onset(sound, int(np.argmax(is_loud))) if is_loud.any() else None


def first_mouth_motion(pictures: Pictures, after_s: float) -> float | None:
    """Return the first picture after a time with the mouth open; breath and blinks do not count.

    Lips part some pictures before a sound, or at it.
    """
    is_open = (pictures.mouth > OPEN) & (pictures.at_s >= after_s)
    return float(pictures.at_s[np.argmax(is_open)]) if is_open.any() else None


# --- sound, between its windows -------------------------------------------------------------------
def _onset(sound: Sound, index: int) -> float:
    """Return when in its window a sound begins: the fuller it is beside the next, the earlier."""
    energy = sound.rms[index : index + 2] ** 2
    share = 1.0 if len(energy) < 2 else min(1.0, float(energy[0] / max(energy[1], 1e-12)))
    return float(sound.at_s[index]) + (1 - share) * WINDOW_S


# --- envelopes -----------------------------------------------------------------------------------
def _regular(at_s: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Fill the gaps with zeros, so that an index is a time."""
    if not len(at_s):
        return at_s, values
    steps = np.round((at_s - at_s[0]) / WINDOW_S).astype(int)
    filled = np.zeros(steps[-1] + 1)
    filled[steps] = values
    return at_s[0] + np.arange(len(filled)) * WINDOW_S, filled


def _envelope(pcm: Floats, begin: int) -> Floats:
    """Return the RMS of the windows from that sample on; as many for any 0 <= begin < WINDOW."""
    windows = len(pcm) // WINDOW - 1
    rows = pcm[begin : begin + windows * WINDOW].reshape(windows, WINDOW)
    return np.asarray(np.sqrt(np.mean(rows**2, axis=1)))


def _alike(heard: Floats, template: Floats) -> Floats:
    """Return the correlation of a template with every stretch of what was heard."""
    length = len(template)
    if len(heard) < length or not length:
        return np.zeros(0)
    template = template - template.mean()
    size = 1 << int(np.ceil(np.log2(len(heard) + length)))
    product = np.fft.irfft(np.fft.rfft(heard, size) * np.fft.rfft(template, size).conj(), size)
    sums = np.cumsum(np.stack([np.zeros(2), *np.stack([heard, heard**2], axis=1)]), axis=0)
    mean, square = ((sums[length:] - sums[:-length]) / length).T
    spread = np.sqrt(np.maximum(square - mean**2, 1e-14)) * length
    return np.asarray(product[: len(heard) - length + 1] / (spread * template.std()))


def _refine(at_s: Floats, heard: Floats, pcm: Floats, guess_s: float) -> float:
    """Return when the first sample of ``pcm`` was heard, near a guess, between the windows."""
    length_s = len(pcm) / WIRE_RATE_HZ
    part = slice(*np.searchsorted(at_s, [guess_s - SLIP_S, guess_s + length_s + SLIP_S]))
    at_s, heard = at_s[part], heard[part]
    # What begins late in a window looks as if cut so many samples before the next.
    step = WINDOW // PHASES
    scores = np.array([_alike(heard, _envelope(pcm, phase * step)) for phase in range(PHASES)])
    phase, index = np.unravel_index(np.argmax(scores), scores.shape)
    return float(at_s[index]) - float(phase) * step / WIRE_RATE_HZ
