"""Prompts that begin alike: what they share is read once, and what they lead to is the same."""

import numpy as np
import pytest

from rt_avatar.engines.llm.cache import HostCachedGraph
from rt_avatar.engines.llm.model import GraphModel
from rt_avatar.engines.llm.prefix import PrefixReader, shared

pytestmark = pytest.mark.unit

WIDTH, HEADS = 4, 2
DICE = np.random.default_rng(0)
A, B, C = (DICE.normal(0, 1, (5, WIDTH)).astype(np.float32) for _ in range(3))


class Summing:
    """Graphs of a model whose cache holds its inputs and whose states are sums over them."""

    def __init__(self):
        self.read = []

    def extend(self, inputs):
        embeds = inputs["embeds"]
        self.read.append(embeds.shape[1])
        wide = np.zeros((1, HEADS, embeds.shape[1], WIDTH), np.float32) + embeds[:, None]
        past = inputs["key_0"]
        assert past.flags.c_contiguous
        grown = np.concatenate([past, wide], axis=2)[:, 0]
        assert inputs["mask"].shape == (1, grown.shape[1])
        sums = np.cumsum(grown * inputs["mask"][..., None], axis=1)[:, -embeds.shape[1] :]
        return {"hidden": sums, "logits": sums[:, -1], "key_0_added": wide, "value_0_added": wide}

    def model(self):
        return GraphModel(None, HostCachedGraph(self.extend, 1, HEADS, WIDTH))


@pytest.fixture
def graphs():
    return Summing()


def test_what_two_prompts_begin_with_is_read_once(graphs):
    reader = PrefixReader(graphs.model())
    for prompt in (A, np.concatenate([A, B]), np.concatenate([A, B[:2], C])):
        made = reader.read(prompt)
        assert made.length == len(prompt)
        np.testing.assert_allclose(made.logits, prompt.sum(axis=0), rtol=1e-5)
    assert graphs.read == [5, 5, 5]


def test_the_same_prompt_is_not_read_again_and_a_shorter_one_only_at_its_end(graphs):
    reader = PrefixReader(graphs.model())
    assert reader.read(A) is reader.read(A.copy())
    np.testing.assert_allclose(reader.read(A[:3]).logits, A[:3].sum(axis=0), rtol=1e-5)
    assert graphs.read == [5, 1]


def test_prompts_that_differ_from_the_start_are_read_whole(graphs):
    reader = PrefixReader(graphs.model())
    for prompt in (A, B, A):
        np.testing.assert_allclose(reader.read(prompt).logits, prompt.sum(axis=0), rtol=1e-5)
    reader.forget()
    reader.read(A)
    assert graphs.read == [5, 5, 5, 5]


def test_a_model_that_fails_leaves_what_was_read(graphs):
    model = graphs.model()
    reader = PrefixReader(model)
    before = reader.read(A)
    working = model._extend
    model._extend = HostCachedGraph(lambda inputs: 1 / 0, 1, HEADS, WIDTH)
    with pytest.raises(ZeroDivisionError):
        reader.read(np.concatenate([A, B]))
    model._extend = working
    assert reader.read(A) is before


def test_what_is_read_after_a_part_does_not_know_the_rest(graphs):
    model = graphs.model()
    first = model.read(np.concatenate([A, B]))
    part = model.read(C, first, 5)
    np.testing.assert_allclose(part.logits, (A.sum(axis=0) + C.sum(axis=0)), rtol=1e-5)
    assert first.length == part.length == 10
    assert model.read(C, first).length == 15


@pytest.mark.parametrize("kept", [0, 6])
def test_more_than_was_read_cannot_be_kept(graphs, kept):
    model = graphs.model()
    with pytest.raises(ValueError, match=f"expected to keep 1 to 5 tokens; got {kept}"):
        model.read(B, model.read(A), kept)


def test_shared_counts_equal_rows():
    assert shared(A, A) == 5
    assert shared(A, A[:2]) == 2
    assert shared(A, np.concatenate([A[:3], B])) == 3
    assert shared(A, B) == 0
