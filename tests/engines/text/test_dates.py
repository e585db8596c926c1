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
        ("The party is 12/25", "the party is december twenty fifth"),
        ("due 3/15, since 9/15", "due march fifteenth, since september fifteenth"),
        ("after 3/5 or till 3/6", "after march fifth or till march sixth"),
        ("starting 3/5 through 3/6", "starting march fifth through march sixth"),
        ("Wed 3/15 or Friday, 3/17", "wednesday march fifteenth or friday, march seventeenth"),
        ("from 3/5 to 3/12", "from march fifth to march twelfth"),
        ("it was 9/15", "it was september fifteenth"),
        ("12/31 and (12/25)", "december thirty first and, december twenty fifth,"),
    ],
)
def test_a_day_without_a_year_is_no_fraction(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("from 1/5 to 3/5", "from one fifth to three fifths"),
        ("is 3/4 or 5/16", "is three quarters or five sixteenths"),
        ("I got 9/14", "i got nine fourteenths"),
        ("after 1/5 of it", "after one fifth of it"),
    ],
)
def test_a_share_is_no_day(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("on 04-07-2023", "on april seventh, twenty twenty three"),
        ("by 12-25-2024", "by december twenty fifth, twenty twenty four"),
        ("25-12-2024", "december twenty fifth, twenty twenty four"),
        ("in 1066", "in ten sixty six"),
        ("the year 1042", "the year ten forty two"),
        ("1050 people", "one thousand fifty people"),
    ],
)
def test_dates_with_hyphens_and_early_years(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("1250 €", "one thousand two hundred fifty euros"),
        ("1250 USD or 1250 dollars", "one thousand two hundred fifty dollars or one thousand two "
         "hundred fifty dollars"),
        ("1200 °C", "one thousand two hundred degrees celsius"),
        ("1500 mg", "one thousand five hundred milligrams"),
        ("1800 km", "one thousand eight hundred kilometers"),
        ("2013 mg", "two thousand thirteen milligrams"),
        ("1500-2000 mg", "one thousand five hundred to two thousand milligrams"),
        ("1200–1500 kcal", "one thousand two hundred to one thousand five hundred kilocalories"),
        ("2010-20 mg", "two thousand ten to twenty milligrams"),
        ("1200 W 5th St", "twelve hundred W fifth street"),
    ],
)  # fmt: skip
def test_a_number_with_a_unit_or_money_is_no_year(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("See you Thu at 5", "see you thursday at five"),
        ("on Tue or Tues", "on tuesday or tuesday"),
        ("in Feb, Apr, Jul", "in february, april, july"),
        ("Aug and Sept, Oct, Nov", "august and september, october, november"),
        ("Open Mon, Wed, Fri.", "open monday, wednesday, friday."),
        ("Sat & Sun", "saturday and sunday"),
        ("At 5pm, Jan called", "at five P M, jan called"),
        ("Sat 5pm, Fri at 5", "saturday five P M, friday at five"),
        ("Jan and Mar, Jun or Dec", "january and march, june or december"),
        ("the Sun at 5, Jan at home", "the sun at five, jan at home"),
    ],
)
def test_short_names_of_days_and_months_without_a_stop(written, spoken):
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
