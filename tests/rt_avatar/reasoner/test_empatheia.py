"""The network answers live: plan, then clauses; what it knows already is not done again."""

import asyncio
import logging
import threading
from contextlib import aclosing
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.budget import Effort
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.llm.chain import TAGS, Chain
from rt_avatar.errors import ReasonerError
from rt_avatar.messages import Affect, Clause, Plan, Transcript, TurnId
from rt_avatar.personas import PERSONAS
from rt_avatar.reasoner import ChatMessage, ReplyRequest
from rt_avatar.reasoner.empatheia import EmpatheiaReasoner
from rt_avatar.services import worker as workers
from rt_avatar.services.worker import EngineWorker
from tests.engines.llm.tiny import tokens
from tests.fakes.network import CHAIN, REPLY, ScriptedNetwork

pytestmark = pytest.mark.unit

OPTIONS = EmpatheiaOptions(chain_tokens=300, reply_tokens=300)
THOUGHT = tokens().encode(TAGS.write_chain(CHAIN))
HURRIED = Effort(has_fresh_chain=False)
WORDS = "my boss told me that I lost my job today"
SECOND = 16_000
SOUND = np.random.default_rng(0).normal(0, 0.1, 8 * SECOND).astype(np.float32)
PICTURES = tuple(np.full((12, 16, 3), 20 * n, np.uint8) for n in range(10))


@pytest.fixture
def worker():
    made = EngineWorker("llm")
    yield made
    made.close()


def request(text: str = WORDS, turn: int = 3, **more) -> ReplyRequest:
    fields = {
        "turn": TurnId(turn),
        "transcript": Transcript(TurnId(turn), 16_000, text, True),
        "affect": Affect(TurnId(turn), 16_000),
        "history": (),
        "persona": PERSONAS["ava"],
    }
    return ReplyRequest(**(fields | more))


def talk(worker, network=None, **options):
    network = network or ScriptedNetwork()
    reasoner = EmpatheiaReasoner(network, replace(OPTIONS, **options), worker)
    return network, reasoner.open()


async def reply(conversation, what: ReplyRequest | None = None) -> list[Plan | Clause]:
    async with aclosing(conversation.reply(what or request())) as items:
        return [item async for item in items]


def texts(items) -> list[str]:
    return [item.text for item in items if isinstance(item, Clause)]


# --- what comes ---------------------------------------------------------------------------------
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


# --- thinking while listening -------------------------------------------------------------------
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


# --- effort -------------------------------------------------------------------------------------
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


# --- nothing is done twice ----------------------------------------------------------------------
async def test_sound_is_encoded_once_while_it_grows(worker):
    network, conversation = talk(worker)
    for end in range(SECOND, len(SOUND) + 1, SECOND // 2):
        words = WORDS.split()[: end // SECOND + 1]
        await conversation.listen(request(" ".join(words), sound=SOUND[:end]))
    windows = (len(SOUND) - 3_200) // 32_000
    assert len(network.heard) == windows
    said = request(sound=SOUND)
    await reply(conversation, said)
    assert len(network.heard) == windows + 1  # what was left
    await reply(conversation, said)
    assert len(network.heard) == windows + 1


async def test_a_picture_is_looked_at_once(worker):
    network, conversation = talk(worker)
    for count in range(1, 11):
        await conversation.listen(request("well", sound=SOUND, pictures=PICTURES[:count]))
    await reply(conversation, request(sound=SOUND, pictures=PICTURES))
    assert network.seen == len(PICTURES)


async def test_what_was_read_before_is_not_read_again(worker):
    network, conversation = talk(worker)
    said = request(sound=SOUND[: 3 * SECOND])
    await conversation.listen(said)
    await reply(conversation, said)
    history = (
        ChatMessage("caller", WORDS, turn=TurnId(3)),
        ChatMessage("avatar", REPLY, turn=TurnId(3)),
    )
    then = request("yes it was so sudden", turn=4, history=history, sound=SOUND[5 * SECOND :])
    await conversation.listen(then)
    whole = len(network.newest_prompt())
    await reply(conversation, then)
    kept, vectors = network.language.prompts[-1]
    # History and the mark of the caller's turn; then what was heard of it comes, which is new.
    assert kept > len(tokens().encode("<user>" + WORDS + "<avatar>" + REPLY + "<end><user>"))
    assert kept + len(vectors) == whole


async def test_an_earlier_utterance_keeps_what_was_heard_and_seen_of_it(worker):
    network, conversation = talk(worker)
    await reply(conversation, request(sound=SOUND, pictures=PICTURES))
    heard, seen = len(network.heard), network.seen
    history = (
        ChatMessage("caller", WORDS, turn=TurnId(3)),
        ChatMessage("avatar", REPLY, turn=TurnId(3)),
    )
    await reply(conversation, request("yes", turn=4, history=history))
    assert (len(network.heard), network.seen) == (heard, seen)
    prompt = network.newest_prompt()
    assert prompt[:, 1].astype(bool).sum() == prompt[:, 2].astype(bool).sum() == 1
    assert network.newest_text() == f"<user> {WORDS}<avatar>{REPLY}<end><user>yes<avatar>"


async def test_what_was_typed_was_not_heard(worker):
    network, conversation = talk(worker)
    await reply(conversation, request(sound=SOUND, pictures=PICTURES))  # a preemptive reply
    await reply(conversation, request("never mind that"))
    assert not network.newest_prompt()[:, 1:].any()


async def test_what_is_kept_of_earlier_utterances_is_bounded(worker):
    _, conversation = talk(worker, ScriptedNetwork(Chain(), "Yes."), chain_tokens=1)
    history: tuple[ChatMessage, ...] = ()
    for turn in range(1, 40):
        said = request("and then it was", turn=turn, history=history, sound=SOUND[:SECOND])
        await reply(conversation, said)
        exchanges = (
            ChatMessage("caller", "and then it was", turn=TurnId(turn)),
            ChatMessage("avatar", "Yes.", turn=TurnId(turn)),
        )
        history = (*history, *exchanges)[-24:]
    assert len(conversation._reader._earlier) <= 13


async def test_a_long_call_never_outgrows_the_models_memory(worker):
    network = ScriptedNetwork(Chain(), "Yes.", positions=400)
    _, conversation = talk(worker, network, chain_tokens=10, reply_tokens=10)
    history: tuple[ChatMessage, ...] = ()
    moved = 0
    for turn in range(1, 40):
        words = f"{chr(97 + turn % 26)} {WORDS}"
        await reply(conversation, request(words, turn=turn, history=history))
        assert len(network.newest_prompt()) < 400 - 10 - 10 - 32
        moved += network.language.prompts[-1][0] == 1  # only the first mark was the same
        exchanges = (
            ChatMessage("caller", words, turn=TurnId(turn)),
            ChatMessage("avatar", REPLY, turn=TurnId(turn)),
        )
        history = (*history, *exchanges)[-24:]
    assert REPLY in network.newest_text()
    assert 0 < moved < 39  # else it would be read anew with every turn


async def test_an_endless_utterance_is_cut_to_its_end(worker):
    network = ScriptedNetwork(positions=300)
    _, conversation = talk(worker, network, chain_tokens=20, reply_tokens=20)
    await reply(conversation, request("so " * 900 + "that is how I lost it"))
    assert network.newest_text().endswith("so that is how I lost it<avatar>")
    assert len(network.newest_prompt()) < 300


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
