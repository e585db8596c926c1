"""The network in a call answers as it does offline, and has less to do when the caller is done."""

import asyncio
from contextlib import aclosing
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.empatheia.clauses import ClauseCutter
from rt_avatar.engines.empatheia.dialogue import Dialogue
from rt_avatar.engines.llm.answer import Replied
from rt_avatar.messages import Affect, Caption, Plan, Trace, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ChatMessage, ReplyRequest
from rt_avatar.reasoner.network.empatheia import EmpatheiaReasoner
from rt_avatar.reasoner.network.spoken_text import spoken
from rt_avatar.services.worker import EngineWorker
from tests.engines.empatheia.offline import infer
from tests.engines.empatheia.torch.made import SHORT, dialogue
from tests.fakes.scripted_call import calling
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.networks

OPTIONS = replace(SHORT, temperature=0.0, chain_tokens=6, reply_tokens=6)


@pytest.fixture
def worker():
    made = EngineWorker("llm")
    yield made
    made.close()


def requests(asked: Dialogue) -> tuple[ReplyRequest, ReplyRequest]:
    """The two turns of the dialogue, as a session asks for them."""
    first, answer, second = asked.utterances
    history = (
        ChatMessage("caller", first.text, turn=TurnId(1)),
        ChatMessage("avatar", answer.text, turn=TurnId(1)),
    )
    turns = ((TurnId(1), first, ()), (TurnId(2), second, history))
    made = [
        ReplyRequest(
            turn, Transcript(turn, 0, said.text, True), Affect(turn, 0), before, PERSONAS["ava"],
            sound=said.pcm, pictures=said.pictures,
        )
        for turn, said, before in turns
    ]  # fmt: skip
    return made[0], made[1]


async def answered(conversation, request) -> list:
    async with aclosing(conversation.reply(request)) as items:
        return [item async for item in items]


@pytest.mark.parametrize(
    "choice",
    [*({"coe": coe} for coe in ("prethink", "paper", "off")), {"style_source": "bank"},
     {"content_span": "reply"},
     {"without": ("speech",)}, {"without": ("video",)}, {"pipeline": True}],
)  # fmt: skip
async def test_the_same_dialogue_gets_the_same_words_and_styles_as_offline(network, worker, choice):
    options = replace(OPTIONS, **choice)
    asked = dialogue(profile=PERSONAS["ava"].profile)
    offline = infer(network, asked, options)
    told = network.answerer.answer(
        network.read(asked, options.effective().without), options.words()
    )
    cutter = ClauseCutter(span=options.content_span)
    parts = [part for event in told if isinstance(event, Replied) for part in cutter.push(event)]
    wanted = [(text, part.states) for part in parts + cutter.flush() if (text := spoken(part.text))]

    first, second = requests(asked)
    conversation = EmpatheiaReasoner(network, options, worker).open()
    await answered(conversation, first)
    for end in range(8_000, len(second.sound) + 1, 8_000):  # words so few are not thought about
        await conversation.listen(replace(second, sound=second.sound[:end], pictures=()))
    plan, *clauses = await answered(conversation, second)
    assert plan.chain.scenario == spoken(offline.chain.scenario)
    np.testing.assert_allclose(plan.voice.vector, offline.styles.voice, atol=1e-4)
    np.testing.assert_allclose(plan.face.vector, offline.styles.face, atol=1e-4)
    if not wanted:  # untrained, it may have no word to say
        assert clauses
        return
    assert [clause.text for clause in clauses] == [text for text, _ in wanted]
    for clause, (_, states) in zip(clauses, wanted, strict=True):
        if options.pipeline:
            assert clause.states is None
        else:
            np.testing.assert_allclose(clause.states, states, atol=1e-3)


async def test_who_was_listened_to_is_answered_with_fewer_passes(network, worker, monkeypatch):
    passes = []
    step = network.language.step

    def counted(ids, after):
        passes.append(len(ids))
        return step(ids, after)

    monkeypatch.setattr(network.language, "step", counted)
    _, second = requests(dialogue())
    said = replace(
        second, transcript=replace(second.transcript, text="It was early this morning, I think")
    )
    reasoner = EmpatheiaReasoner(network, OPTIONS, worker)
    await answered(reasoner.open(), said)
    alone = passes.count(1)
    conversation = reasoner.open()
    await conversation.listen(said)
    passes.clear()
    await answered(conversation, said)
    assert passes.count(1) < alone


async def test_a_discarded_preemptive_reply_leaves_the_answer_as_it_is(network, worker):
    first, second = requests(dialogue())
    reasoner = EmpatheiaReasoner(network, OPTIONS, worker)

    async def talk(is_disturbed):
        conversation = reasoner.open()
        await answered(conversation, first)
        if is_disturbed:
            preemptive = conversation.reply(replace(second, sound=second.sound[:20_000]))
            await anext(preemptive)
            await preemptive.aclose()
            task = asyncio.get_running_loop().create_task(answered(conversation, second))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task})
        return await answered(conversation, second)

    (plan, *clauses), (other, *others) = await talk(False), await talk(True)
    assert plan == other
    assert clauses == others
    np.testing.assert_allclose(plan.voice.vector, other.voice.vector, atol=1e-4)


def test_a_call_with_the_network_answers_what_is_spoken_and_typed(network):
    async def main(loop):
        network_llm = EngineWorker("llm")
        reasoner = EmpatheiaReasoner(network, OPTIONS, network_llm)
        try:
            async with calling(loop, reasoner, "my dog ran away this morning") as call:
                await call.speak(2.5)
                await call.until(Trace, turn=1)
                call.session.send_text("his name is Bob")
                await call.until(Trace, turn=2)
                return call
        finally:
            network_llm.close()

    call = run_virtual(main)
    plans = call.of(Plan)
    assert [plan.turn for plan in plans] == [1, 2]
    assert all(np.isfinite(plan.voice.vector).all() for plan in plans)
    said = [c.text for c in call.of(Caption) if c.role == "avatar" and c.is_final]
    assert len(said) == 2
    assert all(said)
