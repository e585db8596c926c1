"""What a caller reproaches themselves with, and what only looks like it."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.regrets import SAYINGS, find_regret, meet_regret
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "regret"),
    [
        ("I should have been there when she fell.", "hindsight"),
        ("i shouldve called him back, he waited all evening", "hindsight"),
        ("If only I'd locked the gate.", "hindsight"),
        ("I can't forgive myself for leaving him there.", "hindsight"),
        ("I keep thinking if I'd driven slower we'd all be fine.", "hindsight"),
        ("I never told my father I loved him. I told him the gutters were clear.", "hindsight"),
        ("Last week I missed my son's school play. He was a tree.", "hindsight"),
        ("i should of gone with her to the scan", "hindsight"),
        ("i was horrible to my mum on the phone", "wrong"),
        ("I left him on his own on his birthday.", "wrong"),
        ("I told her I hated her. My own mum.", "wrong"),
        ("I never said sorry to her.", "wrong"),
        ("I promised the kids I'd be home and I wasn't. Again.", "wrong"),
        ("I said some horrible things to my husband last night.", "wrong"),
        ("I told her she never visited grandma anyway. That was mean.", "wrong"),
        ("I scratched my neighbour's car and drove off.", "wrong"),
    ],
)
def test_what_somebody_reproaches_themselves_with_is_heard(text, regret):
    assert find_regret(text) == regret


@pytest.mark.parametrize(
    "text",
    [
        "He should have been there for me.",
        "I should have bought the blue one, the red one is ugly.",
        "I should have known he'd win again, the lucky devil.",
        "I should be there by six.",
        "You should have seen her face!",
        "he never said sorry to me",
        "My neighbour was horrible to me on the phone.",
        "I should have gone to bed earlier.",
        "She said I made her cry.",
        "I never called the plumber, it stopped by itself.",
        "I broke his record on Saturday!",
        "The cat was sick on the rug, I should have known better and looked.",
        "If I go and something happens I'd never forgive myself.",
        "They blamed me for it but I wasn't even in.",
        "I made my sister cry with laughter.",
        "Should I have called him?",
    ],
)
def test_what_others_did_or_would_rather_have_been_is_none(text):
    assert find_regret(text) is None


def test_the_sayings_are_safe_ask_nothing_and_do_not_repeat():
    own: list[str] = []
    for _ in SAYINGS["wrong"]:
        own.append(meet_regret("I never said sorry to her.", own))
    assert len(set(own)) == len(SAYINGS["wrong"])
    for said in SAYINGS.values():
        assert not [one for one in said if find_unsafe(one) or "?" in one]


async def test_it_is_not_told_back(nano):
    for text in ("i shouldve called him back, he waited all evening", "If only I'd locked it."):
        assert (await reply_of(nano, asked(text)))[1] in SAYINGS["hindsight"]
