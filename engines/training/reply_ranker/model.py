"""The bi-encoder in torch, as ``engines.reply_ranker.network`` computes it.

A context and a reply that fit come to lie in the same direction. Each side sums weighted vectors of
its words and of hashed pairs of neighbours and has two layers on top. While it learns, both sides
also name the emotion of the dialogue, which brings replies of one feeling together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.reply_ranker.context import places_of
from rt_avatar.engines.reply_ranker.network import HIDDEN, OUTPUT, PAIRS, PLACES, SIZE, pair_rows
from rt_avatar.engines.training.reply_ranker.pairs import ReplyPair

_DEVIATION: Final = 0.35  # of vectors at the beginning
_DROPPED_WORDS: Final = 0.3
_DROPPED: Final = 0.3
_SCALE: Final = 2.5  # logarithm, of similarities at the beginning
_Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class EncodedPair:
    """Rows of tables: (words, pairs of neighbours) of each place of the context, of the reply."""

    context: tuple[tuple[_Rows, _Rows], ...]
    reply: tuple[_Rows, _Rows]
    emotion: int


class _Bag(nn.Module):  # type: ignore[misc]  # torch is not typed here
    """Texts → (texts, 2 * SIZE): sums over words and over pairs, by the root of their number."""

    def __init__(self, words: nn.Embedding, pairs: nn.Embedding) -> None:
        super().__init__()
        self.words, self.pairs = words, pairs
        self.weights = nn.Parameter(torch.zeros(words.num_embeddings))  # logarithms, by word

    def forward(self, texts: Sequence[tuple[_Rows, _Rows]]) -> Tensor:
        by_word = self._sum(self.words, [words for words, _ in texts], self.weights)
        return torch.cat((by_word, self._sum(self.pairs, [pairs for _, pairs in texts], None)), 1)

    def _sum(self, table: nn.Embedding, texts: list[_Rows], weights: Tensor | None) -> Tensor:
        sizes = torch.tensor([len(text) for text in texts])
        rows = torch.from_numpy(np.concatenate(texts))
        each = functional.dropout(torch.ones(len(rows)), _DROPPED_WORDS, self.training)
        if weights is not None:
            each = each * weights[rows].exp()
        summed = functional.embedding_bag(
            rows, table.weight, sizes.cumsum(0) - sizes, mode="sum", per_sample_weights=each
        )
        scaled: Tensor = summed / sizes.clamp_min(1)[:, None].sqrt()
        return scaled


class _Side(nn.Module):  # type: ignore[misc]
    """Sums of ``places`` texts → directions (texts, OUTPUT) of length 1, and emotions."""

    def __init__(self, bags: Sequence[_Bag]) -> None:
        super().__init__()
        self.bags = nn.ModuleList(bags)
        size = len(bags) * 2 * SIZE
        self.norm, self.hidden = nn.LayerNorm(size), nn.Linear(size, HIDDEN)
        self.output, self.emotion = nn.Linear(HIDDEN, OUTPUT), nn.Linear(HIDDEN, len(FINE))

    def forward(self, places: Sequence[Sequence[tuple[_Rows, _Rows]]]) -> tuple[Tensor, Tensor]:
        summed = torch.cat([bag(texts) for bag, texts in zip(self.bags, places, strict=True)], 1)
        hidden = functional.gelu(self.hidden(self.norm(summed)), approximate="tanh")
        hidden = functional.dropout(hidden, _DROPPED, self.training)
        return functional.normalize(self.output(hidden), dim=1), self.emotion(hidden)


class BiEncoder(nn.Module):  # type: ignore[misc]
    """Pairs → directions of contexts and of replies (pairs, OUTPUT) of length 1, and emotions."""

    def __init__(self, words: Sequence[str], vectors: Mapping[str, np.ndarray]) -> None:
        """Begin with the vectors (SIZE,) of mean length 1 that there are for the words."""
        super().__init__()
        self._rows = {word: row for row, word in enumerate(words)}
        begin = torch.randn(len(words) + 1, SIZE) * 0.1  # the last row is of unknown words
        for word, row in self._rows.items():
            if word in vectors:
                begin[row] = torch.from_numpy(vectors[word]) * SIZE**0.5 * _DEVIATION
        sides = []
        for places in PLACES.values():
            pairs = nn.Embedding(PAIRS, SIZE)
            nn.init.normal_(pairs.weight, std=0.02)
            table = nn.Embedding.from_pretrained(begin.clone(), freeze=False)
            sides.append(_Side([_Bag(table, pairs) for _ in range(places)]))
        self.context, self.reply = sides
        self.scale = nn.Parameter(torch.tensor(_SCALE))

    def encode(self, pairs: Sequence[ReplyPair]) -> list[EncodedPair]:
        """Return the rows of the pairs' words."""
        return [
            EncodedPair(
                tuple(map(self._encode, places_of(one.context))),
                self._encode(one.reply),
                one.emotion,
            )
            for one in pairs
        ]

    def contexts(self, pairs: Sequence[EncodedPair]) -> tuple[Tensor, Tensor]:
        """Return the directions of the contexts, and scores (pairs, 32) of their emotions."""
        places = [[pair.context[place] for pair in pairs] for place in range(PLACES["context"])]
        found: tuple[Tensor, Tensor] = self.context(places)
        return found

    def replies(self, pairs: Sequence[EncodedPair]) -> tuple[Tensor, Tensor]:
        """Return the directions of the replies, and scores (pairs, 32) of their emotions."""
        found: tuple[Tensor, Tensor] = self.reply([[pair.reply for pair in pairs]])
        return found

    def _encode(self, words: list[str]) -> tuple[_Rows, _Rows]:
        unknown = len(self._rows)
        rows = np.array([self._rows.get(word, unknown) for word in words], np.int64)
        return rows, pair_rows(words)


def recall(
    model: BiEncoder, pairs: Sequence[EncodedPair], ranks: Sequence[int]
) -> tuple[list[float], Tensor]:
    """Return how often the true reply is among the first so many of 100, and all scores.

    Source of the measure: H. Rashkin et al., ACL 2019: the other 99 are replies to other contexts.

    Args:
        model: What is measured.
        pairs: A multiple of 100 of them is used, shuffled with a fixed seed.
        ranks: 1 and 10, say.

    Returns:
        A share for each rank; cosines (groups, 100 contexts, 100 replies).

    Raises:
        ValueError: Fewer than 100 pairs.
    """
    model.eval()
    found = []
    with torch.no_grad():
        for group in groups_of_100(len(pairs)):
            those = [pairs[at] for at in group]
            found.append(model.contexts(those)[0] @ model.replies(those)[0].T)
    scores = torch.stack(found)
    places = (scores > scores.diagonal(dim1=1, dim2=2)[:, :, None]).sum(2)
    return [float((places < rank).float().mean()) for rank in ranks], scores


def groups_of_100(count: int) -> NDArray[np.int64]:
    """Return the groups (groups, 100) that a reply is found in, the same for each count.

    Raises:
        ValueError: ``count`` is below 100.
    """
    if count < 100:
        raise ValueError(f"recall: expected 100 pairs or more; got {count}")
    order = np.random.default_rng(0).permutation(count)[: count // 100 * 100]
    return order.reshape(-1, 100)
