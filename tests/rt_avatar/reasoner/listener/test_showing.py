"""What is seen and heard agrees with what is said, and with what was told."""

import pytest

from tests.fakes.requests import asked, reply_of

pytestmark = pytest.mark.unit


async def shown_by(nano, text: str, *before: str):
    plan, said = await reply_of(nano, asked(text, *before))
    return plan, said


@pytest.mark.parametrize(
    "text",
    [
        "I got laid off this morning. Twenty-six years at the plant, and they gave me a box.",
        "They're shutting the plant in March.",
        "dad lost his job and pretends he still goes",
        "I'd have been a grandmother in June.",
        "I hit a man with my car in 1998 and he walks with a stick because of me.",
        "hi. my cat biscuit is sick, shes 14 and hasnt eaten since wednesday",
        "i got shouted at by a customer over a sandwich",
    ],
)
async def test_no_smile_is_seen_or_heard_with_bad_news(nano, text):
    plan, said = await shown_by(nano, text)
    assert plan.face.emotion == "sad", said
    assert plan.voice.emotion != "happy", said


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("the vet just came out hes going to make it oh my god", "they took our dog in"),
        ("oh, the vet just rang, the lump is only fat, hes going to be fine!!", "hes fourteen"),
        ("The scan was fine by the way, all clear. I just had nobody to tell.", "I'm so lonely"),
        ("love it. my rye bread is famous in our street", "im mad, i left insurance for a bakery"),
        ("I cried in the kitchen but happy crying", "im going to be a nurse"),
        ("I laughed so much I nearly dropped the tray.", "A waiter thought I was staff!"),
    ],
)
async def test_good_news_and_laughter_are_met_with_a_smile(nano, text, before):
    plan, said = await shown_by(nano, text, before, "And then?")
    assert plan.face.emotion == "happy", said
    assert plan.voice.emotion == "happy", said
    assert plan.user_emotion == "happy", said


async def test_a_condolence_is_never_said_with_a_smile(nano):
    text = "we took our cat Biscuit to the vet, hes fourteen and they found a lump on his side"
    plan, said = await shown_by(nano, text)
    assert "sorry" in said
    assert plan.face.emotion == "sad"


@pytest.mark.parametrize(
    "text",
    [
        "Hello!",
        "The bus to town goes at nine.",
        "I made soup and put the radio on.",
        "Tell me a joke about a calendar.",
    ],
)
async def test_nothing_sad_is_shown_to_who_tells_nothing_sad(nano, text):
    plan, said = await shown_by(nano, text)
    assert plan.face.emotion == "happy", said


async def test_grief_and_danger_keep_their_own_voice_and_face(nano):
    for text in ("My mother died on Sunday.", "I want to kill myself."):
        plan, _ = await shown_by(nano, text)
        assert plan.face.emotion == plan.voice.emotion == "sad"
