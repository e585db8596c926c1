"""The network that names emotions by words: what it promises whoever gives it some."""

from importlib import resources

import numpy as np
import pytest

from rt_avatar.engines.emotion_words import COARSE, FINE
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.engines.text_emotion.network import load_weights

pytestmark = pytest.mark.unit

WEIGHTS = resources.files("rt_avatar.engines.text_emotion") / "weights.npz"


@pytest.fixture(scope="module")
def classifier() -> TextEmotionClassifier:
    return TextEmotionClassifier()


@pytest.fixture
def stored() -> dict[str, np.ndarray]:
    with np.load(str(WEIGHTS)) as file:
        return {name: file[name] for name in file.files}


@pytest.mark.parametrize(
    ("text", "coarse"),
    [
        ("I finally got the promotion that I worked so hard for all year", "happy"),
        ("my old cat had to be put to sleep on sunday and the flat is so empty", "sad"),
        ("somebody hit my car in the parking lot and just drove off", "angry"),
        ("I was home alone at night and heard someone at the window", "fear"),
        ("I found a long hair in the middle of my burger", "disgusted"),
    ],
)
def test_what_happened_tells_the_feeling_without_a_word_for_it(classifier, text, coarse):
    estimate = classifier.classify([text])
    assert COARSE[estimate.fine] == coarse
    assert max(estimate.coarse(), key=estimate.coarse().get) == coarse


def test_probabilities_sum_to_one(classifier):
    for turns in (["I lost my job"], [""], [], ["xyzzy"], ["so " * 5000]):
        estimate = classifier.classify(turns)
        assert estimate.probabilities.sum() == pytest.approx(1, abs=1e-5)
        assert np.isfinite(estimate.probabilities).all()
        assert sum(estimate.coarse().values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("text", ["", "hello", "yes", "hi how are you today", "xyzzy plugh zork"])
def test_it_is_not_sure_of_words_that_tell_nothing(classifier, text):
    assert not classifier.classify([text]).is_sure


def test_earlier_turns_count(classifier):
    earlier = "I am so nervous about my exam, I can't sleep"
    alone, with_it = (
        classifier.classify(turns) for turns in (["It is next week"], [earlier, "It is next week"])
    )
    assert with_it.coarse()["sad"] > alone.coarse()["sad"]  # AvaMERG counts "anxious" as sad
    assert with_it.confidence > alone.confidence


def test_what_is_not_felt_makes_nothing_likelier_than_something_else(classifier):
    estimate = classifier.classify(["I feel so sad and lonely without my dog"])
    left = estimate.without({"sad", "lonely"})
    assert left.probabilities.sum() == pytest.approx(1, abs=1e-5)
    assert not left.is_sure
    is_told = np.array([fine not in {"sad", "lonely"} for fine in FINE])
    added = left.probabilities - np.where(is_told, estimate.probabilities, 0)
    np.testing.assert_allclose(added, added[0], atol=1e-6)
    none = estimate.without(frozenset(FINE)).probabilities
    np.testing.assert_allclose(none, 1 / len(FINE), atol=1e-6)


def test_case_and_punctuation_do_not_matter_since_recognisers_write_none(classifier):
    written = classifier.classify(["I can't believe it... We WON!"]).probabilities
    heard = classifier.classify(["i can't believe it we won"]).probabilities
    np.testing.assert_array_equal(written, heard)


def test_the_file_is_small_enough_to_ship():
    assert len(WEIGHTS.read_bytes()) <= 5_000_000


def test_a_missing_file_says_how_to_make_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"training\.text_emotion"):
        load_weights(tmp_path / "none.npz")


def test_a_file_that_is_no_npz_is_refused(tmp_path):
    path = tmp_path / "weights.npz"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="expected an npz"):
        load_weights(path)


@pytest.mark.parametrize(
    ("name", "value", "got"),
    [
        ("labels", np.array(["happy"] * 32), "labels other than"),
        ("output_bias", np.full(32, np.nan, np.float16), "not finite"),
        ("hidden", np.zeros((3, 4), np.float16), r"hidden of float16 \(3, 4\)"),
        ("vectors", np.zeros((3, 128), np.int8), "vectors of int8"),
    ],
)
def test_a_file_with_a_wrong_array_is_refused_by_its_name(tmp_path, stored, name, value, got):
    np.savez(tmp_path / "weights.npz", **(stored | {name: value}))
    with pytest.raises(ValueError, match=got):
        load_weights(tmp_path / "weights.npz")


def test_a_file_without_an_array_is_refused(tmp_path, stored):
    del stored["attention"]
    np.savez(tmp_path / "weights.npz", **stored)
    with pytest.raises(ValueError, match="no attention"):
        load_weights(tmp_path / "weights.npz")
