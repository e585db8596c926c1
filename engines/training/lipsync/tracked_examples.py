"""Examples from people: tracked faces for what they show best, a teacher for all else.

Of a tracked face jaw and closed lips are taken; its other scores hardly move and differ from
person to person, so that they are the teacher's. Voices that nobody tracked (readers, synthetic
voices) keep the mouth that an earlier network or the rules give them, so that one tracked person
does not make all others mumble. All are as late as the tracked face, and disguised.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.lipsync.channels import LIPS, OUTPUTS, POUT, SHAPE_NAMES, TALKS
from rt_avatar.engines.lipsync.network import Network, NetworkStream
from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.motion.spectrum import BANDS, HOP_SAMPLES, Spectrum
from rt_avatar.engines.training.lipsync.augment import disguise
from rt_avatar.engines.training.lipsync.clips import (
    CLIP_CHUNKS,
    Cast,
    Examples,
    Speech,
    speak,
    teach,
)
from rt_avatar.engines.training.lipsync.people import CLOSED_GAP, TrackedClip
from rt_avatar.engines.types import CHUNK_SAMPLES, FRAME_SAMPLES, SPEECH_RATE_HZ, Pcm, Phoneme

Floats = NDArray[np.float32]
Example = tuple[Pcm, Floats]  # sound (samples,) and what it asks of the face (frames, OUTPUTS)
_SAMPLES: Final = CLIP_CHUNKS * CHUNK_SAMPLES
_FRAMES: Final = _SAMPLES // FRAME_SAMPLES
# How much earlier than tracked faces the rules and the network taught by them move (measured by
# `bench motion` on the validation part).
_RULES_LATER: Final = 64 * SPEECH_RATE_HZ // 1000
_NETWORK_LATER: Final = 88 * SPEECH_RATE_HZ // 1000
_JAW: Final = SHAPE_NAMES.index("jawOpen")
# Of the tracked score of the jaw at rest, and to openings of the rig: both spread alike.
_JAW_REST, _JAW_SCALE = 0.012, 1.0
_GAP_RAMP: Final = 0.03  # from touching to certainly open
_BILABIALS: Final = ("p", "b", "m")
_NEAR_FRAMES: Final = 2
# Another throat and pace: as if recorded at another speed.
_SLOWEST, _FASTEST = 0.84, 1.22


def delayed(speech: Speech, samples: int) -> Speech:
    """Return the same sound with phones that come later."""
    later = tuple(
        Phoneme(p.ipa, p.start + samples, p.end + samples, p.stress) for p in speech.phonemes
    )
    return Speech(speech.pcm, later)


def teach_tracked(clip: TrackedClip) -> Floats:
    """Return what a tracked face shows: (frames, OUTPUTS)."""
    asked = teach(delayed(clip.speech, _RULES_LATER))[: clip.frames]
    jaw = clip.shapes[:, rows_of(("jawOpen",))[0]]
    asked[:, _JAW] = np.clip((jaw - _JAW_REST) * _JAW_SCALE, 0, 1)
    shut = touches(clip)
    asked[:, LIPS] = shut
    wide = np.concatenate(([0.0], shut, [0.0]))
    asked[:, POUT] = np.maximum(wide[1:-1], np.maximum(wide[:-2], wide[2:]))
    asked[:, TALKS] = np.maximum(asked[:, TALKS], shut)
    return asked


def touches(clip: TrackedClip) -> NDArray[np.float64]:
    """Return how surely the lips touch for a p, b or m: (frames,) 0..1."""
    near = np.zeros(clip.frames, np.bool_)
    for phoneme in clip.speech.phonemes:
        if phoneme.ipa[:1] in _BILABIALS:
            first = max(0, phoneme.start // FRAME_SAMPLES - _NEAR_FRAMES)
            near[first : phoneme.end // FRAME_SAMPLES + _NEAR_FRAMES + 1] = True
    shut: NDArray[np.float64] = np.clip(1 - (clip.gap - CLOSED_GAP) / _GAP_RAMP, 0, 1) * near
    return shut


def teach_by_network(network: Network, pcm: Pcm) -> Floats:
    """Return what a network hears in whole chunks of sound, as late as tracked faces are."""
    late = np.concatenate((np.zeros(_NETWORK_LATER, np.float32), pcm))[: len(pcm)]
    spectrum, stream = Spectrum(), NetworkStream(network)
    whole = np.concatenate((late, np.zeros(CHUNK_SAMPLES, np.float32)))
    answers = [
        stream.push(spectrum.push(whole[start : start + CHUNK_SAMPLES]))
        for start in range(0, len(whole), CHUNK_SAMPLES)
    ]
    return np.concatenate(answers[1:])  # the first belongs to what came before the sound


def tracked_source(clips: Sequence[TrackedClip]) -> Callable[[np.random.Generator], Example]:
    """Return a source of 10 s of clips one after the other, at random speeds."""
    taught = [teach_tracked(clip) for clip in clips]

    def draw(dice: np.random.Generator) -> Example:
        sounds, answers, length = [], [], 0
        while length < _FRAMES:
            index = int(dice.integers(len(clips)))
            clip, speed = clips[index], float(dice.uniform(_SLOWEST, _FASTEST))
            frames = round(clip.frames / speed)
            pcm = clip.speech.pcm[: clip.frames * FRAME_SAMPLES]
            pcm = soxr.resample(pcm, speed * SPEECH_RATE_HZ, SPEECH_RATE_HZ, quality="MQ")
            sound = np.zeros(frames * FRAME_SAMPLES, np.float32)
            sound[: len(pcm)] = pcm[: len(sound)]
            at = np.linspace(0, clip.frames - 1, frames)
            low = np.minimum(at.astype(int), clip.frames - 2)
            share = (at - low)[:, None]
            answer = taught[index][low] * (1 - share) + taught[index][low + 1] * share
            sounds.append(sound)
            answers.append(answer)
            length += frames
        return np.concatenate(sounds)[:_SAMPLES], np.concatenate(answers)[:_FRAMES]

    return draw


def reader_source(
    recordings: Sequence[Callable[[], Pcm]], network: Network
) -> Callable[[np.random.Generator], Example]:
    """Return a source of 10 s of a reader, taught by a network that hears it undisguised."""

    def draw(dice: np.random.Generator) -> Example:
        sound, at = np.zeros(_SAMPLES, np.float32), 0
        while at < _SAMPLES:
            pcm = recordings[int(dice.integers(len(recordings)))]()
            taken = min(len(pcm), _SAMPLES - at)
            sound[at : at + taken] = pcm[:taken]
            at += taken + int(dice.exponential(0.4) * SPEECH_RATE_HZ)
        return sound, teach_by_network(network, sound)

    return draw


def synthetic_source(cast: Cast) -> Callable[[np.random.Generator], Example]:
    """Return a source of 10 s of synthetic voices, taught by the rules; some are noise alone."""

    def draw(dice: np.random.Generator) -> Example:
        if dice.random() < 0.2:
            noise = dice.standard_normal(_SAMPLES).astype(np.float32)
            return noise, np.zeros((_FRAMES, OUTPUTS), np.float32)
        speech = speak(cast, dice)
        return speech.pcm, teach(delayed(speech, _RULES_LATER))

    return draw


def draw_examples(
    source: Callable[[np.random.Generator], Example], count: int, seed: int
) -> Examples:
    """Return ``count`` disguised clips of 10 s; the same seed gives the same clips."""
    heard = np.zeros((count, _SAMPLES // HOP_SAMPLES, BANDS), np.float16)
    asked = np.zeros((count, _FRAMES, OUTPUTS), np.float16)
    babble = np.zeros(_SAMPLES, np.float32)
    for index in range(count):
        dice = np.random.default_rng((seed, index))
        pcm, asked[index] = source(dice)
        sound = pcm if dice.random() < 0.25 else disguise(pcm, babble, dice)
        heard[index] = Spectrum().push(sound).bands
        babble = pcm
    return Examples(heard, asked)
