"""An ending that is told soberly is met as one."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.endings import SAYINGS, find_ending, meet_ending

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("the shop's closed after 22 years", "closed"),
        ("They're pulling the school down.", "closed"),
        ("the pub on the corner has shut for good", "closed"),
        ("The allotment's going to be built on.", "closed"),
        ("our choir is being disbanded", "closed"),
        ("today was the last day", "was_last"),
        ("That was our last Christmas in the house.", "was_last"),
        ("its my last week at the clinic", "last"),
        ("I retire Friday", "leaving"),
        ("ive given my notice in", "leaving"),
        ("I've stopped playing the piano.", "given_up"),
        ("we've decided not to have another", "decided"),
        ("We're selling mum's house.", "decided"),
        ("I handed the keys back yesterday", "done"),
        ("we signed the papers this morning", "done"),
        ("The factory where my dad worked is being turned into flats.", "closed"),
        ("mum doesnt live in her house anymore", "no_more"),
        ("We don't sing together any more.", "no_more"),
    ],
)
def test_an_ending_is_heard(text, ending):
    found = find_ending(text)
    assert found is not None
    assert found.ending == ending


@pytest.mark.parametrize(
    "text",
    [
        "The shop was closed when I got there.",
        "the bank's closed on Sundays",
        "They're closing the road for repairs.",
        "My birthday was last week.",
        "I saw him last night.",
        "I've stopped smoking.",
        "i've given up trying to talk to him",
        "I've stopped taking my tablets.",
        "We've decided to call the baby Iris.",
        "I'm scared the shop will close for good.",
        "I'm so sad the library is closing down.",
        "Is the school closing for good?",
        "I wish the pub would shut for good.",
        "I handed the book back.",
        "I can't do this anymore.",
        "he doesn't love me any more",
        "It doesn't work any more.",
        "It was my day off.",
    ],
)
def test_what_ends_nothing_is_left(text):
    assert find_ending(text) is None
    assert meet_ending(text, ()) == ""


def test_what_or_who_it_was_is_said():
    said = {meet_ending("They're pulling the school down.", (one,)) for one in ("", "a", "b")}
    assert all("the school" in one for one in said)
    assert "22 years" in meet_ending("the shop's closed after 22 years", ())


def test_nothing_that_is_said_names_a_feeling_or_is_unsafe():
    said = [one for sayings in SAYINGS.values() for one in sayings]
    assert not any(map(find_unsafe, said))
    assert not any("sorry" in one or "sad" in one.split() for one in said)


async def test_it_is_met_in_a_call(call):
    assert "school" in (await call("They're pulling the school down."))[0]
    assert (await call("I had a look at the papers.", "today was the last day"))[1] in (
        SAYINGS["was_last"]
    )
