"""Training of the jaw: it learns what a face does, and what it writes is what runs."""

import numpy as np
import pytest

from rt_avatar.engines.motion.channels import rows_of
from rt_avatar.engines.motion.jaw import Jaw, JawNetwork
from rt_avatar.engines.training.lipsync.clips import Speech
from rt_avatar.engines.training.lipsync.jaw import frames_of, train
from rt_avatar.engines.training.lipsync.people import TrackedClip
from rt_avatar.engines.types import CHUNK_FRAMES, CHUNK_SAMPLES, FRAME_SAMPLES, Phoneme

pytestmark = pytest.mark.networks

FRAMES = 50
JAW = rows_of(("jawOpen",))[0]
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
    pcm = 0.1 * dice.standard_normal(FRAMES * FRAME_SAMPLES).astype(np.float32)
    empty = np.zeros(FRAMES, np.float32)
    speech = Speech(pcm, tuple(phonemes))
    return TrackedClip(str(seed), speech, FRAMES, shapes, empty, np.zeros((FRAMES, 3), np.float32))


def test_a_jaw_that_was_taught_follows_a_face_it_never_saw(tmp_path):
    clips = [make_clip(seed) for seed in range(60)]
    held_out = make_clip(99)
    examples = frames_of(clips, [(1.0, 1.2)] * len(clips))
    weights = train(examples, frames_of([held_out], [(1.0,)]), epochs=6, seed=1)
    np.savez(tmp_path / "jaw.npz", allow_pickle=False, **weights)

    jaw, moved = Jaw(JawNetwork(tmp_path / "jaw.npz")), []
    middles = np.arange(CHUNK_FRAMES) * FRAME_SAMPLES + FRAME_SAMPLES // 2
    for start in range(0, FRAMES * FRAME_SAMPLES, CHUNK_SAMPLES):
        pcm = held_out.speech.pcm[start : start + CHUNK_SAMPLES]
        moved.append(jaw.move(held_out.speech.phonemes, middles + start, pcm))
    followed = np.concatenate(moved)
    assert np.corrcoef(followed, held_out.shapes[:, JAW])[0, 1] > 0.95
