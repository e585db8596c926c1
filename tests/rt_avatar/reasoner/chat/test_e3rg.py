import asyncio
from contextlib import aclosing

import pytest

from rt_avatar.config.settings import LlmSettings
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner import ChatMessage, ReplyRequest
from rt_avatar.reasoner.chat.e3rg import E3rgReasoner
from rt_avatar.reasoner.styles import response_style
from rt_avatar.telemetry.metrics import Metrics
from tests.fakes.openai_server import Script, openai_server
from tests.fakes.requests import asked

pytestmark = pytest.mark.network

SAID = "We talked for a while about the thing that was on Tuesday"
REPLY = Script(("That sounds heavy. ", "What happened then?"))


def request(text: str = SAID, **more) -> ReplyRequest:
    return asked(text, **more)


def reasoner(url: str, classifier=None, **settings) -> E3rgReasoner:
    fields = {"base_url": url, "model": "m", "timeout_s": 30.0, "coe": "paper"}
    return E3rgReasoner(LlmSettings(**(fields | settings)), Metrics(), classifier)


async def reply_of(reasoner: E3rgReasoner, *heard: ReplyRequest) -> list[Plan | Clause]:
    """Listen to all but the last request, and return the reply to that."""
    conversation = reasoner.open()
    try:
        for so_far in heard[:-1]:
            await conversation.listen(so_far)
        async with aclosing(conversation.reply(heard[-1])) as out:
            return [item async for item in out]
    finally:
        await reasoner.aclose()


async def test_the_emotion_most_opinions_name_is_answered():
    votes = [Script(("Lonely",)), Script(("sad.",)), Script(("lonely",))]
    async with openai_server(*votes, REPLY) as server:
        plan, *clauses = await reply_of(reasoner(server.url), request())
    assert (plan.chain.emotion, plan.user_emotion) == ("lonely", "sad")
    assert "lonely 0.67, sad 0.33" in plan.chain.rationale
    assert " ".join(clause.text for clause in clauses) == "That sounds heavy. What happened then?"
    assert "they feel lonely" in server.asked[-1]["messages"][-1]["content"]


async def test_the_voted_emotion_chooses_voice_and_face_from_the_bank_of_styles():
    async with openai_server(*[Script(("furious",))] * 3, REPLY) as server:
        plan, *_ = await reply_of(reasoner(server.url), request())
    wanted = response_style("furious", 0.3)  # as strongly as the words tell it
    assert (plan.voice, plan.face) == (wanted.voice, wanted.face)


async def test_opinions_of_what_is_still_said_are_asked_for_and_used():
    half = request(" ".join(SAID.split()[:9]))
    async with openai_server(*[Script(("proud",))] * 3, REPLY) as server:
        plan, *_ = await reply_of(reasoner(server.url, coe="prethink"), half, request())
    assert plan.chain.emotion == "proud"
    assert len(server.asked) == 4  # nothing was asked for the emotion once more


async def test_the_network_outvotes_a_model_that_names_another_thing_every_time(classifier):
    said = "I was all alone on my birthday, nobody called, I felt so lonely without my friends"
    votes = [Script((word,)) for word in ("proud", "excited", "furious")]
    async with openai_server(*votes, REPLY) as server:
        voting = reasoner(server.url, classifier)
        plan, *_ = await reply_of(voting, request(said))
    assert plan.chain.emotion == "lonely"


async def test_without_the_models_opinions_small_talk_has_no_feeling(classifier):
    async with openai_server(REPLY) as server:
        voting = reasoner(server.url, classifier, coe="off")
        plan, *_ = await reply_of(voting, request("I went to the store"))
    assert (plan.chain.emotion, len(server.asked)) == ("neutral", 1)


async def test_opinions_that_fail_are_missing_and_the_reply_is_made():
    broken = Script(status=400, body="no")
    async with openai_server(broken, Script(("grateful",)), broken, REPLY) as server:
        plan, *clauses = await reply_of(reasoner(server.url), request())
    assert plan.chain.emotion == "grateful"
    assert clauses


async def test_thoughts_before_an_opinion_are_not_it_and_without_one_there_is_none():
    thinks = Script(("<think>Sad? No, ", "it is what was said before, " * 9, "</think>Proud"))
    only_thinks, nothing = Script(("<think>Sad? Or",)), Script()
    async with openai_server(thinks, only_thinks, nothing, REPLY) as server:
        plan, *_ = await reply_of(reasoner(server.url), request())
    assert plan.chain.rationale == "by vote: proud 1.00"


async def test_a_model_that_is_gone_is_told_of():
    async with openai_server(Script(status=400, body="no")) as server:
        with pytest.raises(ReasonerError):
            await reply_of(reasoner(server.url), request())


async def test_danger_is_answered_by_rules_and_no_model_is_asked():
    async with openai_server(REPLY) as server:
        plan, *clauses = await reply_of(reasoner(server.url), request("I want to kill myself"))
    assert plan.user_emotion == "sad"
    assert clauses
    assert server.asked == []


async def test_a_reply_that_is_cancelled_stops_all_opinions():
    async with openai_server(Script(("sad",), hold=asyncio.Event())) as server:
        replying = asyncio.ensure_future(reply_of(reasoner(server.url), request()))
        async with asyncio.timeout(60):
            await server.until_asked(3)
            replying.cancel()
            with pytest.raises(asyncio.CancelledError):
                await replying
            await server.gone.wait()
    assert len(server.asked) == 3


async def test_who_answers_stays_the_same_whatever_is_voted():
    history = (ChatMessage("caller", "Hi."), ChatMessage("avatar", "Hello."))
    names = []
    for word in ("furious", "joyful", "devastated"):
        async with openai_server(*[Script((word,))] * 3, REPLY) as server:
            plan, *_ = await reply_of(reasoner(server.url), request(history=history))
        names.append(plan.persona)
    assert names == [""] * 3  # who was asked
