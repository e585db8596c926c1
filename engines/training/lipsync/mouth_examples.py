"""Frames of tracked clips as the mouth's network is told of them, and the mouth that they showed.

Clips are played at several speeds, some in disguise, and are heard as other throats and tones.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.motion.learnt_mouth import (
    JAW,
    OUTPUTS,
    PHONE_INPUTS,
    SHAPES,
    TAPS,
    Kind,
    Level,
    around,
    steps_of,
    window,
)
from rt_avatar.engines.motion.spectrum import BANDS, Spectrum
from rt_avatar.engines.training.lipsync.augment import disguise
from rt_avatar.engines.training.lipsync.measure import reference
from rt_avatar.engines.training.lipsync.people import TrackedClip
from rt_avatar.engines.training.lipsync.tracked_examples import touches
from rt_avatar.engines.types import FRAME_SAMPLES, SPEECH_RATE_HZ, Phoneme

Floats = NDArray[np.float32]
_ROWS: Final = [rows_of((name,)) for name in SHAPES]
_JAW_REST: Final = 0.012  # the tracked score of a shut mouth
_REST_PERCENTILE: Final = 10.0  # of the lips' scores
_SCALED_BY: Final = 60  # clips whose rules say how far each shape of the lips moves
# Sound that says nothing of the sounds: phones must do alone, too.
_UNHEARD_SHARE: Final = 0.1
_DISGUISED_SHARE: Final = 0.5
_NOISE_FRAMES: Final = 75
_UNDISGUISED_NOISE: Final = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Take:
    """One clip at one speed: sounds (T, …), bands (4 T, BANDS), levels (2 T, 1), mouth (T, …)."""

    asked: Floats
    bands: Floats
    levels: Floats
    mouth: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """Frames of takes: what is known of each (N, inputs), the mouth (N, OUTPUTS), the take."""

    known: Floats
    mouth: Floats
    take: NDArray[np.int64]


def scale_of(clips: Sequence[TrackedClip]) -> tuple[Floats, Floats]:
    """Return of each shape the tracked score at rest, and by how much more the rules move it.

    The jaw is as the tracker has it. Its scores of the lips are tiny: they say when, not how far.
    """
    rest = np.full(len(SHAPES), _JAW_REST, np.float32)
    scale = np.ones(len(SHAPES), np.float32)
    some = clips[:: max(1, len(clips) // _SCALED_BY)]
    theirs = np.concatenate([_tracked(clip) for clip in some])
    motions = np.concatenate([reference(clip.speech)[: clip.frames] for clip in some])
    for index in range(JAW + 1, len(SHAPES)):
        rest[index] = np.percentile(theirs[:, index], _REST_PERCENTILE)
        rules = motions[:, _ROWS[index]].mean(axis=1)
        scale[index] = rules.std() / max(1e-6, float(theirs[:, index].std()))
    return rest, scale


def _tracked(clip: TrackedClip) -> Floats:
    return np.column_stack([clip.shapes[:, rows].mean(axis=1) for rows in _ROWS])


def takes_of(
    clips: Sequence[TrackedClip],
    speeds: Sequence[Sequence[float]],
    scale: tuple[Floats, Floats],
    dice: np.random.Generator | None,
) -> Iterator[Take]:
    """Yield clips, each at its speeds (2 is twice as fast); ``dice`` disguise those but the first.

    Args:
        clips: What was said, and how the face moved.
        speeds: Of each clip.
        scale: As ``scale_of`` gives it.
        dice: None: no voice is disguised.
    """
    for clip, own in zip(clips, speeds, strict=True):
        mouth = np.clip((_tracked(clip) - scale[0]) * scale[1], 0, 1)
        mouth = np.column_stack((mouth, touches(clip)))
        for index, speed in enumerate(own):
            count = int(clip.frames / speed)
            middles = np.arange(count) * FRAME_SAMPLES + FRAME_SAMPLES // 2
            phonemes = [
                Phoneme(p.ipa, round(p.start / speed), round(p.end / speed), p.stress)
                for p in clip.speech.phonemes
            ]
            at = (np.arange(count) + 0.5) * speed - 0.5
            pcm = np.zeros(count * FRAME_SAMPLES, np.float32)
            sound = clip.speech.pcm
            if speed != 1.0:
                sound = soxr.resample(sound, speed * SPEECH_RATE_HZ, SPEECH_RATE_HZ, quality="MQ")
            pcm[: len(sound)] = sound[: len(pcm)]
            if dice is not None and index and dice.random() < _DISGUISED_SHARE:
                pcm = disguise(pcm, np.zeros_like(pcm), dice)
            known = np.arange(clip.frames)
            shown = np.column_stack([np.interp(at, known, column) for column in mouth.T])
            yield Take(
                window(phonemes, middles)[0].reshape(count, -1),
                Spectrum().push(pcm).bands,
                Level().push(pcm),
                shown.astype(np.float32),
            )


def noises_of(count: int, dice: np.random.Generator) -> Iterator[Take]:
    """Yield sounds of 3 s without a voice, at which the mouth rests."""
    for _ in range(count):
        noise = dice.standard_normal(_NOISE_FRAMES * FRAME_SAMPLES).astype(np.float32)
        heard = 0.02 * noise if dice.random() < _UNDISGUISED_NOISE else disguise(noise, noise, dice)
        yield Take(
            np.zeros((_NOISE_FRAMES, TAPS * PHONE_INPUTS), np.float32),
            Spectrum().push(heard).bands,
            Level().push(heard),
            np.zeros((_NOISE_FRAMES, OUTPUTS), np.float32),
        )


def frames_of(takes: Sequence[Take], kind: Kind, dice: np.random.Generator | None) -> Frames:
    """Return what a kind of network knows of takes; ``dice`` make other voices of them."""
    rows = []
    for take in takes:
        bands, levels = take.bands, take.levels
        if dice is not None:
            bands = other_voice(bands, dice)
            if kind.has_phones and dice.random() < _UNHEARD_SHARE:
                bands, levels = np.zeros_like(bands), np.zeros_like(levels)
        steps = steps_of(bands)
        if kind.has_phones:
            steps = np.hstack((steps, levels))
        steps = np.pad(steps, ((kind.past - 2, kind.future), (0, 0)))
        heard = around(steps, kind)
        rows.append(np.hstack((take.asked, heard)) if kind.has_phones else heard)
    lengths = [len(take.mouth) for take in takes]
    return Frames(
        np.concatenate(rows),
        np.concatenate([take.mouth for take in takes]),
        np.repeat(np.arange(len(takes)), lengths),
    )


def other_voice(bands: Floats, dice: np.random.Generator) -> Floats:
    """Return bands (hops, BANDS) of another throat, tone and room."""
    at = np.arange(BANDS) * dice.uniform(0.9, 1.1) + dice.uniform(-1, 1)
    low = np.clip(np.floor(at).astype(int), 0, BANDS - 2)
    share = np.clip(at - low, 0, 1).astype(np.float32)
    heard = bands[:, low] * (1 - share) + bands[:, low + 1] * share
    tone = np.interp(np.arange(BANDS), np.linspace(0, BANDS - 1, 5), dice.normal(0, 0.05, 5))
    heard = np.where(heard > 0, heard + tone.astype(np.float32), heard)
    floor = dice.uniform(0, 0.3) if dice.random() < 0.3 else 0.0
    changed: Floats = np.maximum(heard, floor).astype(np.float32)
    return changed
