"""Weights that nobody wants in memory whole are read and written one at a time."""

import gc
import weakref

import pytest
import torch
from safetensors.torch import load_file, save_file

from rt_avatar.engines.checkpoints import check_imported, read_header
from rt_avatar.engines.networks.files import lazy_tensors
from rt_avatar.engines.networks.importing import VICUNA, import_checkpoint
from rt_avatar.engines.networks.lazy_weights import write_safetensors
from rt_avatar.engines.networks.llm import published

pytestmark = pytest.mark.networks
DTYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.uint8)


def quiet(what, done, total):
    pass


def test_what_is_written_is_what_safetensors_reads(tmp_path):
    state = {f"of {dtype}": torch.arange(5).to(dtype) for dtype in DTYPES}
    state |= {"flags": torch.tensor([True, False]), "one": torch.tensor(2.5), "none": torch.ones(0)}
    state["turned"] = torch.randn(3, 4).t()
    path = tmp_path / "a.safetensors"
    shapes = {key: tensor.to("meta") for key, tensor in state.items()}
    write_safetensors(path, shapes, {key: lambda key=key: state[key] for key in state})
    read = load_file(path)
    assert set(read) == set(state) == set(read_header(path))
    for key, tensor in state.items():
        assert read[key].dtype == tensor.dtype
        assert torch.equal(read[key], tensor)


def test_a_weight_is_let_go_before_the_next_is_read(tmp_path):
    alive: list[weakref.ref] = []

    def read():
        gc.collect()
        assert not [one for one in alive if one() is not None]
        tensor = torch.ones(1000)
        alive.append(weakref.ref(tensor.untyped_storage()))
        return tensor

    shapes = {str(number): torch.empty(1000, device="meta") for number in range(5)}
    write_safetensors(tmp_path / "a.safetensors", shapes, dict.fromkeys(shapes, read))
    assert len(alive) == 5


@pytest.mark.parametrize("kind", ["zip", "plain", "safetensors"])
def test_published_files_are_read_key_by_key(tmp_path, kind):
    state = {"a": torch.randn(3, 4), "b": torch.arange(3)}
    path = tmp_path / ("a.safetensors" if kind == "safetensors" else "a.bin")
    if kind == "safetensors":
        save_file(state, path)
    else:
        torch.save(state, path, _use_new_zipfile_serialization=kind == "zip")
    weights = lazy_tensors(path)
    assert set(weights) == set(state)
    assert all(torch.equal(weights[key](), state[key]) for key in state)


def test_the_published_language_model_is_imported_from_its_parts(tmp_path, monkeypatch):
    state = {f"layer.{number}": torch.randn(8, number + 1).half() for number in range(6)}
    keys = {key: tuple(tensor.shape) for key, tensor in state.items()}
    monkeypatch.setattr(published, "vicuna_keys", lambda: keys)
    for part in range(2):
        shard = {key: state[key] for key in list(state)[3 * part : 3 * part + 3]}
        shard[f"model.layers.{part}.self_attn.rotary_emb.inv_freq"] = torch.ones(4)
        torch.save(shard, tmp_path / f"pytorch_model-0000{part + 1}-of-00002.bin")
    weights = import_checkpoint(VICUNA, tmp_path, tmp_path / "models", quiet)
    assert check_imported(VICUNA, tmp_path / "models", quiet).tensors == len(state)
    made = load_file(weights)
    assert set(made) == set(state)
    assert all(torch.equal(made[key], state[key]) for key in state)
