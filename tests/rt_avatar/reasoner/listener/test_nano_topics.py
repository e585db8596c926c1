"""The default never lets two words of a topic, or of its own question, outweigh what was told."""

import itertools
import re
from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_ranker.bank import load_bank
from rt_avatar.engines.reply_ranker.fit import tone_of, without_nod
from rt_avatar.engines.reply_ranker.headings import Headings
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.messages import Affect, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ChatMessage, ReplyRequest
from rt_avatar.reasoner.listener import courtesies, phrases, takeup
from rt_avatar.reasoner.listener.bank import Bank
from rt_avatar.reasoner.listener.nano import NanoReasoner
from rt_avatar.reasoner.responses import quiet
from rt_avatar.reasoner.responses.questions import MET

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def nano() -> NanoReasoner:
    return NanoReasoner(TextEmotionClassifier(), ReplyRanker(), None)


def asked(text: str, *before: str, confidence: float = 1.0, **affect) -> ReplyRequest:
    """Return a caller's words after those of both sides, the caller's first."""
    turn = TurnId(len(before) + 1)
    heard = Transcript(turn, 800, text, True, confidence)
    history = tuple(map(ChatMessage, ("caller", "avatar") * len(before), before))
    return ReplyRequest(turn, heard, Affect(turn, 800, **affect), history, PERSONAS["ava"])


async def talk(nano, *turns: str) -> list[str]:
    """Return what is answered to a caller's turns, one after the other."""
    told: list[str] = []
    for text in turns:
        _, *clauses = [part async for part in nano.open().reply(asked(text, *told))]
        told += [text, " ".join(clause.text for clause in clauses)]
    return told[1::2]


def heading_of(answer: str) -> str:
    """Return the heading whose reply an answer ends with; empty where it has none."""
    found = [one for one in load_bank() if answer.endswith(without_nod(one.text))]
    return max(found, key=lambda one: len(one.text)).situation.name if found else ""


@pytest.mark.parametrize(
    "turns",
    [
        ("My wife left me.", "She took the kids."),
        ("He left me.", "He took the children with him."),
        ("My boyfriend dumped me.", "He baked with my son every week."),
        ("I hit my son.", "I've never done that before."),
        ("I shouted at my daughter.", "I've never done that before."),
        ("She told me I was selfish.",),
        ("My dad told me I was a disappointment.",),
        ("My boss told me I was no good at this.",),
        ("I'm nine weeks pregnant.", "We lost the last one."),
        ("We're expecting again.", "We lost the last one."),
        ("I might be pregnant.",),
        ("My best friend is getting married and I'm not invited.",),
        ("My best friend had a baby but I wasn't allowed to see her.",),
        ("My daughter graduated today and I couldn't be there.",),
        ("My son graduated yesterday but I couldn't go.",),
        ("I can't afford christmas this year.",),
        ("We couldn't have a christmas tree this year.",),
        ("I don't like my new haircut.",),
        ("I lost two stone.",),
        ("I lost ten kilos.",),
        ("There was a crash on the motorway.", "Two people died."),
        ("There was an accident on our street.", "Three people died."),
    ],
)
async def test_a_topic_in_two_words_makes_no_good_news(nano, turns):
    answer = (await talk(nano, *turns))[-1]
    assert tone_of(answer.replace("joy and fear", "").replace("glad you can say", "")) != 1
    for one in ("mood like", "charm", "memories", "magic", "fresh look", "at home", "surprise"):
        assert one not in answer


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("I took the kids to the zoo.", "a film or day with the children"),
        ("My teacher told me I was wonderful.", "praise, in words"),
        ("My best friend is getting married.", "a friend's joy or baby or success"),
        ("I got a haircut today.", "a haircut"),
        ("I think I'm gay.", "comes out"),
        ("I might be bi.", "comes out"),
        ("I lost two stone.", "lost weight, so and so much"),
        ("My daughter graduated today and I couldn't be there.", "a child's big day, missed"),
        ("My son got married but I wasn't invited.", "a child's big day, missed"),
        ("I'm expecting a baby.", "a baby on the way in the family"),
    ],
)
async def test_a_topic_that_nothing_speaks_against_is_known(nano, text, heading):
    assert heading_of((await talk(nano, text))[0]) == heading


async def test_who_left_is_spoken_of_as_before_and_comes_back_gladly(nano):
    _, answer = await talk(nano, "My cat ran away.", "She came back this morning!")
    assert tone_of(answer) == 1
    _, answer = await talk(nano, "I lost my keys.", "We took the kids to the zoo.")
    assert heading_of(answer) == "a film or day with the children"  # no longer of the keys


# --- what the avatar itself asks ----------------------------------------------------------------
# No answers to anything, as people go on.
WENT_ON = (
    "she laughed at me", "he came back with tea", "the vet thinks it's her kidneys",
    "he hasn't texted", "i shouted at my daughter", "they moved to spain",
    "my sister wants the house", "it just stopped working", "my boss was there too",
    "i left early", "she has a new boyfriend", "my mum is in hospital", "he might be right",
)  # fmt: skip
# Know a topic or a company, which none of the stock questions asks for.
TOPICS = (
    "what they make or have to eat", "who, together with", "who helps them", "who, nobody",
    "where they last had it", "what somebody said", "what it was about, a book or film",
    "when, something nice ahead", "when, something ahead that worries", "when, anything",
    "how many people", "somebody comes to fix it", "what happened in a dream", "no name yet",
)  # fmt: skip


def stock_questions() -> Iterator[str]:
    """Return every question that the rules' phrases end with."""

    def texts(found: object) -> Iterator[str]:
        if isinstance(found, str):
            yield found
        elif isinstance(found, Bank):
            for name in ("react", "event", "noun", "bare", "ask", "ask_noun", "person"):
                yield from texts(getattr(found, name))
        elif isinstance(found, Mapping):
            yield from texts(tuple(found.values()))
        elif isinstance(found, tuple):
            yield from itertools.chain.from_iterable(map(texts, found))

    for module in (takeup, courtesies, phrases, quiet):
        for name, found in vars(module).items():
            if name.isupper():
                yield from (one for one in texts(found) if one.endswith("?"))
    yield from (one for sayings in MET.values() for one in sayings if one.endswith("?"))


def test_no_stock_question_makes_what_follows_the_answer_to_a_topic():
    headings = list(dict.fromkeys(one.situation for one in load_bank()))
    index, every = Headings(headings), np.full(len(FINE), 1 / len(FINE))
    questions = {re.sub(r"\{\w+\}", "your job", one) for one in stock_questions()}
    assert len(questions) > 150
    wrong = [
        (question, text, headings[at].name)
        for question in questions
        for text in WENT_ON
        for at in next(
            filter(None, index.in_order(["it was tuesday", text], [question], every)), ()
        )
        if headings[at].name in TOPICS
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("turns", "never"),
    [
        (("i told my boss i quit", "he laughed at me"), "go down well"),
        (("he paid for dinner", "he hasn't texted"), "kitchen"),
        (("my cat is ill", "the vet thinks it's her kidneys"), "company"),
    ],
)
async def test_what_follows_a_question_of_the_avatars_makes_sense(nano, turns, never):
    assert never not in (await talk(nano, *turns))[-1]


# --- questions, and who would rather say nothing ------------------------------------------------
@pytest.mark.parametrize(
    ("turns", "kind"),
    [
        (("My cat is ill.", "Is it wrong to let her go?"), "doubt"),
        (("I had a miscarriage.", "I feel relieved.", "Is that awful of me?"), "doubt"),
        (("i hear someone walking", "am i going mad"), "doubt"),
        (("i quit my job", "did i do the right thing"), "doubt"),
        (("i broke up with him", "was that a mistake"), "doubt"),
        (("i shouted at my kids", "Oh god what have I done"), "doubt"),
        (("my son is gay", "is it my fault"), "doubt"),
        (("He never calls.", "why does he do that"), "other"),
        (("My wife left me.", "will she come back"), "other"),
        (("i lost my keys", "where did i put them"), "other"),
        (("I'm making a cake.", "does it need sugar"), "other"),
        (("My dog died.", "He was fourteen.", "Do you think dogs go to heaven?"), "grave"),
        (("My gran died.", "did she suffer"), "grave"),
        (("My dog is ill.", "when is he going to die"), "grave"),
    ],
)
async def test_a_question_is_met_as_one(nano, turns, kind):
    assert (await talk(nano, *turns))[-1] in MET[kind]


@pytest.mark.parametrize(
    ("turns", "heading"),
    [
        (("I'm new here.", "do you think i'm a failure"), "asks whether it judges them"),
        (("I love gardening.", "what about you"), "they ask back"),
        (("I like this.", "and how about you"), "they ask back"),
        (("I had a row with her.", "do you think she'll forgive me"),
         "they ask back what will become of it"),
        (("I love running.", "Have you ever been in a race, half or full marathons or so?"),
         "they ask back what the listener has or does"),
        (("I made soup.", "you know what"), "guess what, you know what"),
        (("I love music.", "can i tell you something"), "may I ask, I have a question"),
    ],
)  # fmt: skip
async def test_what_is_asked_of_the_avatar_is_answered_as_before(nano, turns, heading):
    assert heading_of((await talk(nano, *turns))[-1]) == heading


@pytest.mark.parametrize(
    ("turns", "never"),
    [
        (("I got diagnosed with MS today.", "What am I supposed to tell them?"),
         "asks how it works"),
        (("How do I know if I'm depressed?",), "asks how to do or begin something"),
        (("I forgot her birthday.", "How could I forget that?"),
         "asks how to do or begin something"),
        (("My mum is in a home now.", "Would you have done that?"),
         "asks for something else it can't"),
        (("My cat sleeps all day.", "Is that normal?"), "asks whether that is silly"),
    ],
)  # fmt: skip
async def test_what_is_asked_of_their_own_life_is_not_asked_of_the_avatar(nano, turns, never):
    assert heading_of((await talk(nano, *turns))[-1]) != never


@pytest.mark.parametrize(
    "text",
    [
        "I don't want to talk.",
        "I don't want to talk about it.",
        "No, I do not want to talk about him.",
        "I don't feel like talking.",
        "I'd rather not talk about it.",
        "I don't really want to talk about my mum.",
    ],
)
async def test_who_would_rather_not_talk_is_left_in_peace(nano, text):
    for turns in ((text,), ("My dad shouted at me.", text)):
        heading = heading_of((await talk(nano, *turns))[-1])
        assert heading in ("rather not talk about it", "rather not talk at all")


async def test_who_wants_to_talk_is_asked_to(nano):
    for text in ("I want to talk about my mum.", "I just want to talk."):
        assert (await talk(nano, text))[0].endswith("?")


# --- tears and praise ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    "turns",
    [
        ("I got three As.", "Mum cried."),
        ("I got the job!!", "My wife cried when I told her."),
        ("My son had his first school day.", "I cried in the car."),
        ("My daughter got into Oxford.", "We both cried."),
        ("I passed the bar exam.", "My dad cried."),
    ],
)
async def test_tears_over_good_news_are_not_pitied(nano, turns):
    assert tone_of((await talk(nano, *turns))[-1].replace("sad ones", "")) >= 0


@pytest.mark.parametrize(
    "turns",
    [
        ("I broke my collarbone.", "Six weeks off work.", "No sick pay.", "So that's great."),
        ("We lost the house.", "The kids are with my ex.", "That's just great."),
        ("My laptop crashed.", "So that's fantastic."),
        ("My phone is dead.", "I missed the bus.", "What a lovely start."),
    ],
)
async def test_praise_of_bad_luck_is_no_good_news(nano, turns):
    assert tone_of((await talk(nano, *turns))[-1]) != 1


# --- nothing is kept of another turn ------------------------------------------------------------
async def test_what_a_conversation_answered_before_changes_no_reply(nano):
    text, told = "I just said my cat had kittens", ("my cat had kittens", "What happened?")
    objects = asked(text, *told, confidence=0.45)
    for before in ("my cat had kittens", "I lost my keys yesterday."):
        conversation = nano.open()
        assert [part async for part in conversation.reply(asked(before))]
        said = [part async for part in conversation.reply(objects)]
        assert said == [part async for part in nano.open().reply(objects)]


async def test_a_look_while_listening_changes_no_reply(nano):
    text = "I finally passed my driving test today and I am so happy"
    conversation = nano.open()
    looks_sad = {"valence": -0.6, "confidences": {"sad": 0.8, "neutral": 0.1, "happy": 0.1}}
    await conversation.listen(asked(text, **looks_sad))
    heard = [part async for part in conversation.reply(asked(text))]
    assert heard == [part async for part in nano.open().reply(asked(text))]
