"""Sizes of the language model: Vicuna 7B and ``NANO``, from the same class."""

from dataclasses import dataclass
from typing import Final

from transformers import LlamaConfig

from rt_avatar.engines.llm.signals import SIGNALS, SignalIds


@dataclass(frozen=True, slots=True)
class LlmConfig:
    """A Llama.

    Attributes:
        name: Of the published checkpoint, or ``nano``.
        width: Of its hidden states.
        key_heads: Heads of keys and values, each shared by ``heads / key_heads`` queries.
        vocabulary: Rows of the embedding, the signal tokens among them.
        first_signal: The first signal token's row.
        positions: Longest text it was trained for, in tokens.
        tied: Whether the head is the embedding.
        eps: Of its norms.
    """

    name: str
    width: int
    layers: int
    heads: int
    key_heads: int
    intermediate: int
    vocabulary: int
    first_signal: int
    positions: int
    tied: bool = False
    eps: float = 1e-5

    @property
    def signals(self) -> SignalIds:
        """Rows of the signal tokens."""
        return SignalIds(self.first_signal)

    @property
    def base_vocabulary(self) -> int:
        """Rows that a published checkpoint has, which knows no signal tokens."""
        return self.vocabulary - len(SIGNALS)

    def huggingface(self) -> LlamaConfig:
        """Return the configuration as transformers has it."""
        return LlamaConfig(
            hidden_size=self.width,
            num_hidden_layers=self.layers,
            num_attention_heads=self.heads,
            num_key_value_heads=self.key_heads,
            intermediate_size=self.intermediate,
            vocab_size=self.vocabulary,
            max_position_embeddings=self.positions,
            tie_word_embeddings=self.tied,
            rms_norm_eps=self.eps,
            attn_implementation="eager",
        )


VICUNA_7B: Final = LlmConfig(
    name="vicuna-7b-v1.5",
    width=4096,
    layers=32,
    heads=32,
    key_heads=32,
    intermediate=11008,
    vocabulary=32_000 + len(SIGNALS),
    first_signal=32_000,
    positions=4096,
)
# 3.8M parameters, one in four of them an embedding: a model wants some twenty tokens a parameter
# (J. Hoffmann et al. 2022, arXiv 2203.15556), and an hour of one core reads no more (docs/LOG.md).
# Its own tokenizer has the signal tokens behind its other special ones (``engines.llm.tokens``).
NANO: Final = LlmConfig(
    name="nano",
    width=256,
    layers=4,
    heads=4,
    key_heads=2,
    intermediate=640,
    vocabulary=4096,
    first_signal=13,
    positions=1024,
    tied=True,
)
