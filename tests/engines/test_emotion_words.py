"""Emotion words of people and models are understood, and mapped as published."""

import pytest

from rt_avatar.engines.emotion_words import COARSE, FINE, felt, to_fine

pytestmark = pytest.mark.unit


def test_all_32_map_to_the_seven_as_published():
    assert len(FINE) == len(COARSE) == 32
    assert (COARSE["devastated"], COARSE["anxious"], COARSE["jealous"]) == (
        "surprised", "sad", "contempt",
    )  # fmt: skip


def test_what_is_felt_is_what_a_listener_answers():
    assert (felt("devastated"), felt("anxious"), felt(None)) == ("sad", "fear", "neutral")


@pytest.mark.parametrize(
    ("words", "fine"),
    [("Sad", "sad"), ("deeply heavy-hearted", "sad"), ("**Overwhelmed**", "anxious"),
     ("weary, tired", "sad"), ("lonely/sad", "lonely"), ("neutral", None), ("", None)],
)  # fmt: skip
def test_free_words_of_models_are_understood(words, fine):
    assert to_fine(words) == fine
