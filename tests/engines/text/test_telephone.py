"""Numbers that are called are said digit by digit, also where no verb of calling is near."""

import pytest

from tests.engines.text.spoken import said

pytestmark = pytest.mark.unit

SAMARITANS = "one one six, one two three"
LIFELINE = "one three, one one, one four"


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("You can reach Samaritans on 116 123.", f"you can reach samaritans on {SAMARITANS}."),
        ("Reach the Samaritans at 116 123", f"reach the samaritans at {SAMARITANS}"),
        ("Samaritans: 116 123", f"samaritans: {SAMARITANS}"),
        ("The Samaritans' number is 116 123", f"the samaritans number is {SAMARITANS}"),
        ("116 123 offers help", f"{SAMARITANS} offers help"),
        ("Contact Lifeline on 13 11 14.", f"contact lifeline on {LIFELINE}."),
        ("Lifeline (13 11 14)", f"lifeline, {LIFELINE},"),
        ("on 1800 55 1800", "on one eight zero zero, five five, one eight zero zero"),
        ("Shout is there on 85258", "shout is there on eight five two five eight"),
        ("The emergency number is 112", "the emergency number is one one two"),
        ("In an emergency, 112 works", "in an emergency, one one two works"),
        ("contact 111 or NHS 111", "contact one one one or N H S one one one"),
        ("Helpline: 14416", "helpline: one four four one six"),
        ("your number is 4521", "your number is four five two one"),
        ("reach us on 50808", "reach us on five zero eight zero eight"),
    ],
)
def test_helplines_are_said_digit_by_digit_without_a_verb_of_calling(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("contact 300 people", "contact three hundred people"),
        ("we reached 500 of them", "we reached five hundred of them"),
        ("reach 100", "reach one hundred"),
        ("my number is 300", "my number is three hundred"),
        ("In 1912 1500 died", "in nineteen twelve fifteen hundred died"),
        ("the text is 500 words", "the text is five hundred words"),
        ("call 300 million", "call three hundred million"),
    ],
)
def test_what_is_counted_beside_such_a_word_stays_a_number(written, spoken):
    assert said(written) == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("PIN 1234", "pin one two three four"),
        ("your code is 1984", "your code is one nine eight four"),
    ],
)
def test_a_code_is_no_year(written, spoken):
    assert said(written) == spoken
