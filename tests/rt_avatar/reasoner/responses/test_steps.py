"""What a caller has made up their mind to do, and what only looks like it."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.steps import SAYINGS, find_step, meet_step
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("I'm going to hand in my notice on Monday.", "daring"),
        ("I think I'll go round and tell her to her face.", "daring"),
        ("i think im gonna tell my manager tomorrow that i cant do weekends any more", "daring"),
        ("I'll just go to the club on my own and see what happens.", "daring"),
        ("im going to say no this time", "daring"),
        ("so tomorrow im asking her out", "daring"),
        ("I'm going to ring the solicitor tomorrow and ask her to stop the sale.", "daring"),
        ("Right then, I'm going to ask for a raise on Friday.", "daring"),
        ("I think I'll ask him if he could stop at nine.", "daring"),
        ("so ive decided to call him tonight and just ask", "decided"),
        ("We've decided to sell the house and move nearer to my mum.", "decided"),
        ("I'm not going to answer his messages any more.", "decided"),
        ("ok thats it, im signing up for the evening course", "decided"),
        ("I've thought about it all week, and I'm going to let him have the dog.", "decided"),
        ("Maybe I'll write her a letter instead, she can read it when she likes.", "maybe"),
        ("theres a club on thursdays, maybe i'll go. bit scared though", "maybe"),
        ("I rang the doctor this morning and made an appointment, finally.", "done"),
    ],
)
def test_what_somebody_will_do_is_heard(text, step):
    assert find_step(text) == step


@pytest.mark.parametrize(
    "text",
    [
        "I'm going to the shops later.",
        "im going to be sick",
        "he's decided to move out",
        "I'm going to lose my job, I just know it.",
        "My sister says I should hand in my notice.",
        "She's going to hand in her notice on Monday.",
        "I can't decide whether to call him.",
        "I was going to tell her but then the train came",
        "if it rains I'll ask her for a lift",
        "I'm scared I'll tell him everything",
        "im gonna ask my mate for a lift",
        "Maybe I'll try the soup.",
        "I'm going to tell the kids a story before bed.",
        "im going to have a bath and then bed",
        "We've decided to call the baby Iris.",
        "I've decided to stop taking my tablets.",
        "I've made up my mind to end it.",
        "I'm going to die of embarrassment.",
        "Should I tell him the truth? I'll tell him the truth?",
        "I'll have to pay it all back by June.",
        "I finally told my friend I was into him. He rejected me.",
        "he said he'll ask her if she minds",
    ],
)
def test_what_is_feared_others_or_everyday_or_may_harm_is_no_step(text):
    assert find_step(text) is None


def test_it_is_not_met_twice_in_the_same_words_and_never_judged():
    own: list[str] = []
    for _ in SAYINGS["daring"]:
        own.append(meet_step("I'm going to say no this time.", own))
    assert len(set(own)) == len(SAYINGS["daring"])
    for said in SAYINGS.values():
        assert not [one for one in said if find_unsafe(one) or one.count("?") > 1]


async def test_a_step_is_met_also_behind_an_objection(nano):
    text = "Well, thanks. I think I'll ring her tomorrow and just say it straight."
    assert (await reply_of(nano, asked(text)))[1] in SAYINGS["daring"]
    text = "Why 'oh no'? It's a good thing. I'm going to say yes to the far one."
    told = ("I can't choose between the two.", "Oh no. I'm sorry.")
    said = (await reply_of(nano, asked(text, *told)))[1]
    assert any(said.endswith(one) for one in SAYINGS["daring"])
