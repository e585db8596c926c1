"""Who answers neither yes nor no is asked for the rest, and not told back a word of it."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.halves import HALVES, ask_for_rest, find_half
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("last", "text", "half"),
    [
        ("Poor knee. Is it very painful?", "a bit", "partly"),
        ("Are you nervous?", "kind of", "partly"),
        ("Are you looking forward to it?", "Sort of, yeah.", "partly"),
        ("Are you settled?", "A little bit, I guess.", "partly"),
        ("Would you call it a loss?", "in a way i suppose", "partly"),
        ("Do you argue often?", "sometimes", "at_times"),
        ("Does it stop you sleeping?", "on and off yeah", "at_times"),
        ("Will you stay?", "It depends.", "depends"),
        ("Do you regret it?", "Yes and no.", "depends"),
        ("Which one do you like better?", "both", "both"),
        ("Is that sad or a relief?", "bit of both", "both"),
        ("Is that sad or a relief?", "Neither, really.", "neither"),
    ],
)
def test_an_answer_that_is_neither_yes_nor_no_is_heard(last, text, half):
    assert find_half(text, last) == half


@pytest.mark.parametrize(
    ("last", "text"),
    [
        ("Is it very painful?", "A bit of rest should sort it."),
        ("Are you nervous?", "It's a kind of teaching job."),
        ("How are you?", "Kind of you to ask."),
        ("Do you argue often?", "Sometimes I think he does it to wind me up."),
        ("Does it stop you sleeping?", "sometimes the cat does"),
        ("Will you stay?", "depends on the rent really"),
        ("Which one do you like better?", "Both my sisters live in Leeds."),
        ("Are your parents well?", "both"),  # of whom was told
        ("How often did you sing?", "now and then"),  # says how often
        ("How much did you eat?", "a bit"),
        ("Who will you miss?", "mostly the altos"),
        ("I'm listening.", "a bit"),
        ("How lovely!", "kind of"),
        ("Were you upset?", "yes"),
        ("", "sometimes"),
    ],
)
def test_what_has_the_same_words_or_answers_something_else_is_none(last, text):
    assert find_half(text, last) is None


async def test_who_answers_by_half_is_asked_for_the_rest(nano):
    request = asked("kind of", "I start at the school on Monday.", "Are you nervous?")
    _, said = await reply_of(nano, request)
    assert said in HALVES["partly"]


async def test_a_half_answer_where_somebody_died_or_may_be_in_danger_keeps_its_own_reply(nano):
    every = {one for sayings in HALVES.values() for one in sayings}
    for told, last in (
        ("My husband hits me.", "I'm so sorry. Are you safe right now?"),
        ("My mother died on Sunday.", "I'm so sorry. Were you close?"),
    ):
        _, said = await reply_of(nano, asked("sort of", told, last))
        assert said not in every


def test_the_rest_is_asked_for_in_other_words_each_time_and_safely():
    for half, sayings in HALVES.items():
        own: list[str] = []
        for _ in sayings:
            own.append(ask_for_rest(half, "a bit", own))
        assert sorted(own) == sorted(sayings)
        assert not [one for one in sayings if find_unsafe(one)]
