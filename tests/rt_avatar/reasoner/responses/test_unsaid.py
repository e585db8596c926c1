"""Ways to say something do not come twice while there are others."""

import pytest

from rt_avatar.reasoner.responses.unsaid import turned, unsaid

pytestmark = pytest.mark.unit

WAYS = ("Go on.", "Tell me more.", "I see.")


def test_a_seed_always_begins_with_the_same_one_and_leaves_none_out():
    assert turned(WAYS, "a story") == turned(WAYS, "a story")
    assert set(turned(WAYS, "a story")) == set(WAYS)


def test_nothing_is_said_again_before_all_was_and_then_what_was_said_longest_ago():
    said: list[str] = []
    for _ in WAYS:
        said.append(unsaid(WAYS, "a story", said))
    assert sorted(said) == sorted(WAYS)
    assert unsaid(WAYS, "another", said) == said[0]


def test_a_signature_tells_what_was_said_in_other_words():
    assert unsaid(("{} is ill.", "{} is well."), "x", ["Tom is ill."], lambda one: one[3:]) == (
        "{} is well."
    )
