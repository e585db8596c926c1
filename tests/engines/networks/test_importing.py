"""Published files become our weights only if they are what they should be, and never run."""

import contextlib
import json
import os
import pickle
import re
from functools import cache
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from rt_avatar.engines.checkpoints import PUBLISHED, check_imported, read_record
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.networks.dreamtalk.config import OFFICIAL
from rt_avatar.engines.networks.dreamtalk.denoiser import DreamTalk
from rt_avatar.engines.networks.encoders.config import (
    CLIP_LARGE,
    HUBERT_BASE,
    HUBERT_LARGE,
    WAV2VEC_LARGE,
)
from rt_avatar.engines.networks.files import read_tree
from rt_avatar.engines.networks.importing import (
    IMPORTERS,
    find_files,
    import_checkpoint,
    load_imported,
)
from rt_avatar.engines.networks.llm.published import lora_keys, signal_row_keys, vicuna_keys
from rt_avatar.engines.networks.pirender.config import OFFICIAL as RENDERER
from rt_avatar.engines.networks.pirender.generator import FaceGenerator
from rt_avatar.engines.networks.styletts2.config import KOKORO, LIBRITTS, LJSPEECH
from rt_avatar.engines.networks.styletts2.official import key_table
from tests.engines.networks.encoders.keys import clip_keys, hubert_keys, wav2vec2_keys

pytestmark = pytest.mark.networks
REAL = os.environ.get("TEST_CHECKPOINTS", "")


def filled(keys, prefix="", dtype=torch.float32):
    """Tensors of official shapes that take no memory: one number, seen everywhere."""
    return {prefix + key: torch.full((1,), 0.5, dtype=dtype).expand(shape) if shape
            else torch.tensor(0.5, dtype=dtype) for key, shape in keys.items()}  # fmt: skip


def module_state(kind, config, prefix=""):
    with torch.device("meta"):
        module = kind(config)
    return {
        prefix + key: torch.full((1,), 0.5).to(value.dtype).expand(value.shape)
        for key, value in module.state_dict().items()
    }


@cache
def published(name):
    """A file's content with the official keys and shapes."""
    if name.startswith(("styletts2", "kokoro")):
        config = {"styletts2-ljspeech": LJSPEECH, "styletts2-libritts": LIBRITTS}.get(name, KOKORO)
        parts = {part: filled(keys, "module.") for part, keys in key_table(config).items()}
        return parts if config is KOKORO else {"net": parts | {"msd": {}}, "epoch": 20}
    if name == "dreamtalk":
        return {"model_state_dict": module_state(DreamTalk, OFFICIAL, "diff_net.")}
    if name == "pirenderer":
        return {"net_G_ema": module_state(FaceGenerator, RENDERER), "net_G": {}}
    if name == "vicuna-7b":
        return filled(vicuna_keys(), dtype=torch.float16)
    if name == "vicuna-7b-lora":
        return filled(lora_keys())
    if name == "wav2vec2-large":
        return filled(wav2vec2_keys(WAV2VEC_LARGE))
    if name == "clip-large":
        return filled(clip_keys(CLIP_LARGE)) | {"logit_scale": torch.tensor(2.0)}
    return filled(hubert_keys(HUBERT_LARGE if name == "hubert-large" else HUBERT_BASE))


def spoilt(tree):
    """The content with a tensor missing, one too many and one misshapen; their keys in the file."""
    holder = tree
    while not any(isinstance(value, torch.Tensor) for value in holder.values()):
        holder = next(value for value in holder.values() if isinstance(value, dict) and value)
    unused = ("pooler", "lm_head")
    maps = [key for key, value in holder.items() if value.dim() == 2]
    wide, lost = [key for key in maps if not any(part in key for part in unused)][-2:]
    more = f"{lost}_too"
    copy = {key: value for key, value in holder.items() if key != lost}
    copy |= {more: torch.zeros(1), wide: torch.zeros(3, 5)}
    return replaced(tree, holder, copy), (lost, more, wide)


def replaced(tree, old, new):
    if tree is old:
        return new
    return {k: replaced(v, old, new) if isinstance(v, dict) else v for k, v in tree.items()}


def bare(key):
    """A key as an error names it: without what stands before all keys of its file."""
    for prefix in ("module.", "diff_net.", "vision_model.", "wav2vec2.", "diffusion.net."):
        key = key.removeprefix(prefix)
    return key


@pytest.mark.parametrize("name", IMPORTERS)
def test_the_first_keys_that_are_missing_unexpected_or_misshapen_are_named(name):
    tree, (lost, more, wide) = spoilt(published(name))
    with pytest.raises(CheckpointError) as caught:
        IMPORTERS[name](tree)
    error = caught.value
    assert [key.endswith(bare(lost)) for key in error.missing] == [True]
    assert [key.endswith(bare(more)) for key in error.unexpected] == [True]
    ((key, wanted, got),) = error.misshapen
    assert key.endswith(bare(wide))
    assert wanted != got == "3x5"
    said = f"missing {error.missing[0]}; unexpected {error.unexpected[0]}; misshapen {key} ("
    assert f"{said}expected {wanted}, got 3x5)" in str(error)


# Numbers that an import writes: as published, but norms folded and training's parts left out.
SIZES = {
    "hubert-large": 315_437_568,
    "hubert-base": 94_370_816,
    "wav2vec2-large": 315_437_568,
    "clip-large": 303_507_456,
    "vicuna-7b": 6_738_415_616,
    "vicuna-7b-lora": 8_388_608,
    "styletts2-ljspeech": 130_749_624,
    "styletts2-libritts": 135_169_347,
    "kokoro-82m": 81_140_664,
    "dreamtalk": 11_950_542,
    "pirenderer": 22_519_109,
}


@pytest.mark.parametrize("name", IMPORTERS)
def test_the_official_tensors_fit(name):
    state = IMPORTERS[name](published(name))
    assert all(not tensor.is_meta for tensor in state.values())
    assert sum(tensor.numel() for tensor in state.values()) == SIZES[name]


@pytest.mark.parametrize("name", IMPORTERS)
def test_the_file_of_another_network_is_refused(name):
    other = "vicuna-7b-lora" if name != "vicuna-7b-lora" else "vicuna-7b"
    with pytest.raises(CheckpointError, match=r"missing|unexpected|the section"):
        IMPORTERS[name](published(other))


def test_wav2vec_and_hubert_are_not_taken_for_each_other():
    """Their layers are the same; only a prefix tells whose numbers they are."""
    with pytest.raises(CheckpointError, match="HuBERT has the same layers"):
        IMPORTERS["wav2vec2-large"](published("hubert-large"))
    with pytest.raises(CheckpointError, match="missing"):
        IMPORTERS["hubert-large"](published("wav2vec2-large"))


def test_an_adapter_may_bring_the_signal_tokens_rows_both_or_none():
    whole = published("vicuna-7b-lora") | filled(signal_row_keys())
    assert set(IMPORTERS["vicuna-7b-lora"](whole)) == set(whole)
    lost = list(signal_row_keys())[1]
    with pytest.raises(CheckpointError, match=f"missing {lost}"):
        IMPORTERS["vicuna-7b-lora"]({key: whole[key] for key in whole if key != lost})


def test_every_published_file_can_be_imported():
    assert set(IMPORTERS) == set(PUBLISHED)


def quiet(what, done, total):
    pass


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    source = folder / "denoising_network.pth"
    torch.save(published("dreamtalk"), source)
    told = []
    import_checkpoint(
        "dreamtalk", source, folder, lambda *each: told.append(each), origin="by post"
    )
    return folder, told


def test_an_import_writes_safetensors_and_where_they_came_from(imported):
    folder, told = imported
    record = check_imported("dreamtalk", folder, quiet)
    assert (record.source, record.licence) == ("by post", "academic research only")
    assert set(record.source_sha256) == {"denoising_network.pth"}
    assert (record.tensors, record.parameters) == (224, 11_950_542)
    assert set(record.tools) == {"torch", "safetensors"}
    assert {what.split(": ")[-1] for what, *_ in told} == {
        "reading",
        "comparing its tensors",
        "writing",
        "comparing",
    }
    assert not list(folder.glob("*.part"))


def test_imported_weights_fill_their_network_and_no_other(imported):
    folder, _ = imported
    with torch.device("meta"):
        network = DreamTalk(OFFICIAL)
        other = FaceGenerator(RENDERER)
    load_imported(network, "dreamtalk", folder)
    assert torch.equal(network.net.time_embed_net[0].bias, torch.full((256,), 0.5))
    with pytest.raises(CheckpointError, match="missing mapping_net"):
        load_imported(other, "dreamtalk", folder)
    with pytest.raises(CheckpointError, match=r"got none.*rt-avatar models import kokoro-82m"):
        load_imported(other, "kokoro-82m", folder)


def test_numbers_that_are_none_are_told_by_their_keys(tmp_path):
    state = published("vicuna-7b-lora")
    broken = list(state)[5]
    torch.save(state | {broken: torch.full(state[broken].shape, torch.inf)}, tmp_path / "a.bin")
    told = {"r": 8, "lora_alpha": 32, "target_modules": ["q_proj", "k_proj", "v_proj", "o_proj"]}
    (tmp_path / "adapter_config.json").write_text(json.dumps(told))
    with pytest.raises(CheckpointError, match=f"NaN or infinity in {re.escape(broken)}. Is the"):
        import_checkpoint("vicuna-7b-lora", tmp_path / "a.bin", tmp_path / "models", quiet)
    assert not (tmp_path / "models").exists()


class Evil:
    """Runs a command where it is read without care."""

    def __init__(self, proof):
        self.proof = proof

    def __reduce__(self):
        return os.system, (f"touch '{self.proof}'",)


@pytest.mark.parametrize("protocol", [2, 4])
@pytest.mark.parametrize("kind", ["zip", "plain", "inside"])
def test_a_program_in_a_file_is_not_run(tmp_path, kind, protocol):
    proof, path = tmp_path / "it_ran", tmp_path / "denoising_network.pth"
    if kind == "plain":
        path.write_bytes(pickle.dumps({"model_state_dict": Evil(proof)}, protocol=protocol))
    else:
        inner = Evil(proof) if kind == "zip" else {"a": torch.zeros(2), "b": [Evil(proof)]}
        torch.save({"model_state_dict": inner}, path, pickle_protocol=protocol)
    with pytest.raises(CheckpointError, match=r"asks for posix\.system|something else"):
        import_checkpoint("dreamtalk", path, tmp_path / "models", quiet)
    assert not proof.exists()
    with contextlib.suppress(RuntimeError):  # a plain pickle is no checkpoint, but it has run
        torch.load(path, weights_only=False)
    assert proof.exists()


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.95])
@pytest.mark.parametrize("suffix", ["pth", "safetensors"])
def test_a_part_of_a_file_is_refused(tmp_path, suffix, kept):
    path = tmp_path / f"a.{suffix}"
    tensors = {"a": torch.randn(1000), "b": torch.randn(3)}
    save_file(tensors, path) if suffix == "safetensors" else torch.save(tensors, path)
    content = path.read_bytes()
    path.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(CheckpointError, match="Is the file complete"):
        read_tree(path)
    path.write_bytes(b"<!DOCTYPE html><p>Not found")
    with pytest.raises(CheckpointError, match="Is the file complete"):
        read_tree(path)


def test_a_file_that_holds_something_else_is_refused(tmp_path):
    path = tmp_path / "a.pth"
    for content in ([torch.zeros(2)], torch.zeros(2), {1: torch.zeros(2)}):
        torch.save(content, path)
        with pytest.raises(CheckpointError, match="expected tensors by name"):
            read_tree(path)
    torch.save({"net_G_ema": {"a": 3.0}}, path)
    with pytest.raises(CheckpointError, match=r"unexpected a \(float\)"):
        import_checkpoint("pirenderer", path, tmp_path, quiet)


def test_a_model_in_parts_is_read_from_its_folder(tmp_path):
    names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    for index, name in enumerate(names):
        save_file({f"part{index}": torch.zeros(1), "shared": torch.zeros(1)}, tmp_path / name)
    (tmp_path / "config.json").write_text("{}")
    assert [path.name for path in find_files(PUBLISHED["vicuna-7b"], tmp_path)] == names
    with pytest.raises(CheckpointError, match="repeats tensors of another part: unexpected shared"):
        import_checkpoint("vicuna-7b", tmp_path, tmp_path, quiet)
    with pytest.raises(CheckpointError, match=r"expected model-\*.*got nothing"):
        find_files(PUBLISHED["vicuna-7b"], tmp_path / "none")


@pytest.mark.skipif(not REAL, reason="TEST_CHECKPOINTS names a folder of published files")
@pytest.mark.parametrize("name", IMPORTERS)
def test_the_real_file_fits(name, tmp_path):
    source = Path(REAL) / name
    if not source.is_dir():
        pytest.skip(f"no {source}")
    weights = import_checkpoint(name, source, tmp_path, quiet)
    assert len(load_file(weights)) == read_record(weights).tensors
