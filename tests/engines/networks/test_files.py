"""What a published file holds besides tensors is passed over or refused, and nothing of it runs."""

import collections
import subprocess
from pathlib import Path, PurePosixPath

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from rt_avatar.engines.checkpoints import read_header
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.files import LeftOver, only_tensors, read_tree

pytestmark = pytest.mark.networks
WEIGHTS = {"a": torch.arange(6.0).reshape(2, 3), "b": torch.tensor([1, 2])}


def saved(path: Path, **besides) -> Path:
    torch.save({"net": WEIGHTS, **besides}, path)
    return path


def training():
    """An optimiser and its schedule in the midst of a training."""
    layer = torch.nn.Linear(2, 1)
    optimiser = torch.optim.AdamW(layer.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 0.1, total_steps=9)
    layer(torch.ones(2)).sum().backward()
    optimiser.step()
    schedule.step()
    return {"optimizer": optimiser, "scheduler": schedule, "anneal_func": schedule.get_lr}


@pytest.mark.parametrize(
    "besides",
    [
        {"val_loss": np.float64(0.25), "epoch": 20},
        {"losses": np.zeros(3), "kind": np.dtype("float32")},
        {"optimizer": training()["optimizer"].state_dict()},
        training(),
    ],
    ids=["numpy's number", "numpy's array", "states", "objects"],
)
def test_what_a_training_left_beside_its_weights_is_passed_over(tmp_path, besides):
    tree = read_tree(saved(tmp_path / "a.pth", **besides))
    assert set(tree) == {"net", *besides}
    for key, tensor in only_tensors(tree["net"], "net").items():
        assert torch.equal(tensor, WEIGHTS[key])
    assert not any(isinstance(value, np.generic | np.ndarray) for value in tree.values())
    assert not isinstance(tree.get("scheduler"), torch.optim.lr_scheduler.LRScheduler)


def test_a_left_over_does_nothing_whatever_it_is_given():
    made = LeftOver(subprocess.run, ["false"])
    made.__setstate__({"x": 1})
    assert not vars(made)


def test_a_left_over_among_the_weights_is_named(tmp_path):
    torch.save({"net": WEIGHTS | {"c": np.float64(1.0)}}, tmp_path / "a.pth")
    with pytest.raises(CheckpointError, match=r"net: .*unexpected c \(LeftOver\)"):
        only_tensors(read_tree(tmp_path / "a.pth")["net"], "net")


def test_reading_leaves_the_readers_rules_as_they_were(tmp_path):
    before = set(torch.serialization.get_safe_globals())
    read_tree(saved(tmp_path / "a.pth", loss=np.float64(1.0)))
    assert set(torch.serialization.get_safe_globals()) == before


@pytest.mark.parametrize(
    ("program", "name"),
    [
        (subprocess.Popen, r"\S*Popen"),
        (PurePosixPath("x"), r"pathlib\.PurePosixPath"),
        (eval, r"eval"),
        (collections.UserDict, r"collections\.UserDict"),
    ],
)
def test_whatever_else_a_file_asks_for_is_told_by_its_name(tmp_path, program, name):
    path = saved(tmp_path / "a.pth", extra=program, loss=np.float64(1.0))
    with pytest.raises(CheckpointError, match=f"it also asks for {name}, which was not run"):
        read_tree(path)


@pytest.mark.filterwarnings("ignore")
def test_tensors_without_plain_numbers_are_no_weights():
    strange = {
        "sparse": torch.eye(3).to_sparse(),
        "meta": torch.empty(3, device="meta"),
        "quantised": torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8),
        "complex": torch.ones(3, dtype=torch.complex64),
    }
    for name, tensor in strange.items():
        with pytest.raises(CheckpointError, match=f"unexpected {name} "):
            only_tensors(WEIGHTS | {name: tensor}, "net")
    assert only_tensors(WEIGHTS, "net").keys() == WEIGHTS.keys()


def damaged(content: bytes, dice: np.random.Generator) -> bytes:
    """Bytes changed, lost or put in between, as often near the beginning as anywhere."""
    made = bytearray(content)
    for _ in range(dice.integers(1, 6)):
        at = int(dice.integers(len(made) if dice.random() < 0.5 else min(300, len(made))))
        how = dice.integers(3)
        if how == 0:
            made[at] = int(dice.integers(256))
        elif how == 1:
            del made[at : at + int(dice.integers(1, 30))]
        else:
            made[at:at] = dice.bytes(int(dice.integers(1, 10)))
    return bytes(made)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["zip", "old", "safetensors"])
def test_a_damaged_file_is_refused_or_read_and_nothing_else(tmp_path, kind):
    path = tmp_path / ("a.safetensors" if kind == "safetensors" else "a.pth")
    if kind == "safetensors":
        save_file(WEIGHTS, path)
    else:
        torch.save({"net": WEIGHTS}, path, _use_new_zipfile_serialization=kind == "zip")
    content, dice, refused = path.read_bytes(), np.random.default_rng(5), 0
    for _ in range(200):
        path.write_bytes(damaged(content, dice))
        for read in (read_tree, read_header) if kind == "safetensors" else (read_tree,):
            try:
                read(path)
            except CheckpointError:
                refused += 1
    assert refused > 50


def test_a_file_that_may_not_be_read_is_told_so(tmp_path, monkeypatch):
    path = saved(tmp_path / "a.pth")

    def forbidden(*given, **named):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(torch, "load", forbidden)
    with pytest.raises(CheckpointError, match=r"expected a file to read, got: .*Permission denied"):
        read_tree(path)
