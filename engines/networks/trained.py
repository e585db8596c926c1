"""What is trained here, as one file: safetensors with ``part.tensor`` for names.

A language model's file names the template that it was trained with, since it must be prompted so.
Parts are those of ``engines.networks.sizes.Sizes`` and what stands between them; a file may hold
any of them, under the names that the modules themselves have. A tensor that has two names (a
head that is the embedding) is there once. In files of halves an embedding of many rows is in eight
bits, with a scale for each row.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import safetensors
import safetensors.torch
import torch
from torch import Tensor, nn

from rt_avatar.engines.checkpoints import WEIGHTS
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.files import only_tensors, read_tree
from rt_avatar.engines.networks.loading import State

PARTS: Final = (
    "speech", "lips", "vision", "speech_projection", "vision_projection", "llm", "synchronizer",
    "disentangler", "voice", "motion", "face", "pyramid",
)  # fmt: skip


_METADATA: Final = "__metadata__"  # the key of a safetensors header
_TEMPLATE: Final = "template"
_SHARED: Final = "shared"  # in the metadata: JSON, second names of tensors → their first
_SCALE: Final = ".row_scale"  # behind the name of a table in eight bits: what its rows count
_MANY_ROWS: Final = 1024  # from which a table is worth eight bits


def read_trained(path: Path) -> dict[str, State]:
    """Return the state of each part that a file holds.

    Raises:
        CheckpointError: It is none, cut short, or names parts that there are not.
    """
    if path.suffix != WEIGHTS:
        raise CheckpointError(f"{path}: expected a file ending in {WEIGHTS}")
    parts: dict[str, State] = {}
    unknown = []
    tensors = _unrounded(only_tensors(read_tree(path), str(path)))
    shared = json.loads(_metadata(path).get(_SHARED, "{}"))
    tensors |= {name: tensors[first] for name, first in shared.items() if first in tensors}
    for name, tensor in tensors.items():
        part, _, rest = name.partition(".")
        if part not in PARTS or not rest:
            unknown.append(name)
        parts.setdefault(part, {})[rest] = tensor
    if unknown:
        raise CheckpointError(f"{path}: expected tensors of {', '.join(PARTS)}", unexpected=unknown)
    return parts


@dataclass(frozen=True, slots=True, eq=False)
class TrainedPart:
    """A part, and the file that holds it."""

    path: Path
    state: State


def read_parts(paths: Sequence[Path]) -> dict[str, TrainedPart]:
    """Return the parts that some files hold together.

    Raises:
        CheckpointError: A file is none, or two hold the same part.
    """
    parts: dict[str, TrainedPart] = {}
    for path in paths:
        for name, state in read_trained(path).items():
            if name in parts:
                raise CheckpointError(
                    f"{path}: expected parts that no other file holds; got {name}, as in "
                    f"{parts[name].path}"
                )
            parts[name] = TrainedPart(path, state)
    return parts


def read_template(path: Path) -> str:
    """Return the template that a file's language model was trained with; "" where it names none."""
    return _metadata(path).get(_TEMPLATE, "")


def _metadata(path: Path) -> dict[str, str]:
    with safetensors.safe_open(path, "pt") as file:
        return dict(file.metadata() or {})


def write_trained(
    path: Path,
    modules: Mapping[str, nn.Module],
    template: str = "",
    dtype: torch.dtype | None = None,
) -> None:
    """Write parts by name, and the template of a language model among them.

    Args:
        path: A .safetensors.
        modules: By part.
        template: Of ``engines.llm.templates``; "": there is no language model.
        dtype: Of the tensors that are written; None: their own. Of halves, embeddings of many rows
            are written in eight bits.
    """
    tensors: dict[str, Tensor] = {}
    first: dict[tuple[int, torch.Size], str] = {}  # by place in memory
    shared: dict[str, str] = {}
    for part, module in modules.items():
        tables = _tables(module) if dtype == torch.float16 else frozenset()
        for name, tensor in module.state_dict().items():
            key = f"{part}.{name}"
            known = first.setdefault((tensor.data_ptr(), tensor.shape), key)
            if known != key:
                shared[key] = known
            elif name in tables:
                tensors[key], tensors[key + _SCALE] = _rounded(tensor)
            else:
                tensors[key] = tensor.detach().to(dtype, copy=True).contiguous()
    metadata = {_TEMPLATE: template} if template else {}
    if shared:
        metadata[_SHARED] = json.dumps(shared)
    path.write_bytes(_ordered(safetensors.torch.save(tensors, metadata or None)))


def _tables(module: nn.Module) -> frozenset[str]:
    """Return the names of the tensors that are worth eight bits."""
    return frozenset(
        f"{name}.weight" if name else "weight"
        for name, one in module.named_modules()
        if isinstance(one, nn.Embedding) and one.num_embeddings >= _MANY_ROWS
    )


def _rounded(table: Tensor) -> tuple[Tensor, Tensor]:
    """Return a table (rows, width) in eight bits, and what each row's numbers count (rows, 1)."""
    rows = table.detach().float()
    scale = (rows.abs().amax(1, keepdim=True) / 127).half()
    counted = rows / scale.float().clamp_min(torch.finfo(torch.float16).tiny)
    return counted.round().clamp(-127, 127).to(torch.int8), scale


def _unrounded(tensors: State) -> State:
    """Return tensors with their tables in eight bits as the numbers that they stand for."""
    found = {name: tensor for name, tensor in tensors.items() if not name.endswith(_SCALE)}
    for name in found:
        if (scale := tensors.get(name + _SCALE)) is not None:
            found[name] = found[name].float() * scale.float()
    return found


def _ordered(file: bytes) -> bytes:
    """Order a file's metadata by name: safetensors 0.8 writes it in another order each time."""
    length = int.from_bytes(file[:8], "little")
    header = json.loads(file[8 : 8 + length])
    if _METADATA in header:
        header[_METADATA] = dict(sorted(header[_METADATA].items()))
    ordered = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    ordered += b" " * (-len(ordered) % 8)  # tensors begin at a multiple of eight bytes
    return len(ordered).to_bytes(8, "little") + ordered + file[8 + length :]
