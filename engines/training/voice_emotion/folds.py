"""Speakers left out: corpus → what is said of those who were never heard.

Two actors a fold, a man and a woman; the neutral level of whoever is judged comes from the
speaker's other neutral recordings, never from the one that is judged.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.training.voice_emotion.model import Trained, train, trust_of
from rt_avatar.engines.training.voice_emotion.recordings import ACTORS, EmotionRecording
from rt_avatar.engines.voice_emotion.kernel import (
    CLASSES,
    KNOWN,
    UNKNOWN,
    VOICE_EMOTIONS,
    views_of,
)

_log = logging.getLogger(__name__)
Rows = NDArray[np.float32]
Mask = NDArray[np.bool_]
NEUTRAL: Final = VOICE_EMOTIONS.index("neutral")
_NEUTRAL_WEIGHT: Final = 2.0  # actors have half as many of them as of any other emotion
# All readers together count half as much as an emotion of the actors.
_READER_WEIGHT: Final = 0.4
LEARNT: Final = 2  # variants that are learnt from: as it is, and a disguise


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Recordings with their functionals.

    Attributes:
        rows: (N, variants, FUNCTIONALS); variant 0 is the recording as it is.
        labels: (N,) index of the emotion.
        speakers: (N,) names.
        texts: (N,) what is said.
        acted: (N,) whether an actor says it.
    """

    rows: Rows
    labels: NDArray[np.int64]
    speakers: NDArray[np.str_]
    texts: NDArray[np.str_]
    acted: Mask


def corpus_of(recordings: Sequence[EmotionRecording], rows: Rows) -> Corpus:
    """Return recordings and their functionals as arrays."""
    return Corpus(
        rows,
        np.array([one.emotion for one in recordings]),
        np.array([one.speaker for one in recordings]),
        np.array([one.text for one in recordings]),
        np.array([one.corpus == ACTORS for one in recordings]),
    )


def folds_of(corpus: Corpus) -> list[tuple[str, ...]]:
    """Return the actors of each fold: by their numbers, odd ones are men."""
    actors = sorted(set(corpus.speakers[corpus.acted].tolist()))
    men = [one for one in actors if int(one.split()[-1]) % 2]
    women = [one for one in actors if one not in men]
    pairs = list(zip(men, women, strict=False))
    rest = [one for one in actors if not any(one in pair for pair in pairs)]
    return [*pairs, *((one,) for one in rest)]


def neutral_of(corpus: Corpus) -> Rows:
    """Return, for every recording and variant, the mean of its speaker's other neutral ones."""
    found = np.empty_like(corpus.rows)
    for speaker in np.unique(corpus.speakers):
        own = np.flatnonzero(corpus.speakers == speaker)
        neutral = own[corpus.labels[own] == NEUTRAL]
        for index in own:
            others = neutral[neutral != index]
            found[index] = corpus.rows[others].mean(axis=0) if len(others) else corpus.rows[index]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """Both ways to name an emotion, and how far a caller's own neutral is believed."""

    unknown: Trained
    known: Trained
    trust: Rows

    def said(self, rows: Rows, neutral: Rows) -> NDArray[np.float64]:
        """Return probabilities (2, N, CLASSES): neutral unknown, and known; not calibrated."""
        return np.stack(
            (
                self.unknown.shares(views_of(rows, None, self.trust)),
                self.known.shares(views_of(rows, neutral, self.trust)),
            )
        )


def learn(corpus: Corpus, chosen: Mask) -> Learnt:
    """Return what is learnt from the recordings chosen, as they are and in a disguise."""
    weight = np.where(corpus.acted, 1.0, _READER_WEIGHT)
    weight[corpus.acted & (corpus.labels == NEUTRAL)] = _NEUTRAL_WEIGHT
    calm = chosen & corpus.acted & (corpus.labels == NEUTRAL)
    trust = trust_of(
        [corpus.rows[calm & (corpus.speakers == one), 0] for one in set(corpus.speakers[calm])]
    )
    rows, neutral = (
        np.concatenate([each[chosen, variant] for variant in range(LEARNT)])
        for each in (corpus.rows, neutral_of(corpus))
    )
    labels, weights = np.tile(corpus.labels[chosen], LEARNT), np.tile(weight[chosen], LEARNT)
    unknown = train(UNKNOWN, views_of(rows, None, trust), labels, weights)
    known = train(KNOWN, views_of(rows, neutral, trust), labels, weights)
    return Learnt(unknown, known, trust)


def cross_validate(
    corpus: Corpus, variants: Sequence[int] = (0,), *, by_text: bool = False
) -> NDArray[np.float64]:
    """Return what is said of the actors, (variants, 2, N, CLASSES): neutral unknown, and known.

    Args:
        corpus: Of all; readers are learnt from and not judged.
        variants: Of the recordings that are judged: 0 as they are, others in a disguise.
        by_text: Whether what is judged is also a sentence that was never heard.
    """
    said = np.zeros((len(variants), 2, len(corpus.labels), CLASSES))
    neutral = neutral_of(corpus)
    texts = sorted(set(corpus.texts[corpus.acted].tolist())) if by_text else [""]
    jobs = [(fold, text) for fold in folds_of(corpus) for text in texts]
    began_s = time.monotonic()
    for number, (fold, text) in enumerate(jobs, 1):
        other = np.isin(corpus.speakers, fold)
        judged, chosen = other & corpus.acted, ~other
        if text:
            judged, chosen = judged & (corpus.texts == text), chosen & (corpus.texts != text)
        learnt = learn(corpus, chosen)
        for at, variant in enumerate(variants):
            rows = corpus.rows[judged, variant]
            said[at][:, judged] = learnt.said(rows, neutral[judged, variant])
        done = said[0, 0].any(axis=1)
        left_s = (time.monotonic() - began_s) / number * (len(jobs) - number)
        _log.info(
            "fold %d of %d, %s %s: recall so far %.1f, %.1f %% with the neutral; %.1f min to go",
            number, len(jobs), "and".join(fold), text[:4],
            *(100 * recall(corpus.labels[done], one[done]).mean() for one in said[0]), left_s / 60,
        )  # fmt: skip
    return said


def recall(labels: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of each emotion's recordings that are named right, (CLASSES,)."""
    right = shares.argmax(axis=1) == labels
    return np.array(
        [right[labels == one].mean() if np.any(labels == one) else np.nan for one in range(CLASSES)]
    )
