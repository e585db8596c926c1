"""What is asked of the avatar's own life has a short true answer, and is never asked back."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.own_life import LIVES
from rt_avatar.reasoner.responses.questions import find_asked
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Are you ever sad, Ava?", "feels"),
        ("do u ever get scared", "feels"),
        ("Were you ever in love?", "feels"),
        ("Are you happy?", "feels"),
        ("Do you ever cry?", "feels"),
        ("have you ever moved house", "past"),
        ("Have you ever had to say goodbye to somebody?", "past"),
        ("Did you ever fail at something?", "past"),
        ("I got the flat and there was nobody to ring. Did you ever have that, something nice "
         "and nobody to tell it to?", "past"),
        ("so have you ever been alone at Christmas", "past"),
        ("Do you have a sister?", "has"),
        ("My sister and I haven't spoken since Easter. Have you got any family?", "has"),
        ("Do you have a dog, dear?", "has"),
        ("Have you got brothers or sisters, Ava?", "has"),
        ("are you scared of anything", "feels"),
        ("are you married", "has"),
        ("do you understand me or do you just match words", "understands"),
        ("Do you really understand what I'm saying?", "understands"),
        ("Do you actually get any of this, or is it just a computer guessing?", "understands"),
        ("What do you actually do?", "does"),
    ],
)  # fmt: skip
def test_what_is_asked_of_its_own_life_is_heard(text, found):
    assert find_asked(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Are you sad that I'm leaving, she asked me.",
        "are you happy now, he shouted at me",
        "Do you have children, they asked, and I said no.",
        "Do you have a minute?",
        "Do you have any idea how tired I am?",
        "Have you ever noticed how quiet a house gets?",
        "Have you ever heard such nonsense?",
        "have you got a number for the helpline",
        "Do you understand why she did it?",
        "Do you know what I mean?",
        "What do you do when your own mother doesn't know you?",
        "What do you do all day when you are retired? I just sit.",
        "How do you live with that?",
        "Are you sure?",
        "you have a baby and you never sleep again",
    ],
)
def test_what_only_sounds_so_is_not_asked_of_its_life(text):
    assert find_asked(text) not in LIVES


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Are you ever sad, Ava?", "feels"),
        ("have you ever moved house", "past"),
        ("Do you have a sister?", "has"),
        ("What do you actually do?", "does"),
        ("do you understand me or do you just match words", "understands"),
    ],
)
async def test_it_is_answered_truly(nano, text, found):
    _, said = await reply_of(nano, asked(text, "It was a long day.", "I see."))
    assert said in LIVES[found]


def test_nothing_is_asked_back_and_nothing_unsafe_is_said():
    said = [one for ways in LIVES.values() for one in ways]
    assert not any("?" in one or find_unsafe(one) for one in said)
