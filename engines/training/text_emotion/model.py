"""The convolutional network in torch, as ``engines.text_emotion.network`` computes it."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.text_emotion.network import (
    CHANNELS,
    CLASSES,
    HEADS,
    HIDDEN,
    MAX_WORDS,
    SIZE,
    SPANS,
)

PADDING: Final = 0
UNKNOWN: Final = 1
FIRST: Final = 2  # id of the first word of the vocabulary
# Vectors begin at this deviation, which suits the layers above.
_DEVIATION: Final = 0.35
_WORDS_DROPPED: Final = 0.1
_VECTORS_DROPPED: Final = 0.2
_FEATURES_DROPPED: Final = 0.4
_NEVER: Final = -1e4


class ConvolutionalClassifier(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """Ids of words (texts, longest), 0 behind the end → scores (texts, CLASSES)."""

    def __init__(self, vectors: np.ndarray) -> None:
        """Begin with these vectors, (words, SIZE), of mean length 1."""
        super().__init__()
        begin = torch.zeros(len(vectors) + FIRST, SIZE)
        begin[FIRST:] = torch.from_numpy(vectors) * SIZE**0.5 * _DEVIATION
        self.vectors = nn.Embedding.from_pretrained(begin, freeze=False, padding_idx=PADDING)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(SIZE, CHANNELS, span, padding=int(span > 1)) for span in SPANS
        )
        wide = CHANNELS * len(SPANS)
        self.attention = nn.Linear(wide, HEADS)
        self.values = nn.Linear(wide, wide // 4)
        self.dropout = nn.Dropout(_FEATURES_DROPPED)
        self.hidden = nn.Linear(2 * wide + HEADS * (wide // 4), HIDDEN)
        self.output = nn.Linear(HIDDEN, CLASSES)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the scores; words and features are dropped at random in training."""
        is_word = ids != PADDING
        if self.training:
            is_dropped = (torch.rand(ids.shape) < _WORDS_DROPPED) & is_word
            ids = ids.masked_fill(is_dropped, UNKNOWN)
        x = functional.dropout(self.vectors(ids), _VECTORS_DROPPED, self.training).transpose(1, 2)
        length = x.shape[2]
        parts = [convolution(x)[..., :length] for convolution in self.convolutions]
        features = functional.gelu(torch.cat(parts, 1), approximate="tanh").transpose(1, 2)
        beyond = ~is_word[..., None]
        most = features.masked_fill(beyond, _NEVER).amax(1)
        mean = features.masked_fill(beyond, 0.0).sum(1) / is_word.sum(1, keepdim=True)
        attention = self.attention(features).masked_fill(beyond, _NEVER).softmax(1)
        attended = torch.einsum("nth,ntd->nhd", attention, self.values(features)).flatten(1)
        pooled = self.dropout(torch.cat((most, mean, attended), 1))
        hidden = functional.gelu(self.hidden(pooled), approximate="tanh")
        scores: Tensor = self.output(self.dropout(hidden))
        return scores


def pad(texts: Sequence[Sequence[int]]) -> Tensor:
    """Return ids (texts, longest) of texts; an empty one is an unknown word."""
    cut = [text[-MAX_WORDS:] or [UNKNOWN] for text in texts]
    ids = torch.full((len(cut), max(map(len, cut))), PADDING)
    for row, text in enumerate(cut):
        ids[row, : len(text)] = torch.tensor(text)
    return ids


def scores_of(model: nn.Module, texts: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the scores (texts, CLASSES) of texts, as ids of words."""
    model.eval()
    found = np.zeros((len(texts), CLASSES), np.float32)
    order = np.argsort([len(text) for text in texts])
    with torch.no_grad():
        for start in range(0, len(texts), 64):
            rows = order[start : start + 64]
            found[rows] = model(pad([texts[row] for row in rows])).numpy()
    return found


def export(state: Mapping[str, Tensor]) -> dict[str, np.ndarray]:
    """Return the layers under the names and in the shapes of ``network.SHAPES``; no vectors."""
    found: dict[str, np.ndarray] = {}
    for number, span in enumerate(SPANS):
        kernel = state[f"convolutions.{number}.weight"].numpy()  # (out, in, span)
        found[f"convolution{span}"] = kernel.transpose(2, 1, 0).reshape(span * SIZE, CHANNELS)
        found[f"convolution{span}_bias"] = state[f"convolutions.{number}.bias"].numpy()
    for name in ("attention", "values", "hidden", "output"):
        found[name] = state[f"{name}.weight"].numpy().T
        found[f"{name}_bias"] = state[f"{name}.bias"].numpy()
    return found
