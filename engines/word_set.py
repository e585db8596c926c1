"""Sets of words, written as one text, and patterns of words."""

import itertools
import re


def word_set(words: str) -> frozenset[str]:
    """Return the words between the spaces, each of which is written once."""
    listed = sorted(words.split())
    twice = [one for one, after in itertools.pairwise(listed) if one == after]
    assert not twice, f"expected each word once; got twice: {twice}"
    return frozenset(listed)


def any_of(*patterns: str) -> re.Pattern[str]:
    """Return what finds any of these from the beginning of a word on."""
    return re.compile("|".join(rf"\b(?:{one})" for one in patterns))
