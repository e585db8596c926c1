"""Tokens of a reply become clauses: all of them, in order, none too long."""

import numpy as np
import pytest

from rt_avatar.engines.empatheia.clauses import (
    LIMIT_LETTERS,
    LIMIT_TOKENS,
    MOST_TOKENS,
    REPLY_LETTERS,
    ClauseCutter,
)
from rt_avatar.engines.llm.answer import Replied

pytestmark = pytest.mark.unit


def cut(pieces: list[str], **options):
    cutter = ClauseCutter(**options)
    tokens = [Replied(n, text, np.full(3, n, np.float32)) for n, text in enumerate(pieces)]
    return [clause for token in tokens for clause in cutter.push(token)] + cutter.flush()


def test_sentences_are_clauses_with_the_states_of_their_tokens():
    made = cut(["I", " am", " sorry", ".", " Tell", " me", "!", " ", "Well"])
    assert [clause.text for clause in made] == ["I am sorry.", "Tell me!", "Well"]
    assert [clause.index for clause in made] == [0, 1, 2]
    assert np.array_equal(np.concatenate([clause.states for clause in made])[:, 0], np.arange(9))


def test_a_number_and_a_short_comma_end_nothing():
    assert [clause.text for clause in cut(["Oh", ",", " it", " is", " 3", ".", "5"])] == [
        "Oh, it is 3.5"
    ]


def test_endless_words_are_cut_before_a_word_and_endless_letters_anywhere():
    made = cut([" word"] * 100)
    assert {len(clause.states) for clause in made[:-1]} == {MOST_TOKENS}
    made = cut(["x"] * 100)
    assert [len(clause.states) for clause in made] == [LIMIT_TOKENS, LIMIT_TOKENS, 4]


def test_where_time_is_short_the_first_clause_is_and_no_other():
    words = [" so", ",", " it", " is", ",", " you", " know", ",", " hard", "."]
    assert [clause.text for clause in cut(words, is_first_short=True)] == [
        "so,", "it is, you know, hard."
    ]  # fmt: skip
    made = cut([" word"] * 50, is_first_short=True)
    assert [len(clause.states) for clause in made] == [6, MOST_TOKENS, 12]


def test_a_whole_reply_is_one_clause_also_where_time_is_short():
    words = ["I", " am", " sorry", ".", " Tell", " me", ",", " if", " you", " like", "!"]
    (made,) = cut(words, is_first_short=True, span="reply")
    assert (made.text, made.index) == ("I am sorry. Tell me, if you like!", 0)
    assert np.array_equal(made.states[:, 0], np.arange(len(words)))


def test_a_reply_that_the_voice_has_no_symbols_for_is_cut_before_a_word():
    words = [" word"] * 200
    first, *rest = cut(words, span="reply")
    assert REPLY_LETTERS - 1 <= len(first.text) < LIMIT_LETTERS
    assert " ".join(part.text for part in (first, *rest)) == "".join(words).strip()
    letters = cut(["x"] * 500, span="reply")
    assert [len(clause.text) for clause in letters] == [LIMIT_LETTERS, 100]
