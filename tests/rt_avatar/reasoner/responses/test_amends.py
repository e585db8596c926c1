"""Behind an apology stands what the caller waited for, not only that somebody listens."""

import pytest

from rt_avatar.reasoner.responses.amends import passed_over
from rt_avatar.reasoner.responses.questions import MET
from rt_avatar.reasoner.responses.repair import find_objection
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("He hasn't rung for a week. Is it my fault?", "i asked if its my fault"),
        ("Do you think that's legal?", "No, I asked whether it's legal."),
        ("Is it too rude for a wedding?", "Sorry, I was asking about the joke, not how I feel."),
        ("am i a bad daughter", "you still haven't said if i'm a bad daughter"),
    ],
)
def test_who_asks_again_was_not_answered(told, text):
    assert find_objection(text, "I can imagine.", ["Hello.", told]) == "ignored"


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("My landlord kept it.", "I asked if that's legal."),
        ("Do they ever answer?", "I asked my neighbour what she does about it."),
        ("Is that legal?", "I asked him if it's legal and he shrugged."),
        ("What's a good name for a cat?", "I asked the kids and they said Biscuit."),
        ("Is it my fault?", "she still hasn't said if it's mine"),
        ("Is it rude?", "I asked if they minded and they laughed."),
    ],
)
def test_who_asked_others_was_not_passed_over(told, text):
    assert find_objection(text, "I can imagine.", [told]) is None


def test_the_question_that_was_passed_over_is_one_of_the_last_turns():
    assert passed_over(["is it my fault", "i dont know"]) == "doubt"
    assert passed_over(["is it my fault", "we had lunch", "i dont know"]) is None


async def test_a_question_that_was_passed_over_is_answered_behind_the_apology(nano):
    told = ("He hasn't rung for a week. Is it my fault?", "Tell me more.")
    _, said = await reply_of(nano, asked("I asked if it's my fault", *told))
    assert any(said.endswith(one) for one in MET["doubt"])


@pytest.mark.parametrize(
    ("last", "text", "given_back"),
    [
        ("That's hard.", "no its not hard. im happy", "You're happy"),
        ("How lovely!", "It isn't lovely. I'm furious.", "you're furious"),
        ("That's hard.", "It's not hard. She laughed. Do you think she's laughing at me?", "?"),
    ],
)
async def test_what_is_put_right_is_given_back(nano, last, text, given_back):
    _, said = await reply_of(nano, asked(text, "My brother got the flat", last))
    assert given_back.casefold() in said.casefold()
    assert not said.endswith("I'm listening.")


@pytest.mark.parametrize(
    "text",
    [
        "It isn't lovely. I'm happy and sad at the same time.",
        "It isn't lovely. I don't follow.",
    ],
)
async def test_what_is_half_of_it_or_no_news_is_not_given_back(nano, text):
    _, said = await reply_of(nano, asked(text, "My brother got the flat", "How lovely!"))
    assert "follow" not in said
    assert "happy" not in said
