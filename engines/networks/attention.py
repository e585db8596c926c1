"""Attention with several heads: the one that all networks of our own writing use.

Two products and a softmax, written out, and not torch's ``scaled_dot_product_attention``:
the exporters split its scale between queries and keys, so that a language model's whole cache is
multiplied once more a token, and have no translation beyond four axes; and its kernels round by the
batch's shape, so that replies in a batch differ from the same ones alone by 1e-6. What is not to be
looked at is a mask that is added to the scores, never a negative infinity, which makes NaN of a row
in which all is hidden.
"""

import math
from typing import Final

from torch import Tensor

_HIDDEN_SCORE: Final = -1e4  # its softmax is 0 in fp32, and it exists in fp16


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Turn (..., T, width) into (..., heads, T, width / heads)."""
    return x.unflatten(-1, (heads, -1)).transpose(-2, -3)


def additive_mask(mask: Tensor) -> Tensor:
    """Return what is added to scores: 0 where a mask of any shape is 1, very little where it is 0.

    A mask of keys (B, K) is meant for all heads and queries: give it as (B, 1, 1, K).
    """
    return (1.0 - mask) * _HIDDEN_SCORE


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    *,
    is_scaled: bool = False,
) -> Tensor:
    """Mix values with all heads, as ``mix``; return them side by side, (..., Q, heads * size)."""
    return mix(query, key, value, mask, is_scaled=is_scaled).transpose(-2, -3).flatten(-2)


def mix(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    *,
    is_scaled: bool = False,
) -> Tensor:
    """Mix values by how well their keys match the queries, head by head.

    Args:
        query: (..., heads, Q, size); leading axes broadcast.
        key: (..., heads, K, size).
        value: (..., heads, K, size).
        mask: Added to the scores (..., heads, Q, K), see ``additive_mask``; it broadcasts.
        is_scaled: Whether the queries were divided by the root of their size beforehand.

    Returns:
        (..., heads, Q, size).
    """
    if not is_scaled:
        query = query * (1.0 / math.sqrt(query.shape[-1]))  # a constant to who traces
    logits = query @ key.transpose(-1, -2)
    if mask is not None:
        logits = logits + mask
    return logits.softmax(-1) @ value
