"""News told by the way: what is felt with it is shown, not with what only sounds like it."""

import pytest

from rt_avatar.engines.reply_ranker.fit import tone_of
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.nlu.grave import is_grave
from rt_avatar.reasoner.responses.news import SAYINGS, find_news, since_relief

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "news"),
    [
        ("the biopsy came back clean", "relief"),
        ("it wasn't cancer", "relief"),
        ("I was sure it was cancer. And it's nothing, it's just a cyst!", "relief"),
        ("the vet just came out hes going to make it oh my god", "relief"),
        ("They let him out of hospital this morning.", "relief"),
        ("They found my dog! Nine days she was gone!", "relief"),
        ("My son came back from deployment.", "relief"),
        ("We heard the heartbeat today.", "relief"),
        ("the fire brigade found our cat alive in the cellar", "relief"),
        ("It's only something she ate! She can come home tonight!", "relief"),
        ("im shaking, im that relieved", "relief"),
        ("They've offered me the manager job and I can hardly breathe", "joy"),
        ("i got in!! i actually got in", "joy"),
        ("frightening? no its GOOD news ava, i got in! im happy!", "joy"),
        ("I passed. After failing three times I passed.", "joy"),
        ("after all those rejections somebody wants to publish my novel", "joy"),
        ("im shaking i cant believe it they picked me", "joy"),
        ("my girlfriend said yes!!", "joy"),
        ("Oh, it's come. I don't dare open it. Wait. I've passed. I've passed!", "joy"),
        ("we won the cup", "joy"),
        ("We've only won it!", "joy"),
        ("He rang from the ward. It's a little girl!", "joy"),
        ("We're expecting! Twelve weeks today!", "joy"),
        ("my sister had a little girl at four this morning", "joy"),
        ("He's leaving me after nineteen years.", "blow"),
        ("she said she never loved me", "blow"),
        ("they're closing the plant, all four hundred of us", "blow"),
        ("My brother is missing since Tuesday.", "blow"),
        ("The bank took the house.", "blow"),
        ("It's spread to her liver.", "blow"),
        ("I got laid off this morning.", "blow"),
        ("it's the first Christmas without her", "loss"),
        ("dad's been gone a year today", "loss"),
        ("My wife gets quiet then. We lost one last year, nobody knows.", "loss"),
        ("My brother got dumped at the altar, poor guy.", "theirs"),
        ("dad lost his job and pretends he still goes", "theirs"),
        ("I messed up the invoice and my boss had to apologise.", "guilt"),
        ("i snapped at my mum on the phone and now she wont pick up", "guilt"),
        ("It was me who left the gate open.", "guilt"),
        ("my boss had to stay till midnight because of my mistake", "guilt"),
        ("I promised him I'd come and I didn't.", "guilt"),
    ],
)
def test_news_are_heard_in_the_words_in_which_they_are_told(text, news):
    assert find_news(text) == news


@pytest.mark.parametrize(
    "text",
    [
        "the biopsy came back and it's not clean",
        "I hope the scan is clear.",
        "they found no trace of him, two days now",
        "I got in late last night.",
        "I nearly passed. Two points short.",
        "after all those years nobody wants to publish my novel",
        "they picked me up at six",
        "I asked her if she wanted an elephant for tea. She said yes.",
        "I've got a job where I have to think",
        "we've got the mortgage to pay",
        "He's leaving work at six.",
        "She left me a message.",
        "they're closing the road for two days",
        "Is he leaving me?",
        "I served prawns to my aunt and she didn't recognise me.",
        "they let go of the rope",
        "they've offered me a cup of tea",
        "he's got weeks of holiday left",
        "it's the first week back at work",
        "my brother is coming on Tuesday",
        "we lost one last year, but this season we lead the league",
        "he'll be thirty today",
        "My boss messed up the invoice and I had to apologise.",
        "my mum snapped at me on the phone",
        "they said its my fault because i paid early",
        "I lied down for an hour.",
        "I shouted at the telly.",
        "I didn't mess it up, he did.",
        "If I got the job I'd move.",
        "I've passed the shop twice.",
        "I've won the argument, I suppose.",
        "We nearly won.",
        "If we won the cup I'd cry.",
        "It's a girl thing.",
    ],
)
def test_what_only_sounds_like_news_is_none(text):
    assert find_news(text) is None


def test_what_is_good_and_bad_at_once_is_left_to_others():
    assert find_news("I got the job. He's leaving me.") is None


def test_sayings_are_safe_and_of_one_tone():
    for news, sayings in SAYINGS.items():
        assert not [one for one in sayings if find_unsafe(one)]
        if news in ("relief", "joy", "blow"):
            assert {tone_of(one) for one in sayings} <= {-1 if news == "blow" else 1, 0}


@pytest.mark.parametrize(
    ("turns", "good"),
    [
        (["I went round to the shop this morning.", "he's leaving me after nineteen years"], False),
        (["They're shutting the plant in March."], False),
        (["it's the first Christmas without her"], False),
        (["The scan came back clear! No cancer!"], True),
        (["We're expecting! Twelve weeks today!"], True),
    ],
)
async def test_news_are_met_with_what_is_felt(call, turns, good):
    said = (await call(*turns))[-1]
    kinds = ("relief", "joy") if good else ("blow", "loss")
    assert any(one in said for kind in kinds for one in SAYINGS[kind])


async def test_who_did_wrong_is_neither_pitied_for_another_nor_told_go_on(call):
    said = await call("I messed up the invoice and my boss had to apologise to the client.")
    assert said[-1] in SAYINGS["guilt"]


@pytest.mark.parametrize(
    "text",
    [
        "I thought I'd failed my theory test but I only went and passed",
        "we thought the cake was ruined and everyone had three slices",
        "I'd convinced myself it was something awful and it was only a pulled muscle",
        "I was sure everyone would laugh at me and they clapped",
        "i thought i'd hate the new house and i dont",
        "I thought my son had forgotten my birthday and he drove six hours",
        "I'd been so worried about the results and they were normal",
        "I was dreading the meeting, honestly felt sick, and she was so kind about it.",
        "the dog was lost for two days and then last night he just walked in through the gate",
        "my suitcase went missing in Rome, turned up on the doorstep this morning",
        "lost my purse on the bus and a lad ran after me with it",
    ],
)
def test_what_was_feared_or_lost_and_ended_well_is_a_relief(text):
    assert find_news(text) == "relief"


@pytest.mark.parametrize(
    "text",
    [
        "I thought I'd hate it and I did",
        "I thought he'd never leave me but he did",
        "I thought nothing could go wrong and then the car died",
        "I was sure I'd failed and I had",
        "I thought it was nothing serious but it's cancer",
        "I was scared it was too late and I still don't know",
        "I thought she was dead and so did everyone",
        "I'm scared of him and he was never kind",
        "I was nervous about it and it was not good",
        "I'm worried about her and everyone was fine with it but me",
        "I thought she was mad at me but she won't say",
        "i thought i'd lost him and then i really lost him",
        "I lost my keys and my wife walked in",
        "I got the job, and then they rang back and said it was a mistake.",
        "I've just got the flat how I like it",
        "I got the house ready for them",
    ],
)
def test_what_came_as_feared_or_went_wrong_is_none(text):
    assert find_news(text) not in ("relief", "joy")


async def test_who_feared_in_vain_is_not_pitied(call):
    for text in (
        "I thought I'd failed my theory test but I only went and passed",
        "the dog was lost for two days and then last night he just walked in through the gate",
        "i thought i'd hate the new house and i dont",
    ):
        assert tone_of((await call(text))[-1]) == 1


async def test_who_was_laughed_at_hears_no_smile(call):
    for turns in (
        ["So I asked my boss for the raise. He laughed."],
        ["The neighbour's put his fence on our side.", "I tried, but he just laughed and left."],
    ):
        said = (await call(*turns))[-1]
        assert tone_of(said) != 1
        assert "smile" not in said


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (("I'm waiting for my scan, I'm so scared.", "It wasn't cancer!", "We had chips."), 2),
        (("I'm waiting for my scan, I'm so scared.", "My sister came with me."), 2),
        (("My dad died in May.", "It wasn't cancer, my own scan.", "We had chips."), 3),
    ],
)
def test_what_was_feared_is_over_with_a_relief_and_a_death_is_not(said, kept):
    assert since_relief(said) == said[-kept:]


@pytest.mark.parametrize(
    "text",
    [
        "I thought it was cancer and it's everywhere.",
        "I was scared it was cancer. And it's spread to my liver.",
        "I was convinced it was cancer. And they found a tumour.",
        "We were scared it was cancer. And now he's on chemo.",
        "I was sure it was cancer. And it's stage four.",
        "I thought I'd lost him. And then they rang from intensive care.",
    ],
)
def test_what_was_feared_and_is_so_is_no_relief_and_stays_grave(text):
    assert find_news(text) != "relief"
    assert is_grave(text)
