import pytest

from rt_avatar.benchmarks.metrics.accuracy import HIT, accuracy
from rt_avatar.engines.emotion_words import COARSE, FINE

pytestmark = pytest.mark.unit


def test_hit_follows_the_published_table():
    assert HIT["embarrassed"] == "disgusted"  # listed twice, the later entry wins
    assert HIT["devastated"] == "sad"
    assert HIT["prepared"] == "happy"
    assert HIT["jealous"] == "contempt"
    assert {fine for fine in FINE if HIT[fine] != COARSE[fine]} == {"embarrassed", "devastated"}


def test_accuracy_stands_beside_what_guessing_reaches():
    found = accuracy(["sad", "sad", "sad", "joyful"], ["sad", "lonely", None, "joyful"])
    assert (found.count, found.share, found.majority) == (4, 0.5, 0.75)
    assert found.recall == {"joyful": 1, "sad": pytest.approx(1 / 3)}
    assert found.macro_recall == pytest.approx(2 / 3)


def test_fewer_classes_forgive_neighbours():
    truths, answers = ["sad", "lonely", "embarrassed"], ["lonely", "sad", "disgusted"]
    assert accuracy(truths, answers).share == 0
    assert accuracy(truths, answers, COARSE).share == pytest.approx(2 / 3)
    assert accuracy(truths, answers, HIT).share == 1


def test_no_emotion_named_is_wrong_for_every_label():
    assert accuracy(["sad"], [None], HIT).confusion == {("sad", "neutral"): 1}


def test_wrong_input_is_refused():
    with pytest.raises(ValueError, match="one for each"):
        accuracy(["sad"], [])
    with pytest.raises(ValueError, match="one or more truths"):
        accuracy([], [])
    with pytest.raises(ValueError, match="hangry"):
        accuracy(["hangry"], ["sad"])
