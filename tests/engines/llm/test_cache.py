"""Caches grow in place; a handle never changes, whoever goes on from it and however often."""

import numpy as np
import pytest

from rt_avatar.engines.llm.cache import HostCachedGraph

pytestmark = pytest.mark.unit

LAYERS, HEADS, SIZE, WIDTH = 2, 2, 3, 4


class Noting:
    """``llm_extend`` whose keys are what it reads; notes the past that it was shown."""

    def __init__(self):
        self.shown = []

    def run(self, inputs):
        embeds, mask = inputs["embeds"], inputs["mask"]
        places = inputs["key_0"].shape[2]
        assert mask.shape == (len(embeds), places + embeds.shape[1])
        assert (mask[:, places:] == 1).all()
        self.shown.append(inputs)
        added = np.repeat(embeds[:, None, :, :1], HEADS, 1).repeat(SIZE, 3)
        given = {f"{part}_{at}_added": added for at in range(LAYERS) for part in ("key", "value")}
        return {"hidden": embeds, "logits": embeds[:, -1], **given}

    def seen(self, row=0):
        """The first number of all tokens that the last run could look at."""
        places = self.shown[-1]["key_0"].shape[2]
        is_token = self.shown[-1]["mask"][row, :places] == 1
        return self.shown[-1]["key_0"][row, 0, is_token, 0].tolist()


def tokens(*values):
    return np.array([[[value] * WIDTH for value in values]], np.float32)


@pytest.fixture
def graph():
    return Noting()


@pytest.fixture
def cached(graph):
    return HostCachedGraph(graph.run, LAYERS, HEADS, SIZE)


def test_a_thousand_tokens_are_written_in_place_and_copied_once_in_128(graph, cached):
    handle, memories, pasts = cached.empty(), [], set()
    for token in range(1000):
        _, (handle,) = cached.extend(tokens(token), [handle])
        pasts.add(graph.shown[-1]["key_0"].shape[2])
        if not memories or memories[-1] is not handle.memory:
            memories.append(handle.memory)
    cached.extend(tokens(0), [handle])
    assert graph.seen() == list(range(1000))
    assert pasts == {1, *range(128, 1025, 128)}  # one place, then 128, 256 ... 1,024
    assert len(memories) == 9
    # What the graph is shown is that memory itself, not a copy of it.
    assert np.shares_memory(graph.shown[-1]["value_1"], handle.memory.values)


def test_who_goes_on_from_the_same_handle_twice_gets_a_fork_and_the_first_is_unchanged(
    graph, cached
):
    _, (prompt,) = cached.extend(tokens(1, 2, 3), [cached.empty()])
    _, (one,) = cached.extend(tokens(4), [prompt])
    _, (other,) = cached.extend(tokens(5), [prompt])
    assert one.memory is prompt.memory
    assert other.memory is not prompt.memory
    for handle, wanted in ((one, [1, 2, 3, 4]), (other, [1, 2, 3, 5]), (prompt, [1, 2, 3])):
        cached.extend(tokens(9), [handle])
        assert graph.seen() == wanted


def test_a_truncated_handle_does_not_know_the_rest_and_the_whole_one_stays(graph, cached):
    _, (whole,) = cached.extend(tokens(1, 2, 3, 4), [cached.empty()])
    _, (other,) = cached.extend(tokens(7), [whole.truncated(2)])
    for handle, wanted in ((other, [1, 2, 7]), (whole, [1, 2, 3, 4])):
        cached.extend(tokens(9), [handle])
        assert graph.seen() == wanted


def test_a_run_that_fails_changes_no_handle(graph, cached):
    _, (handle,) = cached.extend(tokens(1, 2), [cached.empty()])
    cached._run = lambda inputs: 1 / 0
    with pytest.raises(ZeroDivisionError):
        cached.extend(tokens(3), [handle])
    cached._run = graph.run
    _, (longer,) = cached.extend(tokens(4), [handle])
    assert longer.memory is handle.memory
    cached.extend(tokens(9), [longer])
    assert graph.seen() == [1, 2, 4]


def test_dialogues_of_a_batch_see_their_own_tokens_only(graph, cached):
    _, (one,) = cached.extend(tokens(*range(200)), [cached.empty()])
    _, (other,) = cached.extend(tokens(7, 8), [cached.empty()])
    both = np.concatenate([tokens(1000), tokens(9)])
    _, (one, other) = cached.extend(both, [one, other])
    assert graph.seen(0) == list(range(200))
    assert graph.seen(1) == [7, 8]
    cached.extend(tokens(0), [other])
    assert graph.seen() == [7, 8, 9]
    cached.extend(tokens(0), [one])
    assert graph.seen() == [*range(200), 1000]
