"""Who tells by the way that they cried, or shake, is not passed over."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.tears import SAYINGS, find_tears
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The letter came this morning. I read it in the hall and i cried. It was a surprise.",
         "cried"),
        ("then he sat down and said I did well. i cried a bit lol", "cried"),
        ("I parked the car and just burst into tears. Then I went in and did my shift.", "cried"),
        ("I found her recipe. I sat on the floor and cried. Anyway, I made it.", "cried"),
        ("lovely do, cake and all, and then i sat in the car and cried for ten minutes", "cried"),
        ("I had a little cry in the pantry.", "cried"),
        ("I was on hold for an hour. My hands are shaking.", "shakes"),
        ("the interview is over and im still shaking", "shakes"),
    ],
)  # fmt: skip
def test_tears_and_shaking_are_heard(text, found):
    assert find_tears(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "The baby cried all night. I went to work on two hours sleep.",
        "My dad's hands are shaking more every month.",
        "I laughed till I cried. It was the silliest film.",
        "I never cried at the funeral.",
        "She cried and I made tea.",
        "my sister said i cried too much",
        "I nearly burst into tears.",
        "i cried every day for weeks",
        "I cried for no reason again.",
        "I start in September, I'm literally shaking!",
        "I was shaking the rug out when he rang.",
        "I cried off, I had a cold.",
        "Did I tell you I cried?",
        "My hands shake so much that I can't thread a needle any more.",
        "I chopped onions and cried.",
    ],
)
def test_what_is_no_such_moment_is_left_to_others(text):
    assert find_tears(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "The letter came this morning. I read it in the hall and i cried. It was a surprise.",
        "I parked the car and just burst into tears. Then I went in and did my shift.",
        "I said it was lovely and then cried in the car",
    ],
)
async def test_tears_told_by_the_way_are_met(nano, text):
    _, said = await reply_of(nano, asked(text, "It was a long day.", "I see."))
    assert said in SAYINGS["cried"]


def test_nothing_unsafe_is_said_to_tears():
    assert not any(find_unsafe(one) for ways in SAYINGS.values() for one in ways)
