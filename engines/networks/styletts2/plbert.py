"""PL-BERT: tokens (B, T) → (B, T, 768), an ALBERT that was trained on phonemes.

Written out, so that neither training nor export needs another library's idea of attention. What
the published model is and its configuration does not say: embeddings of 128 that a linear map
widens, eps 1e-12 in every norm, GELU by tanh, one layer's weights used twelve times, norms *after*
each sum, token type always 0. The pooler of the checkpoint is used by nothing.
"""

from typing import Final

import torch.nn.functional as F
from torch import Tensor, nn

from rt_avatar.engines.networks.attention import additive_mask, attend, split_heads
from rt_avatar.engines.networks.styletts2.config import BertConfig, StyleTTS2Config

EPS: Final = 1e-12


class Embeddings(nn.Module):  # type: ignore[misc]
    """Words, positions and the one type, summed and normalised."""

    def __init__(self, config: BertConfig, symbols: int) -> None:
        super().__init__()
        self.word_embeddings = nn.Embedding(symbols, config.embedding)
        self.position_embeddings = nn.Embedding(config.positions, config.embedding)
        self.token_type_embeddings = nn.Embedding(config.types, config.embedding)
        self.LayerNorm = nn.LayerNorm(config.embedding, eps=EPS)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return (B, T, E)."""
        positions = self.position_embeddings.weight[: tokens.shape[1]]
        x = self.word_embeddings(tokens) + positions + self.token_type_embeddings.weight[0]
        return self.LayerNorm(x)


class Attention(nn.Module):  # type: ignore[misc]
    """Self-attention over all phonemes, with its residual and norm."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.query = nn.Linear(config.hidden, config.hidden)
        self.key = nn.Linear(config.hidden, config.hidden)
        self.value = nn.Linear(config.hidden, config.hidden)
        self.dense = nn.Linear(config.hidden, config.hidden)
        self.LayerNorm = nn.LayerNorm(config.hidden, eps=EPS)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Return (B, T, C); ``mask`` (B, 1, 1, T) is added to the scores."""
        query, key, value = (
            split_heads(part(x), self.heads) for part in (self.query, self.key, self.value)
        )
        return self.LayerNorm(x + self.dense(attend(query, key, value, mask)))


class Layer(nn.Module):  # type: ignore[misc]
    """The one layer whose weights all twelve share."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.full_layer_layer_norm = nn.LayerNorm(config.hidden, eps=EPS)
        self.attention = Attention(config)
        self.ffn = nn.Linear(config.hidden, config.intermediate)
        self.ffn_output = nn.Linear(config.intermediate, config.hidden)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Return (B, T, C)."""
        x = self.attention(x, mask)
        y = self.ffn_output(F.gelu(self.ffn(x), approximate="tanh"))
        return self.full_layer_layer_norm(x + y)


class Encoder(nn.Module):  # type: ignore[misc]
    """The widening and the layers; nested as the checkpoint names them."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.layers = config.layers
        self.embedding_hidden_mapping_in = nn.Linear(config.embedding, config.hidden)
        group = nn.Module()
        group.albert_layers = nn.ModuleList([Layer(config)])
        self.albert_layer_groups = nn.ModuleList([group])

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """Return (B, T, C)."""
        x = self.embedding_hidden_mapping_in(x)
        layer = self.albert_layer_groups[0].albert_layers[0]
        for _ in range(self.layers):
            x = layer(x, mask)
        return x


class PlBert(nn.Module):  # type: ignore[misc]
    """Phonemes that know their sentence."""

    def __init__(self, config: StyleTTS2Config) -> None:
        super().__init__()
        self.embeddings = Embeddings(config.bert, config.symbols)
        self.encoder = Encoder(config.bert)

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return (B, T, C); ``mask`` (B, T) is 1 for tokens, 0 for padding, None: no padding."""
        added = None if mask is None else additive_mask(mask[:, None, None, :])
        return self.encoder(self.embeddings(tokens), added)
