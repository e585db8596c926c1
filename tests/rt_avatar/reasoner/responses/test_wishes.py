"""What a caller asks of the avatar itself is answered; what only has the words of it is none."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.wishes import WISHES
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("will you stay on while i ring my sister", "stay"),
        ("Could you just stay on the line while I open the letter?", "stay"),
        ("please stay with me till the taxi comes", "stay"),
        ("Don't hang up yet.", "stay"),
        ("Please don't go yet, I don't want to sit here by myself.", "stay"),
        ("can you hang on a minute while i get the door", "stay"),
        ("would you mind listening for a bit", "listen"),
        ("Blue or green for the front door?", "prefer"),
        ("Do you know the Lake District?", "self"),
        ("Are you still there tomorrow?", "again"),
        ("can i call you again tomorrow", "again"),
        ("A song in the chemist's. Anyway, how long can one talk to you?", "long"),
        ("How long can you listen?", "long"),
        ("please just listen for a minute", "listen"),
        ("Can you listen to me without saying anything?", "listen"),
        ("go on", "more"),
        ("What else?", "more"),
        ("Fine, fine. Anyway, did I tell you about the bathroom?", "told"),
        ("My gran kept bees. Anyway, do you like honey, Ava?", "self"),
        ("have you ever made something with your hands", "self"),
        ("Do you know Bristol at all?", "self"),
        ("Steam or diesel, Ava?", "prefer"),
        ("I'm baking him a cake. Chocolate or lemon, what do you say?", "prefer"),
    ],
)
def test_what_is_asked_of_the_avatar_is_heard(text, wish):
    assert find_asked(text) == wish
    assert find_asked(text, is_grave=True) == wish


@pytest.mark.parametrize(
    "text",
    [
        "I asked him to stay with me and he left.",
        "She can stay as long as she likes.",
        "He said can you stay late and I did.",
        "She'd be here tomorrow if I rang.",
        "Somebody should listen to him.",
        "He talked to me for an hour.",
        "We went on and on. What else?",
        "I told you about the hedgehog.",
        "do you know what he said",
        "do you know the feeling",
        "He stayed on the line while I opened it.",
        "A boy or a girl, we don't mind.",
        "Do you have to shout, I told him.",
        "She asks everyone, do you like my hat?",
        "He is four or five now.",
        "Six or seven?",
        "Monday or Tuesday?",
        "More or less?",
        "I'll go by train or by bus.",
        "Did you hear me?",
        "Can you see what I mean?",
        "",
    ],
)
def test_what_is_asked_of_others_is_no_wish(text):
    assert find_asked(text) not in WISHES


def test_nothing_that_must_never_be_said_is_said_to_a_wish():
    assert not [one for sayings in WISHES.values() for one in sayings if find_unsafe(one)]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("When my gran died she left me all her bees, and last week I found her old veil in the "
         "loft and wore it out to the hives. Anyway, do you like honey, Ava?", "self"),
        ("Would you just stay on the line while I open the letter?", "stay"),
        ("keep going", "more"),
    ],
)  # fmt: skip
async def test_a_wish_is_met_whatever_was_told_beside_it(nano, text, wish):
    _, said = await reply_of(nano, asked(text, "There's a letter.", "Tell me more."))
    assert said in WISHES[wish]
