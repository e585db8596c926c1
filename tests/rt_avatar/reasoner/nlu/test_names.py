"""The name that a caller gives."""

import pytest

from rt_avatar.reasoner.nlu.intents import find_intent
from rt_avatar.reasoner.nlu.names import find_name, is_introduction

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My name is Tom.", "Tom"), ("my name's olivia", "Olivia"), ("Hi, I'm Jenny.", "Jenny"),
        ("I'm Sarah, nice to meet you.", "Sarah"), ("I'm Mike by the way", "Mike"),
        ("You can call me Sam.", "Sam"), ("I'm tired.", ""), ("Hi, I'm sad.", ""),
        ("Call me back later.", ""), ("Hello, I'm American.", ""), ("My name is not important", ""),
        ("They call me names.", ""), ("", ""), ("i go by train", ""), ("I go by Max.", "Max"),
        ("he didn't call me yesterday", ""), ("You can call me anytime.", ""),
        ("call me paranoid but it scares me", ""), ("Everyone calls me Liz", "Liz"),
        ("my friends call me lazy", ""), ("just call me max", "Max"),
        ("My boss will ring and call me every evening.", ""), ("just call me whenever", ""),
    ],
)  # fmt: skip
def test_a_name_is_found_where_one_is_given(text, name):
    assert find_name(text) == name


def test_who_tells_something_beside_the_name_introduces_nobody_only():
    assert is_introduction("Hello Ava, my name is Tom.")
    assert not is_introduction("My name is Tom and my dog died.")
    assert find_name("My name is Tom and my dog died.") == "Tom"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("What's my name?", True), ("Do you know my name?", True), ("You forgot my name!", True),
        ("Do you still remember my name?", True), ("Say my name.", True),
        ("She forgot my name though.", False), ("He doesn't even know my name.", False),
    ],
)  # fmt: skip
def test_only_who_asks_for_their_own_name_is_told_it(text, asks):
    assert (find_intent(text, 1.0) == "asks_name") is asks
