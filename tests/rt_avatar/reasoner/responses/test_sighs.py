"""A question that is a sigh is met in what it sighs about, and gets no "I don't know that"."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.sighs import SIGHS
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I always made too much soup, for the two of us. Who'll I cook for now?", "gap"),
        ("who am i going to talk to now", "gap"),
        ("She used to ring every Sunday at six. Who's going to ring me now?", "gap"),
        ("He packed his things and went. what do i do with all these photos now", "gap"),
        ("And who will I tell my bad jokes now?", "gap"),
        ("The kids are at their dad's now. What am I going to do with myself?", "days"),
        ("I retire on Friday. What am I supposed to do with all that time", "days"),
        ("They gave my job to a lad of twenty three. What was it all for?", "vain"),
        ("what did i do all that for", "vain"),
        ("who am i without that job", "lost"),
        ("Who am I now?", "lost"),
        ("Thirty years in that house. Where does the time go?", "time"),
        ("where have all those years gone", "time"),
    ],
)
async def test_a_sigh_is_met_in_what_it_sighs_about(nano, text, found):
    assert find_asked(text) == found
    _, said = await reply_of(nano, asked(text, "It was a long day.", "I see."))
    assert said in SIGHS[found]


@pytest.mark.parametrize(
    "text",
    [
        "What am I going to cook on Sunday?",
        "Who will you vote for?",
        "Who's going to win on Saturday?",
        "The boiler's broken. Who do I ring now?",
        "Who will be there now?",
        "Who will look after my mum now?",
        "What do I do with the leftover paint?",
        "What would you say to him?",
        "Where does the bus go?",
        "What was it for, that little screw?",
        "who is going to be there",
        "Where do the plates go?",
        "who am i speaking to",
        "what do i do with the key",
        "Who's going to drive?",
        "Where has my pen gone?",
    ],
)
def test_a_question_that_wants_an_answer_is_no_sigh(text):
    assert find_asked(text) not in SIGHS


async def test_who_sighs_over_a_death_hears_sorry_first(nano):
    text = "The dog died on Tuesday. Who's going to wait at the door for me now?"
    _, said = await reply_of(nano, asked(text))
    assert "sorry" in said
    assert said.endswith(SIGHS["gap"])


def test_nothing_is_asked_back_and_nothing_unsafe_is_said():
    said = [one for ways in SIGHS.values() for one in ways]
    assert not any("?" in one or find_unsafe(one) for one in said)
