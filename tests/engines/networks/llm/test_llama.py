"""The explicit cache: transformers' answer, step by step as at once, masked as if left out."""

import pytest
import torch

from tests.engines.networks.llm.tiny import SHARED, VICUNA, llama

pytestmark = [pytest.mark.networks, pytest.mark.filterwarnings("ignore::FutureWarning")]


@pytest.fixture(autouse=True)
def _no_gradients():
    with torch.no_grad():
        yield


def tokens(config, *shape):
    return torch.randint(0, config.vocabulary, shape)


def joined(past, added):
    return [torch.cat(pair, 2) for pair in zip(past, added, strict=True)]


@pytest.mark.parametrize("config", [SHARED, VICUNA])
def test_it_says_what_transformers_says(config):
    model, ids = llama(config), tokens(config, 2, 9)
    wanted = model.model(ids, output_hidden_states=True)
    got = model.extend(model.embed(ids), torch.ones(2, 9))
    torch.testing.assert_close(got.hidden, wanted.hidden_states[-1], atol=2e-5, rtol=0)
    torch.testing.assert_close(got.logits, wanted.logits[:, -1], atol=2e-5, rtol=0)
    assert len(got.added) == 2 * config.layers
    assert got.added[0].shape == (2, config.key_heads, 9, config.width // config.heads)


@pytest.mark.parametrize("config", [SHARED, VICUNA])
@pytest.mark.parametrize("cuts", [(1,) * 12, (5, 1, 1, 5), (7, 5), (11, 1)])
def test_steps_over_the_cache_say_what_the_whole_says(config, cuts):
    model, ids = llama(config), tokens(config, 1, 12)
    whole = model.extend(model.embed(ids), torch.ones(1, 12))
    past, hidden, read = (), [], 0
    for cut in cuts:
        part = ids[:, read : read + cut]
        read += cut
        step = model.extend(model.embed(part), torch.ones(1, read), past)
        past = joined(past, step.added) if past else step.added
        hidden.append(step.hidden)
    torch.testing.assert_close(torch.cat(hidden, 1), whole.hidden, atol=2e-5, rtol=0)
    torch.testing.assert_close(step.logits, whole.logits, atol=2e-5, rtol=0)
    for got, wanted in zip(past, whole.added, strict=True):
        torch.testing.assert_close(got, wanted, atol=2e-5, rtol=0)


def test_a_missing_modality_is_as_if_it_were_left_out():
    model, ids = llama(), tokens(SHARED, 1, 10)
    gone = torch.tensor([2, 3, 7])
    kept = [i for i in range(10) if i not in gone]
    mask = torch.ones(1, 10)
    mask[0, gone] = 0
    embeds = model.embed(ids)
    without = model.extend(embeds[:, kept], torch.ones(1, 7))
    for filling in (0.0, 3.0, -40.0):
        embeds[0, gone] = filling
        got = model.extend(embeds, mask)
        torch.testing.assert_close(got.hidden[:, kept], without.hidden, atol=2e-5, rtol=0)
        torch.testing.assert_close(got.logits, without.logits, atol=2e-5, rtol=0)


def test_a_batch_padded_on_the_left_says_what_each_says_alone():
    model, lengths = llama(), (9, 4, 1)
    rows = [tokens(SHARED, length) for length in lengths]
    ids, mask = torch.zeros(3, 9, dtype=torch.int64), torch.zeros(3, 9)
    for index, row in enumerate(rows):
        ids[index, 9 - len(row) :] = row
        mask[index, 9 - len(row) :] = 1
    together = model.extend(model.embed(ids), mask)
    after = tokens(SHARED, 3, 2)
    mask = torch.cat([mask, torch.ones(3, 2)], 1)
    then = model.extend(model.embed(after), mask, together.added)
    for index, row in enumerate(rows):
        alone = model.extend(model.embed(row[None]), torch.ones(1, len(row)))
        torch.testing.assert_close(together.logits[index], alone.logits[0], atol=2e-5, rtol=0)
        more = torch.ones(1, len(row) + 2)
        later = model.extend(model.embed(after[index][None]), more, alone.added)
        torch.testing.assert_close(then.hidden[index], later.hidden[0], atol=2e-5, rtol=0)


def test_what_comes_later_changes_nothing_before():
    model, ids = llama(), tokens(SHARED, 1, 8)
    other = ids.clone()
    other[0, 5:] = (other[0, 5:] + 1) % SHARED.vocabulary
    first = model.extend(model.embed(ids), torch.ones(1, 8)).hidden
    second = model.extend(model.embed(other), torch.ones(1, 8)).hidden
    torch.testing.assert_close(first[:, :5], second[:, :5], atol=1e-6, rtol=0)
    assert not torch.allclose(first[:, 5:], second[:, 5:])
