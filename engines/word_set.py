"""Sets of words, written as one text."""


def word_set(words: str) -> frozenset[str]:
    """Return the words between the spaces."""
    return frozenset(words.split())
