"""A wrong checkpoint is told by its keys; a right one is folded and loaded whole."""

import pytest
import torch
from torch import nn

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.loading import (
    fold_norms,
    load_strict,
    old_norm_names,
    strip,
)

pytestmark = pytest.mark.networks


def small() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv1d(3, 4, 5), nn.ConvTranspose1d(4, 2, 3), nn.Linear(6, 7))


def test_a_full_state_is_loaded_to_the_bit():
    source, target = (
        small(),
        nn.Sequential(nn.Conv1d(3, 4, 5), nn.ConvTranspose1d(4, 2, 3), nn.Linear(6, 7)),
    )
    load_strict(target, source.state_dict())
    assert all(
        torch.equal(a, b) for a, b in zip(source.parameters(), target.parameters(), strict=True)
    )


def test_a_module_without_memory_takes_the_tensors_themselves():
    with torch.device("meta"):
        target = small()
    state = {key: value.half() for key, value in small().state_dict().items()}
    load_strict(target, state)
    assert torch.equal(target[2].weight, state["2.weight"].float())


def test_a_wrong_file_is_told_by_its_first_keys_and_leaves_the_module_alone():
    target = small()
    before = {key: value.clone() for key, value in target.state_dict().items()}
    state = dict(small().state_dict())
    del state["0.bias"]
    state["2.weight"] = torch.zeros(7, 8)
    state["1.bias"] = torch.zeros(2, dtype=torch.int64)
    state |= {f"foreign.{n}": torch.zeros(1) for n in range(5)}
    with pytest.raises(CheckpointError) as told:
        load_strict(target, state)
    error = told.value
    assert error.missing == ("0.bias",)
    assert error.unexpected == tuple(f"foreign.{n}" for n in range(5))
    assert error.misshapen == (("1.bias", "2", "2 torch.int64"), ("2.weight", "7x6", "7x8"))
    message = str(error)
    assert "missing 0.bias" in message
    assert "foreign.0, foreign.1, foreign.2 and 2 more" in message
    assert "2.weight (expected 7x6, got 7x8)" in message
    assert all(torch.equal(before[key], value) for key, value in target.state_dict().items())


def test_a_prefix_goes_only_when_every_key_bears_it():
    wrapped = {f"module.{key}": value for key, value in small().state_dict().items()}
    load_strict(small(), wrapped, strip_prefix="module.")
    assert strip({**wrapped, "x": torch.zeros(1)}, "module.").keys() == {*wrapped, "x"}
    half = {**wrapped, "0.bias": wrapped.pop("module.0.bias")}
    half.pop("module.0.bias")
    with pytest.raises(CheckpointError, match=r"missing 0\.weight"):
        load_strict(small(), half, strip_prefix="module.")


def test_only_the_named_extras_are_dropped():
    state = {**small().state_dict(), "embeddings.position_ids": torch.arange(3)}
    with pytest.raises(CheckpointError, match=r"unexpected embeddings\.position_ids"):
        load_strict(small(), state)
    load_strict(small(), state, allow=("*.position_ids",))


def test_renamed_keys_must_not_meet():
    state = {key.replace("2.", "out."): value for key, value in small().state_dict().items()}
    load_strict(small(), state, rename=lambda key: key.replace("out.", "2."))
    with pytest.raises(CheckpointError, match=r"two keys become 2\.weight"):
        load_strict(small(), small().state_dict(), rename=lambda key: f"2.{key.split('.')[1]}")


@pytest.mark.parametrize("api", ["old", "new"])
def test_weight_norm_is_folded_for_both_kinds_of_convolution(api):
    norm = torch.nn.utils.weight_norm if api == "old" else nn.utils.parametrizations.weight_norm
    conv, up = norm(nn.Conv1d(3, 4, 5)), norm(nn.ConvTranspose1d(4, 2, 3))
    with torch.no_grad():
        for parameter in (*conv.parameters(), *up.parameters()):
            parameter.copy_(torch.randn_like(parameter))
    state = nn.ModuleDict({"conv": conv, "up": up}).state_dict()
    folded = fold_norms(state)
    assert folded.keys() == {"conv.weight", "conv.bias", "up.weight", "up.bias"}
    sound = torch.randn(2, 3, 20)
    plain = nn.ModuleDict({"conv": nn.Conv1d(3, 4, 5), "up": nn.ConvTranspose1d(4, 2, 3)})
    load_strict(plain, folded)
    with torch.no_grad():
        torch.testing.assert_close(
            plain["up"](plain["conv"](sound)), up(conv(sound)), rtol=1e-5, atol=1e-5
        )


def test_weight_norm_that_keeps_another_dimension_is_folded_along_it():
    conv = nn.utils.parametrizations.weight_norm(nn.Conv1d(6, 6, 4, groups=3), dim=2)
    with torch.no_grad():
        for parameter in conv.parameters():
            parameter.copy_(torch.randn_like(parameter))
    folded = fold_norms({f"conv.{key}": value for key, value in conv.state_dict().items()})
    torch.testing.assert_close(folded["conv.weight"], conv.weight.detach())


@pytest.mark.parametrize("api", ["old", "new"])
def test_spectral_norm_beside_weight_norm_is_not_confused_with_it(api):
    norms = nn.utils if api == "old" else nn.utils.parametrizations
    spectral = norms.spectral_norm(nn.Conv2d(3, 5, 3))
    picture = torch.randn(1, 3, 8, 8)
    spectral(picture)  # one power iteration, as in training
    spectral.eval()
    directed = norms.weight_norm(nn.Conv2d(3, 5, 3))
    state = nn.ModuleDict({"spectral": spectral, "directed": directed}).state_dict()
    named = old_norm_names(state)
    assert (named == state) == (api == "old")
    assert named["spectral.weight_v"].dim() == 1
    assert named["directed.weight_v"].dim() == 4
    plain = nn.ModuleDict({"spectral": nn.Conv2d(3, 5, 3), "directed": nn.Conv2d(3, 5, 3)})
    load_strict(plain, fold_norms(state))
    with torch.no_grad():
        torch.testing.assert_close(plain["spectral"](picture), spectral(picture))
        torch.testing.assert_close(plain["directed"](picture), directed(picture))


def test_a_norm_that_is_there_by_both_names_is_told():
    state = {"x.weight_g": torch.ones(4, 1), "x.parametrizations.weight.original0": torch.ones(4)}
    with pytest.raises(CheckpointError, match=r"expected x\.weight_g once; the second is x\.param"):
        fold_norms(state)


@pytest.mark.parametrize(
    ("lost", "named"),
    [("x.weight_g", "x.weight_g"), ("x.weight_v", "x.weight_v"), ("y.weight_u", "y.weight_u"),
     ("y.weight_v", "y.weight_v"), ("y.weight_orig", "y.weight_orig")],
)  # fmt: skip
def test_half_a_norm_is_an_error_that_names_the_other_half(lost, named):
    state = {
        "x.weight_g": torch.ones(4, 1), "x.weight_v": torch.ones(4, 3),
        "y.weight_orig": torch.ones(4, 3), "y.weight_u": torch.ones(4), "y.weight_v": torch.ones(3),
    }  # fmt: skip
    fold_norms(state)
    del state[lost]
    with pytest.raises(CheckpointError, match=named):
        fold_norms(state)


def test_a_misshapen_norm_is_told_with_its_shapes():
    with pytest.raises(CheckpointError, match="expected 4x1, got 3x1"):
        fold_norms({"x.weight_g": torch.ones(3, 1), "x.weight_v": torch.ones(4, 3)})
    with pytest.raises(CheckpointError, match="u of 4, v of 3, got u of 3, v of 3"):
        fold_norms(
            {
                "y.weight_orig": torch.ones(4, 3),
                "y.weight_u": torch.ones(3),
                "y.weight_v": torch.ones(3),
            }
        )
