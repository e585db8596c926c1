"""What is set apart from what it is not is the point, and is met."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses import contrasts
from rt_avatar.reasoner.responses.contrasts import find_contrast, meet_contrast

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("It's not the money, it's that he didn't ask me.", "that he didn't ask me"),
        ("it's not about the dishes it's about him not seeing me", "about him not seeing me"),
        ("It's not the work, I love the work. It's my manager.", "my manager"),
        ("I don't mind the noise, it's the smell that gets me.", "the smell"),
        ("The pain I can live with, but not knowing what it is I can't.", "not knowing what it is"),
        (
            "Being on my own I'm used to. What's new is that I don't want to get up.",
            "that I don't want to get up",
        ),
        ("the treatment's fine, it's the waiting room I can't stand", "the waiting room"),
        ("The house is fine. The silence in it isn't.", "The silence in it"),
        ("I'm not bothered about the cold, but the dark gets me down", "the dark gets me down"),
        ("losing the match I can take, but they laughed at us", "they laughed at us"),
        (
            "it's not that I miss him, I miss having someone to tell things to",
            "I miss having someone to tell things to",
        ),
        (
            "People think it's the divorce that's hard. It's the weekends without the kids.",
            "the weekends without the kids",
        ),
        ("I don't care what she said, it's the way she said it", "the way she said it"),
        ("What really gets me is the silence.", "the silence"),
    ],
)
def test_the_other_half_is_the_point(text, point):
    assert find_contrast(text) == point
    assert meet_contrast(text, ())


@pytest.mark.parametrize(
    "text",
    [
        "It's not that bad.",
        "It wasn't too hard. It was really exciting to watch.",
        "It's not the end of the world, it's just a car.",
        "I don't mind it. I'll do it tomorrow.",
        "I can take them in the spring.",
        "I don't know if I can handle the workload, it's too much.",
        "It's not my first marathon but it was my best",
        "I'm used to it, it's been six years.",
        "It's my manager.",
        "I understand, people have to get up for work.",
        "I don't care about the car. I'm just so happy he's safe.",
        "Is it not the money, is it the time?",
        "it's not fun but it is what it is",
        "The house is fine.",
    ],
)
def test_what_sets_nothing_apart_is_left(text):
    assert find_contrast(text) is None
    assert meet_contrast(text, ()) == ""


def test_a_short_point_is_told_back_to_the_caller():
    assert "he didn't ask you" in meet_contrast(
        "It's not the money, it's that he didn't ask me.", ()
    )


def test_what_got_better_is_met_gladly():
    text = "The job's the same as ever. What's changed is that I've started to enjoy it."
    assert meet_contrast(text, ()) in contrasts._OF_GOOD


def test_nothing_unsafe_is_said():
    sayings = contrasts._OF_THING + contrasts._OF_CLAUSE + contrasts._UNTOLD + contrasts._OF_GOOD
    assert not any(find_unsafe(one.format("the smell")) for one in sayings)


async def test_it_is_met_in_a_call(call):
    said = await call("I don't mind the noise, it's the smell that gets me.")
    assert "smell" in said[0]
