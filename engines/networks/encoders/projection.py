"""Features over time → K vectors of the language model's width: one linear map a modality.

The K parts are equal to the fraction of a feature: one that lies across a border counts in both,
by its shares. So a part is never empty, however few features there are.
"""

import torch
from torch import Tensor, nn


class Projection(nn.Module):  # type: ignore[misc]
    """Mean over each of K parts of an utterance, then a linear map.

    Args:
        inputs: Width of the encoder.
        outputs: Width of the language model.
    """

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)

    def forward(self, features: Tensor, mask: Tensor, bins: int) -> tuple[Tensor, Tensor]:
        """Project utterances.

        Args:
            features: (B, T, inputs).
            mask: (B, T) 1 where a feature is one, from the first on; 0 after the end. A row of
                zeros is an utterance without this modality.
            bins: K.

        Returns:
            (B, K, outputs), and the mask (B, K) of the language model's attention: zeros where
            the modality is missing. What stands at those places then touches nothing else.
        """
        shares = bin_shares(mask, bins)
        there = mask.amax(dim=1, keepdim=True).expand(-1, bins)
        return self.linear(shares @ features), there


class FixedProjection(nn.Module):  # type: ignore[misc]
    """A projection into a number of parts that is fixed; what is exported."""

    def __init__(self, projection: Projection, bins: int) -> None:
        super().__init__()
        self.projection = projection
        self.bins = bins

    def forward(self, features: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return (B, K, outputs) and (B, K)."""
        tokens, there = self.projection(features, mask, self.bins)
        return tokens, there


def bin_shares(mask: Tensor, bins: int) -> Tensor:
    """Return (B, K, T): the share of each feature in the mean of each part; rows sum to 1 or 0."""
    length = mask.sum(dim=1)[:, None, None]  # (B, 1, 1)
    edges = torch.arange(bins, device=mask.device, dtype=mask.dtype)[None, :, None]
    first, last = edges * length / bins, (edges + 1) * length / bins  # (B, K, 1)
    start = torch.arange(mask.shape[1], device=mask.device, dtype=mask.dtype)[None, None, :]
    overlap = torch.minimum(last, start + 1) - torch.maximum(first, start)
    overlap = overlap.clamp(min=0) * mask[:, None, :]
    return overlap * bins / length.clamp(min=1)
