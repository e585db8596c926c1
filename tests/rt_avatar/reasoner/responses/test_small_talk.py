"""Light talk is met lightly; the same words beside trouble are not."""

import pytest

from rt_avatar.reasoner.responses.small_talk import _SAYINGS, meet_light

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "light"),
    [
        (
            "Hello dear. It's raining again here, so Biscuit and I have only been round the block. "
            "He doesn't like the wet, he's fourteen now.",
            "wet",
        ),
        ("Old Rex won't go out in the wet any more, he just looks at the door.", "wet"),
        ("its snowing here, just got in, feet like ice lol", "wet"),
        ("Good morning Ava, the sun's out at last!", "sun"),
        ("Just having toast, and the bread's a bit stale.", "food"),
        ("I've been to the shops and that's my exercise for the day.", "quiet"),
        ("been gaming all evening", "quiet"),
    ],
)
def test_light_talk_is_met_lightly(text, light):
    assert meet_light((text,), ()) in _SAYINGS[light]


@pytest.mark.parametrize(
    "text",
    [
        "It's raining and I'm stuck here on my own.",
        "It's raining and the water's coming in under the door.",
        "I sit with the telly on because nobody comes.",
        "I've done the ironing. His shirts, I still do them.",
        "just watching telly so i dont have to think",
        "It's grey out and it's grey in here.",
        "I've been to the shops and somebody stole my purse.",
        "Nobody remembered it was my birthday. I had toast.",
        "i burnt the toast and he shouted at me",
        "The dog won't eat.",
        "Is it raining where you are?",
    ],
)
def test_the_same_words_beside_trouble_are_not_light(text):
    assert meet_light((text,), ()) == ""


def test_only_the_beginning_of_a_call_is_light_and_no_answer_and_nothing_behind_trouble():
    text = "It's raining again."
    assert meet_light(("Hello there.", text), ("Hello!",)) in _SAYINGS["wet"]
    assert meet_light(("Hello there.", text), ("Hello! What do you see?",)) == ""
    assert meet_light(("My wife left me.", text), ("I'm sorry.",)) == ""
    assert meet_light(("Hello.", "I'm reading.", text), ("Hello!", "I see.")) == ""


async def test_rain_and_an_old_dog_are_no_grievance(call):
    said = await call("It's raining again here, so we've only been round the block, him and me.")
    for word in ("rough", "sorry", "hard", "needed"):
        assert word not in said[0].lower()
