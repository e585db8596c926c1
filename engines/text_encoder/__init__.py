"""A text encoder, words → what they mean together: danger is heard, and replies chosen, by it."""

from rt_avatar.engines.text_encoder.encoder import (
    EncoderHead,
    TextEncoder,
    framed,
    packaged_encoder,
)
from rt_avatar.engines.text_encoder.pieces import PieceTable, Splitter, split_words

__all__ = [
    "EncoderHead", "PieceTable", "Splitter", "TextEncoder", "framed", "packaged_encoder",
    "split_words",
]  # fmt: skip
