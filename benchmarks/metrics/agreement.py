"""Whether what was asked for can be told from what was measured, by a simple listener.

A nearest-centroid classifier learns the emotions of all people but one and names those of the one.
Its accuracy says that the settings are distinct, and distinct in the same way in everybody. It does
*not* say that people would call them by these names: that takes people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import EMOTIONS, Emotion

Rows = NDArray[np.float64]  # (items, features)

# Pleasure and arousal, -1..1. Source: J. Russell, A. Mehrabian, "Evidence for a three-factor theory
# of emotions", J. Research in Personality 11 (1977), table of means. Contempt is our own guess:
# unpleasant, neither calm nor excited.
AFFECT: Final[Mapping[Emotion, tuple[float, float]]] = {
    "neutral": (0.0, 0.0),
    "happy": (0.81, 0.51),
    "surprised": (0.40, 0.67),
    "angry": (-0.51, 0.59),
    "fear": (-0.64, 0.60),
    "sad": (-0.63, -0.27),
    "disgusted": (-0.60, 0.35),
    "contempt": (-0.40, 0.0),
}
_Z95: Final = 1.645  # one-sided


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a simple listener named.

    Attributes:
        accuracy: Share of items named as asked, 0 to 1.
        chance: What guessing reaches: one in so many classes.
        chance_most: What guessing exceeds one time in twenty, for so many people and classes.
        answers: (items,) class named for each.
        shares: (items, classes) how sure of each class, sums to 1 a row.
        classes: Their names, in the order of ``shares``.
    """

    accuracy: float
    chance: float
    chance_most: float
    answers: tuple[str, ...]
    shares: Rows
    classes: tuple[str, ...]

    def confusion(self, labels: Sequence[str]) -> dict[tuple[str, str], int]:
        """Return (asked, named) → how often."""
        counts: dict[tuple[str, str], int] = {}
        for pair in zip(labels, self.answers, strict=True):
            counts[pair] = counts.get(pair, 0) + 1
        return counts


def leave_one_out(features: Rows, labels: Sequence[str], groups: Sequence[str]) -> Agreement:
    """Name every item by the nearest centroid of what all *other* groups were labelled.

    Distances are in units of the spread within classes, feature by feature.

    Args:
        features: (items, features), finite.
        labels: (items,) class asked for.
        groups: (items,) person; two or more, each class in every other group.

    Raises:
        ValueError: Shapes do not fit, numbers are not finite, or a class has no example to learn.
    """
    if features.ndim != 2 or len(features) != len(labels) or len(labels) != len(groups):
        raise ValueError(
            "features, labels, groups: expected as many of each, "
            f"got {features.shape}, {len(labels)}, {len(groups)}"
        )
    if not np.isfinite(features).all() or len(set(groups)) < 2:
        raise ValueError("features: expected finite numbers of two or more groups")
    classes: tuple[str, ...] = tuple(name for name in EMOTIONS if name in labels)
    classes += tuple(sorted({*labels} - {*classes}))
    label_of, group_of = np.array(labels), np.array(groups)
    shares = np.zeros((len(features), len(classes)))
    for group in sorted(set(groups)):
        is_test = group_of == group
        shares[is_test] = _judge(features[~is_test], label_of[~is_test], classes, features[is_test])
    return _agreement(shares, classes, labels, groups)


def judge(
    learnt: Rows,
    learnt_labels: Sequence[str],
    features: Rows,
    labels: Sequence[str],
    groups: Sequence[str],
) -> Agreement:
    """Name every item by the nearest centroid of others, none of which is among the items.

    Args:
        learnt: (others, features), finite; each class among them.
        learnt_labels: (others,) their classes.
        features: (items, features), finite.
        labels: (items,) class asked for.
        groups: (items,) person.
    """
    classes = tuple(sorted(set(learnt_labels)))
    shares = _judge(learnt, np.array(learnt_labels), classes, features)
    return _agreement(shares, classes, labels, groups)


def _agreement(
    shares: Rows, classes: tuple[str, ...], labels: Sequence[str], groups: Sequence[str]
) -> Agreement:
    answers = tuple(classes[at] for at in shares.argmax(axis=1))
    chance = 1 / len(classes)
    # Items of one person and class are alike: as evidence they count as one.
    independent = len({*zip(labels, groups, strict=True)})
    margin = _Z95 * (chance * (1 - chance) / independent) ** 0.5
    return Agreement(
        accuracy=float(np.mean(np.array(answers) == np.array(labels))),
        chance=chance,
        chance_most=chance + margin,
        answers=answers,
        shares=shares,
        classes=classes,
    )


def affect_of(shares: Rows, classes: Sequence[str]) -> Rows:
    """Return valence and arousal, -1..1, that a listener this sure would feel: (items, 2).

    Raises:
        ValueError: The shapes do not fit, or a class is no emotion.
    """
    unknown = [name for name in classes if name not in AFFECT]
    if unknown or shares.ndim != 2 or shares.shape[1] != len(classes):
        raise ValueError(
            f"shares: expected (items, classes) of {', '.join(AFFECT)}; "
            f"got {shares.shape} of {', '.join(classes)}"
        )
    places = np.array([AFFECT[name] for name in EMOTIONS if name in classes])
    order = [list(classes).index(name) for name in EMOTIONS if name in classes]
    felt: Rows = shares[:, order] @ places
    return felt


def concordance(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """Return how well two rows agree in value, not only in tendency: -1 to 1.

    Source: L. Lin, "A concordance correlation coefficient to evaluate reproducibility", Biometrics
    45 (1989), eq. 1; the measure of continuous affect (AVEC).

    Raises:
        ValueError: They differ in length or have fewer than two values.
    """
    if first.ndim != 1 or first.shape != second.shape or len(first) < 2:
        raise ValueError(
            f"rows: expected two of one length of 2 or more, got {first.shape}, {second.shape}"
        )
    together = float(np.mean((first - first.mean()) * (second - second.mean())))
    apart = float(first.var() + second.var() + (first.mean() - second.mean()) ** 2)
    return 2 * together / apart if apart > 0 else 1.0


def _judge(known: Rows, labels: NDArray[np.str_], classes: Sequence[str], items: Rows) -> Rows:
    """Return how sure each item is of each class: (items, classes)."""
    missing = [name for name in classes if not (labels == name).any()]
    if missing:
        raise ValueError(f"labels: expected examples of {missing} in more than one group")
    centroids = np.array([known[labels == name].mean(axis=0) for name in classes])
    index = np.array([list(classes).index(name) for name in labels.tolist()])
    spread = (known - centroids[index]).std(axis=0)
    # A feature that never varies within classes must not divide by zero, nor decide alone.
    spread = np.maximum(spread, 1e-3 * known.std(axis=0) + 1e-9)
    distances = (((items[:, None, :] - centroids) / spread) ** 2).sum(axis=2)
    nearness = np.exp(-0.5 * (distances - distances.min(axis=1, keepdims=True)))
    shares: Rows = nearness / nearness.sum(axis=1, keepdims=True)
    return shares
