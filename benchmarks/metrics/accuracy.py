"""Accuracy of named emotions, over 32, 7 or E3RG's 8 labels, beside what blind guessing reaches.

Labels are very uneven (AvaMERG's seven are 56.7 % "sad"), so an accuracy without its majority
baseline says nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.emotion_words import COARSE, Fine
from rt_avatar.engines.types import Emotion

# E3RG (ACM MM 2025) counts a HIT where prediction and truth fall into the same of eight classes.
# Its table differs from AvaMERG's in two of the 32: devastated is sad, embarrassed is disgusted
# (it stands there twice, as sad and later as disgusted: the later one wins).
HIT: Final[Mapping[Fine, Emotion]] = {
    **COARSE,
    "devastated": "sad",
    "embarrassed": "disgusted",
}
NEUTRAL: Final = "neutral"  # no emotion named: E3RG's eighth class, right for none of the others


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many answers were right, against truths; shares are 0 to 1.

    Attributes:
        count: Answers.
        share: Right ones.
        majority: What naming always the commonest truth would reach: the baseline.
        macro_recall: Mean over the classes of ``recall``: every class counts the same.
        recall: Class → share of it that was named.
        confusion: (truth, answer) → how often.
    """

    count: int
    share: float
    majority: float
    macro_recall: float
    recall: Mapping[str, float]
    confusion: Mapping[tuple[str, str], int]


def accuracy(
    truths: Sequence[Fine],
    answers: Sequence[Fine | None],
    classes: Mapping[Fine, Emotion] | None = None,
) -> Accuracy:
    """Return how often a named emotion was right.

    Source: accuracy over EmpatheticDialogues' 32 labels as in Rashkin et al., ACL 2019, and those
    after them; over AvaMERG's seven with ``classes=COARSE``; E3RG's HIT with ``classes=HIT``.

    Args:
        truths: The labels, of the 32.
        answers: What was named for each; ``None`` is no emotion, right for no label.
        classes: 32 → fewer classes; None compares the 32 themselves.

    Raises:
        ValueError: Nothing to compare, not one answer a truth, or a label that is none of the 32.
    """
    if not truths or len(truths) != len(answers):
        raise ValueError(
            f"answers: expected one for each of one or more truths, "
            f"got {len(answers)} for {len(truths)}"
        )
    unknown = {label for label in (*truths, *answers) if label is not None and label not in COARSE}
    if unknown:
        raise ValueError(f"labels: expected EmpatheticDialogues' 32, got {sorted(unknown)}")
    confusion = Counter(
        (_class(truth, classes), _class(answer, classes))
        for truth, answer in zip(truths, answers, strict=True)
    )
    return score(confusion)


def score(confusion: Mapping[tuple[str, str], int]) -> Accuracy:
    """Return the accuracy of a confusion matrix: (truth, answer) → count.

    Raises:
        ValueError: Nothing was counted.
    """
    count = sum(confusion.values())
    if count == 0:
        raise ValueError("confusion: expected one or more answers, got none")
    per_class = Counter[str]()
    for (truth, _), times in confusion.items():
        per_class[truth] += times
    recall = {
        name: confusion.get((name, name), 0) / times for name, times in sorted(per_class.items())
    }
    return Accuracy(
        count=count,
        share=sum(times for (truth, answer), times in confusion.items() if truth == answer) / count,
        majority=max(per_class.values()) / count,
        macro_recall=sum(recall.values()) / len(recall),
        recall=recall,
        confusion=dict(confusion),
    )


def _class(label: Fine | None, classes: Mapping[Fine, Emotion] | None) -> str:
    if label is None:
        return NEUTRAL
    return label if classes is None else classes[label]
