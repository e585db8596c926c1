"""What of a later turn is told back, and the question that goes with it."""

import re

import pytest

from rt_avatar.engines.reply_ranker.fit import questions_in
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.listener.takeup import (
    _FOCUS_FRAMES,
    _FOLLOW_UPS,
    _LOST,
    _REACTIONS,
    _TOLD_OF_AHEAD,
    MOST_RETOLD,
    follow_up,
    take_up,
)
from rt_avatar.reasoner.nlu.clauses import find_clause
from rt_avatar.reasoner.nlu.focus import find_focus

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "told", "act"),
    [
        ("My wife says I'm obsessed now.", "your wife says you're obsessed now", "says"),
        (
            "yeah and i want to show them the skate park",
            "you want to show them the skate park",
            "plan",
        ),
        ("i think i left it at judo", "you think you left it at judo", "guess"),
        (
            "We don't know yet if it's a boy or a girl.",
            "you don't know yet if it's a boy or a girl",
            "unknown",
        ),
        ("Maybe I should record it.", "maybe you should record it", "duty"),
        (
            "No, it's not about money. I just can't switch off.",
            "you just can't switch off",
            "tells",
        ),
        (
            "I was there for two hours, he sleeps on the radiator.",
            "he sleeps on the radiator",
            "other",
        ),
        (
            "Today he presented my slides to everybody here.",
            "today he presented your slides to everybody here",
            "other",
        ),
        ("I took forty pictures of my cat.", "you took forty pictures of your cat", "tells"),
        (
            "Dad squeezed my hand when I came in.",
            "Dad squeezed your hand when you came in",
            "other",
        ),
        ("It's a small bird on my wrist.", "it's a small bird on your wrist", "tells"),
        ("I wasn't hungry either", "you weren't hungry either", "tells"),
        ("i really was there on time", "you really were there on time", "tells"),
        ("i knew that it was morning", "you knew that it was morning", "tells"),
        ("it happened at 3 am", "it happened at 3 am", "tells"),
        ("it started at five thirty am", "it started at five thirty am", "tells"),
        ("it cost $5.50", "it cost $5.50", "tells"),
        ("I paid £500 for it", "you paid £500 for it", "tells"),
        ("i don't know how i'll cope", "you don't know how you'll cope", "lost"),
        ("I don't know what to do anymore", "you don't know what to do anymore", "lost"),
        ("i'm not sure who i am", "you're not sure who you are", "lost"),
        ("i don't know if he likes me", "you don't know if he likes you", "unknown"),
        ("I don't know how the nurses do it", "you don't know how the nurses do it", "tells"),
        ("i think we should split up", "you think you should split up", "duty"),
        ("i told mum i might be moving", "you told mum you might be moving", "tells"),
        ("i might be pregnant", "you might be pregnant", "tells"),
        ("ngl i'm kinda heated", "you're kinda heated", "tells"),
        ("he didn't want to stay", "he didn't want to stay", "says"),
    ],
)
def test_the_last_clause_is_told_back_to_the_caller(text, told, act):
    found = find_clause(text)
    assert found is not None
    assert (found.told, found.act) == (told, act)


@pytest.mark.parametrize(
    "text",
    [
        "I can't do anything right",  # a verdict on themselves
        "nobody ever asks how i am",
        "I yelled at my kid again",  # a reproach, told back
        "I am so sad about it",  # a feeling is the bank's
        "You said that before",
        "Did I lock the car or not?",
        "I don't know",
        "Forty euros. For two minutes!",
        "My brother shot a deer",
        "I gave it to my",
        "they said i was a waste of space",
        "my boss says i'm useless",
        "she called me a bad mother",
        "i have a lump in my breast",
        "I didn't eat today",
        "I hit my son",
    ],
)
def test_no_verdict_reproach_feeling_or_half_a_clause_is_told_back(text):
    assert find_clause(text) is None


def test_what_was_hardly_heard_is_not_told_back():
    assert find_clause("My wife says I'm obsessed now.", 0.7) is None


@pytest.mark.parametrize(
    "text",
    [
        "maybe we should split up",
        "maybe i should just quit",
        "I should call her",
        "i might move out",
    ],
)
def test_what_only_may_be_is_told_back_as_a_thought_and_no_advice(text):
    assert re.match(r"(?:So you think|You're thinking) ", take_up(text, 1.0, "unclear", (), 0))


@pytest.mark.parametrize(
    "text",
    [
        "on tuesday",
        "it's in june",
        "i am not going to do anything stupid",
        "my mum will kill me",
        "he won't be at my wedding on friday",
        "i'm going to lose the house next week",
        "they'll fire me tomorrow",
    ],
)
def test_nothing_dreaded_and_nothing_sad_is_wished_well(text):
    said = take_up(text, 1.0, "downcast", (), MOST_RETOLD)
    assert said not in _TOLD_OF_AHEAD


def test_what_is_ahead_of_the_caller_is_wished_well():
    assert take_up("I have my exam tomorrow", 1.0, "downcast", (), MOST_RETOLD) in _TOLD_OF_AHEAD
    assert take_up("it's in june", 1.0, "unclear", (), MOST_RETOLD) in _TOLD_OF_AHEAD


@pytest.mark.parametrize(
    "text",
    [
        "i'm scared she'll show the letter to our mother",
        "he hung up on me and i cried in the car park",
        "the worst part is the drive home from the hospital",
        "i hate that they did it in front of my kids",
    ],
)
def test_who_tells_of_something_bad_hears_no_word_of_it_back(text):
    assert take_up(text, 1.0, "unpleasant", (), 0) in _REACTIONS["unpleasant"]


def test_the_words_that_carry_news_that_is_not_bad_are_told_back():
    said = take_up("he counted it out on the table in front of my kids", 1.0, "unclear", (), 0)
    assert "in front of your kids" in said.lower()


@pytest.mark.parametrize(
    "text",
    [
        "We fought about who takes our grandma's piano",
        "and now I'd give my teeth to hear it again",
        "next week we paint, I want a blue like the sea",
        "he drives me to the shop so that i can see her face",
    ],
)
def test_what_is_known_a_likeness_or_followed_by_more_is_not_told_back_as_the_point(text):
    focus = find_focus(text)
    assert focus
    assert focus not in take_up(text, 1.0, "unclear", (), 0).lower()


def test_who_tells_of_something_lovely_hears_that_it_is():
    text = "they stood in the garden with a lovely cake and a drum"
    assert take_up(text, 1.0, "pleasant", (), 0) in _REACTIONS["pleasant"]


@pytest.mark.parametrize(
    "text",
    [
        "i keep walking past and looking in",
        "I don't want people to think I'm sucking up",
        "it would be easier if she weren't right",
    ],
)
def test_a_long_clause_is_not_told_back(text):
    assert take_up(text, 1.0, "unclear", (), 0) in _REACTIONS["unclear"]


def test_who_does_not_know_how_to_go_on_hears_that_it_is_hard():
    text = "i don't know how we're going to pay it to be honest"
    assert take_up(text, 1.0, "unclear", (), 0) in _LOST
    assert take_up("i don't know how the nurses manage", 1.0, "unclear", (), 0) not in _LOST


def test_the_question_is_one_that_was_not_asked_before():
    own: list[str] = []
    for _ in _FOLLOW_UPS["says"]:
        asked = follow_up("says", "your wife says you're obsessed", own)
        assert asked
        assert asked not in own
        own.append(asked)
    assert follow_up("says", "your wife says you're obsessed", own) == ""


def test_follow_ups_are_safe_and_ask_one_thing():
    for said in _FOLLOW_UPS.values():
        assert not [one for one in said if find_unsafe(one) or len(questions_in(one)) > 1]


def test_frames_and_reactions_are_safe_and_ask_one_thing():
    for said in (*_FOCUS_FRAMES.values(), *_REACTIONS.values(), _LOST):
        filled = [one.format(f="in the garage", F="In the garage") for one in said]
        assert not [one for one in filled if find_unsafe(one) or one.count("?") > 2]
