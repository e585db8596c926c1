"""A Whisper model of less than a megabyte with random weights, in the files of a real one.

What it hears is nonsense, but it hears through the real library: features, encoder, decoder with
its prompts and limits, alignment, tokenizer. The same sound gives the same words, other sound
mostly others.
"""

import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

with pytest.MonkeyPatch.context() as patch:
    patch.setitem(sys.modules, "torch", None)  # would be imported for its tensors, in seconds
    from ctranslate2.specs import attention_spec, common_spec, transformer_spec, whisper_spec

WORDS: Final = (
    "well", "hello", "there", "how", "are", "you", "today", "I", "am", "fine", "and", "we", "go",
    "home", "now", "because", "rain", "falls", "on", "green", "hills", "of", "the", "north",
)  # fmt: skip
SPECIAL: Final = (
    "<|endoftext|>", "<|startoftranscript|>", "<|translate|>", "<|transcribe|>", "<|startoflm|>",
    "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>",
)  # fmt: skip
_WIDTH: Final = 32
_HEADS: Final = 2
_MEL_BANDS: Final = 80
_AUDIO_POSITIONS: Final = 1500  # 30 s
_TEXT_POSITIONS: Final = 448


def write_model(folder: Path, seed: int = 0) -> Path:
    """Write the model's files into a new folder; return it."""
    folder.mkdir(parents=True)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    texts = [*alphabet, *(f"Ġ{word}" for word in WORDS)]
    tokenizer = Tokenizer(models.BPE({text: index for index, text in enumerate(texts)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    tokenizer.save(str(folder / "tokenizer.json"))
    times = [f"<|{index * 0.02:.2f}|>" for index in range(_AUDIO_POSITIONS + 1)]
    tokens = [*texts, *SPECIAL, *times]
    spec = _Weights(seed).whisper(len(alphabet), len(texts), len(tokens))
    spec.register_vocabulary(tokens)
    spec.config.suppress_ids = []
    spec.config.suppress_ids_begin = [len(texts)]
    spec.config.lang_ids = []
    spec.config.alignment_heads = [(0, 0), (0, 1)]
    spec.validate()
    spec.save(str(folder))
    return folder


class _Weights:
    """Fills the library's description of a model with random numbers."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def whisper(self, first_word: int, end: int, vocabulary: int) -> whisper_spec.WhisperSpec:
        spec = whisper_spec.WhisperSpec(1, _HEADS, 1, _HEADS)
        spec.encoder.conv1.weight = 10 * self._normal(_WIDTH, _MEL_BANDS, 3)
        spec.encoder.conv2.weight = self._normal(_WIDTH, _WIDTH, 3)
        for conv in (spec.encoder.conv1, spec.encoder.conv2):
            conv.bias = np.zeros(_WIDTH, np.float32)
        spec.encoder.position_encodings.encodings = self._normal(_AUDIO_POSITIONS, _WIDTH)
        spec.decoder.position_encodings.encodings = self._normal(_TEXT_POSITIONS, _WIDTH)
        spec.decoder.embeddings.weight = self._normal(vocabulary, _WIDTH)
        spec.decoder.projection.weight = 3 * self._normal(vocabulary, _WIDTH)
        # Only words and the end are ever likely; the end comes after a few words.
        bias = np.full(vocabulary, -100.0, np.float32)
        bias[first_word:end] = 0
        bias[end] = 2
        spec.decoder.projection.bias = bias
        for side in (spec.encoder, spec.decoder):
            self._norm(side.layer_norm)
            self._attention(side.layer[0].self_attention)
            self._feed_forward(side.layer[0].ffn)
        self._attention(spec.decoder.layer[0].attention)
        return spec

    def _normal(self, *shape: int) -> NDArray[np.float32]:
        scale = np.sqrt(np.prod(shape[1:]))
        return (self._random.standard_normal(shape) / scale).astype(np.float32)

    def _norm(self, spec: common_spec.LayerNormSpec) -> None:
        spec.gamma = np.ones(_WIDTH, np.float32)
        spec.beta = np.zeros(_WIDTH, np.float32)

    def _linear(self, spec: common_spec.LinearSpec, outputs: int, inputs: int) -> None:
        spec.weight = 4 * self._normal(outputs, inputs)
        spec.bias = np.zeros(outputs, np.float32)

    def _attention(self, spec: attention_spec.MultiHeadAttentionSpec) -> None:
        self._norm(spec.layer_norm)
        # Queries, keys and values are one matrix, or two where the keys come from the sound.
        shapes = {2: (3, 1), 3: (1, 2, 1)}[len(spec.linear)]
        for linear, times in zip(spec.linear, shapes, strict=True):
            self._linear(linear, times * _WIDTH, _WIDTH)

    def _feed_forward(self, spec: transformer_spec.FeedForwardSpec) -> None:
        self._norm(spec.layer_norm)
        self._linear(spec.linear_0, 4 * _WIDTH, _WIDTH)
        self._linear(spec.linear_1, _WIDTH, 4 * _WIDTH)
