"""A published Llama, matrix by matrix: transformers' names, rows for signal tokens, an adapter.

The official size is 27 GB in fp32, so it is never held whole: its module lies on the ``meta``
device, and every matrix is made when it is asked for.
"""

from collections.abc import Callable, Mapping
from typing import Final

import torch
from torch import Tensor
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from rt_avatar.engines.networks.lazy_weights import LazyWeights, lazy_state
from rt_avatar.engines.networks.llm.config import LlmConfig
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.llm.lora import LoraOptions

PEFT_PREFIX: Final = "base_model.model."  # before every key of an adapter
SIGNAL_ROWS: Final = "token_adapter.trainable_tokens_delta"
_TABLES: Final = ("model.embed_tokens.weight", "lm_head.weight")
_PREFIX: Final = "model."  # stands before transformers' names in ``Llama``
_ROTARY: Final = "model.model.rotary_emb."  # computed, in no file
_ROWS: Final = 1024  # of a table that are summed at once


def llama_keys(config: LlmConfig) -> dict[str, tuple[int, ...]]:
    """Return the published file's keys and shapes, without memory for the numbers."""
    keys = {
        key: tuple(tensor.shape) for key, tensor in meta_llama(config).model.state_dict().items()
    }
    if config.first_signal == config.base_vocabulary:
        for key in _TABLES:
            keys[key] = (config.base_vocabulary, config.width)
    return keys


def meta_llama(config: LlmConfig) -> Llama:
    """Return a language model of shapes alone."""
    with torch.device("meta"):
        model = Llama(config)
    model.eval()
    return model


def lazy_llama(
    config: LlmConfig, published: LazyWeights, adapter: Mapping[str, Tensor] | None = None
) -> LazyWeights:
    """Return the weights of ``Llama`` by its own names.

    Args:
        config: Of the model.
        published: By transformers' names. Tables know no signal tokens, whose rows then begin as
            the mean of all others: before training they mean nothing in particular, and are as
            probable as any.
        adapter: As peft saves it, to be merged; None: there is none.
    """
    weights: dict[str, Callable[[], Tensor]] = {}
    for key, read in published.items():
        rows = _with_signal_rows(read, config) if key in _TABLES else read
        weights[_PREFIX + key] = rows if adapter is None else _merged(rows, key, adapter, config)
    return weights


def lazy_rotary(config: LlmConfig) -> LazyWeights:
    """Return the frequencies of the rotary positions, which are computed."""
    with torch.device("cpu"):
        rotary = LlamaRotaryEmbedding(config=config.huggingface())
    return lazy_state({_ROTARY + name: buffer for name, buffer in rotary.named_buffers()})


def _with_signal_rows(read: Callable[[], Tensor], config: LlmConfig) -> Callable[[], Tensor]:
    def merged() -> Tensor:
        rows = read()
        missing = config.vocabulary - len(rows)
        if not missing:
            return rows
        total = torch.zeros(config.width)
        for block in rows.split(_ROWS):
            total += block.sum(0, dtype=torch.float32)
        return torch.cat([rows, (total / len(rows)).to(rows.dtype).expand(missing, -1)])

    return merged


def _merged(
    read: Callable[[], Tensor], key: str, adapter: Mapping[str, Tensor], config: LlmConfig
) -> Callable[[], Tensor]:
    layer = PEFT_PREFIX + key.removesuffix(".weight")
    down, up = (adapter.get(f"{layer}.lora_{end}.weight") for end in "AB")
    signals = adapter.get(f"{layer}.{SIGNAL_ROWS}")
    options = LoraOptions()

    def merged() -> Tensor:
        weight = read()
        if signals is not None:
            weight = weight.clone()
            weight[list(config.signals.all)] = signals.to(weight.dtype)
        if down is not None and up is not None:
            weight = weight.float() + (options.alpha / options.rank) * (up.float() @ down.float())
        return weight

    return read if down is None and signals is None else merged
