"""Tense and person of a turn, and what a reply asks for."""

import pytest

from rt_avatar.engines.reply_ranker.tense import (
    AHEAD,
    OTHER,
    PAST,
    asks_outcome,
    asks_past,
    is_going_on,
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
        ("My father turns ninety on the 12th.", {AHEAD, OTHER}),
        ("I have a scan in two weeks.", {AHEAD}),
        ("I retire in eight days.", {AHEAD}),
        ("The wedding's on Saturday.", {AHEAD}),
        ("I've got an interview at three.", {AHEAD}),
        ("My sister's coming from Canada.", {AHEAD}),
        ("I haven't seen him in two weeks.", set()),
        ("It's my first holiday in six years.", set()),
        ("He died in an hour.", {PAST, OTHER}),
        ("It all happened on the 12th.", {PAST}),
        ("I always have a nap at three.", set()),
        ("Guess who's coming up the path.", set()),
        ("He turns everything into a joke.", {OTHER}),
        ("I finished it in two days.", {PAST}),
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


@pytest.mark.parametrize(
    "text",
    [
        "I'm making my mother's plum jam today.",
        "We're stuck on the motorway.",
        "I'm writing my speech right now.",
        "We are painting the nursery.",
        "I'm on the train to my sister's.",
        "I'm still reading it.",
    ],
)
def test_who_is_in_the_middle_of_something_is_known(text):
    assert is_going_on(split_words(text))


@pytest.mark.parametrize(
    "text",
    [
        "I made jam yesterday.",
        "I'm feeling better.",
        "I was baking when he rang.",
        "I've just come out of the exam.",
        "I'm glad it's over.",
        "I'm going to bake tomorrow.",
        "I'm calling because of my bike.",
        "I'm back from the dentist.",
    ],
)
def test_what_is_over_or_to_come_is_not_in_the_middle(text):
    assert not is_going_on(split_words(text))


def test_how_something_came_out_is_told_from_how_it_began():
    for question in ("how did it come out?", "did it taste the way you remember it?"):
        assert asks_outcome([question])
    for question in ("how did you come to it?", "how is it coming along?", "how did it start?"):
        assert not asks_outcome([question])
    assert asks_past(["what do your days look like now?"])
