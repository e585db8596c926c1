"""Thanks behind what was told are heard as thanks, and what was told is not passed over."""

import pytest

from rt_avatar.reasoner.responses.ended import SAYINGS
from rt_avatar.reasoner.responses.thanked import WELCOME, find_told, meet_told
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    [
        "I told my son and he just held my hand. I feel a bit lighter. Thank you for listening.",
        "My boss quit and I've done both jobs. Anyway thanks for keeping me company tonight",
        "i never told anyone about the money before. thanks for listening to me go on",
        "We used to dance in the kitchen, he and I. I had forgotten that. Thank you, Ava.",
        "I'll try the letter tomorrow then, just one page. Thanks for hearing me out.",
        "Nobody has asked me that in years. I suppose I do miss it. So thank you for asking.",
        "The kettle's boiled. I do feel better than an hour ago. Thank you, really.",
        "he said yes! after four years!! i just had to tell someone. thanks for listening",
        "Tomorrow is the first day at the new school. thx for listening to an old worrier",
        "I never thought I'd talk to a computer about my dad. Thank you for that.",
        "Sorry I went on about the garden. It's all I've got. Thanks for your patience.",
        "yep, green lights all the way. cheers ava",
    ],
)
async def test_thanks_behind_what_was_told_are_met_and_nothing_is_asked(nano, text):
    _, said = await reply_of(nano, asked(text, "It was a long week.", "I see."))
    assert said.startswith(WELCOME)
    assert said not in WELCOME
    assert "?" not in said


@pytest.mark.parametrize(
    "text",
    [
        "I nursed him for nine years. And not one of them said thank you.",
        "She took the cake and didn't even say thanks.",
        "I sent her flowers and a card. She only wrote back thanks.",
        "I cleaned the whole kitchen. No thanks for that, of course.",
        "The consultant said it hadn't spread, thank God.",
        "They offered me the night shift again. Thanks but no thanks.",
        "I was doing well there. Thanks to him I lost my job.",
        "He forgot my birthday again. Well, thanks a lot!",
        "You never listen to a word. Thanks for nothing.",
        "I rang the hospital about it. I never got to say thank you to him for listening.",
        "My boss gave me a voucher as a thank you.",
        "Thank you for listening. But there's one thing I haven't told you, I took the money.",
        "Thirty years I gave them there. And all I get is a thank you and a clock.",
        "Would that be all right with them? Thanks.",
        "Thank you, Ava.",
    ],
)
def test_what_are_no_thanks_behind_a_story_is_left_to_others(text):
    assert not find_told(text)


def test_who_feels_lighter_hears_that_it_is_good():
    said = meet_told("I feel a bit lighter now. Thank you for listening.", [], is_grave=False)
    assert any(said.endswith(one) for one in SAYINGS["helped"])


async def test_thanks_with_a_good_night_end_the_call(nano):
    text = "the organ wheezes a bit like me. thanks for listening ava goodnight"
    _, said = await reply_of(nano, asked(text, "I play on Sundays.", "I see."))
    assert "Good night" in said
