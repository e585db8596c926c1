"""A reply does not end with a question that the caller has just answered."""

import pytest

from rt_avatar.engines.reply_ranker.fit import asks_what_is_known, questions_in
from rt_avatar.engines.reply_ranker.tense import asks_outcome, asks_past
from rt_avatar.reasoner.listener.reflective import ReflectiveReasoner
from rt_avatar.reasoner.listener.takeup import follow_up
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "said",
    [
        "I lost my wedding ring in the sea at Brighton on Saturday",
        "i told my parents i'm gay last night and my dad just hugged me",
        "my cat Mitzi had four kittens in my sock drawer this morning",
        "i have to give a speech at my sisters wedding and i'm dreading it",
        "He called me fat at dinner, in front of his parents, and nobody said a word.",
        "i asked my crush out today and she laughed at me",
        "my boyfriend surprised me with tickets to paris for our anniversary",
        "I've been feeling dizzy in the mornings for about a fortnight.",
        "Hello! I baked my very first sourdough and it actually rose!",
        "My garden's won first prize at the village show! For the dahlias!",
        "My daughter got engaged on Saturday! We're over the moon.",
        "I'm knitting a jumper for my grandson. It's got a digger on the front.",
        "i started boxing and i love it",
    ],
)
async def test_a_reply_does_not_ask_what_was_just_said(nano, said):
    reply = (await reply_of(nano, asked(said)))[1]
    assert not asks_what_is_known(reply, [said], [])


async def test_a_reply_does_not_ask_again_what_was_answered(nano):
    before = ("I cut my finger chopping onions.", "Oh no! Is it bad?")
    reply = (await reply_of(nano, asked("Just a nick, it's wrapped up.", *before)))[1]
    assert not asks_what_is_known(reply, [before[0], "just a nick"], [before[1]])


def test_who_told_what_they_said_is_not_asked_for_it():
    told, turn = "it wants to know which house is yours", "I said yes, it wants to know which one."
    for own in ([], ["And how do you see it?"], ["How does that sit with you?"]):
        assert follow_up("says", told, own, turn) not in ("", "What did you say to that?")


@pytest.mark.parametrize("thing", ["shop", "boat", "farm", "house", "piano", "caravan"])
async def test_a_feeling_that_was_asked_for_and_told_is_not_asked_for_again(thing):
    said = "Not great."
    before = (f"They sold the {thing} to pay for it.", "I see. How do you feel about that?")
    reply = (await reply_of(ReflectiveReasoner(), asked(said, *before)))[1]
    assert not asks_what_is_known(reply, [before[0], said], [before[1]])


@pytest.mark.parametrize(
    "said",
    [
        "I'm making marmalade, the whole kitchen smells of oranges.",
        "Morning, love. I'm making my mother's plum jam today.",
        "we're stuck on the motorway, nothing moves",
        "we're watching the match, it's two one",
    ],
)
async def test_who_is_in_the_middle_of_it_is_not_asked_how_it_came_out(nano, said):
    assert not asks_outcome(questions_in((await reply_of(nano, asked(said)))[1]))


@pytest.mark.parametrize(
    "said",
    [
        "My father turns ninety on the 12th, the whole family's flying in.",
        "im retiring on friday and i dont know who ill be on monday",
        "I've got an interview at three",
    ],
)
async def test_what_is_to_come_is_not_asked_after_as_if_it_was_over(nano, said):
    assert not asks_past(questions_in((await reply_of(nano, asked(said)))[1]))
