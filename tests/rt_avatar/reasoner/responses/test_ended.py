"""Who has said what they had to say, and what only looks like it."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.ended import SAYINGS, find_end, meet_end
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Thanks, it was good to say it out loud.", "helped"),
        ("I feel a bit lighter now, thanks for that.", "helped"),
        ("It's done me good to talk about it.", "helped"),
        ("It helps to say it, you know.", "helped"),
        ("thank you ava that helped", "helped"),
        ("Saying it helped.", "helped"),
        ("I'm glad I told you.", "helped"),
        ("ok i think thats all i wanted to say", "done"),
        ("Well, that's everything really.", "done"),
        ("thats it really, just wanted to tell someone", "done"),
        ("I just needed to get that off my chest.", "done"),
        ("I don't have anything else, I just wanted someone to listen.", "done"),
        ("Anyway, that's enough about me.", "done"),
        ("not much more to it really", "done"),
        ("That was all I wanted to say really.", "done"),
        ("I feel better for having told you.", "helped"),
    ],
)
def test_the_end_of_what_was_to_be_said_is_heard(text, end):
    assert find_end(text) == end


@pytest.mark.parametrize(
    "text",
    [
        "She thanked me for listening.",
        "That's all he ever says to me.",
        "It was good to see my cousins again.",
        "that helped my back a bit, the hot water bottle",
        "I feel a bit lighter since I lost the two stone.",
        "that's everything I own in one suitcase",
        "He said it was good to say it out loud.",
        "my housemate does boxing he says it helps",
        "I said the soup's ready. That's all.",
        "She tried hypnosis for her flying and it really helped.",
        "My cold's nearly gone, I feel much better now.",
        "I had a nap after lunch, I needed that.",
        "I take my tablets with milk, it helps so much.",
        "it really helps to get some sleep when you have kids",
        "theres not much more. it hurt a bit that he didnt care about it at all",
        "I talked to my sister about it and it didn't help.",
        "I just wanted to tell her and she hung up.",
        "I'm glad I told him.",
        "Is that all I wanted to say?",
    ],
)
def test_what_goes_on_or_is_of_others_is_no_end(text):
    assert find_end(text) is None


def test_the_sayings_are_safe_ask_nothing_and_do_not_repeat():
    own: list[str] = []
    for _ in SAYINGS["done"]:
        own.append(meet_end("I just needed to get that off my chest.", own))
    assert len(set(own)) == len(SAYINGS["done"])
    for said in SAYINGS.values():
        assert not [one for one in said if find_unsafe(one) or "?" in one]


async def test_who_has_said_it_all_is_asked_nothing(nano):
    for text in ("I just needed to get that off my chest.", "Well, that's everything really."):
        assert "?" not in (await reply_of(nano, asked(text)))[1]
