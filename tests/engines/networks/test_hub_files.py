"""Published weights are fetched by their name alone: what a hub has of them, of one commit."""

import hashlib
import json
import re

import huggingface_hub
import pytest
import torch
from safetensors.torch import load_file

from rt_avatar.commands.cli import main
from rt_avatar.engines.checkpoints import PUBLISHED, read_record
from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.hub_files import find_hub_release
from rt_avatar.engines.networks.llm import published
from tests.fakes.file_server import serving

pytestmark = pytest.mark.networks
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def hub(name, files):
    """A hub that has files of published weights, by their paths."""
    repository = PUBLISHED[name].project.removeprefix("Hugging Face ")
    siblings = [
        {
            "rfilename": path,
            "size": len(content),
            "blobId": "0",
            "lfs": {
                "sha256": hashlib.sha256(content).hexdigest(),
                "size": len(content),
                "pointerSize": 100,
            },
        }
        for path, content in files.items()
    ]
    siblings.append({"rfilename": "config.json", "size": 2, "blobId": "1"})
    told = {"id": repository, "modelId": repository, "sha": COMMIT, "siblings": siblings}
    there = {f"api/models/{repository}": json.dumps(told).encode()}
    return there | {
        f"{repository}/resolve/{COMMIT}/{path}": content for path, content in files.items()
    }


def test_all_parts_of_one_kind_are_found_with_their_digests():
    parts = {f"pytorch_model-0000{part}-of-00002.bin": bytes(part) for part in (1, 2)}
    with serving(hub("vicuna-7b", parts)) as server:
        release = find_hub_release(PUBLISHED["vicuna-7b"], server.base)
    assert release.address == f"{server.base}/lmsys/vicuna-7b-v1.5/resolve/{COMMIT}"
    assert [file.path for file in release.files] == list(parts)
    assert [file.size for file in release.files] == [1, 2]
    assert release.files[0].sha256 == hashlib.sha256(bytes(1)).hexdigest()


def test_files_in_folders_are_found_by_their_names():
    path = "Models/LibriTTS/epochs_2nd_00020.pth"
    with serving(hub("styletts2-libritts", {path: b"one", "Models/other.pth": b"two"})) as server:
        release = find_hub_release(PUBLISHED["styletts2-libritts"], server.base)
    assert [file.path for file in release.files] == [path]


def test_a_hub_without_them_is_told():
    with serving(hub("clip-large", {"tf_model.h5": b"x"})) as server:
        with pytest.raises(CheckpointError, match=r"expected model\.safetensors or .* tf_model"):
            find_hub_release(PUBLISHED["clip-large"], server.base)
        with pytest.raises(CheckpointError, match=r"files of facebook/hubert-base-ls960; got: "):
            find_hub_release(PUBLISHED["hubert-base"], server.base)


@pytest.mark.parametrize("name", ["dreamtalk", "pirenderer", "vicuna-7b-lora"])
def test_weights_that_are_on_no_hub_are_told_with_where_they_are(name, capfd):
    assert main(["models", "fetch", name]) == 2
    said = " ".join(capfd.readouterr().err.split())
    assert PUBLISHED[name].project in said
    assert f"rt-avatar models import {name} FILE" in said


def test_weights_are_fetched_imported_and_remembered_by_their_commit(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("COLUMNS", "200")
    state = {f"layer.{number}": torch.randn(4, 3).half() for number in range(4)}
    keys = {key: tuple(tensor.shape) for key, tensor in state.items()}
    monkeypatch.setattr(published, "vicuna_keys", lambda: keys)
    files = {}
    for part in (0, 1):
        path = tmp_path / "part.bin"
        torch.save({key: state[key] for key in list(state)[2 * part : 2 * part + 2]}, path)
        files[f"pytorch_model-0000{part + 1}-of-00002.bin"] = path.read_bytes()
    folder = tmp_path / "models"
    with serving(hub("vicuna-7b", files)) as server:
        words = ["models", "fetch", "vicuna-7b", "--folder", str(folder), "--address", server.base]
        server.breaks = [10_000, 100]  # the list arrives; the first part breaks off
        assert main(words) == 0
        said = " ".join(capfd.readouterr().out.split())
        assert "Licence: Llama 2 Community License. 2 files" in said
        server.wanted.clear()
        assert main(words) == 0
        assert "is there already" in capfd.readouterr().out
        assert [name for name in server.wanted if "resolve" in name] == []
    record = read_record(folder / "vicuna-7b.safetensors")
    assert re.search(rf"/resolve/{COMMIT}$", record.source)
    assert set(record.source_sha256.values()) == {
        hashlib.sha256(content).hexdigest() for content in files.values()
    }
    made = load_file(folder / "vicuna-7b.safetensors")
    assert all(torch.equal(made[key], state[key]) for key in state)


def test_a_proxy_that_lacks_a_package_is_told_with_it(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1")
    huggingface_hub.close_session()  # one is kept for all of a process
    with pytest.raises(CheckpointError, match="pip install socksio"):
        find_hub_release(PUBLISHED["clip-large"], "http://models.example.org")
