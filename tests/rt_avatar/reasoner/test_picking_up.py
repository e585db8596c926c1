"""What a mere nod gives way to, and what is kept."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.nods import kind_of
from rt_avatar.reasoner.picking_up import ACTS, picked_up
from rt_avatar.reasoner.weighing import WEIGHING
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit

_NOD = "Tell me a little more."


def _picked(text, reply=_NOD, mood="unclear", told=(), own=(), *, tells_back=True):
    kind = kind_of(reply, text, None)
    return picked_up(reply, kind, mood, text, told, own, tells_back=tells_back)


@pytest.mark.parametrize(
    ("reply", "text", "kind"),
    [
        ("Tell me more.", "He sold the boat.", "nod"),
        ("I can imagine.", "He sold the boat.", "nod"),
        ("To the paint mixer?", "I gave it to the paint mixer", "scrap"),
        ("So your wife's allergic.", "My wife's allergic.", "scrap"),
        ("Mm, you run a shop.", "we run a shop", "scrap"),
        ("A hammock? Tell me about it.", "I put up a hammock.", "news"),
        ("Under the big red flowerpot?", "It's under the big red flowerpot.", "news"),
        ("What was that like?", "I sang.", "vague"),
        ("That's hard.", "I'm lost.", "taken"),
        ("So he sold it. What did you say to that?", "He sold it.", "other"),
        ("That must have been cold.", "We slept in the van.", "other"),
    ],
)
def test_how_much_a_reply_says_is_known(reply, text, kind):
    assert kind_of(reply, text, None) == kind


def test_a_nod_gives_way_and_what_says_more_does_not():
    text = "we move on saturday"
    assert "Saturday" in _picked(text)
    assert _picked(text, "That must be a lot of boxes.") == "That must be a lot of boxes."
    assert _picked(text, mood="funny") == _NOD  # what is laughed at is not taken apart
    assert _picked("Do we move on Saturday?") == _NOD


def test_to_what_is_felt_a_question_is_added():
    said = _picked("The longer I wait the worse it gets.", "That's hard.", "unpleasant")
    assert said.startswith("That's hard. ")
    assert said.endswith("?")


def test_no_third_question_in_a_row_and_none_twice():
    text = "I haven't told my brother yet."
    own = ("What was that?", "And how is that for you?")
    assert "?" not in _picked(text, own=own)
    own = ()
    for _ in range(6):
        own = (*own, "I see.", _picked(text, own=own))
    new = [one for one in own if one not in (_NOD, "I see.")]
    assert len(new) == len(set(new))


def test_their_own_words_are_left_out_where_enough_was_told_back():
    text = "I've been on the waiting list for six years."
    assert "six years" in _picked(text)
    assert "six years" not in _picked(text, tells_back=False)


def test_how_somebody_gets_on_with_who_is_not_of_the_family_is_asked_and_not_of_a_son():
    text = "he's very strict"
    far = {_picked(text, told=("We've got a new foreman.",), own=("I see.",) * n) for n in range(3)}
    near = _picked(text, told=("It's about my son.",))
    assert any("get on" in one or "be around" in one for one in far)
    assert "get on" not in near
    assert "around" not in near


def test_nothing_that_may_be_said_advises_judges_or_asks_two_things():
    for act in ACTS:
        for one in (*act.asks, *act.says):
            plain = one.replace("{", "").replace("}", "")
            assert not find_unsafe(plain), one
            assert one.count("?") <= 1, one
            assert not {"should", "must", "try"} & set(plain.lower().split()), one
        assert act.says or act.is_soft, act.name


async def test_grave_turns_are_left_to_what_is_said_to_them(nano):
    weighed = {one for act in WEIGHING for one in (*act.asks, *act.says)}
    text = "I don't know whether to tell the kids that my husband died or wait till morning."
    assert (await reply_of(nano, asked(text)))[1] not in weighed


async def test_a_later_turn_is_picked_up_by_what_it_does(nano):
    told = ("I play in a brass band.", "How did that begin?")
    said = (await reply_of(nano, asked("They're choosing the soloist on Thursday.", *told)))[1]
    assert "Thursday" in said
