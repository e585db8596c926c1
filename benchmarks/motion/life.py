"""What lives beside the mouth: brows, blinks and head of a person or of a face that we move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.motion.scores import count_blinks, count_nods
from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.motion.presence import VIEWER, PresenceEngine, PresenceInput
from rt_avatar.engines.training.lipsync.people import TrackedClip
from rt_avatar.engines.types import FPS, FRAME_SAMPLES, PITCH, ROLL, YAW, FaceStyle, Motion, Pcm

Floats = NDArray[np.floating]
_POSE: Final = [PITCH, YAW, ROLL]
_FRAME_MS: Final = 1000 / FPS
_SILENT_DB: Final = -60.0
_LATER_FRAMES: Final = 4  # at which a person's head follows the voice best: 160 ms
_SLOW_HZ: Final = (0.3, 1.0)
_QUICK_HZ: Final = (1.0, 4.0)
_BLINK_SCORE: Final = 0.4
_BLINK_RISE: Final = 0.25


@dataclass(frozen=True, slots=True)
class Life:
    """Of some clips, means over them.

    Attributes:
        blinks_a_minute: See ``count_blinks``.
        blink_down_ms, blink_up_ms: From half way to shut, and back; medians.
        brow_range: Between the 5th and the 95th percentile of the raised inner brows, 0..1.
        brow_travel: Of the inner brows a second.
        nods_a_minute: See ``count_nods``.
        head_speed: Mean degrees a second of pitch, yaw and roll.
        head_slow, head_quick: Degrees (RMS) of pitch, yaw and roll at 0.3 to 1 and 1 to 4 Hz.
        head_voice_r: Correlation of the head's speed with the voice's level 160 ms before.
    """

    blinks_a_minute: float
    blink_down_ms: float
    blink_up_ms: float
    brow_range: float
    brow_travel: float
    nods_a_minute: float
    head_speed: float
    head_slow: float
    head_quick: float
    head_voice_r: float


def life_of_people(clips: Sequence[TrackedClip]) -> Life:
    """Measure what was tracked."""
    return _measure(
        [clip.shapes for clip in clips],
        [clip.pose_rad for clip in clips],
        [clip.speech.pcm for clip in clips],
    )


def life_of_face(clips: Sequence[TrackedClip], motions: Sequence[Motion]) -> Life:
    """Measure a face that says the clips one after the other, as presence shows it."""
    stream = PresenceEngine().open(1)
    shown = [
        np.stack([
            stream.push(PresenceInput("speaking", frame, FaceStyle(), VIEWER))[0]
            for frame in motion[: clip.frames]
        ])
        for clip, motion in zip(clips, motions, strict=True)
    ]  # fmt: skip
    return _measure(shown, [one[:, _POSE] for one in shown], [clip.speech.pcm for clip in clips])


def _measure(shapes: Sequence[Floats], poses: Sequence[Floats], sounds: Sequence[Pcm]) -> Life:
    lids = [_mean_of(one, "eyeBlink") for one in shapes]
    brows = [_mean_of(one, "browInnerUp") for one in shapes]
    heads = [np.degrees(pose) for pose in poses]
    blinks = [half for lid in lids for half in blink_halves(lid)] or [(np.nan, np.nan)]
    down, up = np.median(blinks, axis=0).tolist()
    return Life(
        blinks_a_minute=count_blinks(lids),
        blink_down_ms=down,
        blink_up_ms=up,
        brow_range=float(np.mean([np.ptp(np.percentile(one, (5, 95))) for one in brows])),
        brow_travel=float(np.mean([np.abs(np.diff(one)).mean() for one in brows])) * FPS,
        nods_a_minute=count_nods([pose[:, 0] for pose in poses]),
        head_speed=float(np.mean([np.abs(np.diff(head, axis=0)).mean() for head in heads])) * FPS,
        head_slow=_band(heads, _SLOW_HZ),
        head_quick=_band(heads, _QUICK_HZ),
        head_voice_r=float(
            np.mean([_follows(head, pcm) for head, pcm in zip(heads, sounds, strict=True)])
        ),
    )


def blink_halves(lid: Floats) -> list[tuple[float, float]]:
    """Return of each blink of lids (frames,) the ms from half way to shut, and back to half way."""
    halves = []
    rows = lid.tolist()
    last = -FPS
    for top in range(5, len(rows) - 10):
        is_top = rows[top - 1] <= rows[top] > rows[top + 1] and rows[top] > _BLINK_SCORE
        before, after = min(rows[top - 5 : top]), min(rows[top : top + 10])
        if is_top and top - last > FPS // 4 and rows[top] - max(before, after) > _BLINK_RISE:
            last = top
            halves.append(
                (_half_ms(rows[top - 5 : top + 1][::-1], before), _half_ms(rows[top:], after))
            )
    return halves


def _half_ms(falling: list[float], low: float) -> float:
    """Return the ms in which something falls from its first value half way to ``low``."""
    half = (falling[0] + low) / 2
    at = next(index for index, value in enumerate(falling) if value <= half)
    step = (falling[at - 1] - half) / (falling[at - 1] - falling[at])
    return _FRAME_MS * (at - 1 + step)


def _mean_of(shapes: Floats, name: str) -> Floats:
    mean: Floats = shapes[:, rows_of((name,))].mean(axis=1, dtype=np.float64)
    return mean


def _band(heads: Sequence[Floats], band_hz: tuple[float, float]) -> float:
    """Return how much heads (frames, 3) move between two frequencies, RMS."""
    power = []
    for head in heads:
        count = len(head)
        at = np.linspace(-1, 1, count)
        flat = head - np.polynomial.polynomial.polyval(
            at, np.polynomial.polynomial.polyfit(at, head, 1)
        ).T.reshape(head.shape)
        shape = np.hanning(count)[:, None]
        spectrum = np.abs(np.fft.rfft(flat * shape, axis=0)) ** 2
        hz = np.fft.rfftfreq(count, 1 / FPS)
        inside = (hz >= band_hz[0]) & (hz < band_hz[1])
        power.append(2 * spectrum[inside].sum() / (count * float((shape**2).sum())))
    return float(np.sqrt(np.mean(power)))


def _follows(head: Floats, pcm: Pcm) -> float:
    """Return the correlation of a head's speed with the level of the voice before."""
    frames = pcm[: len(head) * FRAME_SAMPLES].reshape(-1, FRAME_SAMPLES)
    level = 10 * np.log10(np.mean(np.square(frames, dtype=np.float64), axis=1) + 1e-12)
    speed = np.abs(np.gradient(head, axis=0)).sum(axis=1)[: len(level)]
    later, before = speed[_LATER_FRAMES:], np.maximum(level, _SILENT_DB)[:-_LATER_FRAMES]
    if later.std() < 1e-9 or before.std() < 1e-9:
        return 0.0
    return float(np.corrcoef(later, before)[0, 1])
