"""Dialogues → n-grams of how turns end (``engines.end_of_turn.ngrams``)."""

import gzip
import json
import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.end_of_turn.ngrams import BEGINNING, LONGEST, STEP, key_of, split_words

_log = logging.getLogger(__name__)
_ENDS_SENTENCE: Final = re.compile(r"[.!?]")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# People pause where they would write a comma, and so much less often elsewhere in a sentence.
COMMA: Final = 4
_LONGEST_TURN: Final = 60  # words: what is longer was not said in one go
_SHORTER_WEIGHT: Final = 16.0  # of what the shorter context says, in turns
_MIN_COUNTS: Final = (8, 16, 20, 24)  # of one, two, three and four words, to be kept
MAX_NGRAMS: Final = 180_000  # 5 bytes each: less than a megabyte


def read_turns(path: Path) -> Iterator[str]:
    """Yield the turns of a file with one dialogue a line.

    Raises:
        FileNotFoundError: There is no such file.
    """
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield from json.loads(line)["turns"]


def train_ngrams(turns: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return keys (N,) uint32, sorted, and logits (N,) int8.

    A position counts as an end behind the last word of a turn, and as none within a sentence,
    less where no comma is. Behind a sentence with another one of the same turn it counts as
    neither: there both are right.
    """
    seen: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(LONGEST)]
    ends: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(LONGEST)]
    for turn in turns:
        context = [BEGINNING]
        words = list(_WORD.finditer(turn.lower()))
        if len(words) > _LONGEST_TURN:
            continue
        for index, word in enumerate(words):
            context.append(*split_words(word[0]))
            is_last = index + 1 == len(words)
            behind = turn[word.end() : len(turn) if is_last else words[index + 1].start()]
            if not is_last and _ENDS_SENTENCE.search(behind):
                continue
            for length in range(1, min(LONGEST, len(context)) + 1):
                ngram = tuple(context[-length:])
                seen[length - 1][ngram] += COMMA if is_last or "," in behind else 1
                if is_last:
                    ends[length - 1][ngram] += COMMA
    total, over = sum(seen[0].values()), sum(ends[0].values())
    if not over:
        raise ValueError("end of turn: expected turns with words; got none")
    known: dict[tuple[str, ...], float] = {(): over / total}
    kept: dict[int, tuple[float, int]] = {}
    for length in range(1, LONGEST + 1):
        for ngram, count in seen[length - 1].items():
            if count < _MIN_COUNTS[length - 1]:
                continue
            shorter = known[_known_suffix(ngram[1:], known)]
            share = (ends[length - 1][ngram] + _SHORTER_WEIGHT * shorter) / (
                count + _SHORTER_WEIGHT
            )
            known[ngram] = share
            # What says the same as the shorter one need not be kept, unless it is a lone word.
            if length == 1 or abs(_logit(share) - _logit(shorter)) > 0.25:
                kept[key_of(list(ngram))] = (_logit(share), count if length > 1 else 1 << 30)
    chosen = sorted(sorted(kept, key=lambda key: -kept[key][1])[:MAX_NGRAMS])
    logits = np.array([kept[key][0] for key in chosen]) / STEP
    _log.info("%d positions, %d ends; %d of %d n-grams kept", total, over, len(chosen), len(kept))
    return np.array(chosen, np.uint32), np.clip(np.round(logits), -127, 127).astype(np.int8)


def _known_suffix(ngram: tuple[str, ...], known: dict[tuple[str, ...], float]) -> tuple[str, ...]:
    while ngram not in known:
        ngram = ngram[1:]
    return ngram


def _logit(share: float) -> float:
    share = min(max(share, 1e-4), 1 - 1e-4)
    return float(np.log(share / (1 - share)))
