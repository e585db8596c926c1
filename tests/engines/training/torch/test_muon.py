"""Muon is torch's own, in numbers that the processor multiplies fast."""

import pytest
import torch

from rt_avatar.engines.training import muon
from rt_avatar.engines.training.muon import Muon

pytestmark = pytest.mark.networks


def trained(make, steps=3):
    """Return matrices of all shapes, one without gradient, and what changed them."""
    dice = torch.Generator().manual_seed(0)
    shapes = ((12, 12), (8, 24), (24, 8), (4, 4))
    matrices = [torch.nn.Parameter(torch.randn(shape, generator=dice)) for shape in shapes]
    optimizer = make(matrices)
    for _ in range(steps):
        for matrix in matrices[:-1]:
            matrix.grad = torch.randn(matrix.shape, generator=dice)
        optimizer.step()
    return [matrix.detach() for matrix in matrices], optimizer


def ours(matrices):
    optimizer = Muon(matrices, weight_decay=0.1)
    optimizer.param_groups[0]["lr"] = 0.02
    return optimizer


def torchs(matrices):
    return torch.optim.Muon(matrices, lr=0.02, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")


def test_in_bfloat16_it_is_torchs(monkeypatch):
    monkeypatch.setattr(muon, "uses_bfloat16", lambda where: True)
    for made, wanted in zip(trained(ours)[0], trained(torchs)[0], strict=True):
        torch.testing.assert_close(made, wanted, rtol=0, atol=1e-6)


def test_in_single_precision_it_differs_by_what_bfloat16_leaves_out(monkeypatch):
    monkeypatch.setattr(muon, "uses_bfloat16", lambda where: False)
    pairs = list(zip(trained(ours)[0], trained(torchs)[0], trained(ours, 0)[0], strict=True))
    for made, wanted, before in pairs[:-1]:
        assert (made - wanted).norm() < 0.02 * (wanted - before).norm()
    assert pairs[-1][0].equal(pairs[-1][2])


def test_a_checkpoint_of_torchs_is_gone_on_from():
    state = trained(torchs)[1].state_dict()
    optimizer = ours([torch.nn.Parameter(matrix) for matrix in trained(ours)[0]])
    optimizer.load_state_dict(state)
    assert [*optimizer.state_dict()["state"][0]] == [*state["state"][0]] == ["momentum_buffer"]
