"""Published Llamas load key for key; the signal tokens begin as nothing in particular."""

import pytest
import torch

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.llm.tokens import SPECIALS
from rt_avatar.engines.networks.llm.config import NANO, VICUNA_7B
from rt_avatar.engines.networks.llm.official import llama_keys, load_llama
from tests.engines.networks.llm.tiny import SHARED, VICUNA, llama

pytestmark = pytest.mark.networks


def state(config):
    return {key: torch.randn(shape) for key, shape in llama_keys(config).items()}


def test_official_sizes():
    keys = llama_keys(VICUNA_7B)
    assert keys["model.embed_tokens.weight"] == (32_000, 4096)
    assert keys["model.layers.31.mlp.gate_proj.weight"] == (11_008, 4096)
    assert len(keys) == 32 * 9 + 3
    assert sum(torch.Size(shape).numel() for shape in keys.values()) == 6_738_415_616


def test_nano_has_sixteen_millions():
    keys = llama_keys(NANO)
    tied = keys.pop("lm_head.weight")
    assert tied == (8192, 384)
    assert sum(torch.Size(shape).numel() for shape in keys.values()) == 15_735_168


def test_configurations_agree_with_the_tokenizers():
    assert NANO.signals.first == SPECIALS.index("[AUD0]")
    assert VICUNA_7B.signals.all[-1] == VICUNA_7B.vocabulary - 1


def test_a_published_file_gets_rows_for_the_signal_tokens():
    wanted, model = state(VICUNA), llama(VICUNA)
    load_llama(model, wanted | {"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(3)})
    got = model.model.state_dict()
    for key in ("model.embed_tokens.weight", "lm_head.weight"):
        assert torch.equal(got[key][:64], wanted[key])
        torch.testing.assert_close(got[key][64:], wanted[key].mean(0).expand(32, -1))
    key = "model.layers.1.mlp.down_proj.weight"
    assert torch.equal(got[key], wanted[key])


@pytest.mark.parametrize("config", [VICUNA, SHARED])
def test_our_own_state_comes_back_to_the_bit(config):
    first, second = llama(config, seed=1), llama(config, seed=2)
    kept = first.model.state_dict()
    if config.tied:
        kept = {key: value for key, value in kept.items() if key != "lm_head.weight"}
    load_llama(second, kept)
    for key, value in first.model.state_dict().items():
        assert torch.equal(second.model.state_dict()[key], value)


def test_wrong_files_are_told_by_their_keys():
    wanted = state(VICUNA)
    lost = wanted.pop("model.norm.weight")
    with pytest.raises(CheckpointError, match=r"missing model\.norm\.weight"):
        load_llama(llama(VICUNA), wanted)
    with pytest.raises(CheckpointError, match="expected 24, got 23"):
        load_llama(llama(VICUNA), wanted | {"model.norm.weight": lost[1:]})
    with pytest.raises(CheckpointError, match="expected 96x24, got 60x24"):
        load_llama(llama(VICUNA), state(VICUNA) | {"lm_head.weight": torch.zeros(60, 24)})
