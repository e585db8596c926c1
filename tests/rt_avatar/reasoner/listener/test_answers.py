"""A few words that answer the avatar's question are said back, and not brushed aside."""

import pytest

from rt_avatar.reasoner.listener.courtesies import ANSWERED, TAKEN
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit

SCHOOL = ("My little boy starts school on Monday.", "Oh, how exciting! How old is he?")
KITTEN = ("I got a new kitten.", "How sweet! Boy or girl?")
TEACHER = ("I saw my old teacher at the market.", "Really! What was her name?")
COURSE = ("I've started a course.", "Oh, what in?")
PARTY = ("The neighbours had a party until three.", "Does it happen a lot?")


def taken(answer: str) -> list[str]:
    return [one.format(answer=answer) for one in TAKEN]


@pytest.mark.parametrize(
    ("said", "before", "answer"),
    [
        ("six", SCHOOL, "Six"),
        ("girl", KITTEN, "Girl"),
        ("Mrs Pringle", TEACHER, "Mrs Pringle"),
        ("bookkeeping", COURSE, "Bookkeeping"),
    ],
)
async def test_a_number_or_a_name_that_answers_is_said_back(nano, said, before, answer):
    assert (await reply_of(nano, asked(said, *before)))[1] in taken(answer)


@pytest.mark.parametrize(
    ("said", "answer"),
    [("yes, a scarf", "A scarf"), ("no, too salty", "Too salty"), ("yes, the will", "The will")],
)
async def test_what_stands_behind_a_yes_or_no_is_said_back(nano, said, answer):
    before = ("My gran taught me a lot.", "Oh. Is it any good?")
    assert (await reply_of(nano, asked(said, *before)))[1].startswith(answer)


async def test_what_answers_no_question_is_not_said_back_as_an_answer(nano):
    assert (await reply_of(nano, asked("Green ones.", *PARTY)))[1] in ANSWERED


@pytest.mark.parametrize(
    "said", ["no idea", "He's five and he sighs at me.", "not yet", "you know"]
)
async def test_what_is_no_bare_answer_is_not_said_back(nano, said):
    reply = (await reply_of(nano, asked(said, *SCHOOL)))[1]
    assert not any(reply.endswith(one.partition("}")[2]) for one in TAKEN)


async def test_a_number_of_things_is_no_number_of_guests(nano):
    exams = ("I've got exams all week.", "That sounds like a lot. How many have you got?")
    assert "table" not in (await reply_of(nano, asked("four", *exams)))[1]
