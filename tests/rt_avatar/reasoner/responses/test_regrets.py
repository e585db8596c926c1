"""What a caller reproaches themselves with, and what only looks like it."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.regrets import SAYINGS, find_regret, meet_regret
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
        ("I forgot my best friend's birthday. Completely. She waited all evening.", "wrong"),
        ("I read her diary. I know I shouldn't have.", "wrong"),
        ("She'd asked me to help and I just never turned up.", "wrong"),
        ("i told everyone what she told me in secret and now she wont speak to me", "wrong"),
        ("I've been horrible to him all week, for no reason at all.", "wrong"),
        ("When I was fifteen I took twenty pounds out of her purse.", "wrong"),
        ("and then i ghosted him. he hadnt done anything wrong", "wrong"),
        ("i promised him id come at christmas and then i just didnt", "wrong"),
        ("I called my brother a waste of space in front of everyone.", "wrong"),
        ("had a go at my wife over the washing up", "wrong"),
        ("i didnt turn up for my nephews christening, slept through it", "wrong"),
        ("i never paid her back what i owed her", "wrong"),
        ("I backed over their cat. I didn't see it.", "wrong"),
        ("I let my brother go to prison for something I did.", "wrong"),
        ("i said some shitty things about his girlfriend behind his back", "wrong"),
        ("I told her I was ill. I wasn't, I just couldn't face it.", "wrong"),
        ("he doesnt even know i failed. i told him i got a B", "wrong"),
        ("She asked me the same thing six times, and on the seventh I shouted.", "wrong"),
        ("I sold his when I was young, and I've been sorry ever since.", "wrong"),
        ("She wrote me four letters when she was ill and I didn't answer one.", "wrong"),
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
        "everyone forgot my birthday, even my kids",
        "I forgot the birthday cake in the fridge.",
        "he read my diary",
        "she thinks i didn't turn up for her party but i did",
        "every penny i owed her i paid back",
        "i backed into a parking space first try!",
        "She asked me to help and I went.",
        "She says I've been horrible to him.",
        "i told everyone what a lovely time we had",
        "I took twenty pounds out of the machine.",
        "my brother called me a waste of space",
        "I told her I was ill and she brought soup.",
        "My ex kept ringing. He wrote again and I didn't answer.",
        "They asked me three times and then I shouted yes!",
        "i told him the truth and he shouted at me",
        "I nearly hung up on her.",
        "I shouldn't have worried, it went fine.",
        "he doesn't know yet, I told her first",
        "I told him a joke about somebody else.",
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


@pytest.mark.parametrize(
    "text",
    [
        "i feel awful, i told my little girl off over a spilled cup of milk, i was so mean to her",
        "i cheated on my girlfriend there",
        "I shouted at my mum on the phone and put it down on her",
    ],
)
async def test_who_did_wrong_is_not_answered_as_if_it_was_done_to_them(nano, text):
    _, said = await reply_of(nano, asked(text, "hi", "Hello. What's on your mind?"))
    assert said in SAYINGS["wrong"]


async def test_shame_in_public_is_no_reply_to_guilt(nano):
    _, said = await reply_of(nano, asked("i snapped at my girl over a spilled cup of milk"))
    assert "floor" not in said
    assert "awkward" not in said
    assert "kind about it" not in said


async def test_a_mother_let_down_the_stairs_was_not_let_down(nano):
    _, said = await reply_of(
        nano, asked("i let her down the stairs one step at a time", "hi", "Hi.")
    )
    assert said not in SAYINGS["wrong"]
