"""A Llama with every kind of layer and few numbers."""

from dataclasses import replace

import torch

from rt_avatar.engines.networks.lazy_weights import lazy_state, materialize
from rt_avatar.engines.networks.llm.config import LlmConfig
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.llm.official import lazy_llama, lazy_rotary, meta_llama

# Like Vicuna: own head, signal tokens behind the published rows.
VICUNA = LlmConfig("tiny", 24, 2, 4, 4, 48, 64 + 32, 64, 128)
# Like nano: the head is the embedding, queries share keys, signal tokens among the special ones.
SHARED = LlmConfig("tiny-shared", 24, 2, 4, 2, 48, 512, 13, 128, tied=True)


def llama(config=SHARED, seed=1):
    torch.manual_seed(seed)
    made = Llama(config).eval()
    with torch.no_grad():  # its own beginning is so even that nothing would be told apart
        for parameter in made.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.3)
    return made


def narrower(config, **changes):
    return replace(config, **changes)


def read_llama(config, published, adapter=None):
    """The model that published tensors make, read one at a time."""
    made = meta_llama(config)
    weights = lazy_llama(config, lazy_state(published), adapter)
    materialize(made, {**weights, **lazy_rotary(config)})
    return made
