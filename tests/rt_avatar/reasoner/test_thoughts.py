"""Which of the thoughts while listening a reply goes on with."""

import pytest

from rt_avatar.messages import TurnId
from rt_avatar.reasoner.thoughts import Thought, Thoughts

pytestmark = pytest.mark.unit

TURN = TurnId(2)


def thought(words: str, *, turn: int = 2, is_whole: bool = True) -> Thought:
    return Thought(TurnId(turn), words.split(), f"thought of {words}", is_whole)


def find(thoughts, words: str, **options) -> str | None:
    kept = Thoughts()
    for each in thoughts:
        kept.keep(each)
    found = kept.find(TURN, words.split(), **options)
    return None if found is None else found.content


@pytest.mark.parametrize(
    ("thought_of", "said", "fits"),
    [
        ("a b c", "a b c", True),
        ("a b c", "a b c d e", True),  # three of five
        ("a b", "a b c d", False),
        ("a x c", "a b c", True),
        ("a x y", "a b c", False),
        ("a b c p q r", "a b c", False),  # half of it was taken back
        ("c b a", "a b c", False),
        ("", "a", False),
    ],
)
def test_a_thought_fits_most_of_what_was_said(thought_of, said, fits):
    assert thought(thought_of).fits(said.split()) == fits


def test_there_may_be_none():
    assert find([], "a b") is None
    assert find([thought("x y")], "a b") is None
    assert find([thought("a b", turn=1)], "a b", however_old=True) is None


def test_a_whole_one_is_better_than_a_newer_beginning():
    begun = thought("a b c d", is_whole=False)
    assert find([thought("a b c"), begun], "a b c d") == "thought of a b c"
    assert find([thought("a"), begun], "a b c d") == "thought of a b c d"


def test_an_old_one_is_better_than_none_where_that_is_asked_for():
    assert find([thought("x y")], "a b", however_old=True) == "thought of x y"
    thoughts = [thought("x y"), thought("a b", is_whole=False)]
    assert find(thoughts, "a b", however_old=True) == "thought of a b"
