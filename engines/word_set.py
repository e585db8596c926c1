"""Sets of words, written as one text."""

import itertools


def word_set(words: str) -> frozenset[str]:
    """Return the words between the spaces, each of which is written once."""
    listed = sorted(words.split())
    twice = [one for one, after in itertools.pairwise(listed) if one == after]
    assert not twice, f"expected each word once; got twice: {twice}"
    return frozenset(listed)
