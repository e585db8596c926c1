"""The language model that comes with the package is one that has learnt."""

import pytest

from rt_avatar.engines.llm.chain import NOTATIONS
from rt_avatar.engines.llm.templates import TEMPLATES, Turn
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.llm.shipped import load_shipped
from rt_avatar.engines.networks.sizes import NANO
from rt_avatar.engines.training.llm.examples import Writer
from rt_avatar.engines.training.llm.perplexity import held_out, measure

pytestmark = pytest.mark.networks

STORY = "My grandmother died last week, and I miss her so much."
KIND = "I am so sorry to hear that. Were you close to her?"


def perplexity(model, tokens, reply):
    writer = Writer(tokens, TEMPLATES[NANO.template], NOTATIONS[NANO.notation], 256)
    return measure(model, held_out(writer, [[Turn("user", STORY), Turn("avatar", reply)]])).words


def test_what_a_listener_says_is_likelier_than_the_same_words_in_disorder():
    model, tokens = load_shipped()
    kind = perplexity(model, tokens, KIND)
    assert kind < 100
    assert perplexity(model, tokens, " ".join(reversed(KIND.split()))) > 3 * kind
    assert perplexity(Llama(NANO.llm).eval(), tokens, KIND) > 3 * kind
