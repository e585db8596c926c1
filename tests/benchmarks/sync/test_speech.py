"""Replies are found again where they were put, and nothing is found where they were not."""

import numpy as np
import pytest

from rt_avatar.benchmarks.sync.source import reproduce
from rt_avatar.benchmarks.sync.speech import Curves, find_reply
from rt_avatar.benchmarks.sync.talk import TEXTS, Said
from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.listener.listening import Listening

pytestmark = pytest.mark.unit

TURN = TurnId(0)
AT_S = 3_970_000_100.0133


def reply(seed: int, length_s: float = 6.0) -> Curves:
    """Syllables at odd times; the mouth opens 40 ms before each and shuts with it."""
    dice = np.random.default_rng(seed)
    at_s = np.arange(0, length_s, 0.001)
    shown_s = np.arange(0, length_s, 0.04)
    rms, mouth = np.zeros(len(at_s)), np.zeros(len(shown_s))
    for begin_s in 0.2 + np.cumsum(dice.uniform(0.15, 0.45, 30)):
        width_s, level = dice.uniform(0.08, 0.2), dice.uniform(0.05, 0.3)
        rms += level * np.exp(-(((at_s - begin_s) / width_s * 2) ** 2))
        mouth += 0.1 * np.exp(-(((shown_s - begin_s + 0.04) / width_s * 1.5) ** 2))
    return Curves(at_s, rms, shown_s, mouth)


def called(source: Curves, skew_s: float) -> Curves:
    """A call with the reply in it; of 25 pictures 20 are on a screen of 60 Hz."""
    heard_s = np.arange(-3, 10, 0.0025)
    rms = np.interp(heard_s, source.sound_at_s, source.rms, 0.001, 0.001)
    shown_s = np.delete(np.arange(-75, 250), np.s_[::5]) * 0.04
    mouth = np.interp(shown_s, source.picture_at_s, source.mouth, 0.0, 0.0)
    noise = np.random.default_rng(0).normal(0, 0.002, len(mouth))
    screen_s = np.ceil((AT_S + shown_s) * 60) / 60
    return Curves(AT_S + heard_s + skew_s, rms, screen_s, mouth + noise)


def answered(text: str) -> str:
    """What the listener without a model answers at the beginning of a call."""
    nothing = Transcript(TURN, 0, text, is_final=True)
    request = ReplyRequest(TURN, nothing, Affect(TURN, 0), (), PERSONAS["ava"])
    return " ".join(clause.text for clause in Listening(request).clauses())


@pytest.mark.parametrize("skew_ms", [-120, -45, 0, 80])
def test_a_known_skew_is_found_within_5_ms_on_a_real_screen(skew_ms):
    source = reply(1)
    found = find_reply(source, called(source, skew_ms / 1000), AT_S + 0.7, 1.5)
    assert found is not None
    late_screen_ms = 1000 / 60 / 2  # the mean of 0 to a refresh: sound seems so much earlier
    assert found.skew_ms == pytest.approx(skew_ms - late_screen_ms, abs=5)
    assert found.at_s == pytest.approx(AT_S + skew_ms / 1000, abs=0.005)


def test_the_lag_of_loudness_after_mouth_grows_by_the_skew():
    source = reply(2)
    found = find_reply(source, called(source, 0.08), AT_S, 1.5)
    assert found is not None
    assert found.source_lag_ms == pytest.approx(40, abs=10)
    assert found.lag_ms - found.source_lag_ms == pytest.approx(80 - 1000 / 120, abs=10)


def test_a_reply_that_was_not_in_the_call_is_not_found():
    assert find_reply(reply(1), called(reply(5), 0.0), AT_S, 1.5) is None


def test_a_reply_whose_mouth_was_not_seen_is_not_found():
    source = reply(1)
    call = called(source, 0.0)
    still = Curves(call.sound_at_s, call.rms, call.picture_at_s, np.zeros(len(call.mouth)))
    assert find_reply(source, still, AT_S, 1.5) is None
    silent = Curves(call.sound_at_s, np.zeros(len(call.rms)), call.picture_at_s, call.mouth)
    assert find_reply(source, silent, AT_S, 1.5) is None
    empty = Curves(*(np.zeros(0) for _ in range(4)))
    assert find_reply(source, empty, AT_S, 1.5) is None


def test_an_answer_is_made_once_more_and_one_in_other_words_is_not():
    said = [Said(0.0, TEXTS[1], "Something else was answered.", {})]
    assert reproduce(said, PERSONAS["ava"], 256) == [None]
    words = answered(TEXTS[1])
    (made,) = reproduce([Said(0.0, TEXTS[1], words, {})], PERSONAS["ava"], 256)
    assert made is not None
    assert made.sound_at_s[-1] > 3
    assert 0.02 < made.mouth.max() < 0.2
    found = find_reply(made, called(made, 0.05), AT_S, 1.5)
    assert found is not None
    assert found.skew_ms == pytest.approx(50 - 1000 / 120, abs=5)
