"""Prompts are exactly what each version of Vicuna was trained on."""

import pytest

from rt_avatar.engines.llm.profile import PROFILES, Profile
from rt_avatar.engines.llm.templates import (
    NANO,
    NANO_PROFILE,
    TEMPLATES,
    VICUNA_EMPATHY,
    VICUNA_V0,
    VICUNA_V1_5,
    Slot,
    Turn,
    stopped,
)

pytestmark = pytest.mark.unit

DIALOGUE = (Turn("user", "Hello!"), Turn("avatar", "Hi."), Turn("user", "I failed my exam."))


def test_version_one_five():
    assert VICUNA_V1_5.text(DIALOGUE) == (
        "A chat between a curious user and an artificial intelligence assistant. "
        "The assistant gives helpful, detailed, and polite answers to the user's questions. "
        "USER: Hello! ASSISTANT: Hi.</s>USER: I failed my exam. ASSISTANT:"
    )
    assert VICUNA_V1_5.stops == ((2,),)


def test_version_zero():
    assert VICUNA_V0.text(DIALOGUE) == (
        "A chat between a curious human and an artificial intelligence assistant. "
        "The assistant gives helpful, detailed, and polite answers to the human's questions."
        "\n### Human: Hello!\n### Assistant: Hi.\n### Human: I failed my exam.\n### Assistant:"
    )
    assert VICUNA_V0.stops[:2] == ((835,), (2277, 29937))


def test_our_own():
    assert NANO.text(DIALOGUE) == ("<user>Hello!<avatar>Hi.<end><user>I failed my exam.<avatar>")
    assert NANO.stops == ((1,),)


@pytest.mark.parametrize("name", TEMPLATES)
def test_encodings_stand_before_what_was_said(name):
    template = TEMPLATES[name]
    turns = (
        Turn("user", "Hello!", ("speech", "video")),
        Turn("avatar", "Hi.", ("speech",)),
        Turn("user", "Well.", ("video",)),
    )
    pieces = template.pieces(turns)
    assert [piece for piece in pieces if isinstance(piece, Slot)] == [
        Slot("speech", 0), Slot("video", 0), Slot("speech", 1), Slot("video", 2),
    ]  # fmt: skip
    assert "<Aud> <Vid>Hello!" in template.text(turns)
    assert "<Aud>Hi." in template.text(turns)
    assert "" not in pieces
    silent = tuple(Turn(turn.role, turn.text) for turn in turns)
    bare = template.text(turns).replace("<Aud> ", "").replace("<Aud>", "").replace("<Vid>", "")
    assert template.text(silent) == bare


def test_who_answers_stands_before_the_dialogue_where_the_template_tells_it():
    rose = Profile("elderly", "female", "low")
    plain = NANO.text(DIALOGUE)
    assert NANO_PROFILE.text(DIALOGUE, rose) == "elderly, female, gentle" + plain
    told = VICUNA_EMPATHY.text(DIALOGUE, rose)
    assert (
        " The listener is elderly and female, and speaks in a tone that is gentle. USER: " in told
    )
    for template in (NANO, VICUNA_V0, VICUNA_V1_5):  # their models never read of anybody
        assert template.text(DIALOGUE, rose) == template.text(DIALOGUE)
    for template in (NANO_PROFILE, VICUNA_EMPATHY):
        openings = {template.opening(profile) for profile in (None, *PROFILES)}
        assert len(openings) == 1 + len(PROFILES) == 25


def test_the_instruction_names_the_steps_of_the_chain_in_their_order():
    words = ("firstly", "secondly", "thirdly", "fourthly", "Finally")
    places = [VICUNA_EMPATHY.instruction.index(word) for word in words]
    assert places == sorted(places)
    assert VICUNA_EMPATHY.text(DIALOGUE).startswith(VICUNA_EMPATHY.instruction + " USER: Hello!")
    assert NANO_PROFILE.text(DIALOGUE) == NANO.text(DIALOGUE)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (("old", "male", "mid"), "age: expected one of child, young, middle-aged, elderly; got"),
        (("young", "", "mid"), "gender: expected one of male, female; got ''"),
        (("young", "male", "warm"), "tone: expected one of high, mid, low; got 'warm'"),
    ],
)
def test_a_class_that_there_is_not_is_told(classes, message):
    with pytest.raises(ValueError, match=message):
        Profile(*classes)


@pytest.mark.parametrize("turns", [(), DIALOGUE[:2]])
def test_a_dialogue_ends_with_the_user(turns):
    with pytest.raises(ValueError, match="expected the user's turn"):
        NANO.pieces(turns)


def test_a_reply_ends_with_any_of_the_runs():
    assert stopped([5, 835], VICUNA_V0.stops)
    assert stopped([5, 2277, 29937], VICUNA_V0.stops)
    assert not stopped([5, 29937], VICUNA_V0.stops)
    assert not stopped([2277, 29937, 5], VICUNA_V0.stops)
    assert not stopped([835], VICUNA_V1_5.stops)
    assert stopped([2], VICUNA_V1_5.stops)
    assert not stopped([], VICUNA_V1_5.stops)
