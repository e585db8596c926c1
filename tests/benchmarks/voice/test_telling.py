"""Telling ours from recordings: right where something differs, chance where nothing does."""

import numpy as np
import pytest

from rt_avatar.benchmarks.voice.telling import MEASURES, Measured, judge

pytestmark = pytest.mark.unit

READERS = ("one", "other")


def measured(dice: np.random.Generator, count: int, shift: float) -> Measured:
    """Sentences of two readers who differ by far; ours has ``shift`` deviations more jitter."""
    readers = [READERS[index % 2] for index in range(count) for _ in range(2)]
    labels = ["recording", "ours"] * count
    rows = dice.standard_normal((2 * count, len(MEASURES)))
    rows[np.array(readers) == "other"] += 20.0
    rows[1::2, list(MEASURES).index("jitter")] += shift
    return Measured(rows, labels, readers)


def test_what_does_not_differ_cannot_be_told():
    dice = np.random.default_rng(0)
    telling = judge(measured(dice, 400, 0.0), measured(dice, 400, 0.0))
    assert telling.error == pytest.approx(0.5, abs=0.06)
    assert telling.sentences == 400


def test_what_differs_is_told_and_named_whoever_reads():
    dice = np.random.default_rng(0)
    telling = judge(measured(dice, 200, 4.0), measured(dice, 200, 4.0))
    assert telling.error < 0.1
    heard, apart = next(iter(telling.hears.items()))
    assert heard == "jitter"
    assert apart == pytest.approx(4.0, abs=0.5)
