"""An answer: signal tokens once and in their order, the reply whole and without its marks."""

import numpy as np
import pytest

from rt_avatar.engines.llm.answer import (
    Answered,
    Answerer,
    AnswerOptions,
    NextToken,
    Replied,
    Signalled,
    Understood,
)
from rt_avatar.engines.llm.chain import NOTATIONS, ORDINAL, TAGS, Chain
from rt_avatar.engines.llm.templates import NANO, VICUNA_EMPATHY, VICUNA_V0, Template
from rt_avatar.engines.llm.tokens import train
from tests.engines.llm.scripted import ScriptedModel
from tests.engines.llm.tiny import TEXTS, tokens

pytestmark = pytest.mark.unit

CHAIN = Chain("lost a pet", "sad", "the dog died", "comfort her")
REPLY = "I am so sorry, naïve 🙂. Tell me more?"


def answer(script, notation=TAGS, template=NANO, thought="", known=None, **options):
    known = known or tokens()
    ids = known.encode(script) if isinstance(script, str) else script
    model = ScriptedModel(ids, known)
    prompt = model.read(model.embed([2, 50, 51, 3]))
    parts = Answerer(model, known, template, notation)
    events = list(parts.answer(prompt, AnswerOptions(**options), thought))
    return events, model


def kinds(events):
    return [type(event) for event in events if not isinstance(event, Replied)]


def reply_of(events):
    return "".join(event.text for event in events if isinstance(event, Replied))


def seen_ids(events):
    return events[-1].read.cache["seen"].tolist()


@pytest.mark.parametrize("name", NOTATIONS)
@pytest.mark.parametrize("order", ["chain", "paper"])
def test_an_answer_comes_in_its_order(name, order):
    notation = NOTATIONS[name]
    text = notation.write(CHAIN, REPLY)
    events, _ = answer(text, notation, order=order, chain_tokens=300, reply_tokens=300)
    assert reply_of(events).strip() == REPLY
    understood = events[0]
    assert understood == Understood(CHAIN, forced=False)
    assert kinds(events) == [Understood, Signalled, Answered]
    where = [type(event) for event in events].index(Signalled)
    assert where == (1 if order == "chain" else len(events) - 2)
    assert events[-1].why == "closed"


@pytest.mark.parametrize("name", NOTATIONS)
def test_what_was_read_is_what_training_writes(name):
    notation, signals = NOTATIONS[name], list(tokens().signals.all)
    text = notation.write(CHAIN, REPLY)
    head = tokens().encode(notation.write_chain(CHAIN))
    tail = tokens().encode(text)[len(head) :]
    options = {"chain_tokens": 300, "reply_tokens": 300}
    events, _ = answer(text, notation, order="paper", **options)
    assert seen_ids(events) == head + tail + signals
    events, _ = answer(text, notation, order="chain", **options)
    assert (head + signals + tail)[: len(seen_ids(events))] == seen_ids(events)
    assert len(seen_ids(events)) == len(head + signals + tail) - 1  # its last token needs no pass


@pytest.mark.parametrize("order", ["chain", "paper"])
@pytest.mark.parametrize(
    "script",
    [
        TAGS.write(CHAIN, REPLY),
        TAGS.write(CHAIN, REPLY).replace("</response>", "<end>"),
        TAGS.write_chain(CHAIN) + "word " * 50,  # no end
        "word " * 50,  # no chain
        "<end>",
        "",
    ],
)
def test_signals_are_read_once_however_the_model_errs(order, script):
    events, model = answer(script, order=order, chain_tokens=40, reply_tokens=40)
    signals = list(tokens().signals.all)
    assert model.asked.count(signals) == 1
    assert [
        token for ids in model.asked if ids != signals for token in ids if token in signals
    ] == []
    signalled = next(event for event in events if isinstance(event, Signalled))
    assert signalled.speech.shape == signalled.video.shape == (16, 3)
    assert kinds(events) == [Understood, Signalled, Answered]
    # The last layer at the token's own place plus its own embedding.
    assert signalled.speech[:, 0].tolist() == signalled.speech[:, 1].tolist() == signals[:16]
    assert signalled.video[:, 0].tolist() == signalled.video[:, 1].tolist() == signals[16:]
    assert np.diff(np.concatenate([signalled.speech, signalled.video])[:, 2]).tolist() == [1.0] * 31


@pytest.mark.parametrize("name", NOTATIONS)
@pytest.mark.parametrize("order", ["chain", "paper"])
def test_what_somebody_else_writes_is_read_as_if_the_model_had_written_it(name, order):
    notation = NOTATIONS[name]
    options = {"order": order, "chain_tokens": 300, "reply_tokens": 300}
    own, writing = answer(notation.write(CHAIN, REPLY), notation, **options)
    model = ScriptedModel(tokens().encode("Never said. " * 20))
    prompt = model.read(model.embed([2, 50, 51, 3]))
    parts = Answerer(model, tokens(), NANO, notation)
    steps = parts.read_out(prompt, AnswerOptions(**options), CHAIN, REPLY)
    events = [event for event in steps if not isinstance(event, NextToken)]
    assert reply_of(events).strip() == reply_of(own).strip() == REPLY
    assert [event for event in events if isinstance(event, Understood)] == own[:1]
    mine, theirs = (
        [(each.token, each.state.tolist()) for each in told if isinstance(each, Replied)]
        for told in (events, own)
    )
    assert mine == theirs
    assert len(model.asked) < len(writing.asked) / 5  # in passes of many tokens


def test_of_what_somebody_else_writes_no_more_is_read_than_there_is_room_for():
    model = ScriptedModel([])
    parts = Answerer(model, tokens(), NANO, TAGS)
    prompt = model.read(model.embed([2, 50, 51, 3]))
    *_, end = parts.read_out(prompt, AnswerOptions(reply_tokens=3), CHAIN, REPLY)
    assert end.why == "limit"
    assert end.read.cache["seen"].tolist()[-3:] == tokens().encode(REPLY)[:3]


def test_states_are_those_of_the_replys_own_tokens():
    events, _ = answer(TAGS.write(CHAIN, REPLY), order="chain", reply_tokens=300)
    replied = [event for event in events if isinstance(event, Replied)]
    ids = tokens().encode(REPLY)
    assert [event.token for event in replied] == ids
    assert [int(event.state[1]) for event in replied] == ids
    first = replied[0].state[2]
    assert [event.state[2] - first for event in replied] == list(range(len(ids)))


def test_a_chain_that_does_not_end_is_ended():
    events, model = answer("<scene>" + "word " * 50, chain_tokens=10)
    assert events[0].forced
    assert events[0].chain.scenario.startswith("word")
    assert tokens().encode(TAGS.opening) in model.asked
    assert kinds(events) == [Understood, Signalled, Answered]
    assert events[-1].why == "limit"


def test_without_a_chain_the_reply_comes_at_once():
    events, model = answer(TAGS.write(None, REPLY), with_chain=False, reply_tokens=300)
    assert events[0] == Understood(Chain(), forced=False)
    assert model.asked[0] == tokens().encode(TAGS.opening)
    assert model.asked[1] == list(tokens().signals.all)
    assert reply_of(events) == REPLY


@pytest.mark.parametrize("cut", [0, 12, 30, None])
def test_what_was_thought_before_is_not_thought_again(cut):
    whole = TAGS.write_chain(CHAIN)
    ids = tokens().encode(TAGS.write(CHAIN, REPLY))
    thought = whole if cut is None else tokens().decode(ids[:cut])
    events, model = answer(ids, thought=thought, reply_tokens=300)
    assert events[0].chain == CHAIN
    assert reply_of(events) == REPLY
    if cut is None:
        assert model.asked[1] == list(tokens().signals.all)


def test_marks_of_several_tokens_are_held_back():
    text = "Well </respect> <, not # or ## an end"
    runs = Template(
        **{name: getattr(VICUNA_V0, name) for name in VICUNA_V0.__slots__ if name != "stops"},
        stops=(tuple(tokens().encode("##!")),),
    )
    split = ORDINAL.write_chain(CHAIN) + text
    closing = [token for letter in "</response>" for token in tokens().encode(letter)]
    ids = tokens().encode(split) + closing
    options = {"chain_tokens": 300, "reply_tokens": 300}
    events, _ = answer(ids, ORDINAL, runs, **options)
    assert (reply_of(events), events[-1].why) == (text, "closed")
    assert seen_ids(events)[-10:] == closing[:-1]
    events, _ = answer(ids, ORDINAL, runs, order="paper", **options)
    assert [t for t in seen_ids(events) if t not in tokens().signals.all] == ids
    events, _ = answer(tokens().encode(split) + list(runs.stops[0]), ORDINAL, runs, **options)
    assert (reply_of(events), events[-1].why) == (text, "stopped")


@pytest.mark.parametrize("order", ["chain", "paper"])
def test_a_mark_that_begins_within_a_token_of_the_reply_ends_it(order):
    known = train([*TEXTS, "I hear you.</ "] * 8, 420)
    pieces = ["I hear you", ".</", "response", ">"]
    reply = [token for piece in pieces for token in known.encode(piece)]
    assert len(known.encode(".</")) == 1  # as in Llama 2's vocabulary
    written = [*known.encode(ORDINAL.write_chain(CHAIN)), *reply]
    script = [*written, *known.encode(" noise" * 9)]
    options = {"known": known, "order": order, "chain_tokens": 300, "reply_tokens": 30}
    events, _ = answer(script, ORDINAL, VICUNA_EMPATHY, **options)
    assert (reply_of(events), events[-1].why) == ("I hear you.", "closed")
    read = [token for token in seen_ids(events) if token not in known.signals.all]
    assert read == (written if order == "paper" else written[:-1])


def test_what_looked_like_an_end_at_the_limit_is_said():
    text = TAGS.write_chain(CHAIN) + "Well <"
    limit = len(tokens().encode("Well <"))
    events, _ = answer(text, reply_tokens=limit)
    assert reply_of(events) == "Well <"
    assert events[-1].why == "limit"


@pytest.mark.parametrize("known", [0, 3, 10])
def test_a_chain_is_no_longer_than_its_limit_with_what_was_thought_before(known):
    script = tokens().encode("<scene>" + "word " * 50)
    events, _ = answer(script, thought=tokens().decode(script[:known]), chain_tokens=10)
    assert events[0].forced
    opening = tokens().id(TAGS.opening)
    assert seen_ids(events).index(opening) == 10


def begun(script, **options):
    model = ScriptedModel(tokens().encode(script))
    prompt = model.read(model.embed([2, 50, 51, 3]))
    return Answerer(model, tokens(), NANO, TAGS), prompt, AnswerOptions(**options)


def thoughts_of(steps):
    return [step for step in steps if isinstance(step, str)]


@pytest.mark.parametrize("order", ["chain", "paper"])
def test_a_step_is_a_pass_or_two(order):
    parts, prompt, options = begun(TAGS.write(CHAIN, REPLY), order=order, reply_tokens=300)
    passes = []
    told = []
    for event in parts.steps(prompt, options):
        passes.append(len(parts.model.asked))
        told.append(event)
    assert max(np.diff([0, *passes])) <= 2
    assert [kind for kind in map(type, told) if kind is not NextToken] == [
        type(event) for event in parts.answer(prompt, options)
    ]


def test_a_chain_is_thought_alone_and_then_answered_from():
    parts, prompt, options = begun(TAGS.write(CHAIN, REPLY), reply_tokens=300)
    *beginnings, whole = thoughts_of(parts.think(prompt, options))
    assert whole == TAGS.write_chain(CHAIN)
    assert all(whole.startswith(beginning) for beginning in beginnings)
    assert beginnings[0] == ""
    thinking = len(parts.model.asked)
    events = list(parts.answer(prompt, options, whole))
    assert events[0].chain == CHAIN
    assert reply_of(events) == REPLY
    # All of the chain in one pass, then the signals.
    assert parts.model.asked[thinking] == tokens().encode(whole)
    assert parts.model.asked[thinking + 1] == list(tokens().signals.all)


@pytest.mark.parametrize("beginning", ["", "<scene>lost a pet<emo>"])
def test_thinking_goes_on_from_a_beginning(beginning):
    parts, prompt, options = begun(TAGS.write_chain(CHAIN))
    thoughts = thoughts_of(parts.think(prompt, options, beginning))
    assert (thoughts[0], thoughts[-1]) == (beginning, TAGS.write_chain(CHAIN))


@pytest.mark.parametrize("script", ["<scene>" + "word " * 50, "<scene>so<end>"])
def test_a_chain_without_an_end_is_ended_and_not_thought_on(script):
    parts, prompt, options = begun(script, chain_tokens=10)
    *_, whole = thoughts_of(parts.think(prompt, options))
    assert whole.endswith(TAGS.opening)
    before = len(parts.model.asked)
    understood = next(parts.answer(prompt, options, whole))
    assert isinstance(understood, Understood)
    assert len(parts.model.asked) == before + 1
