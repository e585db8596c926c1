"""How long something lasts, when it will be, how it was at first; and what only looks like it."""

import pytest

from rt_avatar.reasoner.acts import meet_act
from rt_avatar.reasoner.spans import SPANS
from tests.rt_avatar.reasoner.acts_found import find_act

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("We haven't spoken for six years.", "span"),
        ("its been about four months now", "span"),
        ("It's been three weeks.", "span"),
        ("I've been on the list for two years.", "span"),
        ("twenty years ive worked there", "span"),
        ("It started five weeks ago.", "since"),
        ("They're taking the scaffolding down on Thursday.", "day"),
        ("i start on monday", "day"),
        ("The results come out tomorrow.", "day"),
        ("We move on Saturday.", "day"),
        ("At first it was rather exciting.", "at_first"),
        ("the first week i slept like a log", "at_first"),
        ("We used to go dancing there.", "used_to"),
        ("it used to be a cinema", "used_to"),
        ("It all began in April.", "since_when"),
        ("it started when we moved house", "since_when"),
        ("I used to look forward to Mondays.", "gone_off"),
        ("now i check the door twice", "now"),
        ("It's been a year.", "span"),
        ("We've been neighbours since primary school.", "long"),
        ("thats the third time now", "nth"),
        ("It was my last night in the flat.", "great_day"),
        ("We've been friends since before we could walk.", "long"),
        ("The girls from the choir are taking me out on Friday.", "day"),
        ("i've got an interview on thursday", "day"),
        ("I'd had that coat since I was sixteen.", "owned"),
        ("Some of us are starting on Monday.", "day"),
        ("Eighteen years at the same desk.", "span"),
        ("I've lived in this street my whole life.", "lifelong"),
        ("she flies on the ninth", "day"),
        ("People used to queue round the block.", "used_to"),
        ("we have until monday", "deadline"),
    ],
)
def test_spans_and_days_are_heard(text, act):
    assert find_act(text, SPANS) == act


@pytest.mark.parametrize(
    "text",
    [
        "He's three years old.",
        "We met two years ago in Rome.",
        "I go there on Mondays.",
        "I went on Monday.",
        "It was the first time I'd seen it.",
        "It took ten minutes.",
        "I'm used to it.",
        "at first it hurt but now it's fine",
        "See you in two weeks.",
        "He got two years for fraud.",
        "I waited for an hour.",
        "I used the old one.",
        "She's forty years older than him.",
        "Tomorrow never comes.",
        "It began to rain.",
        "She began in April.",
        "I'm going now.",
        "We used to drink a lot now and then.",
        "I've been ill since Monday.",
        "It's the second door on the left.",
        "That's my first name.",
        "I've got two tickets left.",
        "I've had a cold since May.",
        "I had it on.",
        "Two weeks off.",
        "I've been in pain all my life.",
        "It was the ninth time",
        "We waited until Monday.",
    ],
)
def test_what_only_looks_like_it_is_left(text):
    assert find_act(text, SPANS) is None


def test_span_and_day_are_named():
    assert "those six years" in meet_act("We haven't spoken for six years.", SPANS, ())
    assert "Thursday" in meet_act("they're taking it down on thursday", SPANS, ())
