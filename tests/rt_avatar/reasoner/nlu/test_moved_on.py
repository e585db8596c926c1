"""Who told of a death and goes on with something else is followed; who still grieves has room."""

import pytest

from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.nlu.moved_on import leaves_grief, since_grief
from tests.fakes.requests import asked

pytestmark = pytest.mark.unit

_DEATH = ("We buried Dad on Friday.", "I'm so sorry.", "It was a full church.", "I see.")


@pytest.mark.parametrize(
    "text",
    [
        "Anyway, the kids made pancakes this morning and flipped one onto the ceiling!",
        "i'm going to the match on saturday with my mates",
        "I've taken up painting since, Thursdays at the village hall. I did a boat last week.",
        "We're picking up a new puppy on Sunday.",
        "The sandwiches were very good, I must say.",
        "I'm off to my daughter's for the weekend.",
        "I play bingo on a Tuesday.",
        "That's kind of you. What keeps me going is my allotment, runner beans mostly.",
        "I rode to work today and everyone loved it",
        "on a brighter note, we've booked a week in Whitby",
        "The neighbour's tabby has started coming in for breakfast, cheeky thing.",
    ],
)
def test_something_glad_or_everyday_leaves_the_grief(text):
    assert leaves_grief(text)
    assert since_grief((*_DEATH[::2], text)) == (text,)
    assert not Listening(asked(text, *_DEATH)).is_quiet


@pytest.mark.parametrize(
    "text",
    [
        "The house is so quiet now. I still lay two plates.",
        "I keep picking up the phone to ring him.",
        "Sunday would have been our fiftieth.",
        "i cant bring myself to ride it",
        "anyway i miss her",
        "Anyway, the funeral's on Friday.",
        "I'm having his suits cleaned.",
        "We're meeting the vicar, and I don't know what to say.",
        "I made some tea and then I forgot to drink it.",
        "I'm going to the grave on Sunday.",
        "Everyone's very good, they bring me soup.",
        "I'm learning to live without her.",
        "What keeps me going is that I talk to her.",
        "What keeps me going is my dad's old coat, it smells of him.",
        "The children keep asking when she's coming home.",
        "I was supposed to pick him up that night.",
        "Is it all right that I'm going dancing?",
    ],
)
def test_what_may_still_be_of_it_does_not(text):
    assert not leaves_grief(text)
    said = (*_DEATH[::2], text)
    assert since_grief(said) == said


def test_without_a_grief_nothing_is_left():
    said = ("The bus was late.", "Anyway, we're off to the sea.")
    assert since_grief(said) == said


def test_what_follows_is_no_longer_taken_for_grief():
    told = (*_DEATH, "Anyway, we're off to the sea tomorrow.", "How lovely!")
    assert not Listening(asked("It's the early train.", *told)).is_quiet
    assert Listening(asked("It's the early train.", *_DEATH[:2])).is_quiet


async def test_no_room_for_grief_is_given_to_pancakes(call):
    *_, said = await call(
        "My wife died in March.",
        "She'd been ill a long time.",
        "Anyway, the kids made pancakes this morning and flipped one onto the ceiling!",
    )
    for word in ("sorry", "time you", "no hurry", "loss", "grief", "right here"):
        assert word not in said.lower()
