"""The end-of-turn network in torch, as ``engines.end_of_turn.network`` computes it."""

import numpy as np
import torch
from torch import Tensor, nn

from rt_avatar.engines.end_of_turn.features import FEATURES, SUMMARY, USUAL_PAUSE_S
from rt_avatar.engines.end_of_turn.network import (
    BEGIN_S,
    CHANNELS,
    HIDDEN,
    LOG_MEDIAN,
    LOG_SHAPE,
    PLACES,
    TAPS,
)


class EndOfTurnNetwork(nn.Module):  # type: ignore[misc]  # torch is not installed there
    """Rows before a pause and their summary → what it tells of the pause."""

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.first = nn.Conv1d(FEATURES, CHANNELS, TAPS, 2)
        self.second = nn.Conv1d(CHANNELS, CHANNELS, TAPS, 2)
        self.third = nn.Conv1d(CHANNELS, CHANNELS, TAPS, 2)
        self.hidden = nn.Linear(PLACES * CHANNELS + SUMMARY, HIDDEN)
        self.answer = nn.Linear(HIDDEN, 3)
        self.dropout = nn.Dropout(dropout)
        with torch.no_grad():
            self.answer.bias.copy_(torch.tensor([-1.0, np.log(USUAL_PAUSE_S), 0.5]))

    def forward(self, rows: Tensor, summary: Tensor) -> Tensor:
        """(B, ROWS, FEATURES), (B, SUMMARY) → (B, 3), as ``network.answer`` has them."""
        x = self.dropout(torch.relu(self.first(rows.transpose(1, 2))))
        x = self.dropout(torch.relu(self.second(x)))
        x = self.dropout(torch.relu(self.third(x)).transpose(1, 2).flatten(1))
        x = torch.relu(self.hidden(torch.cat([x, summary], dim=1)))
        logit, median, shape = self.answer(self.dropout(x)).unbind(dim=1)
        return torch.stack([logit, median.clamp(*LOG_MEDIAN), shape.clamp(*LOG_SHAPE)], dim=1)


def surprise(answer: Tensor, is_end: Tensor, silence_s: Tensor, length_s: Tensor) -> Tensor:
    """Return (B,) how unexpected what came was, in nats: an end, or a pause of just that length.

    Args:
        answer: (B, 3), as the network gives it.
        is_end: (B,) 1 where the turn was over.
        silence_s: (B,) how long the pause had lasted when it was asked; it is known to have.
        length_s: (B,) how long it lasted in all.
    """
    logit, median, shape = answer.unbind(dim=1)
    over, goes_on = nn.functional.logsigmoid(logit), nn.functional.logsigmoid(-logit)
    shape = shape.exp()

    def log_odds(at_s: Tensor) -> Tensor:
        return shape * (at_s.clamp(min=BEGIN_S).log() - median)

    def log_lasts(at_s: Tensor) -> Tensor:
        begun = nn.functional.softplus(log_odds(torch.full_like(at_s, BEGIN_S)))
        return begun - nn.functional.softplus(log_odds(at_s))

    # Density of a log-logistic distribution, given that it lasted for BEGIN_S.
    odds = log_odds(length_s)
    density = shape.log() - length_s.log() + odds - nn.functional.softplus(odds)
    known = torch.logaddexp(over, goes_on + log_lasts(silence_s))
    came = torch.where(is_end > 0, over, goes_on + log_lasts(length_s) + density)
    return known - came


def export(model: EndOfTurnNetwork) -> dict[str, np.ndarray]:
    """Return the weights as the network in numpy names and lays them out."""
    found = {}
    for name, values in model.state_dict().items():
        layer, kind = name.split(".")
        array = values.detach().numpy()
        if array.ndim == 3:  # (out, in, taps) → (taps × in, out)
            array = array.transpose(2, 1, 0).reshape(-1, array.shape[0])
        elif array.ndim == 2:
            array = array.T
        name = f"{layer}_bias" if kind == "bias" else layer
        found[name] = np.ascontiguousarray(array, np.float32)
    return found
