"""Text becomes words with phones; nothing that people write stops it."""

import time

import pytest

from rt_avatar.engines.g2p import Phonemizer, load_phonemizer
from rt_avatar.engines.g2p.phones import PHONE_ID

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def phonemizer() -> Phonemizer:
    return load_phonemizer()


def phones(phonemizer: Phonemizer, text: str) -> str:
    said = [spoken for word in phonemizer.phonemize(text) for spoken in word.spoken]
    return " ".join("".join(spoken.phones) + spoken.mark for spoken in said)


def test_words_have_their_phones_with_stress_and_marks_follow_them(phonemizer):
    assert phones(phonemizer, "Twelve of yourself?") == "TWEH1LV AH0V YER0SEH1LF?"


def test_small_words_are_weak_within_a_phrase_and_full_at_its_end(phonemizer):
    assert phones(phonemizer, "I look for the apple to eat.").split()[2:6] == [
        "FER0", "DHIY0", "AE1PAH0L", "TUW0"
    ]  # fmt: skip
    assert phones(phonemizer, "What for?").endswith("FAO1R?")


def test_captions_show_all_that_is_written_and_know_their_places(phonemizer):
    text = "Well — it's $5 million, Dr. Smith 🙂 (really)! 好"
    words = phonemizer.phonemize(text)
    assert " ".join(word.text for word in words) == text
    assert [text[word.start : word.end] for word in words] == [word.text for word in words]
    assert [spoken.text for spoken in words[2].spoken] == ["five", "million", "dollars"]


def test_letters_are_named_and_the_last_is_stressed(phonemizer):
    assert phones(phonemizer, "the US, 3 TVs") == "DHAH0 YUW2 EH1S, THRIY1 TIY2 VIY1Z"


def test_words_that_no_dictionary_has_are_read(phonemizer):
    for word in ("blorptastic", "Zyqqo", "Mbeki", "skrt", "rizz", "hahaha", "coooool"):
        said = phonemizer.phonemize(word)
        assert said, word
        assert all(phone in PHONE_ID for spoken in said[0].spoken for phone in spoken.phones)


def test_forms_of_known_words_are_made_of_them(phonemizer):
    assert phones(phonemizer, "podcaster's") == phones(phonemizer, "podcaster") + "Z"
    assert phones(phonemizer, "unlabelled colours") == phones(phonemizer, "unlabeled colors")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "好",
        "привет",
        "🙂🙂",
        "...",
        "\x00\x07\u202e",
        "<speak></speak>",
        "```",
        "—",
        "'",
    ],
)
def test_what_cannot_be_said_gives_nothing(phonemizer, text):
    assert phonemizer.phonemize(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "word " * 2000,
        "x" * 10_000,
        "7" * 10_000,
        "1,234," * 2000,
        "1.1." * 2500,
        "a-" * 5000,
        "<a" * 5000,
        "((((" * 2500,
        "a@" * 5000,
        "www." * 2500,
        "$1 - " * 2000,
        "A." * 5000,
        "'" * 10_000,
        "\n- " * 3300,
        "/1" * 5000,
        "好" * 10_000,
    ],
    ids=lambda text: repr(text[:5]),
)
def test_ten_thousand_characters_of_anything_take_bounded_time(phonemizer, text):
    began = time.process_time()
    phonemizer.phonemize(text)
    assert time.process_time() - began < 5.0  # linear: a tenth of it on a free machine


def test_the_same_text_gives_the_same_phones(phonemizer):
    text = "Deterministic qwyjibo, read by 3 of us at 5:30."
    assert phonemizer.phonemize(text) == phonemizer.phonemize(text)
