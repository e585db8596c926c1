"""Money, measures, ranges, marks and signs are said as they are meant."""

import pytest

from tests.engines.text.spoken import said

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("$5-10", "five to ten dollars"),
        ("$5-$10", "five to ten dollars"),
        ("$1-2 million", "one to two million dollars"),
        ("£3–4m", "three to four million pounds"),
        ("$20k-$30k", "twenty thousand to thirty thousand dollars"),
        ("$1.50-$2.75", "one dollar and fifty cents to two dollars and seventy five cents"),
        ("100-200 USD", "one hundred to two hundred dollars"),
        ("20-30k people", "twenty to thirty thousand people"),
        ("as easy as 1-2-3", "as easy as one two three"),
        ("10€-20€", "ten euros to twenty euros"),
        ("40-60 people", "forty to sixty people"),
    ],
)
def test_ranges_of_money_and_numbers_are_said_with_to(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("$10/month or $15/hr", "ten dollars per month or fifteen dollars per hour"),
        ("50mg/day, 3 times/week", "fifty milligrams per day, three times per week"),
        ("60 beats/min", "sixty beats per minute"),
        ("60 km/h", "sixty kilometers per hour"),
        ("he/she and/or day/night", "he she and or day night"),
        ("$5 / month, 3 times / week", "five dollars per month, three times per week"),
        ("once/day or twice / week", "once per day or twice per week"),
    ],
)
def test_a_slash_before_a_unit_is_per(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("8/10 or 7.5/10", "eight out of ten or seven point five out of ten"),
        ("4/5 stars", "four out of five stars"),
        ("50/50 and 80/20", "fifty fifty and eighty twenty"),
        ("50-50 and 80-20", "fifty fifty and eighty twenty"),
        ("2/3rds or 1/4th of it", "two thirds or a quarter of it"),
        ("20/20 vision", "twenty twenty vision"),
        ("3/10 of a mile, 3/4", "three tenths of a mile, three quarters"),
        ("120/80", "one hundred twenty over eighty"),
    ],
)
def test_marks_and_shares_are_no_fractions(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("CO2 and O2", "C O two and O two"),
        ("mp3, B12, PS5", "M P three, B twelve, P S five"),
        ("H100 runs Qwen2.5", "H one hundred runs qwen two point five"),
        ("covid19, COVID-19", "covid nineteen, covid nineteen"),
        ("CO₂, H₂O, C₆H₁₂O₆", "C O two, H two O, C six H twelve O six"),
        ("a V8, V2.0 or v2", "a V eight, version two point zero or version two"),
        ("1080p or 720p", "ten eighty P or seven twenty P"),
        ("1920x1080", "nineteen twenty by ten eighty"),
    ],
)
def test_digits_of_a_code_belong_to_it(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("≥ 18, ≤ 5, ±2", "at least eighteen, at most five, plus or minus two"),
        ("BMI > 30, <5 minutes", "B M I more than thirty, less than five minutes"),
        ("x^2 + y²", "X squared plus Y squared"),
        ("10² or 2³", "ten squared or two cubed"),
        ("π is 3.14", "pi is three point one four"),
        ("√16 = 4", "the square root of sixteen equals four"),
        ("5 m²", "five square meters"),
    ],
)
def test_signs_of_mathematics_are_said(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        (
            "1h30, 1h 30m, 2h5m",
            "one hour thirty minutes, one hour thirty minutes, two hours five minutes",
        ),
        ("3m 20s", "three minutes twenty seconds"),
        ("16:9", "sixteen to nine"),
        ("Psalm 23:4", "psalm twenty three four"),
        ('a 65" screen', "a sixty five inch screen"),
        ('He said "I have 12" and left', "he said i have twelve and left"),
        ("6 mo. or 5 yr", "six months or five years"),
    ],
)
def test_durations_ratios_and_inches(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("10%-20%", "ten to twenty percent"),
        ("5kg-10kg", "five to ten kilograms"),
        ("30 min - 2 hrs", "thirty minutes to two hours"),
        ("-40F or 37.5C", "minus forty degrees fahrenheit or thirty seven point five C"),
        ("10st 4lb, 21st", "ten stone four pounds, twenty first"),
        ("5m people, 5m tall", "five million people, five meters tall"),
    ],
)
def test_units_on_both_sides_of_a_range_and_small_letters_behind_numbers(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Take .5 mg", "take zero point five milligrams"),
        (".5% or -.5", "zero point five percent or minus zero point five"),
        ("a .22 rifle", "a zero point two two rifle"),
        ("$.99, $.5", "ninety nine cents, zero point five dollars"),
        ("5.25 mg", "five point two five milligrams"),
    ],
)
def test_a_decimal_may_begin_with_its_point(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("a $20 bill", "a twenty dollar bill"),
        ("An £8 note", "an eight pound note"),
        ("a $5 million home", "a five million dollar home"),
        ("a $5-10 tip", "a five to ten dollar tip"),
        ("a $3.5-million home", "a three point five million dollar home"),
        ("the $20 bill", "the twenty dollars bill"),
        ("a 5-lb bag, two 5-lb bags", "a five pound bag, two five pound bags"),
        ("a 2-hr drive", "a two hour drive"),
        ("a 10 km run", "a ten kilometer run"),
        ("more than 3 s late", "more than three seconds late"),
        ("a 90° turn, 90° angles", "a ninety degree turn, ninety degree angles"),
    ],
)
def test_what_tells_the_kind_of_a_thing_is_said_as_of_one(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("$4.5T", "four point five trillion dollars"),
        ("$3.5-million", "three point five million dollars"),
        ("$-5 or -$5", "minus five dollars or minus five dollars"),
        ("C$20, A$50", "twenty dollars, fifty dollars"),
        ("HK$100, NZ$1", "one hundred dollars, one dollar"),
    ],
)
def test_scales_signs_and_countries_of_money_stay_with_it(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("5 mcg, 100 µg, 1 \u03bcg", "five micrograms, one hundred micrograms, one microgram"),
        ("98 mg/dL", "ninety eight milligrams per deciliter"),
        ("5 dl", "five deciliters"),
        ("5.5 mmol/L", "five point five millimoles per liter"),
        ("80 mmHg", "eighty millimeters of mercury"),
        ("120/80 mmHg", "one hundred twenty over eighty millimeters of mercury"),
        ("500 IU", "five hundred international units"),
        ("5kms, 5 Km, 10KM", "five kilometers, five kilometers, ten kilometers"),
        ("12 fl oz, 8 fl. oz of it", "twelve fluid ounces, eight fluid ounces of it"),
        ("400 sq. ft. of it", "four hundred square feet of it"),
        ("5 sq km, 1 sq m, 2 sq mi", "five square kilometers, one square meter, two square miles"),
        ("9.8 m/s^2 or m/s²", "nine point eight meters per second squared or M S squared"),
        ("9.8 m/s²", "nine point eight meters per second squared"),
    ],
)
def test_doses_lab_values_and_distances_keep_their_unit(written, spoken):
    assert said(written) == spoken
