"""Weights that are read and written one at a time, for networks that nobody wants in memory whole.

Such a network lies on torch's ``meta`` device: it has shapes and no numbers. A lazy state dict
makes the numbers of one parameter when they are asked for, and keeps none.
"""

import json
import struct
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias
from zlib import crc32

import torch
from safetensors import safe_open
from torch import Tensor, nn

_SPREAD: Final = 0.02  # of random matrices, as transformers begins them
# As safetensors names them.
_DTYPES: Final = {
    torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16",
    torch.int64: "I64", torch.int32: "I32", torch.int16: "I16", torch.int8: "I8",
    torch.uint8: "U8", torch.bool: "BOOL",
}  # fmt: skip
_ALIGNMENT: Final = 8  # bytes; where safetensors' numbers begin
LazyWeights: TypeAlias = Mapping[str, Callable[[], Tensor]]  # key -> reads its tensor


def lazy_file(path: Path, keys: Iterable[str]) -> LazyWeights:
    """Return the tensors of a safetensors file; each read opens and closes it.

    So no more of the file stays mapped than the one tensor.
    """

    def reader(key: str) -> Callable[[], Tensor]:
        def read() -> Tensor:
            with safe_open(path, framework="pt") as file:
                tensor: Tensor = file.get_tensor(key)
            return tensor

        return read

    return {key: reader(key) for key in keys}


def lazy_state(state: Mapping[str, Tensor]) -> LazyWeights:
    """Return tensors that are in memory already."""

    def reader(tensor: Tensor) -> Callable[[], Tensor]:
        return lambda: tensor

    return {key: reader(tensor) for key, tensor in state.items()}


def lazy_noise(shapes: Mapping[str, tuple[int, ...]], seed: int) -> LazyWeights:
    """Return random weights: each key's own, the same whenever it is read.

    Args:
        shapes: By key. What has one axis is noise about 1, as gains of norms are.
        seed: Of all.
    """

    def reader(key: str, shape: tuple[int, ...]) -> Callable[[], Tensor]:
        def draw() -> Tensor:
            dice = torch.Generator().manual_seed(crc32(key.encode(), seed & 0xFFFFFFFF))
            if len(shape) <= 1:
                return 1.0 + 0.1 * torch.randn(shape, generator=dice)
            return torch.empty(shape).normal_(0.0, _SPREAD, generator=dice)

        return draw

    return {key: reader(key, shape) for key, shape in shapes.items()}


def materialize(module: nn.Module, weights: LazyWeights) -> None:
    """Give a module on the ``meta`` device its numbers, in the types that it has there."""
    for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
        if not tensor.is_meta or name not in weights:
            continue
        path, _, last = name.rpartition(".")
        owner = module.get_submodule(path)
        values = weights[name]().to(tensor.dtype)
        if isinstance(tensor, nn.Parameter):
            setattr(owner, last, nn.Parameter(values, requires_grad=False))
        else:
            owner.register_buffer(last, values, persistent=False)


def write_safetensors(path: Path, shapes: Mapping[str, Tensor], weights: LazyWeights) -> None:
    """Write weights as a safetensors file; no more than one of them is in memory.

    Args:
        path: Of the file.
        shapes: By key, a tensor of the weight's shape and type, on the ``meta`` device or not.
        weights: Reads each of them.

    Raises:
        OSError: There is no room, or a weight cannot be read.
    """
    order = sorted(shapes, key=lambda key: (-shapes[key].element_size(), key))  # all aligned
    header, end = {}, 0
    for key in order:
        shape = shapes[key]
        begin, end = end, end + shape.numel() * shape.element_size()
        header[key] = {
            "dtype": _DTYPES[shape.dtype],
            "shape": list(shape.shape),
            "data_offsets": [begin, end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for key in order:
            append(file, weights[key]())


def append(file: BinaryIO, values: Tensor) -> None:
    """Write a tensor's numbers, which no name keeps when it returns."""
    file.write(memoryview(values.detach().contiguous().reshape(-1).view(torch.uint8).numpy()))
