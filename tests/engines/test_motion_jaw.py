"""The learnt jaw: its weights are checked, what it says follows from the sounds alone."""

from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.motion.jaw import Jaw, JawNetwork
from rt_avatar.engines.types import CHUNK_FRAMES, CHUNK_SAMPLES, FRAME_SAMPLES, Phoneme

pytestmark = pytest.mark.unit

MS = 24


def openings(phonemes: list[Phoneme], chunks: int = 5) -> np.ndarray:
    jaw = Jaw(JawNetwork())
    noise = 0.1 * np.random.default_rng(3).standard_normal((chunks, CHUNK_SAMPLES))
    middles = np.arange(CHUNK_FRAMES) * FRAME_SAMPLES + FRAME_SAMPLES // 2
    moved = [
        jaw.move(phonemes, middles + index * CHUNK_SAMPLES, pcm.astype(np.float32))
        for index, pcm in enumerate(noise)
    ]
    return np.concatenate(moved)


def test_without_sounds_near_the_jaw_is_shut_however_loud_it_is():
    assert not openings([]).any()
    assert not openings([Phoneme("", 0, 400 * MS, 0)]).any()
    vowel = openings([Phoneme("ɑː", 480 * MS, 600 * MS, 2)])
    assert not vowel[:7].any()  # up to 260 ms, 220 ms before it
    assert not vowel[22:].any()  # from 900 ms on, 300 ms after it
    assert vowel[13] > 0.1


def test_a_sound_without_length_or_before_the_beginning_does_no_harm():
    odd = [Phoneme("m", -9000, -4000, 0), Phoneme("t", 4800, 4800, 0), Phoneme("ɑː", 4800, 9600, 1)]
    assert np.isfinite(openings(odd)).all()


def test_weights_of_something_else_are_refused(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"training\.lipsync\.jaw"):
        JawNetwork(tmp_path / "none.npz")
    other = tmp_path / "other.npz"
    np.savez(other, first=np.zeros((3, 3), np.float32))
    with pytest.raises(ValueError, match=r"expected finite weights .* Make them"):
        JawNetwork(other)
    (tmp_path / "text.npz").write_text("not an archive")
    with pytest.raises(ValueError, match="expected an npz at"):
        JawNetwork(tmp_path / "text.npz")
