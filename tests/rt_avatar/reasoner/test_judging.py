"""What would be said is looked at once more, and another is said where that is clearly better."""

import numpy as np
import pytest

from rt_avatar.engines.reply_judge.network import CLASSES, FEATURES, SHAPES, ReplyJudge
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.judging import better, see
from rt_avatar.reasoner.nano import NanoConversation
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit

BEFORE = ("I made a mug in my pottery class.", "How do you like it?")
STORIES = (
    "I'll try again tomorrow.",
    "we drove all night to the sea and then it rained for a week",
    "My wife says it's no use to me.",
    "so now the whole street knows about my tomatoes",
    "my cousin cut the hedge into a duck",
)
SETTLED = (
    "I passed the exam at last and my gran cried on the phone",  # a topic is known by its words
    "my mother died on sunday",  # grave
    "do you think I was wrong to sell it",  # a question
    "are you a robot",
    "I want to die",
    "xyzzy plugh frobnicate zork",
)


@pytest.fixture(scope="module")
def ranker() -> ReplyRanker:
    return ReplyRanker()


@pytest.fixture
def conversation(classifier, ranker) -> NanoConversation:
    return NanoConversation(classifier, ranker, None, None)


class Preferring:
    """Finds one of the candidates worth so much, and all others nothing."""

    def __init__(self, at: int, worth: float) -> None:
        self._at, self._worth = at, worth

    def worth(self, features, context, replies):
        assert features.shape == (len(replies), FEATURES)
        found = np.zeros(len(features), np.float32)
        found[self._at] = self._worth
        return found


async def said_first(unjudged, text: str) -> str:
    return (await reply_of(unjudged, asked(text, *BEFORE)))[1]


@pytest.mark.parametrize("text", STORIES)
async def test_another_reply_is_said_only_where_it_is_clearly_better(
    conversation, unjudged, ranker, text
):
    turn = conversation.understood(asked(text, *BEFORE))
    found = conversation.candidates(turn, await said_first(unjudged, text))
    assert len(found) > 2
    assert len({one.text for one in found}) == len(found)
    for worth, at in ((0.01, 0), (0.9, 2)):
        judge = Preferring(2, worth)
        says = better(judge, ranker.scorer, turn, found, *conversation.taken_as(turn))
        assert says == found[at].text


@pytest.mark.parametrize("text", SETTLED)
async def test_what_is_grave_asked_or_dangerous_is_no_matter_of_taste(conversation, unjudged, text):
    turn = conversation.understood(asked(text, *BEFORE))
    assert len(conversation.candidates(turn, await said_first(unjudged, text))) == 1


@pytest.mark.parametrize("text", STORIES)
async def test_nothing_is_offered_that_was_said_or_must_not_be(conversation, unjudged, text):
    own = await said_first(unjudged, text)
    turn = conversation.understood(asked("and it is still like that today", text, own))
    found = conversation.candidates(turn, "")
    assert own not in [one.text for one in found]
    assert not [one.text for one in found if find_unsafe(one.text)]


async def test_who_is_not_sad_by_their_words_is_not_told_sorry(conversation):
    turn = conversation.understood(asked("I am not disappointed at all", *BEFORE))
    found = conversation.candidates(turn, "I see. Go on.")
    assert not [one.text for one in found if "sorry" in one.text.lower()]


def test_shares_sum_to_one_whatever_comes(conversation, ranker):
    judge = ReplyJudge()
    for text in ("i went to the shop and then i went home again", "é" * 3000, "no " * 3000):
        turn = conversation.understood(asked(text, *BEFORE))
        found = conversation.candidates(turn, "I see. Go on.")
        seen = see(ranker.scorer, turn, found, *conversation.taken_as(turn))
        shares = judge.probabilities(*seen)
        assert shares.shape == (len(found), CLASSES)
        np.testing.assert_allclose(shares.sum(1), 1, atol=1e-5)


def test_a_file_that_is_missing_or_foreign_says_how_to_make_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"empathy\.judging"):
        ReplyJudge(tmp_path / "none.npz")
    foreign = tmp_path / "foreign.npz"
    np.savez(foreign, **{name: np.zeros((2, *shape[1:])) for name, shape in SHAPES.items()})
    with pytest.raises(ValueError, match="in the place of"):
        ReplyJudge(foreign)
