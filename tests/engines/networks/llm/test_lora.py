"""LoRA: what is learnt and what is not, merged as unmerged, strict files."""

import pytest
import torch

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.llm.lora import LoraOptions, add_lora, load_lora, lora_state
from tests.engines.networks.llm.tiny import SHARED, VICUNA, llama

pytestmark = [pytest.mark.networks, pytest.mark.filterwarnings("ignore")]


def learnt(wrapped):
    """Give the updates numbers, as training does; they begin as nothing."""
    torch.manual_seed(5)
    with torch.no_grad():
        for name, parameter in wrapped.named_parameters():
            if parameter.requires_grad:
                parameter.add_(torch.randn_like(parameter) * 0.1)
                assert "lora_" in name or "token" in name
    return wrapped


def states(model, ids):
    with torch.no_grad():
        found = model.extend(model.embed(ids), torch.ones(ids.shape))
    return torch.cat([found.hidden.flatten(), found.logits.flatten()])


@pytest.mark.parametrize("config", [SHARED, VICUNA])
def test_merged_says_what_unmerged_says(config):
    model = llama(config)
    ids = torch.tensor([[1, 5, config.first_signal, config.first_signal + 31, 7]])
    plain = states(model, ids)
    wrapped = add_lora(model)
    model.eval()
    torch.testing.assert_close(states(model, ids), plain, atol=1e-6, rtol=0)
    learnt(wrapped)
    unmerged = states(model, ids)
    assert (unmerged - plain).abs().max() > 1e-2
    names = set(dict(model.model.named_modules()))
    model.model = wrapped.merge_and_unload()
    torch.testing.assert_close(states(model, ids), unmerged, atol=2e-5, rtol=0)
    assert "model.layers.0.self_attn.q_proj.lora_A" in names
    assert not any("lora" in key for key in model.model.state_dict())


def test_only_updates_and_the_signal_tokens_rows_are_learnt():
    model = llama(VICUNA)
    wrapped = add_lora(model)
    before = {key: value.clone() for key, value in model.model.state_dict().items()}
    ids = torch.tensor([[1, 5, 64, 95, 7]])
    model.train()
    found = model.extend(model.embed(ids), torch.ones(ids.shape))
    trained = [p for p in wrapped.parameters() if p.requires_grad]
    optimiser = torch.optim.SGD(trained, lr=0.1)
    found.logits.square().sum().backward()
    optimiser.step()
    optimiser.zero_grad()
    model.extend(model.embed(ids), torch.ones(ids.shape)).logits.square().sum().backward()
    optimiser.step()
    model.eval()
    changed = {k for k, v in model.model.state_dict().items() if not torch.equal(v, before[k])}
    assert changed
    assert all("lora_" in key or "token" in key for key in changed)
    model.model = wrapped.merge_and_unload()
    rows = model.model.state_dict()["model.embed_tokens.weight"]
    old = next(v for k, v in before.items() if k.startswith("model.embed_tokens") and
               v.shape == rows.shape)  # fmt: skip
    moved = (rows != old).any(dim=1).nonzero().flatten().tolist()
    assert moved
    assert set(moved) <= set(range(64, 96))


def test_rank_and_scale_are_the_published_ones():
    wrapped = add_lora(llama(VICUNA), LoraOptions(signals=False))
    state = lora_state(wrapped)
    assert len(state) == VICUNA.layers * 4 * 2
    key = "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"
    assert state[key].shape == (8, VICUNA.width)
    config = wrapped.peft_config["default"]
    assert (config.r, config.lora_alpha, config.lora_dropout) == (8, 32, 0.1)


def test_an_adapters_file_loads_strictly():
    first, second = llama(VICUNA), llama(VICUNA)
    wrapped = learnt(add_lora(first))
    state = lora_state(wrapped)
    other = add_lora(second)
    load_lora(other, state)
    ids = torch.tensor([[1, 5, 64, 95, 7]])
    first.eval(), second.eval()
    torch.testing.assert_close(states(second, ids), states(first, ids))
    key = "base_model.model.model.layers.1.self_attn.v_proj.lora_B.weight"
    short = {**state, key: state[key][:, :4]}
    with pytest.raises(CheckpointError, match="expected 24x8, got 24x4"):
        load_lora(other, short)
    del short[key]
    with pytest.raises(CheckpointError, match=r"missing base_model.*v_proj\.lora_B"):
        load_lora(other, short)
    with pytest.raises(CheckpointError, match="unexpected mlp"):
        load_lora(other, state | {"mlp": torch.zeros(1)})
