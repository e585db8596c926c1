import pytest

from rt_avatar.engines.end_of_turn.ngrams import split_words
from rt_avatar.perception.phrasing import UNKNOWN, classify, how_finished, is_question

pytestmark = pytest.mark.unit


def test_words_are_found_whatever_surrounds_them() -> None:
    assert split_words("Well — I’m “fine”, thanks!") == ["well", "i'm", "fine", "thanks"]
    assert split_words("Ça va? 我很好 …") == ["ça", "va", "我很好"]
    assert split_words(" …?! ") == []


@pytest.mark.parametrize("text", ["", "  ", "…"])
def test_without_words_nothing_is_known(text: str) -> None:
    assert how_finished(text) == UNKNOWN


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("I went there because", "I went there because of him"),
        ("I want", "I want some tea"),
        ("my mother and", "my mother and my sister"),
        ("yesterday", "I came home late yesterday"),
        ("I came home late yesterday", "I came home late yesterday, thank you"),
        ("I came home late,", "I came home late"),
        ("so I told her that the", "so I told her that the."),
        ("where do", "where do you live"),
    ],
)
def test_what_is_missing_less_sounds_more_finished(less: str, more: str) -> None:
    assert 0 <= how_finished(less) < how_finished(more) <= 1


@pytest.mark.parametrize("text", ["Is it?", "what is your name", "do you know him"])
def test_questions_are_known_by_mark_or_opening(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize("text", ["", "what", "I know what you mean", "you are right"])
def test_other_sentences_are_no_questions(text: str) -> None:
    assert not is_question(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "nothing"),
        ("the", "nothing"),
        ("I", "nothing"),
        ("Mm-hm.", "backchannel"),
        ("mhm", "backchannel"),
        ("uh huh", "backchannel"),
        ("Oh, I see!", "backchannel"),
        ("that's right, yeah", "backchannel"),
        ("yeah but", "speech"),
        ("no", "speech"),
        ("wait", "speech"),
        ("I see a problem", "speech"),
        ("hard day at work", "own"),
        ("sounds like a hurt day", "own"),
        ("day", "speech"),
        ("a hard stop it now please", "speech"),
    ],
)
def test_what_is_said_over_a_reply_is_told_apart(text: str, said: str) -> None:
    assert classify(text, "That sounds like a hard day at work.") == said


def test_when_the_avatar_says_nothing_no_word_is_its_own() -> None:
    assert classify("a hard day at work", "") == "speech"
