"""Prompts are exactly what each version of Vicuna was trained on."""

import pytest

from rt_avatar.engines.llm.templates import (
    NANO,
    TEMPLATES,
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
    assert NANO.text(DIALOGUE[:1], "young adults, female, warm") == (
        "young adults, female, warm<user>Hello!<avatar>"
    )
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


def test_another_instruction_takes_the_place_of_the_systems():
    text = VICUNA_V1_5.text(DIALOGUE, "You are kind. {instruction}")
    assert text.startswith("You are kind. {instruction} USER: Hello!")


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
