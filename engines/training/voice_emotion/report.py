"""What a training reached: probabilities of recordings left out → figures, and the model card."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.training.voice_emotion.folds import (
    NEUTRAL,
    Corpus,
    folds_of,
    neutral_of,
    recall,
)
from rt_avatar.engines.voice_emotion.functionals import LOUDNESS
from rt_avatar.engines.voice_emotion.kernel import (
    CLASSES,
    VOICE_EMOTIONS,
    Weights,
    calibrated,
    probabilities,
)

Shares = NDArray[np.float64]
_STEPS, _RATE = 1_000, 0.2  # of the descent
_AT_EASE: Final = [NEUTRAL, VOICE_EMOTIONS.index("calm")]
_SAD: Final = VOICE_EMOTIONS.index("sad")
_SURE: Final = 0.5
_QUIETER_DB: Final = 10.0


def find_calibration(shares: Shares, labels: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the calibration (1 + CLASSES,) of probabilities that makes the labels likeliest.

    Every emotion counts the same. Convex: plain descent finds the best one.

    Args:
        shares: (N, CLASSES).
        labels: (N,) index of the emotion.
    """
    logs, asked = np.log(shares + 1e-9), np.eye(CLASSES)[labels]
    counts = (asked / np.maximum(asked.sum(axis=0), 1.0)).sum(axis=1, keepdims=True) / CLASSES
    found = np.array([1.0] + [0.0] * CLASSES)
    for _ in range(_STEPS):
        scores = found[0] * logs + found[1:]
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        off = counts * (raised / raised.sum(axis=1, keepdims=True) - asked)
        found -= _RATE * np.concatenate(([(off * logs).sum()], off.sum(axis=0)))
    return found.astype(np.float32)


def calibrated_by_others(corpus: Corpus, said: Shares) -> Shares:
    """Return what is said of the actors (N, CLASSES), calibrated by what is said of the others.

    Args:
        corpus: With the actors.
        said: (N, CLASSES) by what did not learn from who is judged.
    """
    found = said.copy()
    for fold in folds_of(corpus):
        judged = corpus.acted & np.isin(corpus.speakers, fold)
        others = corpus.acted & ~judged
        scale = find_calibration(said[others], corpus.labels[others])
        found[judged] = calibrated(said[judged].astype(np.float32), scale)
    return found


@dataclass(frozen=True, slots=True)
class ReaderFigures:
    """How readers whom nothing was learnt from are called, shares of their recordings.

    Attributes:
        recordings: How many there are.
        moved: Named anything but neutral or calm.
        surely_moved: Likewise with a probability of a half and more.
        sad: Named sad.
        surely_sad: Likewise with a probability of a half and more.
    """

    recordings: int
    moved: float
    surely_moved: float
    sad: float
    surely_sad: float


def judge_readers(
    weights: Weights, readers: Corpus, *, knows_neutral: bool, quieter: bool = False
) -> ReaderFigures:
    """Return how readers are called.

    Args:
        weights: As they ship.
        readers: None of whom was learnt from.
        knows_neutral: Whether their own level is known, from their other recordings.
        quieter: Whether they then speak 10 dB more softly.
    """
    neutral = neutral_of(readers)[:, 0]
    rows = readers.rows[:, 0].copy()
    rows[:, LOUDNESS] -= _QUIETER_DB * quieter
    shares = np.array(
        [
            probabilities(weights, row, own if knows_neutral else None)
            for row, own in zip(rows, neutral, strict=True)
        ]
    )
    named, likely = shares.argmax(axis=1), shares.max(axis=1)
    moved, sad, sure = ~np.isin(named, _AT_EASE), named == _SAD, likely >= _SURE
    figures = (moved, moved & sure, sad, sad & sure)
    return ReaderFigures(len(rows), *(float(each.mean()) for each in figures))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _recalls(labels: NDArray[np.int64], said: Shares) -> str:
    lines = ["| recall on actors never heard | neutral unknown | neutral known |", "|---|---|---|"]
    each = [recall(labels, shares) for shares in said]
    lines += [
        f"| {name} | {_percent(one)} | {_percent(other)} |"
        for name, one, other in zip(VOICE_EMOTIONS, *each, strict=True)
    ]
    lines.append(f"| **mean of the eight** | **{_percent(each[0].mean())}** | "
                 f"**{_percent(each[1].mean())}** |")  # fmt: skip
    return "\n".join(lines)


def _confusion(labels: NDArray[np.int64], shares: Shares) -> str:
    counts = np.zeros((CLASSES, CLASSES), int)
    np.add.at(counts, (labels, shares.argmax(axis=1)), 1)
    lines = [f"| acted \\ named | {' | '.join(VOICE_EMOTIONS)} |", "|---" * (CLASSES + 1) + "|"]
    lines += [
        f"| {name} | {' | '.join(map(str, row))} |"
        for name, row in zip(VOICE_EMOTIONS, counts.tolist(), strict=True)
    ]
    return "\n".join(lines)


def _readers(figures: dict[str, ReaderFigures]) -> str:
    lines = [
        "| readers never heard | named anything but neutral or calm | with a probability ≥ .5 "
        "| sad | with a probability ≥ .5 |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {_percent(one.moved)} | {_percent(one.surely_moved)} | {_percent(one.sad)} "
        f"| {_percent(one.surely_sad)} |"
        for name, one in figures.items()
    ]
    return "\n".join(lines)


def write_card(
    path: Path,
    command: str,
    corpus: Corpus,
    judged: dict[str, Shares],
    readers: dict[str, ReaderFigures],
    size: int,
) -> str:
    """Write the model card; return its figures for the log.

    Args:
        path: Of the card.
        command: That made the weights.
        corpus: What was learnt from.
        judged: (2, N, CLASSES) from ``cross_validate`` by a name of what was judged, the recordings
            as they are first.
        readers: Figures of readers who were kept out, by a name of the circumstance.
        size: Of the weights, in bytes.
    """
    acted = corpus.acted
    labels = corpus.labels[acted]
    actors, learnt = len(set(corpus.speakers[acted])), len(set(corpus.speakers[~acted]))
    count = next(iter(readers.values())).recordings if readers else 0
    said, *others = judged.values()
    parts = [_recalls(labels, said[:, acted])]
    for name, other in zip(list(judged)[1:], others, strict=True):
        both = [recall(labels, shares).mean() for shares in other[:, acted]]
        parts.append(
            f"The same actors {name}: mean of the eight {_percent(both[0])}, neutral known "
            f"{_percent(both[1])}."
        )
    parts.append("Named, where the neutral is known (recordings):\n\n"
                 + _confusion(labels, said[1, acted]))  # fmt: skip
    if readers:
        parts.append(f"{count} recordings of readers who were kept out:\n\n" + _readers(readers))
    figures = "\n\n".join(parts)
    path.write_text(
        _CARD.format(
            size=f"{size / 1e3:.0f} kB", command=command, actors=actors, recordings=len(labels),
            readers=learnt, read=int((~acted).sum()), figures=figures,
        ),
        encoding="utf-8",
    )  # fmt: skip
    return figures


_CARD: Final = """# Voice emotion: `weights.npz`

| | |
|---|---|
| what it does | the sound of an utterance → a probability for each of eight emotions: neutral, calm, happy, sad, angry, fear, disgusted, surprised |
| method | 530 functionals of the utterance so far ([functionals.py](functionals.py)); kernel ridge regression: a sum over the recordings learnt from, each counting by how near it lies ([kernel.py](kernel.py)). Where the caller's own neutral is known, nearness is that of the utterance, of its difference from the neutral, and of its difference from as much of the neutral as can be trusted. In numpy |
| size | {size}: recordings and axes in 6 bits, their answers in 16 |
| licence of the weights | **CC BY-NC-SA 4.0: not for commercial use, share alike.** Learnt from RAVDESS (S. R. Livingstone, F. A. Russo, PLoS ONE 13(5), 2018; CC BY-NC-SA 4.0). `perception.voice_emotion: off` does without them. Read speech: LibriSpeech (V. Panayotov and others, ICASSP 2015; CC BY 4.0), Kathleen (CC0). The code is Apache-2.0 |
| made by | `{command}` (extra `train`) |

## Data

{recordings} recordings of {actors} actors of RAVDESS, two sentences, and {read} of {readers} readers, who count as neutral; each as it is and in a disguise (another speed and pitch, microphone, room, noise). In
the figures the calibration (a power, and a factor for each emotion) of who is judged is that of the other actors; the shrinkage of the neutral is learnt from who is learnt from. The functionals, the width of the kernel, its
ridge, and that three views are compared, were decided with these folds in view: a little of the figures may be luck.

## How good it is

Two actors are left out at a time, a man and a woman. "Neutral known": the mean of the same actor's other neutral recordings. Chance is 12.5 %.

{figures}

## Limits

- Actors of one continent, in their twenties, who show one feeling at a time in a quiet room; people on a call show less, and more than one.
- Sad is the hardest to hear: it is taken for calm, neutral or fear. A cold, a tired or a very old voice was not among the data.
- It hears how something is said, not what: words that name a feeling count more.
- Not for judging a person's state of mind.
"""  # noqa: E501
