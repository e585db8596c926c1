"""Dist-n: how varied replies are, in the field's two definitions, which must never be compared.

``distinct_corpus`` grows smaller the more replies are counted, so its number of replies belongs
beside it; ``distinct_response`` is nearly 1 for any short reply.
"""

import re
from collections.abc import Sequence
from typing import Final

# The rules of the Penn Treebank's tokeniser as NLTK's `word_tokenize` has them, in its order.
# Source: R. MacIntyre, "Treebank tokenization" (the sed script of 1995); NLTK's `treebank` and
# `destructive` modules for the quotes and dashes that it knows beyond.
_RULES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"([«“‘„]|[`]+)", r" \1 "),
        (r'^"', r"`` "),
        (r"(``)", r" \1 "),
        (r"([ (\[{<])(\"|'{2})", r"\1 `` "),
        (r"(?<!\w)(')(?!re|ve|ll|m|t|s|d|n)(?=\w)", r"\1 "),
        (r"([^.])(\.)([\])}>\"'»”’ ]*)\s*$", r"\1 \2 \3 "),
        (r"([:,])([^\d])", r" \1 \2"),
        (r"([:,])$", r" \1 "),
        (r"\.{2,}", r" \g<0> "),
        (r"[;@#$%&]", r" \g<0> "),
        (r"[?!]", r" \g<0> "),
        (r"([^'])' ", r"\1 ' "),
        (r"[*]", r" \g<0> "),
        (r"[\]\[(){}<>]", r" \g<0> "),
        (r"--", r" -- "),
    )
)
_ENDS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        (r"([»”’])", r" \1 "),
        (r"''", r" '' "),
        (r'"', r" '' "),
        (r"([^' ])('s|'m|'d|') ", r"\1 \2 "),
        (r"([^' ])('ll|'re|'ve|n't) ", r"\1 \2 "),
        (r"\b(can)(not)\b", r" \1 \2 "),
        (r"\b(d)('ye)\b", r" \1 \2 "),
        (r"\b(gim|lem)(me)\b", r" \1 \2 "),
        (r"\b(gon|wan)(na)\b", r" \1 \2 "),
        (r"\b(got)(ta)\b", r" \1 \2 "),
        (r"\b(more)('n)\b", r" \1 \2 "),
        (r"(?:(?<=\s)|^)('t)(is|was)\b", r" \1 \2 "),
    )
)
# A full stop is a token of its own only at the end of a sentence; NLTK finds those with a trained
# model, we by the mark and the space after it. Titles are the common exception.
_SENTENCE: Final = re.compile(r"(?<!\bmr\.)(?<!\bmrs\.)(?<!\bms\.)(?<!\bdr\.)(?<!\bst\.)"
                              r"(?<=[.?!])[\"')\]]*\s+", re.IGNORECASE)  # fmt: skip


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a text as NLTK's ``word_tokenize`` makes them: "don't" → do, n't.

    Checked against NLTK 3.9 on 19,797 sentences of EmpatheticDialogues: two differ, by one quote.
    Only the ends of sentences are found more simply, so full stops of rare abbreviations differ.
    """
    found: list[str] = []
    for sentence in _SENTENCE.split(text):
        for pattern, replacement in _RULES:
            sentence = pattern.sub(replacement, sentence)
        sentence = f" {sentence} "
        for pattern, replacement in _ENDS:
            sentence = pattern.sub(replacement, sentence)
        found += sentence.split()
    return found


def distinct_corpus(texts: Sequence[str], n: int) -> float:
    """Return Dist-n over all replies together: different n-grams ÷ all n-grams × 100.

    Source: J. Li et al., "A diversity-promoting objective function for neural conversation models",
    NAACL 2016, as computed for EmpatheticDialogues by MoEL, MIME, EmpDG, CEM and CASE and by
    Empatheia (WWW 2025): tokens of NLTK, case kept.

    Args:
        texts: Replies.
        n: Length of the n-grams, 1 or more.

    Returns:
        0 to 100, in percent; NaN when no reply is n tokens long.

    Raises:
        ValueError: ``n`` is below 1, or ``texts`` is a single string.
    """
    _check(texts, n)
    grams = [gram for text in texts for gram in _grams(tokens_of(text), n)]
    return 100 * len(set(grams)) / len(grams) if grams else float("nan")


def distinct_response(texts: Sequence[str], n: int) -> float:
    """Return Dist-n of each reply by itself, averaged: how little a reply repeats itself.

    Source: the evaluation of E3RG (ACM MM 2025): tokens are the lower-case words between spaces;
    replies without n-grams are left out.

    Args:
        texts: Replies.
        n: Length of the n-grams, 1 or more.

    Returns:
        0 to 1; NaN when no reply is n words long.

    Raises:
        ValueError: ``n`` is below 1, or ``texts`` is a single string.
    """
    _check(texts, n)
    shares = [
        len(set(grams)) / len(grams) for text in texts if (grams := _grams(text.lower().split(), n))
    ]
    return sum(shares) / len(shares) if shares else float("nan")


def _grams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[at : at + n]) for at in range(len(tokens) - n + 1)]


def _check(texts: Sequence[str], n: int) -> None:
    if isinstance(texts, str):
        raise ValueError("texts: expected a sequence of replies, got a single string")
    if n < 1:
        raise ValueError(f"n: expected 1 or more, got {n}")
