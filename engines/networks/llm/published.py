"""What the published language model and an adapter of it must be: keys, shapes, scale.

The adapter is one of ours, as ``peft`` saves it. Its tensors do not tell by how much they count;
the configuration beside them does, and must say what ``engines.networks.llm.lora`` merges by.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.llm.config import VICUNA_7B, LlmConfig
from rt_avatar.engines.networks.llm.lora import TARGETS, LoraOptions
from rt_avatar.engines.networks.llm.official import PEFT_PREFIX, SIGNAL_ROWS, llama_keys

_TABLES: Final = ("model.embed_tokens", "lm_head")


def vicuna_keys() -> dict[str, tuple[int, ...]]:
    """Return keys and shapes of the published language model."""
    return llama_keys(VICUNA_7B)


def lora_keys(config: LlmConfig | None = None) -> dict[str, tuple[int, ...]]:
    """Return keys and shapes of an adapter's updates on q, k, v and o."""
    rank = LoraOptions().rank
    keys: dict[str, tuple[int, ...]] = {}
    for key, (outputs, *rest) in llama_keys(config or VICUNA_7B).items():
        layer, _, last = key.rpartition(".")
        if last == "weight" and layer.endswith(TARGETS):
            keys[f"{PEFT_PREFIX}{layer}.lora_A.weight"] = (rank, rest[0])
            keys[f"{PEFT_PREFIX}{layer}.lora_B.weight"] = (outputs, rank)
    return keys


def signal_row_keys(config: LlmConfig | None = None) -> dict[str, tuple[int, ...]]:
    """Return keys and shapes of the signal tokens' rows, where those were trained too."""
    config = config or VICUNA_7B
    shape = len(config.signals.all), config.width
    return {f"{PEFT_PREFIX}{table}.{SIGNAL_ROWS}": shape for table in _TABLES}


def adapter_keys(
    given: Iterable[str], config: LlmConfig | None = None
) -> dict[str, tuple[int, ...]]:
    """Return what an adapter must hold: the updates, and all signal tokens' rows if it has any."""
    rows = signal_row_keys(config)
    return lora_keys(config) | (rows if any(key in rows for key in given) else {})


# They change what an update weighs, and no tensor tells of them.
_UNUSED: Final = ("use_rslora", "use_dora", "rank_pattern", "alpha_pattern", "fan_in_fan_out")


def check_adapter(path: Path) -> None:
    """Check what an adapter's tensors do not tell.

    Args:
        path: peft's ``adapter_config.json``.

    Raises:
        CheckpointError: It is missing, or says something else than rank 8, alpha 32 on q, k, v, o,
            the same in all layers.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        found = {
            "r": data["r"],
            "lora_alpha": data["lora_alpha"],
            "target_modules": sorted(data["target_modules"]),
            **{name: data.get(name) or None for name in _UNUSED},
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(
            f"{path}: expected the adapter's configuration; got {error!r}",
            mend="peft writes it beside the adapter; keep both in one folder.",
        ) from error
    options = LoraOptions()
    wanted = {
        "r": options.rank,
        "lora_alpha": options.alpha,
        "target_modules": sorted(TARGETS),
        **dict.fromkeys(_UNUSED),
    }
    for name, value in wanted.items():
        if found[name] != value:
            expected = "none" if value is None else value
            raise CheckpointError(f"{path}: {name}: expected {expected}; got {found[name]}")
