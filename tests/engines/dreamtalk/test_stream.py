"""Windows of speech: those of the whole utterance, in any chunks."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.stream import FeatureWindows

pytestmark = pytest.mark.unit

SIZE = 6
CHUNKS = [[1] * 41, [41], [10] * 4 + [1], [3, 0, 20, 1, 17]]


def speech(features: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((features, SIZE)).astype(np.float32)


def pushed(stream, features: np.ndarray, chunks: list[int]) -> np.ndarray:
    parts = np.split(features, np.cumsum(chunks)[:-1])
    return np.concatenate([stream.push(part) for part in parts] + [stream.flush()])


def offline_windows(features: np.ndarray) -> np.ndarray:
    """As published: features 2n-5 .. 2n+5 of frame n, zeros beyond both ends."""
    padded = np.pad(features, ((5, 5), (0, 0)))
    return np.stack([padded[2 * n : 2 * n + 11] for n in range(len(features) // 2)])


@pytest.mark.parametrize("chunks", CHUNKS)
def test_windows_of_any_chunks_are_those_of_the_whole(chunks):
    features = speech(41)
    cutter = FeatureWindows(SIZE)
    for _ in range(2):  # flush leaves it as new
        assert np.array_equal(pushed(cutter, features, chunks), offline_windows(features))


@pytest.mark.parametrize("features", range(13))
def test_utterances_shorter_than_a_window_lose_no_frame(features):
    cut = pushed(FeatureWindows(SIZE), speech(features), [features])
    assert len(cut) == features // 2
    if features > 1:
        assert np.array_equal(cut, offline_windows(speech(features)))


def test_the_ring_of_features_stays_small():
    cutter = FeatureWindows(SIZE)
    for _ in range(1000):
        cutter.push(speech(7))
    assert len(cutter._held) <= 12


def test_a_window_without_a_middle_is_refused():
    with pytest.raises(ValueError, match="odd window; got 10"):
        FeatureWindows(SIZE, 10)


def test_reset_forgets_and_wrong_features_change_nothing():
    cutter = FeatureWindows(SIZE)
    cutter.push(speech(9, seed=1))
    cutter.reset()
    cutter.push(speech(20)[:8])
    with pytest.raises(ValueError, match=r"got \(4, 7\)"):
        cutter.push(np.zeros((4, 7), np.float32))
    rest = np.concatenate((cutter.push(speech(20)[8:]), cutter.flush()))
    assert np.array_equal(rest, offline_windows(speech(20))[-len(rest) :])
    assert len(rest) == 8
