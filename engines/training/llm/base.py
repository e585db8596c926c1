"""A published language model of which an adapter is learnt: checked, then read weight by weight."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from rt_avatar.engines.checkpoints import find_published, read_record, sha256
from rt_avatar.engines.networks.importing import lazy_imported
from rt_avatar.engines.networks.lazy_weights import LazyWeights, materialize
from rt_avatar.engines.networks.llm.config import LlmConfig
from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.llm.official import (
    lazy_llama,
    lazy_rotary,
    llama_keys,
    meta_llama,
)
from rt_avatar.engines.networks.sizes import SIZES

# Of an example, as of the published text baseline: the template's instruction, the signal tokens
# and a chain in sentences are 250 of them.
CONTEXT: Final = 512


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """A language model that stays as it is while an adapter of it learns.

    Attributes:
        name: As ``rt-avatar models`` names it.
        config: Its sizes.
        weights: By transformers' names; nothing is read yet.
        digest: Of all of them.
        licence: Of its weights.
        tokenizer: Its ``tokenizer.json``.
        template: How dialogues are written for it.
        notation: How chains are written.
    """

    name: str
    config: LlmConfig
    weights: LazyWeights
    digest: str
    licence: str
    tokenizer: Path
    template: str
    notation: str

    @property
    def identity(self) -> dict[str, Any]:
        """What a checkpoint must be of."""
        tokenizer = sha256(self.tokenizer)
        return {**asdict(self.config), "base": self.digest, "tokenizer": tokenizer}


def imported_base(models: Path, tokenizer: Path) -> Base:
    """Return the official language model as ``rt-avatar models import`` left it.

    Args:
        models: Folder of imported weights.
        tokenizer: A Llama 2's ``tokenizer.json``.

    Raises:
        CheckpointError: Weights or record are missing, or do not fit.
    """
    sizes = SIZES["empatheia"]
    published = find_published(sizes.weights["llm"])
    path, weights = lazy_imported(published.name, models, llama_keys(sizes.llm))
    return Base(
        published.name,
        sizes.llm,
        weights,
        read_record(path).sha256,
        published.licence,
        tokenizer,
        sizes.template,
        sizes.notation,
    )


def read_base(base: Base, where: torch.device, dtype: torch.dtype) -> Llama:
    """Return the model on its device, with rows for the signal tokens; one weight is read a time.

    Args:
        base: Which.
        where: The device.
        dtype: Of its weights.
    """
    model = meta_llama(base.config)
    for value in model.parameters():  # positions stay fp32
        value.data = value.data.to(dtype)
    weights = {**lazy_llama(base.config, base.weights), **lazy_rotary(base.config)}
    materialize(model, {key: partial(_placed, read, where) for key, read in weights.items()})
    if base.config.tied:
        model.model.tie_weights()
    return model


def _placed(read: Callable[[], Tensor], where: torch.device) -> Tensor:
    return read().to(where)
