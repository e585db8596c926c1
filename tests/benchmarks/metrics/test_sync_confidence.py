import sys
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.sync_confidence import envelope_embeddings, sync_confidence
from rt_avatar.benchmarks.metrics.syncnet import SyncNet, mfcc
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit


def walk(windows: int, size: int = 16) -> np.ndarray:
    return np.random.default_rng(1).standard_normal((windows, size))


@pytest.mark.parametrize("late", [-9, 0, 6])
def test_sound_that_is_late_reads_as_a_negative_offset(late):
    lips = walk(80)
    found = sync_confidence(lips, np.roll(lips, late, axis=0))
    assert found.offset_frames == -late
    assert len(found.distances) == 31


def test_confidence_is_median_minus_minimum_of_the_mean_distances():
    lips, sound = walk(4, 2), walk(4, 2)[::-1]
    found = sync_confidence(lips, sound, shift=1)
    zeros = np.zeros((1, 2))
    by_hand = [
        np.linalg.norm(lips - shifted, axis=1).mean()
        for shifted in (
            np.concatenate((zeros, sound[:-1])), sound, np.concatenate((sound[1:], zeros)),
        )
    ]  # fmt: skip
    assert found.distances == pytest.approx(by_hand, abs=1e-5)
    assert found.confidence == pytest.approx(np.median(by_hand) - min(by_hand), abs=1e-5)


def test_what_belongs_together_is_more_confident_than_what_does_not():
    lips = walk(80)
    alike = lips + 0.5 * np.random.default_rng(2).standard_normal(lips.shape)
    assert (
        sync_confidence(lips, alike).confidence
        > 3 * sync_confidence(lips, np.random.default_rng(3).permutation(lips)).confidence
    )


def test_envelopes_need_no_weights_and_find_the_same_shift():
    opening = np.convolve(np.random.default_rng(4).uniform(0, 1, 120), np.ones(3), "same")
    loud = np.repeat(np.roll(opening, 4), 4)
    found = sync_confidence(*envelope_embeddings(opening, loud))
    assert found.offset_frames == -4
    assert found.confidence > 0.5


def test_mfcc_are_those_of_the_release():
    times = np.arange(1600) / 16_000
    sound = 0.5 * np.sin(2 * np.pi * 440 * times) + 0.1 * np.sin(2 * np.pi * 2500 * times)
    columns = mfcc(sound.astype(np.float32))
    assert columns.shape == (9, 13)
    # As python_speech_features 0.6 gives them for the same sound in 16 bit.
    assert columns[3] == pytest.approx(
        [21.2757, 15.2017, -11.3863, 22.1727, -16.4733, -61.7609, -9.5868, 4.9813, -29.2519,
         13.2639, 45.1628, 2.5589, 1.749],
        abs=0.02,
    )  # fmt: skip


def test_without_pytorch_it_is_said_plainly(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SetupError, match="pip install torch"):
        SyncNet(Path("syncnet_v2.model"))


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="same shape"):
        sync_confidence(walk(5), walk(6))
    with pytest.raises(ValueError, match="vary"):
        envelope_embeddings(np.ones(30), np.ones(120))
    with pytest.raises(ValueError, match="5 pictures"):
        envelope_embeddings(np.ones(3), np.ones(120))
    with pytest.raises(ValueError, match="400"):
        mfcc(np.zeros(100, np.float32))
