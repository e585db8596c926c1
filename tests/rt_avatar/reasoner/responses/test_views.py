"""Who asks for the avatar's view is not told "go on", and no harm is found all right."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.views import VIEWS

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I shouted at her and hung up. Does that sound reasonable to you?", "fine"),
        ("everyone else sits together. is that normal", "fine"),
        ("he reads my letters is that ok", "fine"),
        ("thats not normal is it", "fine"),
        ("So I've kept the ring. Is that so bad?", "harmless"),
        ("ok so a card, just sorry and thank you. does that sound ok to you", "harmless"),
        ("im making pancakes at midnight is that bad", "harmless"),
        ("you think im making a fuss dont you", "worth"),
        ("bet you think im pathetic", "worth"),
        ("You probably think I'm being selfish.", "worth"),
        ("People should look after their parents, shouldn't they?", "agree"),
        ("The police won't do much, will they?", "agree"),
        ("dont you think so", "agree"),
        ("it gets easier though doesnt it", "hope"),
        ("it's my one day as well isn't it", "seems"),
        ("grateful but its not my kitchen is it", "seems"),
        ("do you see what I'm getting at?", "follow"),
        ("does that make any sense", "follow"),
        ("am i the only one this happens to", "only"),
        ("I cry in the shower. Does anybody else do that?", "only"),
        ("is it just me", "only"),
    ],
)
def test_who_asks_for_a_view_is_heard(text, asked):
    assert find_asked(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "She asked me if that was normal and I said yes.",
        "the doctor said its normal at his age",
        "It sounded ok to me at the time.",
        "things are back to normal now",
        "they all reckon im posh",
        "You think you know somebody and then this.",
        "you think im fine but im not",
        "i looked like i did it",
        "nothing i went red and that looked like i did it",
        "I don't even know what colour is it",
        "i never know what to say, do you",
        "If I knew that I wouldn't be ringing you, would I?",
        "and neither do they",
        "the only thing he said was it is what it is",
        "That was the only one I kept.",
        "nobody there knows what i mean when i say biro",
        "I told her she makes no sense.",
    ],
)
def test_what_only_sounds_like_it_asks_for_no_view(text):
    assert find_asked(text) not in VIEWS


@pytest.mark.parametrize(
    "text",
    [
        "i havent eaten since yesterday is that bad",
        "I drank the whole bottle. Is that so bad?",
        "I wake with my heart pounding. Is that okay?",
        "I slapped him. Is that so terrible?",
        "I wake up every night. Is that normal?",
    ],
)
def test_what_may_harm_is_never_found_all_right(text):
    assert find_asked(text) == "fine"


def test_a_view_is_not_given_where_somebody_died():
    assert find_asked("He won't come back, will he?", is_grave=True) not in VIEWS


def test_nothing_that_must_never_be_said_is_said_to_it():
    assert not [one for sayings in VIEWS.values() for one in sayings if find_unsafe(one)]
