"""Speech and hasty writing without apostrophes, as it is spelled."""

import pytest

from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ChatMessage, ReplyRequest
from rt_avatar.reasoner.nlu.spelling import as_spelled, spelled

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        ("its about my brother hes alright", "it's about my brother he's alright"),
        ("people think its morbid", "people think it's morbid"),
        ("its benign", "it's benign"),
        ("i hope its not cancer", "i hope it's not cancer"),
        ("i dont know how ill cope", "i don't know how i'll cope"),
        ("do you think shell forgive me", "do you think she'll forgive me"),
        ("shed never do that", "she'd never do that"),
        ("hell be there and theyll come", "he'll be there and they'll come"),
        ("were getting married so were moving", "we're getting married so we're moving"),
        ("i think well be fine", "i think we'll be fine"),
        ("well see how it goes", "we'll see how it goes"),
        ("id like to go and wed love to", "i'd like to go and we'd love to"),
        ("so lets see", "so let's see"),
        ("Im SO sad. I CANT.", "I'm SO sad. I CAN'T."),
        ("i ve lost it and i don t care", "i've lost it and i don't care"),
        ("my mother in law’s cat", "my mother-in-law's cat"),
        ("at 3 p.m. he came", "at 3 pm he came"),
    ],
)
def test_what_was_left_out_is_written(heard, text):
    assert spelled(heard) == text
    assert spelled(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "The dog hurt its paw.",
        "Its tail is broken.",
        "my cat and its friends",
        "it lost its charm in its own way",
        "i was ill last week and he is ill",
        "how ill is he",
        "we were getting married",
        "they were so happy",
        "were you there",
        "well i see",
        "Well, never mind.",
        "all is well, be happy",
        "he may well be right",
        "i lost my id yesterday",
        "what the hell do i do",
        "i shed a tear in the shed",
        "she found a shell",
        "he lets me drive",
        "my brother in law school",
        "She wed in June.",
        "",
    ],
)
def test_words_that_are_others_without_an_apostrophe_stay(text):
    assert spelled(text) == text


def test_all_that_the_caller_said_is_read_as_it_is_spelled_and_nothing_else():
    turn = TurnId(1)
    history = (ChatMessage("caller", "its me"), ChatMessage("avatar", "its echo"))
    heard = Transcript(turn, 800, "im here", True, 1.0)
    request = as_spelled(ReplyRequest(turn, heard, Affect(turn, 800), history, PERSONAS["ava"]))
    assert request.transcript.text == "i'm here"
    assert [one.text for one in request.history] == ["it's me", "its echo"]
