import numpy as np
import pytest

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.text_emotion import EmotionEstimate
from rt_avatar.messages import Affect, TurnId
from rt_avatar.reasoner.chat.voting import Opinion, by_lexicon, by_model, by_network, vote

pytestmark = pytest.mark.unit


def estimate(**shares: float) -> EmotionEstimate:
    rest = (1 - sum(shares.values())) / (len(FINE) - len(shares))
    return EmotionEstimate(np.array([shares.get(fine, rest) for fine in FINE], np.float32), True)


def looks(**shares: float) -> Affect:
    return Affect(TurnId(1), 0, confidences=shares)


def winner(*opinions: Opinion, affect: Affect | None = None):
    return next(iter(vote(opinions, affect)), None)


def test_two_of_three_equal_opinions_win():
    opinions = [Opinion({"sad": 1.0}), Opinion({"lonely": 1.0}), Opinion({"lonely": 1.0})]
    assert winner(*opinions) == "lonely"


def test_of_equal_votes_the_first_opinions_counts():
    assert winner(Opinion({"sad": 1.0}), Opinion({"proud": 1.0})) == "sad"


def test_votes_are_shares_of_all():
    votes = vote([by_network(estimate(sad=0.6)), by_lexicon("lonely"), by_model(["sad", None])])
    assert sum(votes.values()) == pytest.approx(1)
    assert list(votes.values()) == sorted(votes.values(), reverse=True)


def test_a_model_that_hears_no_feeling_can_outvote_an_unsure_network():
    assert winner(by_model([None, None, "sad"]), by_network(estimate(sad=0.2))) is None


def test_the_lexicon_tips_an_even_network_and_does_not_overrule_a_sure_one():
    assert winner(by_network(estimate(sad=0.4, lonely=0.38)), by_lexicon("lonely")) == "lonely"
    assert winner(by_network(estimate(sad=0.5, lonely=0.3)), by_lexicon("lonely")) == "sad"


def test_voice_and_face_tip_the_balance_and_do_not_overrule_what_is_told():
    even = by_network(estimate(joyful=0.4, sad=0.35))
    assert winner(even, affect=looks(sad=0.8, neutral=0.2)) == "sad"
    told = by_network(estimate(joyful=0.9))
    assert winner(told, affect=looks(sad=0.8, neutral=0.2)) == "joyful"


def test_without_words_voice_and_face_alone_name_the_plainest_emotion():
    assert winner(affect=looks(angry=0.7, neutral=0.3)) == "annoyed"


def test_nobody_asked_is_no_vote():
    assert vote([]) == {}
    assert vote([], looks(neutral=1.0)) == {}
