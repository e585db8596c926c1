"""The network thinks its chain while the caller speaks, and with less time thinks less."""

import asyncio

import pytest

from rt_avatar.budget import Effort
from tests.engines.llm.tiny import tokens
from tests.fakes.network import REPLY, ScriptedNetwork
from tests.fakes.network_conversation import (
    HURRIED,
    THOUGHT,
    WORDS,
    reply,
    request,
    talk,
    texts,
)

pytestmark = pytest.mark.unit


async def test_a_chain_thought_while_listening_leaves_the_reply_only(worker):
    network, conversation = talk(worker)
    alone = await reply(conversation)
    assert network.decoded == len(THOUGHT) + len(tokens().encode(REPLY))
    network, conversation = talk(worker)
    await conversation.listen(request(WORDS[:30]))
    assert network.decoded == len(THOUGHT)
    network.language.asked.clear()
    items = await reply(conversation)
    assert network.decoded == len(tokens().encode(REPLY))
    assert items == alone


async def test_a_thought_that_was_cut_off_is_gone_on_with(worker):
    network, conversation = talk(worker)
    await _think_until(conversation, network, 5)
    begun = network.decoded
    items = await reply(conversation)
    assert 5 <= begun < len(THOUGHT)
    # What was under way when it was cut off is done once more.
    assert network.decoded <= len(THOUGHT) + len(tokens().encode(REPLY)) + 1
    assert items[0].chain.scenario == "lost a job"
    assert " ".join(texts(items)) == REPLY


@pytest.mark.parametrize(
    ("heard", "is_used"),
    [
        ("my boss told me that I lost", True),  # 7 of 10
        ("my boss told me that", False),  # 5 of 10
        ("my horse told me that I lost my sock", True),  # a word or two were taken back
        ("who was it that lost all the money in the end", False),
    ],
)
async def test_a_thought_from_other_words_is_too_old(worker, heard, is_used):
    network, conversation = talk(worker)
    await conversation.listen(request(heard))
    network.language.asked.clear()
    items = await reply(conversation)
    fed = [ids for ids in network.language.asked if ids == THOUGHT]
    assert bool(fed) == is_used
    assert items[0].chain.scenario == "lost a job"


async def test_a_thought_is_for_its_own_turn_only(worker):
    network, conversation = talk(worker)
    await conversation.listen(request(WORDS, turn=3))
    network.language.asked.clear()
    await reply(conversation, request(WORDS, turn=4))
    assert THOUGHT not in network.language.asked


async def test_few_new_words_are_not_thought_about(worker):
    network, conversation = talk(worker)
    await conversation.listen(request("oh no"))
    assert network.language.prompts == []
    await conversation.listen(request("oh no my job"))
    first = network.decoded
    assert first
    await conversation.listen(request("oh no my job is"))
    assert network.decoded == first
    await conversation.listen(request("oh no my job is gone for good"))
    assert network.decoded == 2 * first


async def test_wherever_the_caller_ends_the_newest_thought_fits(worker):
    words = [f"w{chr(97 + n)}" for n in range(25)]
    for end in range(3, len(words)):
        network, conversation = talk(worker)
        for count in range(1, end + 1):
            await conversation.listen(request(" ".join(words[:count])))
        assert network.decoded <= 5 * len(THOUGHT)
        network.language.asked.clear()
        await reply(conversation, request(" ".join(words[:end])))
        assert THOUGHT in network.language.asked


@pytest.mark.parametrize("coe", ["paper", "off"])
async def test_other_orders_read_along_and_do_not_think(worker, coe):
    network, conversation = talk(worker, coe=coe)
    await conversation.listen(request(WORDS))
    assert network.language.prompts
    assert network.language.asked == []


async def test_without_time_for_a_chain_none_is_thought(worker):
    network = ScriptedNetwork(None)
    _, conversation = talk(worker, network)
    plan, *clauses = await reply(conversation, request(effort=HURRIED))
    assert plan.chain.scenario == ""
    assert network.decoded <= len(tokens().encode(REPLY)) + 1
    assert " ".join(texts(clauses)) == REPLY


async def test_without_time_for_a_chain_an_old_one_is_used(worker):
    network, conversation = talk(worker)
    await conversation.listen(request("my boss told"))
    network.language.asked.clear()
    plan, *_ = await reply(conversation, request(effort=HURRIED))
    assert plan.chain.scenario == "lost a job"
    assert network.language.asked[0] == THOUGHT


async def test_without_time_for_a_chain_a_begun_one_ends_where_it_is(worker):
    network, conversation = talk(worker)
    await _think_until(conversation, network, 6)
    network.language.asked.clear()
    plan, *_ = await reply(conversation, request(effort=HURRIED))
    assert tokens().decode(network.language.asked[0]).endswith("<reply>")
    assert network.language.asked[1] == list(tokens().signals.all)
    assert plan.chain.goal == ""


async def test_when_time_is_short_the_first_clause_is(worker):
    network = ScriptedNetwork(reply="Oh, I am so sorry to hear that, my friend. Tell me.")
    _, conversation = talk(worker, network)
    hurried = await reply(conversation, request(effort=Effort(is_first_clause_short=True)))
    assert texts(hurried) == ["Oh,", "I am so sorry to hear that, my friend.", "Tell me."]


async def _think_until(conversation, network, decoded: int) -> None:
    """Listen, and be cut off when so many tokens of the chain were written."""
    loop = asyncio.get_running_loop()
    enough = asyncio.Event()
    step = network.language.step

    def noticed(ids, after):
        made = step(ids, after)
        if network.decoded == decoded:
            loop.call_soon_threadsafe(enough.set)
        return made

    network.language.step = noticed
    task = loop.create_task(conversation.listen(request()))
    await enough.wait()
    task.cancel()
    await asyncio.wait({task})
    network.language.step = step
