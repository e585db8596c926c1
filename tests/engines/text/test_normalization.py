"""What people and language models write is said as a person reading it aloud would say it."""

import pytest

from rt_avatar.engines.g2p.lexicon import load_lexicon
from rt_avatar.engines.text.normalization import normalize
from tests.engines.text.spoken import said

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("0 7 13 42 100 115 1,042", "zero seven thirteen forty two one hundred one hundred fifteen "
         "one thousand forty two"),
        ("3.14 and -5", "three point one four and minus five"),
        ("007", "zero zero seven"),
        ("1st 2nd 3rd 12th 21st", "first second third twelfth twenty first"),
        ("10-15 people", "ten to fifteen people"),
        ("3/4 of 2½, 1/2", "three quarters of two and a half, a half"),
        ("24/7", "twenty four seven"),
        ("50% or 3.5 %", "fifty percent or three point five percent"),
        ("#1", "number one"),
        ("~5", "about five"),
        ("2x 18+", "two times eighteen plus"),
        ("2 + 2 = 4", "two plus two equals four"),
        ("10^6", "ten to the power of six"),
        ("ZIP code 90210", "zip code nine zero two one zero"),
        ("flight 747 to room 101", "flight seven forty seven to room one oh one"),
        ("version 2.0.1", "version two point zero point one"),
    ],
)  # fmt: skip
def test_numbers(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("5:30", "five thirty"),
        ("10:05 a.m.", "ten oh five A M."),
        ("at 5pm sharp", "at five P M sharp"),
        ("12:00", "twelve o'clock"),
        ("17:45", "seventeen forty five"),
        ("May 3, 2024", "may third, twenty twenty four"),
        ("3 May 1999", "may third, nineteen ninety nine"),
        ("2024-05-03", "may third, twenty twenty four"),
        ("12/25/2023", "december twenty fifth, twenty twenty three"),
        ("25/12/2023", "december twenty fifth, twenty twenty three"),
        ("in 1984", "in nineteen eighty four"),
        ("in 2007", "in two thousand seven"),
        ("1990-1995", "nineteen ninety to nineteen ninety five"),
        ("the 1980s and the '90s", "the nineteen eighties and the nineties"),
    ],
)
def test_times_and_dates(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("$5", "five dollars"),
        ("$1", "one dollar"),
        ("$1,234.56", "one thousand two hundred thirty four dollars and fifty six cents"),
        ("$0.99", "ninety nine cents"),
        ("$5 million", "five million dollars"),
        ("$3.2bn", "three point two billion dollars"),
        ("€5.50 or £3", "five euros and fifty cents or three pounds"),
        ("99¢", "ninety nine cents"),
        ("5 km, 1 kg, 60 mph", "five kilometers, one kilogram, sixty miles per hour"),
        ("-5°C", "minus five degrees celsius"),
        ("16 GB", "sixteen gigabytes"),
        ("2½ lbs. of it", "two and a half pounds of it"),
        ("5'10\"", "five foot ten"),
    ],
)
def test_money_and_measures(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Dr. Smith lives on Baker St.", "doctor smith lives on baker street."),
        ("e.g. this, i.e. that, etc.", "for example this, that is that, et cetera."),
        ("in the U.S. She left", "in the U S. she left"),
        ("the U.S. Army", "the U S army"),
        ("NASA, FBI, XQTB", "nasa, fbi, X Q T B"),
        ("the US team is IT", "the U S team is I T"),
        ("please STOP IT now", "please stop it now"),
        ("LEAVE US alone, IT HURTS", "leave us alone, it hurts"),
        ("he left NASA IT for HR and IT here", "he left nasa I T for H R and I T here"),
        ("ask the IT TEAM about what US GDP was", "ask the I T team about what U S gdp was"),
        ("my GAD-7 and the PHQ-9, with WD-40", "my G A D seven and the P H Q nine, with W D forty"),
        ("3 GPUs", "three G P Us"),
        ("STOP DOING THAT US", "stop doing that us"),
        ("King Henry VIII", "king henry the eighth"),
        ("World War II, Chapter IV", "world war two, chapter four"),
        ("w/ sugar, w/o milk", "with sugar, without milk"),
        ("Wi-Fi's and O'Brien-McDonald's", "wi-fi's and o'brien mcdonald's"),
        ("idk btw", "i don't know by the way"),
        ("B2B, MP3, F-16s", "B two B, M P three, F sixteens"),
        ("plan B, a plan, A plan", "plan B, a plan, a plan"),
    ],
)
def test_abbreviations(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("john.doe@example.com", "john dot doe at example dot com"),
        ("https://www.example.com/about?x=1.", "example dot com slash about."),
        ("see bbc.co.uk", "see bbc dot C O dot U K"),
        ("(555) 123-4567", "five five five, one two three, four five six seven"),
        ("555-1234", "five five five, one two three four"),
        ("@jane #happy", "at jane hashtag happy"),
    ],
)
def test_addresses(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Call 911", "call nine one one"),
        ("call or text 988 now", "call or text nine eight eight now"),
        ("911 (US) or 112 (EU)", "nine one one, U S, or one one two, E U,"),
        ("call 988 24/7", "call nine eight eight twenty four seven"),
        ("text HOME to 741741", "text home to seven four one seven four one"),
        ('Text "help" to 85258.', "text help to eight five two five eight."),
        ("Samaritans free on 116 123", "samaritans free on one one six, one two three"),
        ("call Samaritans free on 116 123", "call samaritans free on one one six, one two three"),
        ("Lifeline: call 13 11 14", "lifeline: call one three, one one, one four"),
        ("0800 1111 or 020 7946 0958", "zero eight zero zero, one one one one or zero two zero, "
         "seven nine four six, zero nine five eight"),
        ("1-800-273-TALK", "one, eight hundred, two seven three, talk"),
    ],
)  # fmt: skip
def test_numbers_to_call_are_said_digit_by_digit(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("she called 300 people", "she called three hundred people"),
        ("I text 500 times a day", "i text five hundred times a day"),
        ("call me in 100 years", "call me in one hundred years"),
        ("$911 or 988 dollars", "nine hundred eleven dollars or nine hundred eighty eight dollars"),
        ("999 people", "nine hundred ninety nine people"),
        ("call me in 2026", "call me in twenty twenty six"),
    ],
)
def test_what_is_counted_beside_a_call_stays_a_number(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("**Bold** and `code`", "bold and code"),
        ("# Title\n\n- one\n- two", "title. one. two"),
        ("1. First\n2. Second", "one, first. two, second"),
        ("[here](https://a.com/b) now", "here now"),
        ('<speak>Hi <break time="1s"/>you</speak>', "hi you"),
        ("good 🙂 :) <3 day", "good day"),
        ("Wait... what?!", "wait… what?!"),
        ("this — that - those", "this— that— those"),
        ("salt & pepper, and/or", "salt and pepper, and or"),
        ("café naïve", "cafe naive"),
        ("my résumé, rosé wine, an exposé", "my rezumay, rozay wine, an expozay"),
        ("Résumés' and a rosé’s", "rezumays and a rozay's"),
        ("use .NET or a .env", "use dot net or a dot env"),
        ("Ｈｅｌｌｏ 𝐰𝐨𝐫𝐥𝐝", "hello world"),
        ("line one\nline two", "line one line two"),
    ],
)
def test_markup_and_signs(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [("٣.٥", "three point five"), ("١" * 19 + "st", "one " * 18 + "first")],
)
def test_digits_of_other_scripts_are_said(written, spoken):
    assert said(written) == spoken


def test_places_are_those_of_the_written_text():
    text = "Pay $5 million to Dr. Who."
    parts = normalize(text, load_lexicon())
    assert [text[part.start : part.end] for part in parts] == [
        "Pay", "$5 million", "to", "Dr.", "Who", "."
    ]  # fmt: skip


def test_what_is_passed_over_is_told_in_the_log(caplog):
    caplog.set_level("INFO")
    normalize("hello 好", load_lexicon())
    assert "1 characters" in caplog.text
