"""The published denoiser's tensors load by name and shape; anything else is refused by name."""

import json
from pathlib import Path

import pytest
import torch

from rt_avatar.engines import key_tables
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL
from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
from rt_avatar.engines.networks.dreamtalk.weights import PREFIX, SECTION, load_denoiser

pytestmark = pytest.mark.networks


def norm(name: str) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (256,), f"{name}.bias": (256,)}


def linear(name: str, outputs: int, inputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def attention(name: str) -> dict[str, tuple[int, ...]]:
    table = {f"{name}.in_proj_weight": (768, 256), f"{name}.in_proj_bias": (768,)}
    return table | linear(f"{name}.out_proj", 256, 256)


def encoder_layer(name: str) -> dict[str, tuple[int, ...]]:
    table = attention(f"{name}.self_attn")
    table |= linear(f"{name}.linear1", 1024, 256) | linear(f"{name}.linear2", 256, 1024)
    return table | norm(f"{name}.norm1") | norm(f"{name}.norm2")


def key_table() -> dict[str, tuple[int, ...]]:
    """The 224 tensors of ``diff_net`` in the published file."""
    table: dict[str, tuple[int, ...]] = {"null_style_clip": (256, 64), "null_pad_mask": (256,)}
    for encoder, inputs, tokens in (("content", 1024, 11), ("style", 64, 256)):
        name = f"net.{encoder}_encoder"
        for layer in range(3):
            table |= encoder_layer(f"{name}.encoder.layers.{layer}")
        table[f"{name}.pos_embed.pos_table"] = (1, tokens, 256)
        table |= linear(f"{name}.increase_embed_dim", 256, inputs)
    pooling = "net.style_encoder.aggregate_method.W"
    table |= linear(f"{pooling}.0", 256, 256) | linear(f"{pooling}.2", 1, 256)
    for half, channels in (("upper", 51), ("lower", 13)):
        name = f"net.decoder.{half}_decoder"
        for layer in range(3):
            table |= encoder_layer(f"{name}.layers.{layer}")
            table |= attention(f"{name}.layers.{layer}.multihead_attn")
            table |= norm(f"{name}.layers.{layer}.norm3")
        table |= norm(f"{name}.norm")
        reader = f"net.decoder.{half}_tail_fc"
        table |= linear(f"{reader}.0", 128, 256) | linear(f"{reader}.2", 128, 128)
        table |= linear(f"{reader}.4", channels, 128)
    table["net.decoder.pos_embed.pos_table"] = (1, 11, 256)
    fusion = "net.content_xt_to_decoder_input_wo_time"
    table |= linear(f"{fusion}.0", 256, 320)
    table |= linear(f"{fusion}.2", 256, 256) | linear(f"{fusion}.4", 256, 256)
    table |= linear("net.time_embed_net.0", 256, 256) | linear("net.time_embed_net.2", 256, 256)
    names = ("betas", "alphas", "alpha_bars", "sigmas_flex", "sigmas_inflex")
    return table | {f"var_sched.{name}": (1001,) for name in names}


@pytest.fixture(scope="module")
def state() -> dict[str, torch.Tensor]:
    """A state dict with the published names, and with what only training needs."""
    made = {
        PREFIX + name: torch.full(shape, 0.5, dtype=torch.bool if "mask" in name else torch.float32)
        for name, shape in key_table().items()
    }
    return made | {"optimiser.of.something": torch.zeros(3)}


@pytest.fixture
def module() -> DreamTalk:
    with torch.device("meta"):
        return DreamTalk(OFFICIAL)


def test_key_table_is_the_networks(module):
    shapes = {name: tuple(value.shape) for name, value in module.state_dict().items()}
    assert shapes == key_table()
    assert len(shapes) == 224
    assert sum(value.numel() for value in module.state_dict().values()) == 11_950_542


def test_the_stored_table_is_the_files():
    path = Path(key_tables.__file__).parent / "dreamtalk_denoiser.json"
    stored = {PREFIX + name: list(shape) for name, shape in key_table().items()}
    assert json.loads(path.read_text(encoding="utf-8")) == {SECTION: stored}


@pytest.mark.parametrize(
    ("part", "parameters"),
    [
        ("", 11_857_729),
        ("content_encoder", 2_631_680),
        ("style_encoder", 2_451_969),
        ("decoder", 6_428_736),
        ("content_xt_to_decoder_input_wo_time", 213_760),
        ("time_embed_net", 131_584),
    ],
)
def test_parameters_are_as_many_as_published(module, part, parameters):
    assert sum(p.numel() for p in module.net.get_submodule(part).parameters()) == parameters


@pytest.mark.parametrize("prefix", [PREFIX, ""])
def test_the_files_tensors_load_with_and_without_their_prefix(module, state, prefix):
    given = {
        prefix + name.removeprefix(PREFIX): value
        for name, value in state.items()
        if name.startswith(PREFIX)
    }
    if prefix:
        given = dict(state)
    load_denoiser(module, given)
    assert all(not value.is_meta for value in module.state_dict().values())
    assert torch.equal(module.net.time_embed_net[0].bias, torch.full((256,), 0.5))


@pytest.mark.parametrize("wrong", ["missing", "unexpected", "misshapen", "foreign", "not finite"])
def test_a_wrong_file_is_refused_by_the_names_of_its_tensors(module, state, wrong):
    name = PREFIX + "net.decoder.upper_decoder.norm.weight"
    given = dict(state)
    if wrong == "missing":
        del given[name]
    elif wrong == "unexpected":
        given[name := PREFIX + "net.surprise"] = torch.zeros(1)
    elif wrong == "misshapen":
        given[name] = torch.zeros(257)
    elif wrong == "not finite":
        given[name] = torch.full((256,), torch.nan)
    else:
        given = {"layer4.weight": torch.zeros(2)}
        name = "layer4.weight"
    with pytest.raises(CheckpointError, match=name.removeprefix(PREFIX)):
        load_denoiser(module, given)
    assert module.net.time_embed_net[0].bias.is_meta  # untouched
