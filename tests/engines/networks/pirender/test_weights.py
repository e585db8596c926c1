"""The published renderer's tensors load by name and shape; anything else is refused by name."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from rt_avatar.engines import key_tables
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.pirender.config import OFFICIAL
from rt_avatar.engines.networks.pirender.generator import FaceGenerator
from rt_avatar.engines.networks.pirender.weights import SECTION, load_renderer

pytestmark = pytest.mark.networks

Table = dict[str, tuple[int, ...]]


def layer(name: str, *shape: int, bias: int | None = None) -> Table:
    return {f"{name}.weight": shape, f"{name}.bias": (bias or shape[0],)}


def adain(name: str, channels: int) -> Table:
    table = layer(f"{name}.mlp_shared.0", 128, 256)
    return (
        table | layer(f"{name}.mlp_gamma", channels, 128) | layer(f"{name}.mlp_beta", channels, 128)
    )


def norm(name: str, channels: int) -> Table:
    return {f"{name}.weight": (channels, 1, 1), f"{name}.bias": (channels, 1, 1)}


def convolution(name: str, outputs: int, inputs: int, size: int = 3) -> Table:
    return layer(f"{name}.model.0", outputs, inputs, size, size) | norm(f"{name}.model.1", outputs)


def key_table() -> Table:
    """The 304 tensors of ``net_G_ema`` in the published files."""
    table = layer("mapping_net.first.0", 256, 73, 7)
    for number in range(3):
        table |= layer(f"mapping_net.encoder{number}.1", 256, 256, 3)
    name = "warpping_net.hourglass.encoder"
    table |= layer(f"{name}.input_layer", 32, 3, 7, 7)
    widths = [32, 64, 128, 256, 256, 256]
    for number, (inputs, outputs) in enumerate(pairwise(widths)):
        block = f"{name}.encoder{number}"
        table |= layer(f"{block}.conv_0", outputs, inputs, 4, 4) | adain(f"{block}.norm_0", inputs)
        table |= layer(f"{block}.conv_1", outputs, outputs, 3, 3)
        table |= adain(f"{block}.norm_1", outputs)
    for number, inputs, outputs in ((4, 256, 256), (3, 512, 256), (2, 512, 128)):
        block = f"warpping_net.hourglass.decoder.decoder{number}"
        table |= layer(f"{block}.conv_0", outputs, inputs, 3, 3) | adain(f"{block}.norm_0", inputs)
        table |= layer(f"{block}.conv_1", outputs, outputs, 3, 3)
        table |= adain(f"{block}.norm_1", outputs) | adain(f"{block}.norm_s", inputs)
        table |= layer(f"{block}.conv_s", inputs, outputs, 3, 3, bias=outputs)
    table |= norm("warpping_net.flow_out.0", 256) | layer("warpping_net.flow_out.2", 2, 256, 7, 7)
    table |= convolution("editing_net.encoder.first", 64, 6, 7)
    for number, (outputs, inputs) in enumerate(((128, 64), (256, 128), (256, 256))):
        table |= convolution(f"editing_net.encoder.down{number}", outputs, inputs)
    for number, inputs, outputs in ((2, 256, 256), (1, 256, 128), (0, 128, 64)):
        name = "editing_net.decoder"
        table |= convolution(f"{name}.up{number}", outputs, inputs)
        table |= convolution(f"{name}.jump{number}", outputs, outputs)
        for block in (f"{name}.res{number}.res{count}" for count in range(2)):
            for half in (1, 2):
                table |= layer(f"{block}.conv{half}", inputs, inputs, 3, 3)
                table |= adain(f"{block}.norm{half}", inputs)
    return table | layer("editing_net.decoder.final.model.0", 3, 64, 7, 7)


@pytest.fixture(scope="module")
def state() -> dict[str, torch.Tensor]:
    return {name: torch.full(shape, 0.25) for name, shape in key_table().items()}


@pytest.fixture
def module() -> FaceGenerator:
    with torch.device("meta"):
        return FaceGenerator(OFFICIAL)


def test_key_table_is_the_networks(module):
    assert {name: tuple(value.shape) for name, value in module.state_dict().items()} == key_table()
    assert len(key_table()) == 304


def test_the_stored_table_is_the_files():
    path = Path(key_tables.__file__).parent / "pirender_renderer.json"
    stored = {name: list(shape) for name, shape in key_table().items()}
    assert json.loads(path.read_text(encoding="utf-8")) == {SECTION: stored}


@pytest.mark.parametrize(
    ("part", "parameters"),
    [
        ("", 22_519_109),
        ("mapping_net", 721_664),
        ("warpping_net", 12_707_138),
        ("editing_net", 9_090_307),
    ],
)
def test_parameters_are_as_many_as_published(module, part, parameters):
    assert sum(p.numel() for p in module.get_submodule(part).parameters()) == parameters


def test_live_parameters_are_as_many_as_published(module):
    dead = sum(
        value.numel()
        for name, value in module.named_parameters()
        if ".conv1." in name or ".norm1." in name
    )
    assert 22_519_109 - dead == 19_336_005


def test_the_files_tensors_load(module, state):
    load_renderer(module, state)
    assert all(not value.is_meta for value in module.state_dict().values())


@pytest.mark.parametrize("wrong", ["missing", "unexpected", "misshapen", "not finite"])
def test_a_wrong_file_is_refused_by_the_names_of_its_tensors(module, state, wrong):
    """Also one without the dead weights: it is another network's."""
    name, given = "editing_net.decoder.res1.res0.conv1.weight", dict(state)
    if wrong == "missing":
        del given[name]
    elif wrong == "unexpected":
        given[name := "editing_net.surprise"] = torch.zeros(1)
    elif wrong == "misshapen":
        given[name] = torch.zeros(256, 256, 1, 1)
    else:
        given[name] = torch.full((256, 256, 3, 3), torch.inf)
    with pytest.raises(CheckpointError, match=name):
        load_renderer(module, given)
    assert module.mapping_net.first[0].bias.is_meta  # untouched
