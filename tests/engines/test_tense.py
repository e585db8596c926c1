"""Tense and person of a turn, and what a reply asks for."""

import pytest

from rt_avatar.engines.reply_ranker.tense import (
    AHEAD,
    OTHER,
    PAST,
    asks_past,
    looks_ahead,
    marks_of,
)
from rt_avatar.engines.text_emotion.features import split_words

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("I'm flying to Boston on Friday.", {AHEAD}),
        ("The wedding is in June.", {AHEAD}),
        ("We went to the beach.", {PAST}),
        ("My exam is on Friday.", {AHEAD}),
        ("on tuesday", set()),  # may be over
        ("I was going to call you.", {PAST}),
        ("I went there and I'll go again.", set()),  # both
        ("I'm so tired.", set()),  # tells how somebody is
        ("My little brother snores.", {OTHER}),
        ("My wife and I argued.", {PAST}),  # about both
        ("Well, she will be there.", {AHEAD, OTHER}),
        ("My bike is rusty.", set()),
        ("", set()),
    ],
)
def test_a_turn_is_ahead_over_or_about_somebody_else(text, marks):
    assert marks_of(split_words(text)) == marks


def test_what_asks_how_it_was_is_told_from_what_wishes_well():
    assert asks_past(["how was it?"])
    assert not asks_past(["how did that come about?"])  # asked of plans, too
    assert not asks_past([])
    assert looks_ahead("I hope it goes well.")
    assert not looks_ahead("How was it?")
