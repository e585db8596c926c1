"""LoRA on the attention's four maps, through ``peft``; ``official`` merges it for export.

Rank, scale and dropout are the ones of the published text baseline (r 8, alpha 32, dropout 0.1).
The rows of the signal tokens are new to a published model and trained besides, in embedding and
head, while all other rows stay as they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from peft import LoraConfig, PeftModel, get_peft_model
from peft.utils import get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import save_file
from torch import Tensor

from rt_avatar.engines.networks.llm.llama import Llama
from rt_avatar.engines.networks.loading import compare

TARGETS: Final = ("q_proj", "k_proj", "v_proj", "o_proj")


@dataclass(frozen=True, slots=True)
class LoraOptions:
    """How much is learnt.

    Attributes:
        rank: Of each update.
        alpha: Updates are scaled by ``alpha / rank``.
        dropout: Of what enters them, while training.
        signals: Whether the signal tokens' rows are learnt too.
    """

    rank: int = 8
    alpha: int = 32
    dropout: float = 0.1
    signals: bool = True


def add_lora(llama: Llama, options: LoraOptions = LoraOptions()) -> PeftModel:
    """Put LoRA into the model's layers and freeze the rest; returns peft's view of the same.

    What is learnt is fp32 whatever the model is: bfloat16 would lose steps of a usual size.
    """
    rows = list(llama.config.signals.all) if options.signals else None
    config = LoraConfig(
        r=options.rank,
        lora_alpha=options.alpha,
        lora_dropout=options.dropout,
        target_modules=list(TARGETS),
        trainable_token_indices=rows and _token_rows(llama, rows),
        task_type="CAUSAL_LM",
    )
    wrapped = get_peft_model(llama.model, config)
    for value in wrapped.parameters():
        if value.requires_grad:
            value.data = value.data.float()
    # Layers were exchanged within the model; the head and the table of tokens as well.
    llama.model = wrapped.get_base_model()
    return wrapped


def load_lora(wrapped: PeftModel, state: Mapping[str, Tensor]) -> None:
    """Load an adapter's file (``adapter_model.safetensors``) strictly.

    Raises:
        CheckpointError: Keys are missing or unexpected, or shapes differ; nothing is changed.
    """
    wanted = get_peft_model_state_dict(wrapped, save_embedding_layers=False)
    compare("LoRA", wanted, state)
    set_peft_model_state_dict(wrapped, dict(state))


def lora_state(wrapped: PeftModel) -> dict[str, Tensor]:
    """Return the adapter's tensors as its file names them."""
    return dict(get_peft_model_state_dict(wrapped, save_embedding_layers=False))


class AdapterState:
    """An adapter as a checkpoint keeps it: its tensors alone, not the model's."""

    def __init__(self, wrapped: PeftModel) -> None:
        self._wrapped = wrapped

    def state_dict(self) -> dict[str, Tensor]:
        """Return its tensors."""
        return lora_state(self._wrapped)

    def load_state_dict(self, state: Mapping[str, Tensor]) -> None:
        """Take them, strictly."""
        load_lora(self._wrapped, state)


def write_lora(path: Path, wrapped: PeftModel) -> None:
    """Write an adapter's tensors, and beside them its configuration, as ``peft`` saves both.

    Args:
        path: A .safetensors.
        wrapped: The model that they are of.

    Raises:
        OSError: The configuration cannot be written.
        SafetensorError: The tensors cannot be.
    """
    wrapped.peft_config["default"].save_pretrained(str(path.parent))  # adapter_config.json
    save_file({key: value.cpu().contiguous() for key, value in lora_state(wrapped).items()}, path)


def _token_rows(llama: Llama, rows: list[int]) -> dict[str, list[int]]:
    tables = {"embed_tokens": rows}
    if not llama.config.tied:
        tables["lm_head"] = rows
    return tables
