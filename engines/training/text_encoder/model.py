"""The encoder in torch: BERT's layers, begun from a published checkpoint.

all-MiniLM-L6-v2 (Apache-2.0): six layers of 384 numbers, twelve heads, 22 million parameters, tuned
on a billion pairs of sentences so that those that mean the same lie close. Its vocabulary is cut to
the pieces that occur, and its upper layers may be left out.

Sources: J. Devlin et al., "BERT", arXiv 1810.04805; W. Wang et al., "MiniLM", arXiv 2002.10957;
N. Reimers and I. Gurevych, "Sentence-BERT", arXiv 1908.10084.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.text_encoder.encoder import MOST_PIECES
from rt_avatar.engines.text_encoder.pieces import SIZE

SHARED_LAYERS: Final = 3  # the lowest; those above are each task's own
_HEADS, _INNER, _EPSILON = 12, 1536, 1e-12
_DROPPED: Final = 0.1  # of what is read, in training
_FILES: Final = ("model.safetensors", "tokenizer.json")


class Layer(nn.Module):  # type: ignore[misc]
    """Self-attention and two layers, each normalised after what went past it was added."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(SIZE, SIZE) for _ in range(4))
        self.norm = nn.LayerNorm(SIZE, _EPSILON)
        self.inner, self.outer = nn.Linear(SIZE, _INNER), nn.Linear(_INNER, SIZE)
        self.last_norm = nn.LayerNorm(SIZE, _EPSILON)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Return (texts, pieces, SIZE); ``mask``: which pieces count, None: all."""
        batch, length, _ = x.shape
        query, key, value = (
            part(x).view(batch, length, _HEADS, -1).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = self.norm(x + self.out(seen.transpose(1, 2).reshape(batch, length, SIZE)))
        summed: Tensor = self.last_norm(x + self.outer(functional.gelu(self.inner(x))))
        return summed


class TextEncoderModel(nn.Module):  # type: ignore[misc]
    """Pieces of texts → scores, from the mean of what the last layer says of each piece.

    Args:
        pieces: The vocabulary, in the order of its rows.
        layers: How many of them.
        outputs: How many scores.
    """

    def __init__(self, pieces: Sequence[str], layers: int, outputs: int) -> None:
        super().__init__()
        self.pieces = tuple(pieces)
        self.vectors = nn.Embedding(len(pieces), SIZE)
        self.positions = nn.Parameter(torch.zeros(MOST_PIECES, SIZE))
        self.norm = nn.LayerNorm(SIZE, _EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.head = nn.Linear(SIZE, outputs)

    def forward(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Return scores (texts, outputs) of rows (texts, pieces), of which ``lengths`` count."""
        is_there = torch.arange(rows.shape[1], device=rows.device) < lengths[:, None]
        read = self.upper(self.lower(self.vectors(rows), is_there), is_there)
        scores: Tensor = self.head(functional.dropout(read, _DROPPED, self.training))
        return scores

    def keep_shared(self) -> None:
        """Let what all share stay as it is: pieces, positions, lower layers."""
        shared = ("vectors.", "positions", "norm.", *map("layers.{}.".format, range(SHARED_LAYERS)))
        for name, parameter in self.named_parameters():
            parameter.requires_grad_(not name.startswith(shared))

    def lower(self, vectors: Tensor, is_there: Tensor | None = None) -> Tensor:
        """Return what the shared layers say of vectors, (texts, pieces, SIZE) both."""
        x = self.norm(vectors + self.positions[: vectors.shape[1]])
        return _through(self.layers[:SHARED_LAYERS], x, is_there)

    def upper(self, x: Tensor, is_there: Tensor | None = None) -> Tensor:
        """Return the mean (texts, SIZE) of what the other layers say of that."""
        x = _through(self.layers[SHARED_LAYERS:], x, is_there)
        if is_there is None:
            return x.mean(1)
        counted = is_there[..., None].float()
        return (x * counted).sum(1) / counted.sum(1)


def _through(layers: Iterable[Layer], x: Tensor, is_there: Tensor | None) -> Tensor:
    mask = None if is_there is None else is_there[:, None, None]
    for layer in layers:
        x = layer(x, mask)
    return x


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A published encoder: its tensors, by their names there, and its vocabulary."""

    tensors: dict[str, Tensor]
    pieces: tuple[str, ...]


def read_checkpoint(folder: Path) -> Checkpoint:
    """Return the encoder in a folder of Hugging Face's layout.

    Raises:
        FileNotFoundError: A file is missing.
        ValueError: It is another network.
    """
    for file in _FILES:
        if not (folder / file).is_file():
            raise FileNotFoundError(
                f"{folder}: expected the files of all-MiniLM-L6-v2, {' and '.join(_FILES)}; got no "
                f"{file}. Get them with: hf download sentence-transformers/all-MiniLM-L6-v2 "
                "--local-dir FOLDER"
            )
    tensors = load_file(folder / _FILES[0])
    stored = json.loads((folder / _FILES[1]).read_text(encoding="utf-8"))
    rows = stored["model"]["vocab"]
    pieces = tuple(sorted(rows, key=rows.__getitem__))
    got = tuple(tensors["embeddings.word_embeddings.weight"].shape)
    if got != (len(pieces), SIZE):
        raise ValueError(f"{folder}: expected vectors of {len(pieces)} × {SIZE}; got {got}")
    return Checkpoint(tensors, pieces)


def begin_from(
    checkpoint: Checkpoint, pieces: Sequence[str], layers: int, outputs: int
) -> TextEncoderModel:
    """Return a model with the checkpoint's numbers; its head's are new."""
    model = TextEncoderModel(pieces, layers, outputs)
    rows = {piece: row for row, piece in enumerate(checkpoint.pieces)}
    tensors = checkpoint.tensors
    words = tensors["embeddings.word_embeddings.weight"]
    model.vectors.weight.data = words[[rows[piece] for piece in pieces]].float()
    kind = tensors["embeddings.token_type_embeddings.weight"][0]
    model.positions.data = (
        tensors["embeddings.position_embeddings.weight"][:MOST_PIECES] + kind
    ).float()
    _take(model.norm, tensors, "embeddings.LayerNorm")
    for at, layer in enumerate(model.layers):
        prefix = f"encoder.layer.{at}"
        for name, source in _NAMES.items():
            _take(getattr(layer, name), tensors, f"{prefix}.{source}")
    return model


_NAMES: Final = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "last_norm": "output.LayerNorm",
}


def _take(part: nn.Module, tensors: dict[str, Tensor], name: str) -> None:
    for kind in ("weight", "bias"):
        getattr(part, kind).data.copy_(tensors[f"{name}.{kind}"])
