"""Answers of a real Llama through its exported graphs: streaming says what the whole says."""

import numpy as np
import onnxruntime
import pytest
import torch

from rt_avatar.engines.llm.answer import Answerer, AnswerOptions, Replied, Signalled
from rt_avatar.engines.llm.cache import HostCachedGraph
from rt_avatar.engines.llm.chain import TAGS
from rt_avatar.engines.llm.model import GraphModel
from rt_avatar.engines.llm.prompt import assemble
from rt_avatar.engines.llm.templates import NANO, Slot, Turn
from rt_avatar.engines.networks.graph import export_onnx
from rt_avatar.engines.networks.llm.graphs import graphs
from tests.engines.llm.tiny import tokens
from tests.engines.networks.llm.tiny import SHARED, llama

pytestmark = pytest.mark.networks

TURNS = (Turn("user", "I lost my dog.", ("speech",)),)


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("llm")

    def run(name):
        session = onnxruntime.InferenceSession(str(folder / f"{name}.onnx"))
        names = [entry.name for entry in session.get_outputs()]
        return lambda inputs: dict(zip(names, session.run(None, dict(inputs)), strict=True))

    made = {graph.name: graph for graph in graphs(llama())}
    for graph in made.values():
        export_onnx(graph, folder / f"{graph.name}.onnx")
    return {name: run(name) for name in made}


@pytest.fixture(scope="module")
def model(loaded):
    sizes = SHARED.layers, SHARED.key_heads, SHARED.width // SHARED.heads
    return GraphModel(loaded["llm_embed"], HostCachedGraph(loaded["llm_extend"], *sizes))


def prompt_of(model):
    heard = np.random.default_rng(7).normal(size=(24, SHARED.width)).astype(np.float32)
    return assemble(model, tokens(), NANO.pieces(TURNS), {Slot("speech", 0): heard})


def kept(read):
    """Its keys and values."""
    return read.cache.memory.values[:, :, : read.length]


@pytest.mark.parametrize("order", ["chain", "paper"])
def test_states_are_those_of_one_pass_over_all(model, order):
    vectors = prompt_of(model)
    parts = Answerer(model, tokens(), NANO, TAGS)
    options = AnswerOptions(order=order, chain_tokens=9, reply_tokens=11)
    events = list(parts.answer(model.read(vectors), options))
    replied = [event for event in events if isinstance(event, Replied)]
    signalled = next(event for event in events if isinstance(event, Signalled))
    assert replied

    total = events[-1].read.length
    # All that was read, read again in one pass of torch.
    torch_model = llama()
    signals = torch.tensor([list(SHARED.signals.all)])
    with torch.no_grad():
        table = torch_model.embed(signals)[0].numpy()
        said = [event.token for event in replied]
        states = np.stack([event.state for event in replied])
        read = np.concatenate([signalled.speech, signalled.video]) - table
        assert np.isfinite(read).all()
        ids = tokens().encode(TAGS.opening)
        if order == "chain":
            tail = [*ids, *SHARED.signals.all, *said]
        else:
            tail = [*ids, *said, *tokens().encode(TAGS.closing), *SHARED.signals.all]
        chain = total - len(vectors) - len(tail)
        assert 0 <= chain <= 9
        thought = model.read(vectors)
        drawn = []
        for _ in range(chain):
            scores = thought.logits.copy()
            scores[[0, 2, 3, 4, 5, *SHARED.signals.all]] = -np.inf
            drawn.append(int(scores.argmax()))
            thought = model.step(drawn[-1:], thought)
        more = torch_model.embed(torch.tensor([drawn + tail]))
        embeds = torch.cat([torch.from_numpy(vectors)[None], more], 1)
        whole = torch_model.extend(embeds, torch.ones(1, total)).hidden[0].numpy()
    first_said = total - len(tail) + (tail.index(said[0], len(ids)) if order == "paper" else
                                      len(ids) + 32)  # fmt: skip
    np.testing.assert_allclose(whole[first_said : first_said + len(said)], states, atol=1e-4)
    first = total - len(tail) + tail.index(SHARED.signals.first)
    np.testing.assert_allclose(whole[first : first + 32], read, atol=1e-4)


def test_reading_a_prompt_in_parts_is_reading_it_whole(model):
    vectors = prompt_of(model)
    whole = model.read(vectors)
    part = model.read(vectors[:7])
    joined = model.read(vectors[7:], part)
    assert joined.length == whole.length == len(vectors)
    np.testing.assert_allclose(joined.logits, whole.logits, atol=1e-4)
    assert part.length == 7
    # Unchanged: a preemptive reply can be dropped, and what it was made after be gone on with.
    again = model.read(vectors[7:], part)
    np.testing.assert_array_equal(again.logits, joined.logits)


def test_an_answer_repeats_itself(model):
    parts = Answerer(model, tokens(), NANO, TAGS)
    options = AnswerOptions(chain_tokens=5, reply_tokens=6)
    first, second = (list(parts.answer(model.read(prompt_of(model)), options)) for _ in range(2))
    assert [type(event) for event in first] == [type(event) for event in second]
    said = [event.token for event in first if isinstance(event, Replied)]
    assert said == [event.token for event in second if isinstance(event, Replied)]
    assert not set(said) & set(SHARED.signals.all)


def test_a_batch_of_dialogues_is_read_as_each_alone(model):
    vectors = prompt_of(model)
    prompts = [model.read(vectors[:length]) for length in (5, len(vectors), 11, 2)]
    ids = [50, 51, 52, 53]
    alone = [model.step([token], prompt) for token, prompt in zip(ids, prompts, strict=True)]
    together = model.step_batch(ids, prompts)
    # What was read in a batch is gone on with, in another batch or alone, as what was read alone.
    alone += [model.step([54], read) for read in alone]
    together += [*model.step_batch([54] * 3, together[:3]), model.step([54], together[3])]
    for one, other in zip(alone, together, strict=True):
        assert one.length == other.length
        np.testing.assert_allclose(other.logits, one.logits, atol=1e-4)
        np.testing.assert_allclose(other.hidden, one.hidden, atol=1e-4)
        np.testing.assert_allclose(kept(other), kept(one), atol=1e-4)
