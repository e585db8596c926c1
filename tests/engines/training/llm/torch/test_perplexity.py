"""Perplexity is the exponential of the loss over words, however words are cut into tokens."""

import math

import pytest
import torch

from rt_avatar.engines.llm.chain import TAGS
from rt_avatar.engines.llm.templates import NANO, Turn
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.training.llm.examples import Writer
from rt_avatar.engines.training.llm.perplexity import count_words, held_out, measure
from rt_avatar.engines.training.llm.stage import config_of
from rt_avatar.engines.training.llm.train import token_losses
from tests.engines.llm.tiny import tokens

pytestmark = pytest.mark.networks

TURNS = (
    Turn("user", "I lost my dog."),
    Turn("avatar", "I'm so sorry, really!"),
    Turn("user", "Yes."),
    Turn("avatar", "Oh."),
)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return Llama(config_of(1, 128)).eval()


def test_words_are_counted_with_marks():
    assert count_words("I'm so sorry, really!") == 6
    assert count_words("") == 0


def test_who_knows_nothing_is_as_unsure_as_there_are_tokens(model):
    those = held_out(Writer(tokens(), NANO, TAGS, 200), [TURNS])
    with torch.no_grad():
        flat = Llama(model.config)
        flat.model.model.norm.weight.zero_()  # all logits alike
    found = measure(flat, those)
    counted = int(those.replies.counts.sum())
    assert (those.words, those.spaced, found.replies) == (10, 5, 2)
    assert found.words == pytest.approx(math.exp(counted * math.log(4096) / 10), rel=1e-4)
    assert found.spaced == pytest.approx(math.exp(counted * math.log(4096) / 5), rel=1e-4)


def test_padding_and_batches_change_nothing(model):
    writer = Writer(tokens(), NANO, TAGS, 200)
    both = held_out(writer, [TURNS])
    total = 0.0
    for at in range(2):
        example = writer.example(TURNS[: 2 * at + 1], TURNS[2 * at + 1].text, None)
        ids = torch.from_numpy(example.ids).long()[None]
        with torch.no_grad():
            total += float(token_losses(model, ids, torch.from_numpy(example.counts)[None]).sum())
    assert measure(model, both).words == pytest.approx(math.exp(total / 10), rel=1e-4)
    assert held_out(writer, [TURNS], 1).spaced == 4


def test_what_no_number_holds_is_infinite(model):
    those = held_out(Writer(tokens(), NANO, TAGS, 200), [TURNS])
    with torch.no_grad():
        diverged = Llama(model.config)
        diverged.model.model.norm.weight.fill_(1e6)
    found = measure(diverged, those)
    assert (found.words, found.spaced) == (math.inf, math.inf)


def test_no_replies_have_no_perplexity():
    with pytest.raises(ValueError, match="expected listeners' replies; got none"):
        held_out(Writer(tokens(), NANO, TAGS, 200), [TURNS[:1]])


def test_training_reads_the_model_as_it_runs(model):
    ids = torch.tensor([[2, 60, 61, 62, 3]])
    losses = token_losses(model, ids, torch.ones_like(ids, dtype=torch.bool))
    with torch.no_grad():
        for at in range(1, 5):
            mask = torch.ones(1, at)
            logits = model.extend(model.embed(ids[:, :at]), mask).logits
            expected = torch.nn.functional.cross_entropy(logits, ids[:, at])
            assert losses[at - 1].item() == pytest.approx(expected.item(), abs=1e-4)
