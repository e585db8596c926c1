"""Who tells what they achieved, and how little came back, is answered in both."""

import pytest

from rt_avatar.reasoner.responses.soured import _SAYINGS, meet_soured

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    [
        "I got the promotion, and my husband just said so who's picking up the kids then.",
        "i passed my driving test and all my dad said was dont scratch the car",
        "We won the cup, and afterwards nobody waited for me.",
        "I finished my degree last week and my father didn't even come to the ceremony.",
        "They made me captain. I rang my brother and he only asked how much it pays.",
        "My book came out today. My son hasn't even opened it.",
        "I was made head of year today. My mother changed the subject.",
        "we came second in the quiz and the captain didn't say a word to us",
        "We won the show with our leeks, and my brother laughed at it.",
        "I got a distinction. Nobody at the table looked up.",
        "I've been picked for the county. Dad said don't get big-headed.",
    ],
)
def test_an_achievement_that_was_slighted_is_praised_and_asked_about(text):
    assert meet_soured(text, ()) in _SAYINGS


@pytest.mark.parametrize(
    "text",
    [
        "I got the promotion, and my husband just hugged me for ages.",
        "i passed my driving test and my dad just cried",
        "We won the cup, and afterwards everybody waited for me with flowers.",
        "They made me captain, and he only said well done, over and over.",
        "I baked the cake for the whole club. Nobody could believe it was my first.",
        "I won a prize for my roses and nobody was more surprised than me.",
        "My book came out today. My son hasn't put it down since.",
        "I didn't get the job, and my husband just said oh well.",
        "My brother got the promotion and he just said it's only money.",
        "I made it home just before the rain, and nobody was in.",
        "Nobody even said thank you.",
        "I passed! And did nobody ask?",
        "My husband just said so who's picking up the kids then.",
    ],
)
def test_what_was_warm_anothers_or_came_to_nothing_is_not(text):
    assert meet_soured(text, ()) == ""


async def test_it_is_said_before_any_cheer(call):
    said = await call(
        "I got the promotion, head of department. And then I came home all excited and my husband "
        "just said so who's going to pick up the kids then."
    )
    assert said[0] in _SAYINGS
