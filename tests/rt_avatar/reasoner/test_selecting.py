"""General replies in a call: where they take the place of what would be said, and where never."""

import pytest

from rt_avatar.engines.reply_judge import ReplyJudge
from rt_avatar.engines.reply_ranker import ReplyRanker
from rt_avatar.engines.reply_selector import ReplySelector
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.messages import Plan
from rt_avatar.reasoner.nano import NanoReasoner
from tests.fakes.requests import asked

pytestmark = pytest.mark.unit

GENERAL = {one.text for one in ReplySelector().replies}


@pytest.fixture(scope="module")
def listener() -> NanoReasoner:
    return NanoReasoner(TextEmotionClassifier(), ReplyRanker(), ReplyJudge(), ReplySelector())


async def call(listener, *turns) -> list[tuple[Plan, str]]:
    """Return what is shown and said to each turn of a call."""
    conversation = listener.open()
    said: list[str] = []
    found = []
    for turn in turns:
        plan, *clauses = [part async for part in conversation.reply(asked(turn, *said))]
        text = " ".join(clause.text for clause in clauses)
        said += [turn, text]
        found.append((plan, text))
    return found


def is_general(text: str) -> bool:
    return any(text.startswith(one) or text.endswith(one) for one in GENERAL)


async def test_everyday_turns_are_met_in_general_words_and_none_twice(listener):
    said = await call(
        listener,
        "hi can i show you my hamster",
        "shes called Biscuit she is asleep in her little coconut",
        "she puts everything in her cheeks she put a whole broccoli in once",
        "my brother says hamsters are boring but he only likes snakes",
        "i made her a maze out of toilet rolls and she just ate the maze",
    )
    texts = [text for _, text in said]
    assert sum(map(is_general, texts)) >= 3
    assert len(set(texts)) == len(texts)


async def test_voice_and_face_go_with_a_general_reply(listener):
    said = await call(listener, "hello", "the other goalie was crying so i gave him my orange")
    plan, text = said[-1]
    assert is_general(text)
    assert (plan.face.emotion, plan.voice.emotion) == ("happy", "happy")


@pytest.mark.parametrize(
    "turn",
    [
        "I want to end my life", "he hits me when he is drunk", "my mother died this morning",
        "are you a real person", "what is your name", "how much ibuprofen can i take",
        "can you hear me", "tell me a joke", "I don't want to talk about it",
    ],
)  # fmt: skip
async def test_danger_grief_and_what_rules_know_stay_with_them(listener, turn):
    ((_, text),) = await call(listener, turn)
    rules = NanoReasoner(TextEmotionClassifier(), ReplyRanker(), ReplyJudge(), None)
    assert [text] == [said for _, said in await call(rules, turn)]


async def test_the_same_call_gets_the_same_replies(listener):
    turns = ("hey", "i planted garlic today", "forty cloves in three rows", "my back is gone now")
    assert await call(listener, *turns) == await call(listener, *turns)


async def test_no_two_questions_are_asked_in_a_row(listener):
    said = await call(
        listener, "i bought a kayak", "on the river behind the mill", "twice a week",
        "with my neighbour", "since the spring",
    )  # fmt: skip
    general = [text for _, text in said if is_general(text)]
    assert all(text.count("?") <= 1 for text in general)
