"""Training of the mouth: it learns what a face does, and what it writes is what runs."""

import argparse
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.motion.learnt_mouth import (
    FROM_PHONES,
    FROM_SOUND,
    HeardMouth,
    Kind,
    LearntMouth,
    PhonemeMouth,
)
from rt_avatar.engines.motion.learnt_mouth import JAW as JAW_OUTPUT
from rt_avatar.engines.motion.spectrum import Spectrum
from rt_avatar.engines.training.lipsync.clips import Speech
from rt_avatar.engines.training.lipsync.learnt_mouth import train
from rt_avatar.engines.training.lipsync.mouth_examples import frames_of, scale_of, takes_of
from rt_avatar.engines.training.lipsync.people import TrackedClip
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    FRAME_SAMPLES,
    SPEECH_RATE_HZ,
    Phoneme,
)

pytestmark = pytest.mark.networks

FRAMES = 50
JAW = rows_of(("jawOpen",))[0]
TONES_HZ = {"ɑː": 300, "iː": 1200, "s": 5000, "": 0}
WIDE = {"ɑː": 0.6, "iː": 0.1, "s": 0.02, "": 0.012}


def make_clip(seed: int) -> TrackedClip:
    """A face whose jaw goes, blurred over three frames, where each sound wants it."""
    dice = np.random.default_rng(seed)
    sounds = ["", *dice.choice(list(WIDE)[:3], 8), ""]
    phonemes = [
        Phoneme(str(ipa), 5 * index * FRAME_SAMPLES, 5 * (index + 1) * FRAME_SAMPLES, 0)
        for index, ipa in enumerate(sounds)
    ]
    jaw = np.repeat([WIDE[str(ipa)] for ipa in sounds], 5)
    shapes = np.zeros((FRAMES, 52), np.float32)
    shapes[:, JAW] = np.convolve(np.pad(jaw, 1, mode="edge"), np.ones(3) / 3, "valid")
    times_s = np.arange(FRAMES * FRAME_SAMPLES) / SPEECH_RATE_HZ
    tones = np.repeat([TONES_HZ[str(ipa)] for ipa in sounds], 5 * FRAME_SAMPLES)
    pcm = (0.1 * np.sin(2 * np.pi * tones * times_s)).astype(np.float32)
    empty = np.zeros(FRAMES, np.float32)
    speech = Speech(pcm, tuple(phonemes))
    return TrackedClip(str(seed), speech, FRAMES, shapes, empty, np.zeros((FRAMES, 3), np.float32))


@pytest.fixture(scope="module")
def clips() -> list[TrackedClip]:
    return [make_clip(seed) for seed in range(60)]


def taught(kind: Kind, clips: list[TrackedClip], path: Path) -> LearntMouth:
    dice = np.random.default_rng(1)
    scale = scale_of(clips[:10])
    takes = list(takes_of(clips, [(1.0, 1.2)] * len(clips), scale, dice))
    held_out = list(takes_of([make_clip(99)], [(1.0,)], scale, None))
    weights = train(
        kind,
        frames_of(takes, kind, dice),
        frames_of(held_out, kind, None),
        argparse.Namespace(epochs=6, seed=1),
    )
    np.savez(path, allow_pickle=False, **weights)
    return LearntMouth(kind, path)


def test_a_mouth_told_the_sounds_follows_a_face_it_never_saw(
    clips: list[TrackedClip], tmp_path: Path
):
    clip = make_clip(99)
    mouth, moved = PhonemeMouth(taught(FROM_PHONES, clips, tmp_path / "mouth.npz")), []
    middles = np.arange(CHUNK_FRAMES) * FRAME_SAMPLES + FRAME_SAMPLES // 2
    for start in range(0, FRAMES * FRAME_SAMPLES, CHUNK_SAMPLES):
        pcm = clip.speech.pcm[start : start + CHUNK_SAMPLES]
        moved.append(mouth.move(clip.speech.phonemes, middles + start, pcm))
    followed = np.concatenate(moved)[:, JAW_OUTPUT]
    assert np.corrcoef(followed, clip.shapes[:, JAW])[0, 1] > 0.95


def test_a_mouth_that_hears_follows_a_face_it_never_saw(clips: list[TrackedClip], tmp_path: Path):
    clip = make_clip(99)
    mouth, spectrum = HeardMouth(taught(FROM_SOUND, clips, tmp_path / "mouth.npz")), Spectrum()
    pcm = np.concatenate((clip.speech.pcm, np.zeros(CHUNK_SAMPLES, np.float32)))
    moved = []
    for start in range(0, len(pcm), CHUNK_SAMPLES):
        chunk = pcm[start : start + CHUNK_SAMPLES]
        moved.append(mouth.push(spectrum.push(chunk).bands))
    followed = np.concatenate(moved[1:])[:, JAW_OUTPUT]
    assert np.corrcoef(followed, clip.shapes[:, JAW])[0, 1] > 0.9
