"""The letter-to-sound network of ``engines.g2p.network`` in torch, in batches."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.g2p.network import (
    BLOCKS,
    CONDITIONED,
    DISTANCE,
    HEADS,
    LETTERS,
    OUTPUTS,
    SIZE,
    SLOTS,
    TAPS,
    WEIGHTS,
)

PADDING = len(LETTERS) + 1  # behind the edge of shorter words of a batch


class Speller(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """Letters (N, T), edges and padding included → scores (N, T - 2, SLOTS, OUTPUTS)."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.weights = nn.ParameterDict()
        for name, shape in WEIGHTS.items():
            kind = name.split(".")[-1]
            if kind.endswith("gain"):
                value = torch.ones(shape)
            elif len(shape) == 1 or kind in ("distance", "told"):
                value = torch.zeros(shape)
            else:
                value = torch.randn(shape) * shape[0] ** -0.5
                if kind.endswith("_out"):
                    value *= (2 * BLOCKS) ** -0.5
            self.weights[_key(name)] = nn.Parameter(value)

    def forward(self, letters: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores at the end and those after ``CONDITIONED`` blocks."""
        kept = letters != PADDING
        mask = torch.zeros_like(kept, dtype=torch.float).masked_fill(~kept, -1e9)[:, None, None]
        table = functional.pad(self._w("letters"), (0, 0, 0, 1))
        x = functional.dropout(table[letters], self.dropout / 2, self.training)
        early = x
        for index in range(BLOCKS):
            if index == CONDITIONED:
                early = self._answer(x)
                x = x + early.softmax(-1).flatten(2) @ self._w("told")
            x = self._block(x * kept[..., None], mask, index, kept)
        return self._answer(x)[:, 1:-1], early[:, 1:-1]

    def _answer(self, x: Tensor) -> Tensor:
        normal = functional.layer_norm(x, (SIZE,), self._w("gain"), self._w("shift"))
        answers = normal @ self._w("answer") + self._w("answer_bias")
        return answers.unflatten(-1, (SLOTS, OUTPUTS))

    def _block(self, x: Tensor, mask: Tensor, index: int, kept: Tensor) -> Tensor:
        def w(name: str) -> Tensor:
            return self._w(f"{index}.{name}")

        def normal(name: str) -> Tensor:
            return functional.layer_norm(x, (SIZE,), w(f"{name}_gain"), w(f"{name}_shift"))

        length = x.shape[1]
        # Outside of the word are zeros, behind the norm, as in the numpy twin.
        signal = (normal("conv") * kept[..., None]).transpose(1, 2)
        conv = functional.conv1d(signal, w("conv").T[:, None], padding=TAPS // 2, groups=SIZE)
        x = x + self._drop(conv.transpose(1, 2))
        mixed = (normal("attention") @ w("attention")).unflatten(-1, (3, HEADS, -1))
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        apart = torch.arange(length)[:, None] - torch.arange(length)[None]
        bias = w("distance")[:, apart.clamp(-DISTANCE, DISTANCE) + DISTANCE]
        heads = functional.scaled_dot_product_attention(query, key, value, bias + mask)
        x = x + self._drop(heads.transpose(1, 2).flatten(2) @ w("attention_out"))
        hidden = functional.relu(normal("dense") @ w("dense") + w("dense_bias"))
        return x + self._drop(self._drop(hidden) @ w("dense_out") + w("dense_out_bias"))

    def _drop(self, x: Tensor) -> Tensor:
        return functional.dropout(x, self.dropout, self.training)

    def _w(self, name: str) -> Tensor:
        return self.weights[_key(name)]


def export(model: Speller) -> dict[str, np.ndarray]:
    """Return the weights as the numpy twin takes them."""
    return {name: model.weights[_key(name)].detach().float().numpy() for name in WEIGHTS}


def _key(name: str) -> str:
    return name.replace(".", "_")  # torch has no dots in names
