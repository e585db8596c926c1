"""What is grave, and how the default answers it where no reply was written for it."""

import itertools

import pytest

from rt_avatar.engines.reply_ranker.fit import questions_in, tone_of
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.messages import Plan
from rt_avatar.reasoner.listener.phrases import FEELS
from rt_avatar.reasoner.nlu.grave import find_grave, is_grave
from rt_avatar.reasoner.responses.quiet import (
    ASKED,
    FELT,
    HEARD,
    MAY,
    NOT_KNOWN,
    ROOM,
    SORRY,
    find_question,
)
from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit

# Death, violence, illness, war and fire, of which the bank has no topic.
SORROWS = (
    "she went from the ward straight to the hospice",
    "I coughed all through the funeral and then he died too",
    "we played at her funeral on friday",
    "Our little boy would have been five today.",
    "My father used to beat us with a belt.",
    "She was murdered.",
    "I was mugged at knifepoint on my way home",
    "My whole village was bombed.",
    "I sat with my grandfather while he took his last breath, and he smiled.",
    "My mother is in a coma.",
    "I dreamt of my dead sister again, and in the dream she was laughing",
    "My sister lost her twins at thirty weeks.",
    "I lost everything in the fire, even the photos of my mum.",
    "A boy from my class drowned in the lake.",
    "We had to turn off the machines.",
    "i have to decide by monday whether we put her to sleep",
    "He left me his old guitar when he passed.",
    "we buried mum on friday",
    "There was a shooting at my old school",
    "we lost a little boy today",
    "my uncle touched me when i was little",
    "when i was twelve my stepdad used to come into my room",
    "my boss touched me",
    "My first husband hit me when I was young",
    "I wrote letters to my kids and I can't bear it anymore",
    "I'm such a burden to everyone",
)
SERIOUS = (
    "My husband has to go to prison for three years.",
    "I've been clean for three years, but last night I had a drink.",
)
FIGURES = (
    "grandma says over her dead body",
    "nothing, it coughs like my uncle and dies",
    "he tells one about a donkey at every funeral",
    "The funeral ribbons got mixed with the wedding ones.",
    "we sold cupcakes for the hospice and made two hundred",
    "I do the flowers for funerals mostly",
    "Nobody died, it's only a car.",
    "I was sure it was cancer. And it's nothing, it's just a cyst!",
    "my phone died in the middle of the call",
    "I'm dying to see the new film",
    "She absolutely killed it on stage last night!",
    "I'm dead tired",
    "My plants keep dying on me",
    "I beat cancer! Five years today.",
    "I shot some photos of the wedding and they came out great",
    "The traffic was murder today",
    "That joke killed me",
    "I waved when he passed by on his bike",
    "We won, I scored a last minute shot!",
    "We had a glass of wine on the balcony and watched the sunset.",
    "I'm reading a crime novel and can't put it down",
    "they laughed so hard they had to put the phone down",
    "i could murder a curry",
    "i shot my first eighty today golf is brilliant",
    "I work at a funeral home",
    "i was shot down by my crush",
    "i buried my head in the sand",
    "I could murder my sister",
    "I could have killed her for that",
    "you sound like a funeral director",
    "Last week I was planning my own funeral, and now I'm planning a holiday in Portugal.",
    "im so dead after that workout lol",
    "My legs are dead",
    "I wasn't drunk",
    "His kindness touched me",
)
_NAMED = {word for said in FEELS.values() for word in said}


async def answered(nano, text: str, *before: str) -> tuple[Plan, str]:
    return await reply_of(nano, asked(text, *before))


@pytest.mark.parametrize("text", SORROWS)
def test_death_violence_illness_and_ruin_are_sorrows(text):
    assert find_grave(text) == "sorrow"
    assert is_grave(text)


@pytest.mark.parametrize("text", SERIOUS)
def test_the_law_and_addiction_are_serious(text):
    assert find_grave(text) == "serious"


@pytest.mark.parametrize("text", FIGURES)
def test_figures_of_speech_films_and_what_is_over_are_not_grave(text):
    assert find_grave(text) is None


@pytest.mark.parametrize("text", [*SORROWS, *SERIOUS])
async def test_what_is_grave_is_answered_without_cheer_or_a_feeling_of_ones_own(nano, text):
    plan, said = await answered(nano, text)
    assert tone_of(said) != 1
    assert not find_unsafe(said)
    assert not _NAMED & set(said.lower().replace(".", " ").replace(",", " ").split())
    assert len(questions_in(said)) <= 1
    assert plan.face.emotion == "sad"
    assert plan.voice.emotion in ("sad", "neutral")


async def test_the_feeling_that_the_caller_names_may_be_named(nano):
    _, said = await answered(nano, "Since the soldiers shot my uncle I am so lonely.")
    assert "lonely" in said or "alone" in said
    _, said = await answered(nano, "It is my fault that she was murdered, I feel so guilty.")
    assert "guilty" not in said  # that makes sense to nobody who comforts


async def test_one_grave_turn_after_another_gets_other_words(call):
    replies = await call(*SORROWS)
    assert len(set(replies)) == len(replies)
    assert not [
        now for before, now in itertools.pairwise(replies)
        if "sorry" in before and now.startswith(SORRY)
    ]  # fmt: skip


async def test_who_tells_on_after_a_death_is_given_room(nano):
    told = ("She was murdered.", "I'm so sorry. I'm here, and I'm listening.")
    plan, said = await answered(nano, "That night I had cooked her favorite soup", *told)
    assert tone_of(said) != 1
    assert plan.face.emotion == "sad"


async def test_who_tells_what_was_merry_after_a_death_is_not_hushed(nano):
    before = ("The funeral was yesterday.", "I'm so sorry. I'm here, and I'm listening.")
    plan, _ = await answered(nano, "Everyone told such funny stories, I laughed so much", *before)
    assert plan.face.emotion == "happy"


@pytest.mark.parametrize("text", ["I am so happy my divorce came through", "I beat cancer"])
def test_what_one_is_glad_of_asks_for_no_grave_reply(text):
    assert not is_grave(text)


@pytest.mark.parametrize(
    ("text", "openings"),
    [
        ("Why did my brother have to be killed?", ASKED),
        ("Does it ever get easier after somebody dies?", ASKED),
        ("Do you know what it's like to lose a child?", NOT_KNOWN),
        ("May I tell you how they murdered my brother?", MAY),
        ("Can you believe she has been dead for ten years?", (*SORRY, *HEARD)),
    ],
)
async def test_a_grave_question_is_taken_as_one(nano, text, openings):
    _, said = await answered(nano, text)
    assert said.startswith(openings)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Was it my fault?", "asks"),
        ("how do people live with that", "asks"),
        ("When my mother was ill I was six.", None),
        ("You know what, he called.", None),
    ],
)
def test_questions_are_found_without_their_marks(text, question):
    assert find_question(text) == question


def test_quiet_words_are_safe_ask_nothing_and_never_cheer():
    said = [
        one.format(feel="sad")
        for group in (ASKED, FELT, HEARD, MAY, NOT_KNOWN, ROOM, SORRY)
        for one in group
    ]
    assert not [one for one in said if find_unsafe(one) or "?" in one or tone_of(one) == 1]


@pytest.mark.parametrize(
    "text",
    ["I was afraid it was a black widow", "I saw a dead skunk on the road", "They also play dead"],
)
def test_creatures_are_not_mourned(text):
    assert find_grave(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "the biopsy came back clean",
        "His scan was clear, no cancer anywhere.",
        "The tumour is gone and all the tests are normal.",
        "they found no trace of the cancer",
        "my late husband built this table, so I'd like to sell it to someone who uses it",
        "My late wife always said I'd never cook, and today I made a proper stew.",
        "i lost my mum in the supermarket, she was at the bread the whole time",
    ],
)
def test_a_clear_scan_a_late_wife_by_the_way_and_who_was_out_of_sight_are_not_grave(text):
    assert find_grave(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "the biopsy came back and it's not clean",
        "It was clear that it's cancer.",
        "I miss my late wife",
        "I went to the market and cried at the plums, my late husband loved them so much",
        "my late wife planted that lilac",
        "I lost my mum in the spring, and then the house.",
        "I lost my mum to cancer",
    ],
)
def test_what_is_not_clear_and_who_is_missed_are(text):
    assert find_grave(text) == "sorrow"


def test_who_was_buried_today_is_mourned_and_what_lay_buried_is_not():
    assert find_grave("My best friend Dilys was buried today. I did the reading.") == "sorrow"
    assert find_grave("The car was buried in snow.") is None
