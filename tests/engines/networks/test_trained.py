"""What is trained here comes back part by part, and nothing else is taken for it."""

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.trained import (
    read_parts,
    read_template,
    read_trained,
    write_trained,
)

pytestmark = pytest.mark.networks


def test_parts_come_back_as_written(tmp_path):
    first, second = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 1))
    second.append(second[0])  # a tensor that two names share
    path = tmp_path / "ours.safetensors"
    write_trained(path, {"synchronizer": first, "voice": second})
    read = read_trained(path)
    assert set(read) == {"synchronizer", "voice"}
    assert set(read["voice"]) == {"0.weight", "0.bias", "1.weight", "1.bias"}
    for name, value in first.state_dict().items():
        assert torch.equal(read["synchronizer"][name], value)
    with safe_open(path, "pt") as file:
        assert "voice.1.weight" not in file.keys()  # noqa: SIM118  # is no mapping


def test_halves_come_back_as_halves(tmp_path):
    layer, path = nn.Linear(2, 3), tmp_path / "ours.safetensors"
    write_trained(path, {"voice": layer}, dtype=torch.float16)
    assert torch.equal(read_trained(path)["voice"]["weight"], layer.weight.half())
    assert layer.weight.dtype == torch.float32


def test_a_large_table_takes_a_byte_a_number_and_comes_back_within_half_a_step(tmp_path):
    path, table = tmp_path / "ours.safetensors", nn.Embedding(2000, 64)
    write_trained(path, {"llm": table}, dtype=torch.float16)
    assert path.stat().st_size < 1.1 * table.weight.numel()
    read = read_trained(path)["llm"]["weight"]
    steps = table.weight.abs().amax(1, keepdim=True) / 127
    assert torch.all((read - table.weight).abs() <= 0.51 * steps)


def test_a_table_that_is_a_head_too_is_the_same_in_both(tmp_path):
    path, table = tmp_path / "ours.safetensors", nn.Embedding(2000, 64)
    head = nn.Linear(64, 2000, bias=False)
    head.weight = table.weight
    write_trained(path, {"llm": nn.ModuleDict({"table": table, "head": head})}, dtype=torch.float16)
    read = read_trained(path)["llm"]
    assert set(read) == {"table.weight", "head.weight"}
    assert torch.equal(read["table.weight"], read["head.weight"])


def test_a_row_of_nothing_stays_one(tmp_path):
    path, table = tmp_path / "ours.safetensors", nn.Embedding(2000, 4, padding_idx=0)
    write_trained(path, {"llm": table}, dtype=torch.float16)
    assert torch.equal(read_trained(path)["llm"]["weight"][0], torch.zeros(4))


def test_what_was_read_is_written_as_the_same_bytes(tmp_path):
    path, table = tmp_path / "ours.safetensors", nn.Embedding(2000, 64)
    write_trained(path, {"llm": table}, dtype=torch.float16)
    written = path.read_bytes()
    table.load_state_dict(read_trained(path)["llm"])
    write_trained(path, {"llm": table}, dtype=torch.float16)
    assert path.read_bytes() == written


def test_the_same_weights_are_the_same_bytes(tmp_path):
    path = tmp_path / "ours.safetensors"
    tied = nn.Sequential(nn.Linear(3, 1))
    tied.append(tied[0])
    files = set()
    for _ in range(20):  # two keys of metadata, which the library writes in either order
        write_trained(path, {"llm": tied}, "nano_profile")
        files.add(path.read_bytes())
    assert len(files) == 1


def test_the_template_of_a_language_model_stays_with_its_weights(tmp_path):
    path = tmp_path / "ours.safetensors"
    write_trained(path, {"llm": nn.Linear(2, 3)}, "nano_profile")
    assert read_template(path) == "nano_profile"
    assert set(read_trained(path)) == {"llm"}
    write_trained(path, {"llm": nn.Linear(2, 3)})
    assert read_template(path) == ""


def test_several_files_are_read_as_one(tmp_path):
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    write_trained(first, {"voice": nn.Linear(2, 3)})
    write_trained(second, {"synchronizer": nn.Linear(2, 3), "disentangler": nn.Linear(2, 3)})
    read = read_parts([first, second])
    assert {name: part.path for name, part in read.items()} == {
        "voice": first, "synchronizer": second, "disentangler": second,
    }  # fmt: skip
    write_trained(second, {"voice": nn.Linear(2, 3)})
    with pytest.raises(CheckpointError, match=r"got voice, as in .*first\.safetensors"):
        read_parts([first, second])


@pytest.mark.parametrize("name", ["mood.weight", "synchronizer", "x"])
def test_other_parts_are_named(tmp_path, name):
    path = tmp_path / "ours.safetensors"
    save_file({name: torch.zeros(1)}, path)
    with pytest.raises(CheckpointError, match=f"expected tensors of speech.*unexpected {name}"):
        read_trained(path)


def test_only_safetensors_are_read(tmp_path):
    path = tmp_path / "ours.pth"
    torch.save({"voice.weight": torch.zeros(1)}, path)
    with pytest.raises(CheckpointError, match=r"expected a file ending in \.safetensors"):
        read_trained(path)
    path = tmp_path / "ours.safetensors"
    path.write_bytes(b"<html>")
    with pytest.raises(CheckpointError, match="Is the file complete"):
        read_trained(path)
