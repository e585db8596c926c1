"""What is asked on about a turn, where its last clause says whose doing it tells."""

import pytest

from rt_avatar.reasoner.listener.asking import ask_on
from rt_avatar.reasoner.listener.takeup import take_up

pytestmark = pytest.mark.unit

_THEIRS = ("How was that for you?", "How did that feel?", "What was that like for you?")
_OWN = ("How was that for you?", "What was that like?", "What was that like for you?")


@pytest.mark.parametrize(
    "text",
    [
        "My boss gave the Saturdays to a boy of nineteen.",
        "they moved my bus stop two streets up",
        "she's put all her boxes in my sewing room",
        "I'd baked all day, and he just walked past it.",
        "The doctor didn't look at me once, he typed.",
        "my lad got sent home for fighting",
        "I said good morning and she rolled her eyes and shut the window.",
    ],
)
def test_what_another_did_is_asked_about_by_how_it_was_taken(text):
    assert ask_on(text, ()) in _THEIRS


@pytest.mark.parametrize(
    "text",
    [
        "I sold the last of the goats on Tuesday.",
        "he never answered, so in the end i walked home in the dark",
        "we swapped the big garden for a balcony",
    ],
)
def test_what_they_did_themselves_is_asked_about_by_how_it_was(text):
    assert ask_on(text, ()) in _OWN


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("And I told her.", "she"),
        ("i texted him last night", "he"),
        ("So I asked my landlady for a week more.", "your landlady"),
    ],
)
def test_whom_they_told_something_is_asked_after(text, who):
    assert f" {who} " in ask_on(text, ())


@pytest.mark.parametrize(
    "text",
    [
        "He sleeps on the radiator.",  # what is so, and no doing
        "My knees say there'll be snow.",
        "He's called Winston.",
        "my aunts got two cats and a parrot",
        "She's retired now.",
        "My brother lived in Leeds.",
        "He lost his appetite.",
        "I still put two cups out.",
        "I thought so.",
        "We need shoes and we need food.",
        "Nobody died of a late train.",
        "The kettle boiled over.",  # nobody's
        "He always said the same.",
        "Did he ring you back?",
        "I've taken up the trombone.",
        "she brought her own kettle",
        "My husband died in May.",
        "i cried in the car park",
    ],
)
def test_where_no_doing_is_told_nothing_is_asked_on(text):
    assert ask_on(text, ()) == ""


def test_no_third_question_in_a_row_follows_two():
    text = "they gave my desk to somebody else"
    assert ask_on(text, ("Oh no. Why?", "And what did you do?")) == ""
    assert ask_on(text, ("Oh no. Why?", "That's hard.")) in _THEIRS


def test_an_answer_is_asked_on_about_only_where_it_was_said_or_done_to_them():
    own = ("What did he do?",)
    assert ask_on("He put his coat on and left.", own) == ""
    assert ask_on("He left me at the station.", own) in _THEIRS


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("he was in there, i could see the telly", "telly"),
        ("Maybe a nap first and then the conclusion.", "conclusion"),
        ("pretty sure, only she was in the room", "room"),
        ("It's about her corner.", "corner"),
        ("She left it at your sister's, with your coat.", "coat"),
        ("i went home and cried in the linen cupboard", "cupboard"),
    ],
)
def test_a_thing_of_which_no_more_is_said_is_not_told_back(text, echo):
    assert echo not in take_up(text, 1.0, "unclear", (), 1)


@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("We've got a hedgehog in the compost!", "In the compost"),  # told with a laugh
        ("I looked in the old red barn.", "In the old red barn"),
        ("He counted it out with a tea spoon", "With a tea spoon"),
        ("It has been thirty years.", "Thirty years"),
    ],
)
def test_what_is_new_is_still_told_back(text, echo):
    assert echo.casefold() in take_up(text, 1.0, "cheerful", (), 0).casefold()


def test_who_wept_is_not_asked_what_that_was_like():
    said = take_up("And then I cried in the car park.", 1.0, "unclear", (), 0)
    assert said.startswith(("Oh no", "I can see why", "That's", "I'm sorry", "That can't"))
