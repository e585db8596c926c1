"""The network answers live: a plan, then clauses; who gives up, and who calls beside."""

import asyncio
import logging
import threading
from contextlib import aclosing
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.budget import Effort
from rt_avatar.engines.llm.chain import Chain
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Plan
from rt_avatar.reasoner.listener.reflective import ReflectiveReasoner
from rt_avatar.reasoner.network.empatheia import EmpatheiaReasoner
from rt_avatar.services import worker as workers
from rt_avatar.services.worker import EngineWorker
from tests.engines.llm.tiny import tokens
from tests.fakes.network import CHAIN, REPLY, ScriptedNetwork
from tests.fakes.network_conversation import (
    OPTIONS,
    PICTURES,
    SECOND,
    SOUND,
    THOUGHT,
    reply,
    request,
    talk,
    texts,
)

pytestmark = pytest.mark.unit


async def test_a_plan_comes_first_and_then_the_clauses_in_order(worker):
    _, conversation = talk(worker)
    plan, *clauses = await reply(conversation)
    assert isinstance(plan, Plan)
    assert (plan.turn, plan.pts) == (3, 16_000)
    chain = plan.chain
    assert (chain.scenario, chain.emotion, chain.cause, chain.goal) == (
        "lost a job", "sad", "the boss", "comfort them",
    )  # fmt: skip
    assert [(c.turn, c.index, c.text) for c in clauses] == [
        (3, 0, "I am so sorry."),
        (3, 1, "Tell me more, please."),
    ]


@pytest.mark.parametrize("coe", ["prethink", "paper", "off"])
async def test_every_order_says_the_same_words_with_the_states_of_their_tokens(worker, coe):
    chain = Chain() if coe == "off" else CHAIN
    network = ScriptedNetwork(None if coe == "off" else CHAIN)
    _, conversation = talk(worker, network, coe=coe)
    plan, *clauses = await reply(conversation)
    assert plan.chain.scenario == chain.scenario
    assert " ".join(texts(clauses)) == REPLY
    states = np.concatenate([clause.states for clause in clauses])
    assert states[:, 1].astype(int).tolist() == tokens().encode(REPLY)


@pytest.mark.parametrize("coe", ["prethink", "paper", "off"])
async def test_where_a_listener_writes_the_network_reads_its_words_and_what_it_understood(
    worker, coe
):
    network = ScriptedNetwork()
    options = replace(OPTIONS, coe=coe)
    listener = ReflectiveReasoner()
    conversation = EmpatheiaReasoner(network, options, worker, listener).open()
    await conversation.listen(request())
    plan, *clauses = await reply(conversation)
    alone, *told = await reply(listener.open())
    assert " ".join(texts(clauses)) == " ".join(texts(told))
    assert plan.chain.scenario == ("" if coe == "off" else alone.chain.scenario)
    assert network.decoded <= 1  # a mark may be one token; nothing was written or thought by it
    states = np.concatenate([clause.states for clause in clauses])
    assert states[:, 1].astype(int).tolist() == tokens().encode(" ".join(texts(told)))
    assert plan.voice.vector is not None
    assert plan.face.vector is not None


async def test_a_listener_that_names_no_feeling_is_believed(worker):
    network = ScriptedNetwork()
    reasoner = EmpatheiaReasoner(network, OPTIONS, worker, ReflectiveReasoner())
    plan, *_ = await reply(reasoner.open(), request("what time is it"))
    assert plan.user_emotion == "neutral"


async def test_in_the_published_order_voice_and_face_are_known_last(worker):
    network, conversation = talk(worker, coe="paper")
    items = conversation.reply(request())
    await anext(items)
    assert network.language.asked[-1] == list(tokens().signals.all)
    await items.aclose()
    network, conversation = talk(worker)
    items = conversation.reply(request())
    await anext(items)
    written = [ids for ids in network.language.asked if len(ids) == 1]
    assert tokens().decode([ids[0] for ids in written]).endswith("<reply>")
    await items.aclose()


async def test_the_chain_tells_what_the_caller_feels_and_the_disentangler_how_to_answer(worker):
    network, conversation = talk(worker)
    plan, *_ = await reply(conversation)
    assert plan.user_emotion == "sad"
    # Fear is answered with steadiness, and not with fear.
    assert (plan.voice.emotion, plan.face.emotion) == ("neutral", "sad")
    assert plan.voice.vector is not None
    assert (plan.voice.vector[0, 0], plan.face.vector[0, 0]) == (0.5, 0.25)
    network = ScriptedNetwork(Chain(emotion="mystified"))
    plan, *_ = await reply(talk(worker, network)[1])
    assert plan.user_emotion == "fear"


@pytest.mark.parametrize("choice", [{"style_source": "bank"}, {"pipeline": True}])
async def test_styles_of_a_bank_are_those_of_the_chain_as_offline(worker, choice):
    """The network's voice once showed a listener's answer here, and the chain's emotion offline."""
    network, conversation = talk(worker, **choice)
    plan, *_ = await reply(conversation)
    assert (plan.user_emotion, plan.face.emotion) == ("sad", "sad")
    banked = network.banked(CHAIN)
    assert np.array_equal(plan.voice.vector, banked.voice)
    assert np.array_equal(plan.face.vector, banked.face)
    network = ScriptedNetwork(Chain(emotion="mystified"))
    plan, *_ = await reply(talk(worker, network, **choice)[1])
    assert plan.user_emotion == "surprised"  # by the rules: "lost my job" is devastating
    assert np.array_equal(plan.voice.vector, network.banked(Chain(emotion="mystified")).voice)


async def test_styles_of_a_reference_are_left_to_the_recordings(worker):
    _, conversation = talk(worker, style_source="reference")
    plan, *_ = await reply(conversation)
    assert plan.voice.vector is plan.face.vector is None
    assert plan.user_emotion == "sad"


async def test_generators_that_read_words_get_no_states(worker):
    _, conversation = talk(worker, content_source="generator")
    _, *clauses = await reply(conversation)
    assert [clause.states for clause in clauses] == [None, None]


async def test_contents_of_the_whole_reply_get_the_states_of_all_its_tokens(worker):
    _, conversation = talk(worker)
    _, *clauses = await reply(conversation)
    _, conversation = talk(worker, content_span="reply")
    _, whole = await reply(conversation, request(effort=Effort(is_first_clause_short=True)))
    assert len(clauses) == 2
    assert (whole.index, whole.text) == (0, REPLY)
    assert np.array_equal(whole.states, np.concatenate([clause.states for clause in clauses]))


@pytest.mark.parametrize("left_out", ["speech", "video"])
async def test_one_sense_alone_can_be_left_out(worker, left_out):
    network, conversation = talk(worker, without=(left_out,))
    await reply(conversation, request(sound=SOUND, pictures=PICTURES))
    assert bool(network.heard) == (left_out == "video")
    assert bool(network.seen) == (left_out == "speech")


async def test_the_baseline_neither_hears_nor_sees(worker):
    network, conversation = talk(worker, pipeline=True)
    said = request(sound=SOUND, pictures=PICTURES)
    await conversation.listen(said)
    plan, *clauses = await reply(conversation, said)
    assert (network.heard, network.seen) == ([], 0)
    assert plan.user_emotion == "sad"
    assert clauses[0].states is None


@pytest.mark.parametrize("what", [{"text": "", "greet": True}, {"text": ""}, {"text": "[NOISE]"},
                                  {"text": "I want to kill myself"}])  # fmt: skip
async def test_greeting_silence_and_danger_are_answered_by_rules(worker, what):
    network, conversation = talk(worker)
    plan, *clauses = await reply(conversation, request(**what))
    assert network.language.prompts == []
    assert isinstance(plan, Plan)
    assert clauses
    if "kill" in what["text"]:
        assert "emergency number" in " ".join(texts(clauses))


@pytest.mark.parametrize("written", ["", "</response>", " ", "<scene>\ufffd**", "\x00\x07 🙂"])
async def test_without_a_word_to_say_the_rules_lend_some(worker, written):
    _, conversation = talk(worker, ScriptedNetwork(reply=written))
    plan, *clauses = await reply(conversation)
    assert plan.user_emotion == "sad"
    assert [clause.index for clause in clauses] == list(range(len(clauses)))
    assert "?" in " ".join(texts(clauses))


async def test_only_what_can_be_spoken_is_said(worker):
    written = "I am <cause>so *sorry*.\n- Tell\x07 me more 🙂, please."
    _, conversation = talk(worker, ScriptedNetwork(reply=written))
    assert " ".join(texts(await reply(conversation))) == "I am so sorry. Tell me more, please."


def test_untrained_weights_are_told_once(worker, caplog):
    with caplog.at_level(logging.WARNING):
        reasoner = EmpatheiaReasoner(ScriptedNetwork(weights="random"), OPTIONS, worker)
        reasoner.open()
        reasoner.open()
        EmpatheiaReasoner(ScriptedNetwork(), OPTIONS, worker)
    assert [record.getMessage() for record in caplog.records] == [
        "llm.kind=empatheia: the weights of nano are untrained: the words mean nothing"
    ]


# --- giving up ----------------------------------------------------------------------------------
@pytest.mark.parametrize("taken", [0, 1, 2])
async def test_a_discarded_preemptive_reply_changes_nothing(worker, taken):
    said = request(sound=SOUND, pictures=PICTURES)
    fresh = await reply(talk(worker)[1], said)
    network, conversation = talk(worker)
    preemptive = request("my boss told me", sound=SOUND[: 5 * SECOND], pictures=PICTURES[:4])
    async with aclosing(conversation.reply(preemptive)) as items:
        for _ in range(taken):
            await anext(items)
    dropped = network.decoded
    made = await reply(conversation, said)
    assert made == fresh
    for one, other in zip(made[1:], fresh[1:], strict=True):
        assert np.array_equal(one.states, other.states)
    assert network.decoded - dropped == len(THOUGHT) + len(tokens().encode(REPLY))


async def test_a_cancelled_reply_stops_within_a_pass(worker):
    network, conversation = talk(worker)
    passed = asyncio.Event()
    loop = asyncio.get_running_loop()
    step = network.language.step

    def noticed(ids, after):
        if len(network.language.asked) == 4:
            loop.call_soon_threadsafe(passed.set)
        return step(ids, after)

    network.language.step = noticed
    task = loop.create_task(reply(conversation))
    await passed.wait()
    task.cancel()
    await asyncio.wait({task})
    assert task.cancelled()
    await worker.call(lambda: None)  # whatever was begun is done
    stopped = network.decoded
    await worker.call(lambda: None)
    assert network.decoded == stopped < 12
    assert " ".join(texts(await reply(conversation))) == REPLY


async def test_a_graph_that_fails_ends_the_reply_and_not_the_conversation(worker):
    network, conversation = talk(worker)
    network.language.fails = True
    await conversation.listen(request(sound=SOUND))
    with pytest.raises(ReasonerError, match="empatheia: llm_extend: scripted failure"):
        await reply(conversation)
    network.language.fails = False
    assert " ".join(texts(await reply(conversation))) == REPLY


async def test_sound_that_is_none_ends_the_reply(worker):
    _, conversation = talk(worker)
    broken = np.full(SECOND, np.nan, np.float32)
    with pytest.raises(ReasonerError, match="expected finite samples"):
        await reply(conversation, request(sound=broken))


# --- several callers ----------------------------------------------------------------------------
class Busy:
    """Keeps a worker busy for as long as it is entered."""

    def __init__(self, worker: EngineWorker) -> None:
        self._worker = worker
        self._begun, self._may_end = threading.Event(), threading.Event()

    def _wait(self) -> None:
        self._begun.set()
        assert self._may_end.wait(10)

    async def __aenter__(self) -> None:
        self._call = self._worker.start(self._wait)
        assert await asyncio.to_thread(self._begun.wait, 10)

    async def __aexit__(self, *_: object) -> None:
        self._may_end.set()
        await self._call


async def test_replies_to_several_callers_are_written_together(worker, monkeypatch):
    monkeypatch.setattr(workers, "BATCH_WAIT_S", 0.5)
    network = ScriptedNetwork()
    reasoner = EmpatheiaReasoner(network, OPTIONS, worker)
    async with asyncio.timeout(30):
        alone = await reply(reasoner.open())
        async with Busy(worker):
            both = asyncio.gather(reply(reasoner.open()), reply(reasoner.open()))
            await asyncio.sleep(0)
        one, other = await both
    assert texts(one) == texts(other) == texts(alone)
    written = network.language.batches
    assert len(written) > 0.8 * (network.decoded / 3)  # of the three, two were read in one run


async def test_a_reply_does_not_wait_for_another_callers_thought(worker):
    thinker, speaker = ScriptedNetwork(), ScriptedNetwork()
    _, thinking = talk(worker, thinker)
    _, speaking = talk(worker, speaker)
    async with Busy(worker):
        thought = asyncio.ensure_future(thinking.listen(request()))
        await asyncio.sleep(0)
        said = asyncio.ensure_future(reply(speaking))
        await asyncio.sleep(0)
        busy_until_here = (len(thinker.language.prompts), len(speaker.language.prompts))
        said.add_done_callback(lambda _: steps.append(thinker.decoded))
        steps: list[int] = []
    assert busy_until_here == (0, 0)
    await asyncio.gather(thought, said)
    assert texts(said.result())
    assert steps[0] < thinker.decoded  # the reply was whole before the thought was
