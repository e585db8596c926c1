"""Abbreviations are said as what they stand for where they are."""

import pytest

from tests.engines.text.spoken import said

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Mr. and Mrs. Lee", "mister and missus lee"),
        ("my dr. said", "my doctor said"),
        ("Mt Everest", "mount everest"),
        ("Call Dr. Lee", "call doctor lee"),
        ("on Elm Dr. near it", "on elm drive near it"),
        ("10 Downing St", "ten downing street"),
        ("5th Ave.", "fifth avenue."),
        ("St George in St. Louis", "saint george in saint louis"),
        ("at 10:30 St. Mary's opens", "at ten thirty saint mary's opens"),
        ("on Main St. He lives there", "on main street. he lives there"),
        ("at 5 Elm St. Call him", "at five elm street. call him"),
        ("at 12 N Oak Dr. Ask there", "at twelve N oak drive. ask there"),
        ("East St. Louis", "east saint louis"),
    ],
)
def test_titles_and_streets_are_told_by_their_place(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("John F. Kennedy", "john F kennedy"),
        ("and J. R. R. Tolkien", "and J R R tolkien"),
        ("Plan B. The rest", "plan B. the rest"),
        ("Vitamin C. Oranges", "vitamin C. oranges"),
    ],
)
def test_initials_of_a_name_end_no_sentence(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("AT&T or Q&A", "A T and T or Q and A"),
        ("C# and F#", "C sharp and F sharp"),
        ("LGBTQIA+", "L G B T Q I A plus"),
        ("an RN, rn", "an R N, right now"),
        ("AD 79, 476 AD, an ad", "A D seventy nine, four hundred seventy six A D, an ad"),
        ("salt &amp; pepper", "salt and pepper"),
        ("the ABS light, my abs", "the A B S light, my abs"),
    ],
)
def test_letters_about_signs_are_spelled(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("World War II's end", "world war two's end"),
        ("Elizabeth II's reign", "elizabeth the second's reign"),
        ("p. 45", "page forty five"),
        ("5 sq. miles or 5 sq miles", "five square miles or five square miles"),
    ],
)
def test_what_belongs_to_a_numbered_name_is_said_of_it(written, spoken):
    assert said(written) == spoken
