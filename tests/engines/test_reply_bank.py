"""What must never be said is found, and a file that is no bank says what is wrong with it."""

from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.reply_ranker.bank import ReplyBank, load_bank, save_bank
from rt_avatar.engines.reply_ranker.fit import tone_of
from rt_avatar.engines.reply_ranker.network import OUTPUT, load_weights
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    [
        "You should just kill him!",
        "That's your own fault.",
        "Get over it.",
        "It could be worse.",
        "Don't worry about it.",
        "I love you, baby.",
        "You sound depressed.",
        "God has a plan for you.",
        "Have a beer and relax!",
        "Serves him right!",
        "What's your phone number?",
        "Me too! I know how you feel.",
        "What a stupid idea.",
        "I hope he rots in hell.",
        "Are you serious?",
        "YOU’RE BEING DRAMATIC",
    ],
)
def test_what_must_never_be_said_is_found(text):
    assert find_unsafe(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm so sorry to hear that.",
        "Congratulations! How did you celebrate?",
        "Hello, how are you?",
    ],
)
def test_kind_words_are_no_harm(text):
    assert find_unsafe(text) == ""


def test_a_missing_file_says_how_to_make_it(tmp_path):
    for path, load in (("weights.npz", load_weights), ("replies.npz", load_bank)):
        with pytest.raises(FileNotFoundError, match=r"training\.reply_ranker"):
            load(tmp_path / path)
    with pytest.raises(FileNotFoundError, match="got no name"):
        load_bank(Path())


def test_a_bank_that_is_damaged_says_how(tmp_path):
    path = tmp_path / "replies.npz"
    save_bank(path, ReplyBank(["Oh no.", "Nice!"], np.array([0, 99]), np.zeros((2, OUTPUT))))
    with pytest.raises(ValueError, match="emotion 99"):
        load_bank(path)
    save_bank(path, ReplyBank(["Oh no."], np.zeros(1), np.zeros((2, OUTPUT))))
    with pytest.raises(ValueError, match="expected an emotion and a context"):
        load_bank(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ValueError, match="expected an npz"):
        load_bank(path)


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        ("Congratulations! How did it go?", 1),
        ("I'm so sorry to hear that.", -1),
        ("That's not cool.", -1),
        ("What did they say?", 0),
        ("That's great, but I'm sorry about the car.", None),
    ],
)
def test_a_reply_goes_with_good_or_bad_news_or_any(text, tone):
    assert tone_of(text) == tone
