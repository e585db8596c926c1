"""How alike two motions of a face are: a method's against a tracked person's, clip by clip."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.training.lipsync.measure import TOUCH, gap
from rt_avatar.engines.training.lipsync.people import TrackedClip
from rt_avatar.engines.types import FPS, FRAME_SAMPLES, PITCH, Motion, Phoneme

Floats: TypeAlias = NDArray[np.floating]
MAX_LAG_FRAMES: Final = 6  # searched either way
_BILABIALS: Final = ("p", "b", "m")
_TOLERANCE_FRAMES: Final = 1  # closures this near each other are one: 40 ms
_BLINK: Final = 0.5
_NOD_RAD: Final = np.radians(1.0)


@dataclass(frozen=True, slots=True)
class Score:
    """One method over all clips.

    Attributes:
        jaw_r: Correlation of the jaw's opening, frame by frame; mean over clips.
        jaw_best_r: The same at the shift at which it is highest.
        offset_ms: That shift, between frames by a parabola; + is late.
        lips_r: Correlation of the gap between the lips, frame by frame; mean over clips.
        lips_best_r: The same at its own best shift.
        closure_f1: Of closures at p, b and m; see ``closures``.
        closure_recall: Share of the person's closures at p, b and m that were found.
        closure_precision: Share of the method's closures at which the person's lips touch, too.
        jaw_travel: Jaw openings a second, in units of the standard deviation within clips.
        nods_a_minute: Of the head; see ``count_nods``.
    """

    jaw_r: float
    closure_f1: float
    offset_ms: float
    jaw_best_r: float
    lips_r: float
    lips_best_r: float
    closure_recall: float
    closure_precision: float
    jaw_travel: float
    nods_a_minute: float


def jaw_of(motion: Motion) -> Floats:
    """Return the jaw's opening (frames,), 0..1."""
    jaw: Floats = motion[:, rows_of(("jawOpen",))[0]].astype(np.float64)
    return jaw


def score(clips: Sequence[TrackedClip], motions: Sequence[Motion]) -> Score:
    """Compare motions (frames, 73) with the clips of the same order; later frames are ignored."""
    mine = [motion[: clip.frames] for clip, motion in zip(clips, motions, strict=True)]
    jaws = [jaw_of(motion) for motion in mine]
    rows = rows_of(("jawOpen",))
    jaw = _lagged(jaws, [clip.shapes[:, rows].mean(axis=1) for clip in clips])
    lips = _lagged([gap(motion) for motion in mine], [clip.gap for clip in clips])
    spoken = [_spoken(clip) for clip in clips]
    f1, recall, precision = closures(
        (gap(motion) < TOUCH, clip.closed, clip.speech.phonemes)
        for clip, motion in zip(clips, mine, strict=True)
    )
    return Score(
        jaw_r=float(jaw[MAX_LAG_FRAMES]),
        jaw_best_r=float(jaw.max()),
        offset_ms=_peak_ms(jaw),
        lips_r=float(lips[MAX_LAG_FRAMES]),
        lips_best_r=float(lips.max()),
        closure_f1=f1,
        closure_recall=recall,
        closure_precision=precision,
        jaw_travel=travel([one[part] for one, part in zip(jaws, spoken, strict=True)]),
        nods_a_minute=count_nods([motion[:, PITCH] for motion in mine]),
    )


def travel(jaws: Sequence[Floats]) -> float:
    """Return how far jaws (frames,) move a second, in standard deviations within a clip."""
    moved = float(np.mean([np.abs(np.diff(one)).mean() for one in jaws]))
    return moved * FPS / (float(np.mean([one.std() for one in jaws])) + 1e-9)


def closures(
    clips: Iterable[tuple[NDArray[np.bool_], NDArray[np.bool_], Sequence[Phoneme]]],
) -> tuple[float, float, float]:
    """Return F1, recall and precision of lips that shut while somebody speaks.

    A closure is a run of frames with touching lips between the first and the last phone. The
    person's counts where it is within 40 ms of a p, b or m, and is found where the method's lips
    touch in it or a frame beside it. The method's is right where the person's lips touch, at
    whatever sound, in it or a frame beside it.

    Args:
        clips: Of each whether the method's lips and the person's touch (frames,), and the phones.
    """
    found = wanted = right = touches = 0
    for mine, theirs, phonemes in clips:
        if not phonemes:
            continue
        first, last = phonemes[0].start // FRAME_SAMPLES, phonemes[-1].end // FRAME_SAMPLES
        labial = np.zeros(len(theirs), np.bool_)
        for phoneme in phonemes:
            if phoneme.ipa[:1] in _BILABIALS:
                labial[_around(phoneme.start // FRAME_SAMPLES, phoneme.end // FRAME_SAMPLES)] = True
        for begin, end in _runs(theirs[: last + 1], first):
            if labial[begin : end + 1].any():
                wanted += 1
                found += bool(mine[_around(begin, end)].any())
        for begin, end in _runs(mine[: last + 1], first):
            touches += 1
            right += bool(theirs[_around(begin, end)].any())
    recall, precision = found / max(1, wanted), right / max(1, touches)
    return 2 * recall * precision / max(1e-9, recall + precision), recall, precision


def count_blinks(lids: Sequence[Floats]) -> float:
    """Return how often a minute lids (frames,) 0..1 fall below half."""
    shut = [one > _BLINK for one in lids]
    return _a_minute(sum(int((one[1:] & ~one[:-1]).sum()) for one in shut), lids)


def count_nods(pitches: Sequence[Floats]) -> float:
    """Return how often a minute heads (frames,), rad, + down, go down and up by 1° or more."""
    nods = 0
    for pitch in pitches:
        low = high = float(pitch[0])
        is_down = False
        for angle in pitch.tolist():
            low, high = min(low, angle), max(high, angle)
            if not is_down and angle - low >= _NOD_RAD:
                is_down, high = True, angle
            elif is_down and high - angle >= _NOD_RAD:
                is_down, low, nods = False, angle, nods + 1
    return _a_minute(nods, pitches)


def _a_minute(count: int, rows: Sequence[Floats]) -> float:
    return count / (sum(len(one) for one in rows) / FPS / 60)


def _spoken(clip: TrackedClip) -> slice:
    sounds = clip.speech.phonemes
    return slice(sounds[0].start // FRAME_SAMPLES, sounds[-1].end // FRAME_SAMPLES + 1)


def _around(first: int, last: int) -> slice:
    return slice(max(0, first - _TOLERANCE_FRAMES), last + 1 + _TOLERANCE_FRAMES)


def _runs(flags: NDArray[np.bool_], first: int) -> list[tuple[int, int]]:
    """Return first and last frame of what is true from ``first`` on."""
    inside = np.concatenate(([False], flags[first:], [False])).astype(np.int8)
    edges = np.flatnonzero(np.diff(inside)) + first
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _lagged(mine: Sequence[Floats], theirs: Sequence[NDArray[np.floating]]) -> Floats:
    """Return the correlation (2 * MAX_LAG_FRAMES + 1,) by shift, mean over clips."""
    most = MAX_LAG_FRAMES
    return np.array(
        [
            np.mean([
                _correlation(own[most + k : len(own) - most + k], other[most : len(other) - most])
                for own, other in zip(mine, theirs, strict=True)
            ])
            for k in range(-most, most + 1)
        ]
    )  # fmt: skip


def _correlation(one: NDArray[np.floating], other: NDArray[np.floating]) -> float:
    """Return Pearson's r; 0 where one does not move."""
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > 1e-9 else 0.0


def _peak_ms(by_lag: Floats) -> float:
    best = min(max(int(np.argmax(by_lag)), 1), len(by_lag) - 2)
    left, top, right = by_lag[best - 1 : best + 2].tolist()
    bend = left - 2 * top + right
    shift = best - MAX_LAG_FRAMES + (0.5 * (left - right) / bend if bend else 0.0)
    return 1000 * shift / FPS
