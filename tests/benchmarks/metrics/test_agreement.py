import numpy as np
import pytest

from rt_avatar.benchmarks.metrics.agreement import affect_of, concordance, leave_one_out

pytestmark = pytest.mark.unit

FEELINGS = ("neutral", "happy", "sad")
PEOPLE = ("ava", "leo", "mei", "tom")


def items(spread: float) -> tuple[np.ndarray, list[str], list[str]]:
    """Four people in three feelings, three times each; one number tells the feeling."""
    rng = np.random.default_rng(0)
    labels = [name for _ in PEOPLE for name in FEELINGS for _ in range(3)]
    groups = [person for person in PEOPLE for _ in range(9)]
    means = np.array([FEELINGS.index(name) for name in labels], float)
    rows = np.stack((means + spread * rng.standard_normal(36), rng.standard_normal(36)), axis=1)
    return rows, labels, groups


def test_distinct_feelings_are_named_and_chance_stands_beside_it():
    found = leave_one_out(*items(0.1))
    assert found.accuracy == 1
    assert found.chance == pytest.approx(1 / 3)
    assert found.classes == FEELINGS
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(36))


def test_feelings_that_do_not_differ_are_guessed():
    found = leave_one_out(*items(50.0))
    assert found.accuracy < 0.6
    assert found.chance < found.chance_most < 1


def test_nobody_is_judged_by_what_was_learnt_from_them():
    rows, labels, groups = items(0.1)
    # One person smiles where the others frown: known alone it could be learnt, but never is.
    odd = np.array(groups) == "tom"
    rows[odd, 0] = 2 - rows[odd, 0]
    found = leave_one_out(rows, labels, groups)
    named = np.array(found.answers)
    assert np.mean(named[odd] == np.array(labels)[odd]) < 0.5
    assert found.confusion(labels)["happy", "happy"] >= 9


def test_concordance_wants_the_same_values_and_not_only_the_same_tendency():
    row = np.array([0.0, 1.0, 2.0, 3.0])
    assert concordance(row, row) == pytest.approx(1)
    assert concordance(row, -row) < 0
    # Lin's definition by hand: 2·1.25 / (1.25 + 1.25 + 1)
    assert concordance(row, row + 1) == pytest.approx(2.5 / 3.5)


def test_a_sure_listener_feels_what_the_table_says():
    shares = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])
    felt = affect_of(shares, ("happy", "sad"))
    assert felt[0] == pytest.approx([0.81, 0.51])
    assert felt[1] == pytest.approx([-0.63, -0.27])
    assert felt[2] == pytest.approx([0.09, 0.12])


def test_wrong_input_is_refused():
    rows, labels, groups = items(0.1)
    with pytest.raises(ValueError, match="as many"):
        leave_one_out(rows, labels[:-1], groups)
    with pytest.raises(ValueError, match="two or more groups"):
        leave_one_out(rows, labels, ["ava"] * 36)
    with pytest.raises(ValueError, match="finite"):
        leave_one_out(np.full_like(rows, np.nan), labels, groups)
    with pytest.raises(ValueError, match="envy"):
        affect_of(np.ones((1, 1)), ("envy",))
    with pytest.raises(ValueError, match="one length"):
        concordance(np.zeros(3), np.zeros(4))
