"""The learnt mouth: its weights are checked, what it says follows from what is known alone."""

from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.motion.learnt_mouth import (
    FROM_PHONES,
    FROM_SOUND,
    JAW,
    HeardMouth,
    Kind,
    LearntMouth,
    PhonemeMouth,
)
from rt_avatar.engines.motion.spectrum import Spectrum
from rt_avatar.engines.types import CHUNK_FRAMES, CHUNK_SAMPLES, FRAME_SAMPLES, Pcm, Phoneme

pytestmark = pytest.mark.unit

MS = 24


def noise(chunks: int) -> Pcm:
    made = 0.1 * np.random.default_rng(3).standard_normal(chunks * CHUNK_SAMPLES)
    return made.astype(np.float32)


def from_phonemes(phonemes: list[Phoneme], pcm: Pcm) -> np.ndarray:
    mouth = PhonemeMouth(LearntMouth(FROM_PHONES))
    middles = np.arange(CHUNK_FRAMES) * FRAME_SAMPLES + FRAME_SAMPLES // 2
    moved = [
        mouth.move(phonemes, middles + start, pcm[start : start + CHUNK_SAMPLES])
        for start in range(0, len(pcm), CHUNK_SAMPLES)
    ]
    return np.concatenate(moved)


def heard(pcm: Pcm) -> np.ndarray:
    mouth, spectrum = HeardMouth(LearntMouth(FROM_SOUND)), Spectrum()
    moved = []
    for start in range(0, len(pcm), CHUNK_SAMPLES):
        chunk = pcm[start : start + CHUNK_SAMPLES]
        moved.append(mouth.push(spectrum.push(chunk).bands))
    return np.concatenate(moved[1:])


def test_without_sounds_near_the_mouth_is_shut_however_loud_it_is():
    assert not from_phonemes([], noise(5)).any()
    assert not from_phonemes([Phoneme("", 0, 400 * MS, 0)], noise(5)).any()
    vowel = from_phonemes([Phoneme("ɑː", 680 * MS, 800 * MS, 2)], noise(6))[:, JAW]
    assert not vowel[:7].any()  # up to 260 ms, 420 ms before it
    assert not vowel[27:].any()  # from 1,100 ms on, 300 ms after it
    assert vowel[18] > 0.1


def test_a_sound_without_length_or_before_the_beginning_does_no_harm():
    odd = [Phoneme("m", -9000, -4000, 0), Phoneme("t", 4800, 4800, 0), Phoneme("ɑː", 4800, 9600, 1)]
    assert np.isfinite(from_phonemes(odd, noise(5))).all()


def test_a_frame_is_told_of_no_sound_beyond_its_own_end():
    sounds = [Phoneme("ɑː", 100 * MS, 900 * MS, 1)]
    pcm = noise(5)
    cut = pcm.copy()
    cut[12 * FRAME_SAMPLES :] = 0.0
    same, changed = from_phonemes(sounds, pcm), from_phonemes(sounds, cut)
    assert np.array_equal(same[:12], changed[:12])
    assert not np.array_equal(same[12], changed[12])


def test_a_frame_hears_200_ms_beyond_its_middle_and_no_more():
    pcm = noise(6)
    middle = 10 * FRAME_SAMPLES + FRAME_SAMPLES // 2  # of frame 10
    beyond, before = pcm.copy(), pcm.copy()
    beyond[middle + 200 * MS :] = 0.0
    before[middle + 170 * MS :] = 0.0
    assert np.array_equal(heard(pcm)[10], heard(beyond)[10])
    assert not np.array_equal(heard(pcm)[10], heard(before)[10])


@pytest.mark.parametrize("kind", [FROM_PHONES, FROM_SOUND])
def test_weights_of_something_else_are_refused(kind: Kind, tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=r"training\.lipsync\.learnt_mouth"):
        LearntMouth(kind, tmp_path / "none.npz")
    other = tmp_path / "other.npz"
    np.savez(other, first=np.zeros((3, 3), np.float32))
    with pytest.raises(ValueError, match=r"expected finite weights .* Make them"):
        LearntMouth(kind, other)
    (tmp_path / "text.npz").write_text("not an archive")
    with pytest.raises(ValueError, match="expected an npz at"):
        LearntMouth(kind, tmp_path / "text.npz")
