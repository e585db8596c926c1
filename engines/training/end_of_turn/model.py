"""The end-of-turn network in torch, as ``engines.end_of_turn.network`` computes it."""

import numpy as np
import torch
from torch import Tensor, nn

from rt_avatar.engines.end_of_turn.features import FEATURES
from rt_avatar.engines.end_of_turn.network import FIRST_SIZE, MEMORY_SIZE, TAPS


class EndOfTurnNetwork(nn.Module):  # type: ignore[misc]  # torch is not installed there
    """Features of whole turns → logits; causal."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.first = nn.Linear(TAPS * FEATURES, FIRST_SIZE)
        self.gru = nn.GRU(FIRST_SIZE, MEMORY_SIZE, batch_first=True)
        self.answer = nn.Linear(MEMORY_SIZE, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, rows: Tensor) -> Tensor:
        """(B, T, FEATURES) → (B, T)."""
        padded = nn.functional.pad(rows, (0, 0, TAPS - 1, 0))
        taps = [padded[:, index : index + rows.shape[1]] for index in range(TAPS)]
        first = self.dropout(torch.relu(self.first(torch.cat(taps, dim=2))))
        remembered, _ = self.gru(first)
        answer: Tensor = self.answer(self.dropout(remembered))[..., 0]
        return answer


def export(model: EndOfTurnNetwork) -> dict[str, np.ndarray]:
    """Return the weights as the network in numpy names and lays them out."""

    def rows(values: Tensor) -> np.ndarray:
        return np.ascontiguousarray(values.detach().numpy().T, np.float32)

    gru = model.gru
    return {
        "first": rows(model.first.weight),
        "first_bias": rows(model.first.bias),
        "into": rows(gru.weight_ih_l0),
        "into_bias": rows(gru.bias_ih_l0),
        "again": rows(gru.weight_hh_l0),
        "again_bias": rows(gru.bias_hh_l0),
        "answer": rows(model.answer.weight),
        "answer_bias": rows(model.answer.bias),
    }
