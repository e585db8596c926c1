"""What is trained here, as one file: safetensors with ``part.tensor`` for names.

A language model's file names the template that it was trained with, since it must be prompted so.
Parts are those of ``engines.networks.sizes.Sizes`` and what stands between them; a file may hold
any of them, under the names that the modules themselves have.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import safetensors
import safetensors.torch
from torch import nn

from rt_avatar.engines.checkpoints import WEIGHTS
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.files import only_tensors, read_tree
from rt_avatar.engines.networks.loading import State

PARTS: Final = (
    "speech", "lips", "vision", "speech_projection", "vision_projection", "llm", "synchronizer",
    "disentangler", "voice", "motion", "face", "pyramid",
)  # fmt: skip


_TEMPLATE: Final = "template"


def read_trained(path: Path) -> dict[str, State]:
    """Return the state of each part that a file holds.

    Raises:
        CheckpointError: It is none, cut short, or names parts that there are not.
    """
    if path.suffix != WEIGHTS:
        raise CheckpointError(f"{path}: expected a file ending in {WEIGHTS}")
    parts: dict[str, State] = {}
    unknown = []
    for name, tensor in only_tensors(read_tree(path), str(path)).items():
        part, _, rest = name.partition(".")
        if part not in PARTS or not rest:
            unknown.append(name)
        parts.setdefault(part, {})[rest] = tensor
    if unknown:
        raise CheckpointError(f"{path}: expected tensors of {', '.join(PARTS)}", unexpected=unknown)
    return parts


def read_template(path: Path) -> str:
    """Return the template that a file's language model was trained with; "" where it names none."""
    with safetensors.safe_open(path, "pt") as file:
        return str((file.metadata() or {}).get(_TEMPLATE, ""))


def write_trained(path: Path, modules: Mapping[str, nn.Module], template: str = "") -> None:
    """Write parts by name, and the template of a language model among them."""
    tensors = {
        f"{part}.{name}": tensor.detach().clone().contiguous()
        for part, module in modules.items()
        for name, tensor in module.state_dict().items()
    }
    safetensors.torch.save_file(tensors, path, {_TEMPLATE: template} if template else None)
