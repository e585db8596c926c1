"""Published Llamas are read key for key; the signal tokens begin as nothing in particular."""

import pytest
import torch

from rt_avatar.engines.llm.tokens import SPECIALS
from rt_avatar.engines.networks.lazy_weights import lazy_state
from rt_avatar.engines.networks.llm.config import NANO, VICUNA_7B
from rt_avatar.engines.networks.llm.official import lazy_llama, llama_keys
from tests.engines.networks.llm.tiny import VICUNA, read_llama

pytestmark = pytest.mark.networks


def test_official_sizes():
    keys = llama_keys(VICUNA_7B)
    assert keys["model.embed_tokens.weight"] == (32_000, 4096)
    assert keys["model.layers.31.mlp.gate_proj.weight"] == (11_008, 4096)
    assert len(keys) == 32 * 9 + 3
    assert sum(torch.Size(shape).numel() for shape in keys.values()) == 6_738_415_616


def test_nano_has_four_millions():
    keys = llama_keys(NANO)
    tied = keys.pop("lm_head.weight")
    assert tied == (4096, 256)
    assert sum(torch.Size(shape).numel() for shape in keys.values()) == 3_803_392


def test_configurations_agree_with_the_tokenizers():
    assert NANO.signals.first == SPECIALS.index("[AUD0]")
    assert VICUNA_7B.signals.all[-1] == VICUNA_7B.vocabulary - 1


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_a_published_file_gets_rows_for_the_signal_tokens(dtype):
    wanted = {key: torch.randn(shape).to(dtype) for key, shape in llama_keys(VICUNA).items()}
    got = read_llama(VICUNA, wanted).model.state_dict()
    for key in ("model.embed_tokens.weight", "lm_head.weight"):
        assert torch.equal(got[key][:64], wanted[key].float())
        mean = wanted[key].float().mean(0).to(dtype).float()
        torch.testing.assert_close(got[key][64:], mean.expand(32, -1))
    key = "model.layers.1.mlp.down_proj.weight"
    assert torch.equal(got[key], wanted[key].float())


def test_a_matrix_is_read_only_when_it_is_asked_for():
    read = []
    published = {
        key: lambda key=key, one=one: (read.append(key), one())[1]
        for key, one in lazy_state(
            {key: torch.zeros(shape) for key, shape in llama_keys(VICUNA).items()}
        ).items()
    }
    weights = lazy_llama(VICUNA, published)
    assert read == []
    weights["model.lm_head.weight"]()
    assert read == ["lm_head.weight"]
