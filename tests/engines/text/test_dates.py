"""Dates, times and years are said as they are meant."""

import pytest

from tests.engines.text.spoken import said

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("9am-5pm, 3-4pm", "nine A M to five P M, three to four P M"),
        ("9 a.m. - 5 p.m. daily", "nine A M to five P M daily"),
        ("7:30–8:00", "seven thirty to eight o'clock"),
        ("Mon-Fri, Jan–Mar", "monday to friday, january to march"),
        ("May 3-5", "may third to fifth"),
        ("June 10–12, 2024", "june tenth to twelfth, twenty twenty four"),
        (
            "2023-24 or 1939-45",
            "twenty twenty three to twenty four or nineteen thirty nine to forty five",
        ),
        ("the 2019/20 season", "the twenty nineteen twenty season"),
        ("2024-05", "may twenty twenty four"),
    ],
)
def test_from_one_time_to_another_is_said_with_to(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("the 3rd of May", "the third of may"),
        ("3rd of May 2020", "third of may, twenty twenty"),
    ],
)
def test_a_day_keeps_the_order_in_which_it_is_written_with_of(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("on 12/25", "on december twenty fifth"),
        ("by 25/12", "by december twenty fifth"),
        ("on 1/2 cup", "on a half cup"),
    ],
)
def test_a_day_without_a_year_is_no_fraction(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("100s of people", "hundreds of people"),
        ("in 30s", "in thirties"),
    ],
)
def test_hundreds_are_no_seconds(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("at 3.30pm or 7.15 a.m.", "at three thirty P M or seven fifteen A M."),
        ("it is 3.30", "it is three point three zero"),
        ("Sun, Dec 5", "sunday, december fifth"),
        ("the sun, may I", "the sun, may i"),
        ("c. 1900", "circa nineteen hundred"),
    ],
)
def test_times_with_a_full_stop_and_short_names_of_days(written, spoken):
    assert said(written) == spoken
