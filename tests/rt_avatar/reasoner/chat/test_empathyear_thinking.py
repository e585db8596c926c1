"""What EmpathyEar's model thinks while the caller speaks, and what becomes of it in the reply."""

import asyncio
import json
from contextlib import aclosing

import pytest

from rt_avatar.budget import Effort
from rt_avatar.config.settings import LlmSettings
from rt_avatar.messages import Clause, Plan, TurnId
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.chat.empathyear import EmpathyEarReasoner
from rt_avatar.telemetry.metrics import Metrics
from tests.fakes.openai_server import Script, openai_server
from tests.rt_avatar.reasoner.chat.test_empathyear import ANSWER, request

pytestmark = pytest.mark.network

THOUGHT = ("emotion: lonely\ncause: friends moved away\n", "goal: keep company\nvoice: soft\n")
REPLY = ("reply: Oh, that sounds", " lonely. Who do you miss", " most?")


async def converse(url: str, *requests: ReplyRequest, coe: str = "prethink"):
    """Listen to all but the last request and reply to that; return what was replied."""
    settings = LlmSettings(base_url=url, model="m", timeout_s=30.0, coe=coe)
    reasoner = EmpathyEarReasoner(settings, Metrics())
    conversation = reasoner.open()
    for so_far in requests[:-1]:
        await conversation.listen(so_far)
    async with aclosing(conversation.reply(requests[-1])) as out:
        items = [item async for item in out]
    await reasoner.aclose()
    return items


async def test_what_was_thought_while_listening_is_not_thought_again():
    async with openai_server(Script(THOUGHT), Script(REPLY)) as server:
        plan, *clauses = await converse(server.url, request("I moved to a new city"), request())
    assert (plan.chain.emotion, plan.chain.goal) == ("lonely", "keep company")
    assert [clause.text for clause in clauses] == [
        "Oh, that sounds lonely.",
        "Who do you miss most?",
    ]
    asked = server.asked[1]["messages"][-1]["content"]
    assert "goal: keep company" in asked
    assert "reply line only" in asked


async def test_the_plan_of_a_thought_is_there_before_the_model_says_a_word():
    hold = asyncio.Event()
    async with openai_server(Script(THOUGHT), Script(REPLY, hold=hold)) as server:
        reasoner = EmpathyEarReasoner(LlmSettings(base_url=server.url, model="m"), Metrics())
        conversation = reasoner.open()
        await conversation.listen(request("I moved to a new city"))
        async with aclosing(conversation.reply(request())) as out:
            assert isinstance(await anext(out), Plan)
            hold.set()
            assert isinstance(await anext(out), Clause)
        await reasoner.aclose()


async def test_both_questions_begin_alike_so_that_a_server_can_keep_them():
    async with openai_server(Script(THOUGHT), Script(REPLY)) as server:
        await converse(server.url, request("I moved to a new city"), request())
    thought, reply = (json.dumps(asked["messages"][:-1]) for asked in server.asked)
    assert thought == reply


async def test_a_thought_ends_where_a_reply_would_begin():
    pieces = (*THOUGHT, "reply: Too early.", " And on it goes.")
    hold = asyncio.Event()
    async with openai_server(Script(pieces, hold=hold, hold_at=3), Script(REPLY)) as server:
        plan, *_ = await converse(server.url, request("I moved to a new city"), request())
        await asyncio.wait_for(server.gone.wait(), 60)
    assert plan.chain.cause == "friends moved away"


@pytest.mark.parametrize(
    "before",
    [
        "I moved",  # too few words to think about
        "I moved to a",  # less than 60 % of what was said in the end
    ],
)
async def test_a_thought_from_the_first_words_alone_does_not_stand_for_the_whole(before):
    scripts = [Script(THOUGHT)] if len(before.split()) >= 4 else []
    async with openai_server(*scripts, Script(ANSWER)) as server:
        plan, *clauses = await converse(server.url, request(before), request())
    assert plan.chain.scenario == "new city"  # from the answer's own steps
    assert clauses[0].text == "Oh, that sounds lonely."


async def test_a_thought_of_an_earlier_turn_is_not_used():
    earlier = request("I moved to a new city", turn=TurnId(2))
    async with openai_server(Script(THOUGHT), Script(ANSWER)) as server:
        plan, *_ = await converse(server.url, earlier, request())
    assert plan.chain.scenario == "new city"


async def test_a_model_that_fails_while_listening_does_not_spoil_the_reply():
    async with openai_server(Script(status=500, body="oops"), Script(ANSWER)) as server:
        plan, *_ = await converse(server.url, request("I moved to a new city"), request())
    assert plan.chain.emotion == "lonely"


@pytest.mark.parametrize("coe", ["paper", "off"])
async def test_only_prethink_asks_while_listening(coe):
    answer = ANSWER if coe == "paper" else REPLY
    async with openai_server(Script(answer)) as server:
        await converse(server.url, request("I moved to a new city"), request(), coe=coe)
    assert len(server.asked) == 1


async def test_without_a_chain_rules_choose_the_styles_and_the_model_only_speaks():
    async with openai_server(Script(REPLY)) as server:
        said = request("I feel so lonely in this city")
        plan, *clauses = await converse(server.url, said, coe="off")
    assert plan.chain.emotion == "lonely"
    assert clauses[0].text == "Oh, that sounds lonely."
    assert "reply line only" in server.asked[0]["messages"][-1]["content"]


async def test_when_time_is_short_an_old_thought_is_better_than_none_and_none_than_a_new_one():
    hurried = Effort(has_fresh_chain=False, is_first_clause_short=True)
    async with openai_server(Script(THOUGHT), Script(REPLY), Script(REPLY)) as server:
        so_far, final = request("I moved to a"), request(effort=hurried)
        plan, *clauses = await converse(server.url, so_far, final)
        assert plan.chain.goal == "keep company"
        assert clauses[0].text == "Oh,"
        await converse(server.url, request(effort=hurried))
    assert all("reply line only" in a["messages"][-1]["content"] for a in server.asked[1:])
