"""Small graphs of every kind of layer that precision and lengths depend on."""

import torch
from torch import nn

from rt_avatar.engines.networks.graph import Graph


class Tiny(nn.Module):
    """(1, 3, T) → (1, 4, T): convolution, norm over time, LSTM, product, exponential."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 8, 3, padding=1)
        self.lstm = nn.LSTM(8, 4, batch_first=True)
        self.out = nn.Linear(4, 4)

    def forward(self, x):
        y = self.conv(x)
        y = (y - y.mean(2, keepdim=True)) / (y.var(2, keepdim=True, unbiased=False) + 1e-5).sqrt()
        y, _ = self.lstm(y.transpose(1, 2))
        return self.out(y).exp().transpose(1, 2)


class Baked(nn.Module):
    """Right at the length it is traced with, and at no other."""

    def forward(self, x):
        return x * torch.arange(int(x.shape[2]))


def tiny(name="fusion_tiny", module=None) -> Graph:
    """A graph whose length ``frames`` has a rule in the budget."""
    torch.manual_seed(0)
    return Graph(
        name,
        module or Tiny().eval(),
        {"x": torch.zeros(1, 3, 8)},
        ("y",),
        {"x": {2: "frames"}},
        traced=True,
        dynamic_outputs={"y": {2: "frames"}},
    )
