"""Parts are filled by what was asked for, and what nothing was found for is told."""

import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.trained import write_trained
from rt_avatar.trt_builders.weights import TRAINED, Fill, Origin
from tests.engines.networks.test_importing import published, quiet

pytestmark = pytest.mark.networks


def test_without_anything_parts_are_random_and_told(tmp_path):
    fill, part = Fill(Origin()), nn.Linear(2, 3)
    before = part.bias.clone()
    fill(part, "dreamtalk", part="motion")
    assert (fill.digests, fill.random) == ({}, ["motion"])
    assert not torch.equal(part.bias, before)  # what begins as zeros would hide a wrong graph


def test_what_was_trained_here_comes_before_what_is_published(tmp_path):
    path = tmp_path / "ours.safetensors"
    write_trained(path, {"synchronizer": nn.Linear(2, 3)})
    fill, part = Fill(Origin(models=tmp_path, trained=(path,))), nn.Linear(2, 3)
    fill(part, "dreamtalk", part="synchronizer")
    wanted = {"weight": part.weight, "bias": part.bias}
    fill(second := nn.Linear(2, 3), part="synchronizer")
    assert torch.equal(second.weight, wanted["weight"])
    assert set(fill.digests) == {TRAINED}
    assert fill.random == []
    fill(nn.Linear(1, 1), part="disentangler")
    assert fill.random == ["disentangler"]
    with pytest.raises(CheckpointError, match="misshapen weight"):
        fill(nn.Linear(2, 4), part="synchronizer")


def test_an_adapter_is_taken_only_onto_what_it_was_made_for(tmp_path):
    fill, wanted = Fill(Origin(models=tmp_path)), {"a": (2, 3)}

    def adapter():
        return fill.adapter("vicuna-7b-lora", lambda _: wanted, onto="vicuna-7b")

    assert adapter() is None  # neither is there
    path = tmp_path / "vicuna-7b-lora.safetensors"
    path.write_bytes(b"")
    assert adapter() is None  # the base is random
    fill.digests["vicuna-7b"] = "00"
    with pytest.raises(CheckpointError, match="expected a safetensors file"):
        adapter()
    save_file({"a": torch.zeros(2, 4)}, path)
    with pytest.raises(CheckpointError, match=r"misshapen a \(expected 2x3, got 2x4\)"):
        adapter()
    assert set(fill.digests) == {"vicuna-7b"}


def test_weights_that_are_read_one_at_a_time_must_fit_before_the_first_is_read(tmp_path):
    with torch.device("meta"):
        part = nn.Linear(3, 2, bias=False)

    def lazily(origin):
        fill = Fill(origin)
        keys = {"weight": (2, 3)}
        return fill, fill.lazily(part, keys, "vicuna-7b", part="llm", convert=dict)

    fill, weights = lazily(Origin(seed=3))
    assert (fill.digests, fill.random) == ({}, ["llm"])
    assert torch.equal(weights["weight"](), weights["weight"]())
    assert not torch.equal(weights["weight"](), lazily(Origin(seed=4))[1]["weight"]())
    ours = nn.Linear(3, 2, bias=False)
    write_trained(tmp_path / "ours.safetensors", {"llm": ours})
    fill, weights = lazily(Origin(trained=(tmp_path / "ours.safetensors",)))
    assert torch.equal(weights["weight"](), ours.weight)
    assert set(fill.digests) == {TRAINED}
    write_trained(tmp_path / "ours.safetensors", {"llm": nn.Linear(4, 2, bias=False)})
    with pytest.raises(CheckpointError, match="misshapen weight"):
        lazily(Origin(trained=(tmp_path / "ours.safetensors",)))
    with pytest.raises(CheckpointError, match="rt-avatar models import vicuna-7b FILE"):
        lazily(Origin(models=tmp_path))
    save_file({"weight": torch.zeros(2, 4)}, tmp_path / "vicuna-7b.safetensors")
    with pytest.raises(CheckpointError, match="expected 2x3, got 2x4"):
        lazily(Origin(models=tmp_path))


def test_imported_weights_are_known_by_their_digest(tmp_path):
    from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL
    from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
    from rt_avatar.engines.networks.importing import import_checkpoint

    torch.save(published("dreamtalk"), tmp_path / "denoising_network.pth")
    import_checkpoint("dreamtalk", tmp_path / "denoising_network.pth", tmp_path, quiet)
    fill = Fill(Origin(models=tmp_path))
    with torch.device("meta"):
        network = DreamTalk(OFFICIAL)
    fill(network, "dreamtalk", part="motion")
    assert set(fill.digests) == {"dreamtalk"}
    assert len(fill.digests["dreamtalk"]) == 64
    assert fill.random == []
