"""A base and an adapter, imported by command, say together what peft says of them."""

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import save_file

from rt_avatar.commands.cli import main
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.llm import published
from rt_avatar.engines.networks.llm.lora import LoraOptions, add_lora, lora_state
from rt_avatar.engines.networks.llm.official import llama_keys
from rt_avatar.engines.networks.llm.published import check_adapter
from rt_avatar.engines.networks.reference import TorchRuntime
from rt_avatar.engines.networks.sizes import SIZES
from rt_avatar.trt_builders.catalogue import NETWORKS, make_graphs
from rt_avatar.trt_builders.weights import Origin
from tests.engines.networks.llm.tiny import VICUNA, read_llama
from tests.engines.networks.small_empatheia import SIZES_SMALL

pytestmark = [pytest.mark.networks, pytest.mark.filterwarnings("ignore")]
IDS = torch.tensor([[1, 5, VICUNA.first_signal, VICUNA.first_signal + 31, 7]])


@pytest.fixture(params=[True, False], ids=["with signal tokens", "without"])
def adapted(request):
    """The base's published tensors, and peft's view of a model that was trained on it."""
    torch.manual_seed(3)
    state = {key: 0.3 * torch.randn(shape) for key, shape in llama_keys(VICUNA).items()}
    model = read_llama(VICUNA, state)
    wrapped = add_lora(model, LoraOptions(signals=request.param))
    with torch.no_grad():
        for parameter in wrapped.parameters():
            if parameter.requires_grad:
                parameter.add_(0.1 * torch.randn_like(parameter))
    model.eval()
    return state, model, wrapped


def logits(model):
    with torch.no_grad():
        return model.extend(model.embed(IDS), torch.ones(IDS.shape)).logits


def bring(name, source, folder):
    return main(["models", "import", name, str(source), "--folder", str(folder)])


def test_an_imported_adapter_merged_says_what_base_and_adapter_say(adapted, tmp_path, monkeypatch):
    state, trained, wrapped = adapted
    monkeypatch.setattr(published, "VICUNA_7B", VICUNA)
    base, adapter, models = (tmp_path / name for name in ("base", "adapter", "models"))
    base.mkdir()
    for index in range(2):  # in parts, as the real one
        part = dict(list(state.items())[index::2])
        save_file(part, base / f"model-0000{index + 1}-of-00002.safetensors")
    wrapped.save_pretrained(str(adapter), save_embedding_layers=False)
    assert (adapter / "adapter_config.json").is_file()
    assert bring("vicuna-7b", base, models) == 0
    assert bring("vicuna-7b-lora", adapter, models) == 0
    monkeypatch.setitem(SIZES, "empatheia", replace(SIZES_SMALL, llm=VICUNA))
    (embed, extend), fill = make_graphs(NETWORKS["llm"], Origin(models=models))
    assert (set(fill.digests), fill.random) == ({"vicuna-7b", "vicuna-7b-lora"}, [])
    assert all(tensor.is_meta for tensor in extend.module.parameters())
    embeds = TorchRuntime(embed).run({"ids": IDS.numpy()})["embeds"]
    made = extend.module.llama.extend(torch.from_numpy(embeds), torch.ones(IDS.shape)).logits
    torch.testing.assert_close(made, logits(trained), atol=2e-5, rtol=0)
    assert (logits(trained) - logits(read_llama(VICUNA, state))).abs().max() > 1e-2


def test_an_adapter_merged_matrix_by_matrix_is_what_peft_merges(adapted):
    state, trained, wrapped = adapted
    made = read_llama(VICUNA, state, lora_state(wrapped)).model.state_dict()
    trained.model = wrapped.merge_and_unload()
    wanted = trained.model.state_dict()
    assert made.keys() == wanted.keys()
    for key, value in wanted.items():
        torch.testing.assert_close(made[key], value, atol=1e-6, rtol=0, msg=key)


GOOD = {"r": 8, "lora_alpha": 32, "target_modules": ["q_proj", "o_proj", "k_proj", "v_proj"]}


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (GOOD | {"r": 16}, "r: expected 8; got 16"),
        (GOOD | {"lora_alpha": 16}, "lora_alpha: expected 32; got 16"),
        (GOOD | {"target_modules": ["q_proj"]}, r"target_modules: expected .*; got \['q_proj'\]"),
        (GOOD | {"use_rslora": True}, "use_rslora: expected none; got True"),
        (GOOD | {"use_dora": True}, "use_dora: expected none; got True"),
        (GOOD | {"alpha_pattern": {"q_proj": 8}}, "alpha_pattern: expected none; got"),
        (GOOD | {"fan_in_fan_out": True}, "fan_in_fan_out: expected none; got True"),
        ({"r": 8}, "expected the adapter's configuration"),
        ([], "expected the adapter's configuration"),
    ],
)
def test_an_adapter_of_another_scale_is_refused(tmp_path, record, why):
    """Its tensors have the same shapes; merged by our scale it would say something else."""
    path = tmp_path / "adapter_config.json"
    path.write_text(json.dumps(record))
    with pytest.raises(CheckpointError, match=why):
        check_adapter(path)
    path.write_text(json.dumps(GOOD))
    check_adapter(path)


def test_an_adapter_without_its_configuration_is_refused(tmp_path, capfd):
    save_file({"x": torch.zeros(1)}, tmp_path / "adapter_model.safetensors")
    assert bring("vicuna-7b-lora", tmp_path / "adapter_model.safetensors", tmp_path / "models") == 2
    assert "peft writes it beside the adapter" in capfd.readouterr().err
