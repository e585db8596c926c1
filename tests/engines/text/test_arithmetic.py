"""Sums and comparisons are said as they are calculated."""

import pytest

from tests.engines.text.spoken import said

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("x >= 5", "X at least five"),
        ("x <= 5", "X at most five"),
        ("5 != 3", "five is not three"),
        ("y == z", "Y equals Z"),
        ("x = 5", "X equals five"),
        ("x > 5", "X more than five"),
    ],
)
def test_a_comparison_of_two_signs_means_both(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("10⁶", "ten to the power of six"),
        ("10⁻³", "ten to the power of minus three"),
        ("10²³", "ten to the power of twenty three"),
        ("x⁴ and 10²", "X to the power of four and ten squared"),
        ("10^12 and x^3", "ten to the power of twelve and X cubed"),
        ("a study¹ of it", "a study of it"),
    ],
)
def test_raised_digits_are_powers_but_for_the_mark_of_a_footnote(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("10 - 3 = 7", "ten minus three equals seven"),
        ("7-4=3", "seven minus four equals three"),
        ("10 – 3 - 2 = 5", "ten minus three minus two equals five"),
        ("100% - 20% = 80%", "one hundred percent minus twenty percent equals eighty percent"),
        ("$20 - $5 = $15", "twenty dollars minus five dollars equals fifteen dollars"),
        ("10 / 2 = 5", "ten divided by two equals five"),
        ("$12 / 4 = $3", "twelve dollars divided by four equals three dollars"),
        ("3 * 4 = 12", "three times four equals twelve"),
        ("2 * (3 + 4) = 14", "two times, three plus four, equals fourteen"),
        ("(3 + 4) × 2 = 14", ", three plus four, times two equals fourteen"),
        ("$5 * 3 = $15", "five dollars times three equals fifteen dollars"),
    ],
)
def test_signs_of_a_sum_are_said(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("10 - 15 minutes", "ten to fifteen minutes"),
        ("we won 3-2", "we won three to two"),
        ("24 / 7", "twenty four seven"),
        ("8 / 10", "eight out of ten"),
        ("100 / 3", "one hundred over three"),
        ("on 3 / 4 / 5", "on three four five"),
    ],
)
def test_without_a_result_they_are_ranges_and_shares(written, spoken):
    assert said(written) == spoken
