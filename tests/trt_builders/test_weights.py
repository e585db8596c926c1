"""Parts are filled by what was asked for, and what nothing was found for is told."""

import pytest
import torch
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
    fill, part = Fill(Origin(models=tmp_path, trained=path)), nn.Linear(2, 3)
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


def test_an_adapter_is_merged_only_onto_what_it_was_made_for(tmp_path):
    merged = []
    fill = Fill(Origin(models=tmp_path))

    def add(base):
        fill.add(nn.Linear(1, 1), "vicuna-7b-lora", lambda *given: merged.append(given), onto=base)

    add("vicuna-7b")  # neither is there
    (tmp_path / "vicuna-7b-lora.safetensors").write_bytes(b"")
    add("vicuna-7b")  # the base is random
    assert merged == []
    fill.digests["vicuna-7b"] = "00"
    with pytest.raises(CheckpointError, match="expected a safetensors file"):
        add("vicuna-7b")


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
