"""Examples: sentences → sound of many voices and, frame by frame, what its articulator asks.

Synthetic voices say what they speak and when, our articulator moves a face for it; so teacher and
sound agree by construction. Every clip is another voice, rate, pitch, throat, room and
line. A tenth of them is no voice at all: there the mouth rests.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.lipsync.channels import OUTPUTS, pack
from rt_avatar.engines.motion.articulation import Loudness, articulate
from rt_avatar.engines.motion.spectrum import BANDS, HOP_SAMPLES, Spectrum
from rt_avatar.engines.training.lipsync.augment import disguise
from rt_avatar.engines.training.lipsync.sentences import random_phrase
from rt_avatar.engines.training.lipsync.speakers import (
    FLITE,
    HELD_OUT_ESPEAK,
    HELD_OUT_FLITE,
    espeak_speaker,
    espeak_variants,
    flite_speaker,
)
from rt_avatar.engines.types import CHUNK_FRAMES, CHUNK_SAMPLES, SPEECH_RATE_HZ, Pcm, Phoneme

CLIP_CHUNKS: Final = 50  # 10 s
_SAMPLES: Final = CLIP_CHUNKS * CHUNK_SAMPLES
_HOPS: Final = _SAMPLES // HOP_SAMPLES
_NO_VOICE_SHARE: Final = 0.08
_FLITE_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Speech:
    """``pcm`` (samples,) at 24 kHz, whole chunks, and the sounds in it."""

    pcm: Pcm
    phonemes: tuple[Phoneme, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """What the network hears and what it shall answer, clip by clip.

    Attributes:
        heard: (N, hops, BANDS) float16.
        asked: (N, frames, OUTPUTS) float16; frame n belongs to hops 4 n to 4 n + 3.
    """

    heard: NDArray[np.float16]
    asked: NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class Cast:
    """Whose voices are heard: names of espeak-ng's variants and of flite's voices."""

    espeak: tuple[str, ...]
    flite: tuple[str, ...]


def training_cast() -> Cast:
    """Return all but those held out."""
    return Cast(tuple(espeak_variants()), FLITE)


HELD_OUT: Final = Cast(HELD_OUT_ESPEAK, HELD_OUT_FLITE)


def speak(cast: Cast, dice: np.random.Generator) -> Speech:
    """Return 10 s of one voice, with pauses, on any phase of the frames."""
    if cast.flite and (not cast.espeak or dice.random() < _FLITE_SHARE):
        say = flite_speaker(str(dice.choice(cast.flite)), dice)
    else:
        say = espeak_speaker(str(dice.choice(cast.espeak)), dice)
    sound = np.zeros(_SAMPLES, np.float32)
    phonemes: list[Phoneme] = []
    at = int(dice.exponential(0.4) * SPEECH_RATE_HZ)
    while at < _SAMPLES:
        said = say(random_phrase(dice))
        if said is None:
            continue
        pcm, sounds = said
        taken = min(len(pcm), _SAMPLES - at)
        sound[at : at + taken] = pcm[:taken]
        phonemes += [Phoneme(p.ipa, p.start + at, p.end + at, p.stress) for p in sounds]
        at += len(pcm) + int((0.05 + dice.exponential(0.35)) * SPEECH_RATE_HZ)
    return Speech(sound, tuple(phonemes))


def teach(speech: Speech) -> NDArray[np.float32]:
    """Return what the articulator asks of a face: (frames, OUTPUTS)."""
    loudness = Loudness()
    rows = []
    for start in range(0, len(speech.pcm), CHUNK_SAMPLES):
        end = start + CHUNK_SAMPLES
        oldest, newest = start - 3 * CHUNK_SAMPLES, end + CHUNK_SAMPLES
        near = [p for p in speech.phonemes if p.end > oldest and p.start < newest]
        rows.append(pack(articulate(near, start, loudness.gains(speech.pcm[start:end]))))
    return np.concatenate(rows)


def example(cast: Cast, dice: np.random.Generator) -> tuple[Pcm, NDArray[np.float32]]:
    """Return one clip as it is heard, and what it asks of the face."""
    if dice.random() < _NO_VOICE_SHARE:
        noise = dice.standard_normal(_SAMPLES).astype(np.float32)
        rest = np.zeros((CLIP_CHUNKS * CHUNK_FRAMES, OUTPUTS), np.float32)
        return disguise(noise, noise, dice), rest
    speech = speak(cast, dice)
    babble = np.zeros_like(speech.pcm)
    if dice.random() < 0.2:
        babble = speak(cast, dice).pcm + speak(cast, dice).pcm
    return disguise(speech.pcm, babble, dice), teach(speech)


def make_examples(cast: Cast, count: int, seed: int) -> Examples:
    """Return ``count`` clips; the same seed asks for the same clips."""
    heard = np.zeros((count, _HOPS, BANDS), np.float16)
    asked = np.zeros((count, CLIP_CHUNKS * CHUNK_FRAMES, OUTPUTS), np.float16)
    for index in range(count):
        dice = np.random.default_rng((seed, index))
        pcm, wanted = example(cast, dice)
        heard[index] = Spectrum().push(pcm).bands
        asked[index] = wanted
    return Examples(heard, asked)
