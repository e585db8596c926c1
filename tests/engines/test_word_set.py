"""Lists of words hold each word once."""

import pytest

from rt_avatar.engines.word_set import word_set

pytestmark = pytest.mark.unit


def test_a_text_is_the_set_of_its_words():
    assert word_set("tea milk  tea's") == {"tea", "milk", "tea's"}


def test_a_word_that_is_written_twice_is_told_of():
    with pytest.raises(AssertionError, match=r"\['milk'\]"):
        word_set("milk tea milk")
