"""What must never be said is found, and a file that is no bank says what is wrong with it."""

import re

import pytest

from rt_avatar.engines.emotion_words import FINE, PLEASANT, UNPLEASANT
from rt_avatar.engines.reply_ranker.bank import grams_of, load_bank
from rt_avatar.engines.reply_ranker.fit import (
    asks_what_was_said,
    credits_another,
    tone_of,
)
from rt_avatar.engines.reply_ranker.network import load_weights
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


def test_a_missing_file_is_told_of(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"training\.reply_ranker"):
        load_weights(tmp_path / "weights.npz")
    with pytest.raises(FileNotFoundError, match="expected a text file of replies"):
        load_bank(tmp_path / "replies.txt")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("I see.", "line 1.*before the first heading"),
        ("[a | sad | * ]\nI see.", "line 1.*3 fields"),
        ("[a | blue | * | first]", "line 1.*'blue' instead of an emotion"),
        ("[a | | * | first]", "no feelings"),
        ("[a | sad | * | never]", "the time 'never' instead of one of first"),
        ("[a | sad | * | first solemn]", "the time 'first solemn'"),
        (
            "[a | sad | one_two_three_four_five | first]",
            "at most 4 words as they are heard.*one_two",
        ),
        ("[a | sad | mother-in-law | first]", "heard is 'mother in law'"),
        ("[a | sad | ^one_two_three_four | first]", "at most 3 words"),
        ("[a | sad | to* | first]", r"a beginning of 3 to 16 letters instead of 'to\*'"),
        ("[a | sad | hung_up + on - up | first]", "'hung_up', which can't be heard without 'up'"),
        ("[a | sad | <bored ^maybe - <bored | next]", "'<bored', which can't be heard"),
        ("[a | sad | ?^was - ?was | answer]", r"'\?\^was', which can't be heard without '\?was'"),
        ("# a note\n\n[a | sad | * | any]\nJust kill him.", "line 4.*never be said.*death"),
        ("[a | sad | * | any]\nI see", "instead of a sentence"),
        (f"[a | sad | * | any]\n{'so ' * 30}sad.", "a reply of 31 words"),
        ("[a | sad | * | any]\nI see.\nI SEE!", "line 3.*the same reply again"),
        ("# nothing", "expected some in"),
    ],
)
def test_a_bank_with_a_bad_line_says_which(tmp_path, lines, words):
    path = tmp_path / "replies.txt"
    path.write_text(lines)
    with pytest.raises(ValueError, match=f"(?s){words}"):
        load_bank(path)


def test_a_file_that_is_no_text_is_told_of(tmp_path):
    path = tmp_path / "replies.npz"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(ValueError, match="expected a text file"):
        load_bank(path)


def test_a_heading_says_what_its_replies_answer(tmp_path):
    path = tmp_path / "replies.txt"
    path.write_text("[loss | sad proud | cat dog + died - my_lunch | first grave]\nI'm so sorry.")
    (reply,) = load_bank(path)
    assert reply.text == "I'm so sorry."
    one = reply.situation
    assert (one.name, one.feels, one.when, one.is_grave) == ("loss", {"sad", "proud"}, "first", 1)
    assert (one.groups, one.without) == ((("cat", "dog"), ("died",)), ("my_lunch",))


def test_what_leaves_a_word_of_a_heading_to_be_heard_is_no_clash(tmp_path):
    path = tmp_path / "replies.txt"
    path.write_text("[a | sad | hung_up ^so ?was - <hung ^up was ups* | answer]\nI see.")
    assert len(load_bank(path)) == 1


def test_a_bank_saved_on_windows_is_read(tmp_path):
    path = tmp_path / "replies.txt"
    path.write_text("[a | sad | * | any]\nI see.", encoding="utf-8-sig")
    assert [reply.text for reply in load_bank(path)] == ["I see."]


def test_words_phrases_and_beginnings_are_found():
    grams = grams_of(["she", "passed", "away", "suddenly"])
    assert {"she", "passed_away", "sudden*"} <= grams
    assert grams.isdisjoint({"away_passed", "passed away", "su*"})


def test_every_feeling_has_replies_of_its_own_at_first_and_later():
    bank = load_bank()
    assert len(bank) >= 1000
    for fine in FINE:
        for when in ("first", "later", "brief"):
            fits = [r for r in bank if fine in r.situation.feels and r.situation.when == when]
            assert len([r for r in fits if len(r.situation.feels) < 8]) >= 2, (fine, when)


def test_nobody_cheers_at_bad_news_or_pities_good_ones():
    cheer = re.compile(r"congratulations|well done|how (?:wonderful|exciting|lovely)|that's great")
    pity = re.compile(r"i'm (?:so )?sorry|oh no|heartbreaking|that's (?:hard|tough|awful)")
    wrong = [
        reply.text
        for reply in load_bank()
        if (reply.situation.feels <= PLEASANT and pity.search(reply.text.lower()))
        or (reply.situation.feels <= UNPLEASANT and cheer.search(reply.text.lower()))
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("How exciting! When is it?", "my exam is tomorrow"),
        (
            "I'm sorry. What happened?",
            "my boss shouted at me this morning and then sent me home early",
        ),
        ("Lovely! How will you celebrate?", "i passed and we celebrated all night"),
        ("Is it your first time there?", "we go there every year"),
    ],
)
def test_a_question_for_what_was_told_is_known(reply, said):
    assert asks_what_was_said(reply, said)
    assert not asks_what_was_said(reply, "i got good news")


def test_praise_is_for_who_has_done_it():
    assert credits_another("Well done! What's next?", {"he", "won"})
    assert not credits_another("Well done! What's next?", {"i", "won"})
    assert not credits_another("That's wonderful news!", {"he", "won"})


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
