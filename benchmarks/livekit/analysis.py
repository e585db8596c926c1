"""What a participant received → moments: first sound, silence, skew. Pure functions of arrays.

Blocks of sound are handed over every 10 ms by the library's own clock; an application learns of
each a little late, now more, now less. So a block's time is told by counting blocks, and the count
is laid on the event loop's clock by those that were the least late.
"""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.livekit.room import BLOCK_S, PARTS, AudioMeter, Floats, Leads, VideoMeter
from rt_avatar.benchmarks.sync.analysis import Pairs, find_claps, find_flashes, pair
from rt_avatar.engines.types import FPS, SPEECH_RATE_HZ

AUDIBLE: Final = 0.005  # of full scale, −46 dBFS: quieter cannot be told from a room
# No pause within a reply's words is longer; a breath between its sentences is (up to 0.5 s).
SILENT_S: Final = 0.6
ANCHOR_BLOCKS: Final = 500  # 5 s: within it clocks do not part, and one block in it came in time
# Later than its place in time by more than that: late. A picture that never came is no better.
LATE_S: Final = 0.030
LEAD_NEAR_S: Final = 1.0  # what the library's buffers did further away says nothing of a clap
LATE_BLOCKS: Final = 10  # 100 ms without any: the count begins anew


def heard_at(came_s: Floats) -> Floats:
    """Return when each block began to be heard, from when the application got it, (n,) rising."""
    count = np.arange(len(came_s))
    ahead = came_s - BLOCK_S * count
    edges = [0, *(np.flatnonzero(np.diff(came_s) > LATE_BLOCKS * BLOCK_S) + 1), len(came_s)]
    for begin, end in pairwise(edges):
        for first in range(begin, end, ANCHOR_BLOCKS):
            part = slice(first, min(end, first + ANCHOR_BLOCKS))
            ahead[part] = ahead[part].min()
    times: Floats = np.maximum.accumulate(BLOCK_S * count + ahead)
    return times


def first_sound(audio: AudioMeter, after_s: float) -> float | None:
    """Return when the first audible block after a moment began, None if there was none."""
    at_s = heard_at(np.array(audio.came_s))
    found = at_s[(at_s >= after_s) & (np.array(audio.peak) > AUDIBLE)]
    return float(found[0]) if len(found) else None


def falls_silent(audio: AudioMeter, after_s: float) -> float | None:
    """Return when the last audible block before a silence ended, the first one after a moment.

    None if it sounded on to the end of what was heard.
    """
    at_s = heard_at(np.array(audio.came_s))
    loud = at_s[np.array(audio.peak) > AUDIBLE]
    if not len(loud):
        return None
    ends = loud[np.diff(loud, append=np.inf) > SILENT_S] + BLOCK_S
    ends = ends[ends >= after_s - SILENT_S]
    is_over = len(ends) and at_s[-1] - ends[0] > SILENT_S
    return float(ends[0]) if is_over else None


def heard_of(pcm: NDArray[np.int16], heard_s: float) -> float:
    """Return up to which second of a reply it was heard, from how long it was to be heard.

    Args:
        pcm: (samples,) at 24 kHz: the whole reply; its beginning may be silent.
        heard_s: From its first audible sample to the last.
    """
    return float(_audible(pcm)[0]) / SPEECH_RATE_HZ + heard_s


def audible_until(pcm: NDArray[np.int16], position_s: float) -> float:
    """Return when the last audible sample of a reply ends that is before a position, seconds."""
    audible = _audible(pcm)
    before = audible[audible < round(position_s * SPEECH_RATE_HZ)]
    return float(before[-1] + 1) / SPEECH_RATE_HZ if len(before) else 0.0


def late_share(came_s: list[float], begin_s: float, end_s: float) -> float:
    """Return which share of the pictures due between two moments was 30 ms late, or never came.

    It is told by the gaps between pictures as they were handed over; an early one makes none good.
    """
    at_s = [begin_s, *(one for one in came_s if begin_s <= one < end_s), end_s]
    due = (end_s - begin_s) * FPS
    gaps = np.diff(at_s) + 1 / FPS - LATE_S
    missed = np.maximum(0, np.floor(gaps * FPS) - 1).sum()
    return float(missed / due)


def less_buffers(pairs: Pairs, leads: Leads) -> Floats:
    """Return the skews less what the receiver's buffers add, as its library tells it.

    What codecs and packets delay sound more than pictures stays in them.

    (k,) ms, of the pairs near which the library told what its buffers did.
    """
    if not leads.at_s:
        return np.zeros(0)
    at_s = np.array(leads.at_s)
    nearest = np.abs(pairs.at_s[:, None] - at_s).argmin(axis=1)
    is_near = np.abs(at_s[nearest] - pairs.at_s) < LEAD_NEAR_S
    sent: Floats = (pairs.skew_ms - np.array(leads.lead_ms)[nearest])[is_near]
    return sent


def rate_hz(came_s: list[float], begin_s: float, end_s: float) -> float:
    """Return how many came a second between two moments."""
    count = sum(begin_s <= one < end_s for one in came_s)
    return count / (end_s - begin_s)


def skew(audio: AudioMeter, video: VideoMeter) -> Pairs:
    """Return the claps and flashes that belong together; + is sound late."""
    begin_s = heard_at(np.array(audio.came_s))
    period_s = BLOCK_S / PARTS
    at_s = (begin_s[:, None] + period_s * np.arange(PARTS)).ravel()
    claps_s = find_claps(at_s, np.array(audio.rms).reshape(-1), period_s)
    return pair(claps_s, find_flashes(np.array(video.came_s), np.array(video.luma)))


def _audible(pcm: NDArray[np.int16]) -> NDArray[np.int64]:
    return np.flatnonzero(np.abs(pcm.astype(np.int32)) > AUDIBLE * 32768)
