"""Who asks whether they are odd, silly or bad hears a true word; illness and harm get none."""

import pytest

from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.reasoner.responses.comforts import COMFORTS
from rt_avatar.reasoner.responses.questions import find_asked
from rt_avatar.reasoner.responses.solace import find_solace
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "solace"),
    [
        ("i was angry at him for days. not sad, angry. is that normal?", "normal"),
        ("i check my phone every five minutes. does everyone get like this after a breakup",
         "normal"),
        ("i laughed at the funeral, i couldnt stop. whats wrong with me", "normal"),
        ("i cant sleep and i keep reading the same page. is it normal to be like this", "normal"),
        ("Sometimes I wish it were over. Does that make me a terrible person?", "bad"),
        ("I felt relieved when it was over. Am I awful for that?", "bad"),
        ("i love him but is it bad that some days i dont want to hold him", "bad"),
        ("I'm jealous of her, my own sister. What kind of person does that make me?", "bad"),
        ("Some mornings I don't want to go. I'm a horrible wife, aren't I?", "bad"),
        ("i hoped it would rain on her. thats awful isnt it", "bad"),
        ("i felt lucky. who feels lucky when his mate dies", "bad"),
        ("i was disappointed for like a minute. what sort of mother is that", "bad"),
        ("i cried over a broken mug at work. am i being childish?", "silly"),
        ("I've cried about it three times. Tell me honestly, am I overreacting?", "silly"),
        ("Is it silly that I'm still hurt about it? It was forty years ago.", "silly"),
        ("I'm so scared. It's stupid to be scared of a needle at my age, isn't it?", "silly"),
        ("I cried in the car. Is that ridiculous or what", "silly"),
        ("i shut myself in the garage just to breathe. bad isnt it", "bad"),
        ("I slept eight hours for the first time in years. Does that make me heartless?", "bad"),
        ("i want her to feel as bad as i do. im not a nice person am i", "bad"),
        ("and i still miss him. how messed up is that", "bad"),
        ("I went into her room and howled. do other mothers do this?", "normal"),
        ("fourth time, i cried in front of the examiner, am i just thick", "silly"),
        ("I'm scared of the dark. At my age. Ridiculous, isn't it?", "silly"),
        ("I shouted at my mum. Am I a bad daughter?", "done"),
    ],
)  # fmt: skip
def test_what_is_asked_of_ones_own_feelings_is_heard(text, solace):
    assert find_solace(text) == solace


@pytest.mark.parametrize(
    "text",
    [
        "is it normal for a boiler to make that noise?",
        "He asked was it normal for me to sleep so late.",
        "My boss is a terrible person, isn't he?",
        "is it bad that i want pizza for breakfast lol",
        "Is my blood pressure normal at 150 over 95?",
        "am i being too loud?",
        "I told her she was being childish.",
        "is it normal to bleed this long after a birth",
        "Am I the only one who thinks that tea shop's gone downhill?",
        "i hit him so hard he had a mark. am i a terrible mother?",
        "My ex rang. He asked me, am I a monster? I said yes.",
        "I haven't eaten for four days and I feel fine, is that normal?",
        "i hear voices at night and i'm scared, is that normal?",
        "I'm so tired and I drink every night. Am I a bad father?",
        "i cant feel my chest, i'm scared, is that normal?",
        "he cries at adverts, is that normal for a man?",
        "Is it normal that shops close at five here?",
        "is it that awful film with the shark?",
        "I want him dead. Am I awful?",
        "the weather's back. dreadful, isn't it?",
        "is it wrong that i want to go again",
        "does everyone snore a bit",
        "I had three whiskies before lunch. Is that bad?",
        "she's two. is it normal she doesn't talk yet",
        "he's a bad person isn't he",
        "am i being thick or is the chart wrong",
    ],
)
def test_illness_harm_and_what_is_not_of_themselves_get_no_such_word(text):
    assert find_solace(text) is None


def test_a_deed_told_before_is_what_they_ask_about():
    told = ["i snapped at my little girl", "she looked at her plate", "like she was scared"]
    assert find_solace("i was late for work, but thats no excuse is it?", told) == "done"


def test_who_was_harmed_is_not_to_blame():
    told = ["A man grabbed me in the cold store today.", "He laughed. I couldn't move."]
    assert find_solace("Is it my fault, because I didn't do anything?", told) == "blamed"
    assert find_solace("Is it my fault?", ["He hasn't rung for a week."]) is None
    assert find_solace("is it my fault", ["my son is gay"]) is None


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (("My father walked out when I was six.", "That's a lot to carry."),
         "Is it silly that I'm still hurt about it? It was forty years ago."),
        (("my brother died in march", "I'm so sorry."),
         "i was angry at him for days. is that normal?"),
        (("He apologised this morning, sort of. It hurt. Am I being childish?", "I see. Go on."),
         "I asked you something. Am I being childish, minding so much?"),
    ],
)  # fmt: skip
async def test_who_asks_hears_it_whatever_else_could_be_said(nano, before, text):
    _, said = await reply_of(nano, asked(text, *before))
    assert any(said.endswith(one) for ways in COMFORTS.values() for one in ways)


def test_no_self_reproach_is_agreed_with_and_no_joke_is_weighed():
    assert find_asked("I'm a horrible wife, aren't I?") == "worth"
    assert find_asked("is it bad that i want pizza for breakfast lol") == "odd"
    assert find_asked("The doctor asked was it normal for me to sleep so late.") is None


def test_the_words_are_safe_and_give_no_advice():
    said = [one for ways in COMFORTS.values() for one in ways]
    assert len(set(said)) == len(said)
    assert not [one for one in said if find_unsafe(one) or "should" in one or "try " in one]
