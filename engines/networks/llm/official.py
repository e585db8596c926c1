"""Loads a published Llama, key for key: transformers' names, and new rows for signal tokens."""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor

from rt_avatar.engines.networks.llm.config import LlmConfig
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.loading import load_strict

_TABLES: Final = ("model.embed_tokens.weight", "lm_head.weight")
_EXTRAS: Final = ("*.rotary_emb.inv_freq",)  # older files carry what is computed


def load_llama(llama: Llama, state: Mapping[str, Tensor]) -> None:
    """Load ``vicuna-7b-v1.5`` or another Llama of this size, or what training of ours saved.

    A file that knows no signal tokens has 32 rows fewer; theirs then begin as the mean of all
    others, so that before training they mean nothing in particular, and are as probable as any.

    Raises:
        CheckpointError: The state does not fit; the model is unchanged.
    """
    config = llama.config
    given = dict(state)
    if config.tied:
        given.setdefault(_TABLES[1], given.get(_TABLES[0], torch.empty(0)))
    if config.first_signal == config.base_vocabulary:
        for key in _TABLES:
            rows = given.get(key)
            if rows is not None and rows.shape[0] == config.base_vocabulary:
                mean = rows.to(torch.float32).mean(dim=0, keepdim=True).to(rows.dtype)
                new = mean.expand(config.vocabulary - len(rows), -1)
                given[key] = torch.cat([rows, new])
    load_strict(llama.model, given, allow=_EXTRAS)


def llama_keys(config: LlmConfig) -> dict[str, tuple[int, ...]]:
    """Return the published file's keys and shapes, without memory for the numbers."""
    with torch.device("meta"):
        made = Llama(config).model.state_dict()
    keys = {key: tuple(value.shape) for key, value in made.items()}
    if config.first_signal == config.base_vocabulary:
        for key in _TABLES:
            keys[key] = (config.base_vocabulary, config.width)
    return keys
