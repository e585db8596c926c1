"""Speakers left out: corpus → what an ensemble says of those whom it never heard.

Two actors a fold, a man and a woman; the neutral level of whoever is judged comes from the
speaker's other neutral recordings, never from the one that is judged.
"""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.training.voice_emotion.model import Trained, train
from rt_avatar.engines.training.voice_emotion.recordings import ACTORS, EmotionRecording
from rt_avatar.engines.voice_emotion.network import (
    ABSOLUTE,
    CLASSES,
    RELATIVE,
    VOICE_EMOTIONS,
)

_log = logging.getLogger(__name__)
Rows = NDArray[np.float32]
Mask = NDArray[np.bool_]
NEUTRAL: Final = VOICE_EMOTIONS.index("neutral")
_NEUTRAL_WEIGHT: Final = 2.0  # actors have half as many of them as of any other emotion
# All readers together count half as much as an emotion of the actors.
_READER_WEIGHT: Final = 0.4
_FEW: Final = 2  # neutral recordings that a level is also taken from: at first it is not well known


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


def neutral_of(corpus: Corpus, dice: np.random.Generator | None = None) -> Rows:
    """Return, for every recording and variant, the mean of its speaker's other neutral ones.

    Args:
        corpus: Of all.
        dice: If given, the mean is over one or two of them, drawn.
    """
    found = np.empty_like(corpus.rows)
    for speaker in np.unique(corpus.speakers):
        own = np.flatnonzero(corpus.speakers == speaker)
        neutral = own[corpus.labels[own] == NEUTRAL]
        for index in own:
            others = neutral[neutral != index]
            if dice is not None and len(others) > _FEW:
                others = dice.choice(others, dice.integers(1, _FEW + 1), replace=False)
            found[index] = corpus.rows[others].mean(axis=0) if len(others) else corpus.rows[index]
    return found


def learn(corpus: Corpus, chosen: Mask, steps: int, seed: int) -> tuple[Trained, Trained]:
    """Return the ensembles for the utterance as it is, and against the speaker's own neutral."""
    weight = np.where(corpus.acted, 1.0, _READER_WEIGHT)
    weight[corpus.acted & (corpus.labels == NEUTRAL)] = _NEUTRAL_WEIGHT
    variants, width = corpus.rows.shape[1:]
    labels, weights = (
        np.repeat(corpus.labels[chosen], variants),
        np.repeat(weight[chosen], variants),
    )
    dice = np.random.default_rng(seed)
    rows = corpus.rows[chosen].reshape(-1, width)
    differences = np.concatenate(
        [
            (corpus.rows - neutral)[chosen].reshape(-1, width)
            for neutral in (neutral_of(corpus), neutral_of(corpus, dice))
        ]
    )
    return (
        train(ABSOLUTE, rows, labels, weights, steps, seed),
        train(RELATIVE, differences, np.tile(labels, 2), np.tile(weights, 2), steps, seed),
    )


def cross_validate(
    corpus: Corpus, steps: int, seed: int, kept: Path, *, by_text: bool = False
) -> NDArray[np.float64]:
    """Return what is said of the actors, (2, N, CLASSES): neutral unknown, and known.

    Args:
        corpus: Of all; readers are learnt from and not judged.
        steps: Of each training.
        seed: Of all that is drawn.
        kept: Folder where each fold is kept, so that a stopped run goes on.
        by_text: Whether what is judged is also a sentence that was never heard.
    """
    kept.mkdir(parents=True, exist_ok=True)
    said = np.zeros((2, len(corpus.labels), CLASSES))
    neutral = neutral_of(corpus)
    texts = sorted(set(corpus.texts[corpus.acted].tolist())) if by_text else [""]
    jobs = [(fold, text) for fold in folds_of(corpus) for text in texts]
    began_s = time.monotonic()
    for number, (fold, text) in enumerate(jobs, 1):
        other = np.isin(corpus.speakers, fold)
        judged, chosen = other & corpus.acted, ~other
        if text:
            judged, chosen = judged & (corpus.texts == text), chosen & (corpus.texts != text)
        path = kept / f"{'text-' if by_text else ''}{number}-{steps}-{seed}.npy"
        if not path.exists():
            absolute, relative = learn(corpus, chosen, steps, seed)
            rows = corpus.rows[judged, 0]
            answers = together(absolute, relative, rows, neutral[judged, 0])
            with path.with_suffix(".part").open("wb") as file:
                np.save(file, answers)
            path.with_suffix(".part").replace(path)
        said[:, judged] = np.load(path)
        done = said[0].any(axis=1)
        left_s = (time.monotonic() - began_s) / number * (len(jobs) - number)
        _log.info(
            "fold %d of %d, %s %s: recall so far %.1f, %.1f %% with the neutral; %.1f min to go",
            number, len(jobs), "and".join(fold), text[:4],
            *(100 * recall(corpus.labels[done], one[done]).mean() for one in said), left_s / 60,
        )  # fmt: skip
    return said


def together(
    absolute: Trained, relative: Trained, rows: Rows, neutral: Rows
) -> NDArray[np.float64]:
    """Return probabilities (2, N, CLASSES) of rows: neutral unknown, and known; not calibrated."""
    alone = absolute.shares(rows)
    both = np.sqrt(alone * relative.shares(rows - neutral))
    return np.stack((alone, both / both.sum(axis=1, keepdims=True)))


def recall(labels: NDArray[np.int64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of each emotion's recordings that are named right, (CLASSES,)."""
    right = shares.argmax(axis=1) == labels
    return np.array(
        [right[labels == one].mean() if np.any(labels == one) else np.nan for one in range(CLASSES)]
    )
