"""``rt-avatar models import --url``: fetched when asked, gone on with, imported or refused."""

import io
import json

import pytest
import torch

from rt_avatar.commands.cli import main
from rt_avatar.engines.checkpoints import read_record
from rt_avatar.engines.networks.importing import import_checkpoint
from tests.engines.networks.test_importing import published
from tests.fakes.file_server import serving

pytestmark = pytest.mark.networks
NAME = "dreamtalk"


def content(tree):
    file = io.BytesIO()
    torch.save(tree, file)
    return file.getvalue()


@pytest.fixture(scope="module")
def whole():
    return content(published(NAME))


@pytest.fixture
def server(whole):
    with serving({"denoising_network.pth": whole}) as made:
        yield made


def bring(capfd, folder, *words, name=NAME):
    status = main(["models", "import", name, *words, "--folder", str(folder)])
    return status, capfd.readouterr()


def downloads(folder):
    return [path.name for path in (folder / "downloads").rglob("*") if path.is_file()]


def test_a_file_is_fetched_and_imported_and_only_its_weights_stay(capfd, server, tmp_path):
    url = f"{server.base}/denoising_network.pth"
    status, said = bring(capfd, tmp_path, "--url", url)
    assert status == 0, said.err
    assert "224 tensors, 11,950,542 numbers" in said.out
    assert "Not for commercial use" in said.out
    record = read_record(tmp_path / f"{NAME}.safetensors")
    assert record.source == url
    assert downloads(tmp_path) == []


def test_what_is_being_done_is_shown_on_a_terminal(capfd, server, tmp_path, monkeypatch):
    for name in ("FORCE_COLOR", "TTY_INTERACTIVE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("COLUMNS", "160")
    _, said = bring(capfd, tmp_path, "--url", f"{server.base}/denoising_network.pth")
    file = "denoising_network.pth"
    for step in (f"{file}: fetching", f"{file}: reading", f"{NAME}: writing", f"{NAME}: comparing"):
        assert step in said.err
        assert step not in said.out


def test_what_broke_off_is_gone_on_with_by_the_same_command(capfd, server, whole, tmp_path):
    server.breaks = [30_000] + [0] * 5
    url = f"{server.base}/denoising_network.pth"
    status, said = bring(capfd, tmp_path, "--url", url)
    assert (status, "broke off 5 times after 30000 bytes" in said.err) == (2, True)
    server.asked.clear()
    assert bring(capfd, tmp_path, "--url", url)[0] == 0
    assert server.asked == ["bytes=30000-"]
    assert len(whole) > 30_000


def test_a_wrong_file_is_named_by_its_keys_and_does_not_stay(capfd, server, tmp_path):
    tree = published(NAME)["model_state_dict"]
    lost = next(key for key in tree if key.endswith("time_embed_net.0.weight"))
    server.files["x.pth"] = content({"model_state_dict": {k: tree[k] for k in tree if k != lost}})
    status, said = bring(capfd, tmp_path, "--url", f"{server.base}/x.pth")
    assert status == 2
    assert "missing net.time_embed_net.0.weight" in said.err
    assert "Traceback" not in said.err
    assert downloads(tmp_path) == []
    assert not (tmp_path / f"{NAME}.safetensors").exists()


def test_what_one_address_brought_is_not_taken_for_anothers(
    capfd, server, whole, tmp_path, monkeypatch
):
    def full(*given, **named):
        raise OSError(28, "No space left on device")

    server.files["again"] = whole
    with monkeypatch.context() as patch:
        patch.setattr("rt_avatar.engines.networks.importing.write_safetensors", full)
        status, said = bring(capfd, tmp_path, "--url", f"{server.base}/denoising_network.pth")
    assert (status, "No space left on device" in said.err) == (2, True)
    assert downloads(tmp_path) == ["denoising_network.pth"]  # its hours are not lost
    server.wanted.clear()
    assert bring(capfd, tmp_path, "--url", f"{server.base}/again")[0] == 0
    assert bring(capfd, tmp_path, "--url", f"{server.base}/denoising_network.pth")[0] == 0
    assert server.wanted == ["again"]


def test_an_adapter_is_fetched_with_its_configuration(capfd, server, tmp_path):
    server.files["adapter_model.bin"] = content(published("vicuna-7b-lora"))
    words = ("--url", f"{server.base}/adapter_model.bin")
    status, said = bring(capfd, tmp_path, *words, name="vicuna-7b-lora")
    assert (status, "peft writes it beside the adapter" in said.err) == (2, True)
    told = {"r": 8, "lora_alpha": 32, "target_modules": ["q_proj", "k_proj", "v_proj", "o_proj"]}
    server.files["adapter_config.json"] = json.dumps(told).encode()
    words += ("--url", f"{server.base}/adapter_config.json")
    status, said = bring(capfd, tmp_path, *words, name="vicuna-7b-lora")
    assert status == 0, said.err


def test_addresses_that_cannot_be_are_told_before_anything_is_fetched(capfd, server, tmp_path):
    words = ("--url", f"{server.base}/a.pth", "--url", f"{server.base}/a.pth?part=2")
    status, said = bring(capfd, tmp_path, *words)
    assert (status, "expected parts of different names" in said.err) == (2, True)
    status, said = bring(capfd, tmp_path, "--url", "http://[::1")
    assert (status, "expected a web address" in said.err) == (2, True)
    assert server.wanted == []


def test_weights_that_cannot_be_written_leave_nothing_behind(tmp_path, whole, monkeypatch):
    source = tmp_path / "denoising_network.pth"
    source.write_bytes(whole)

    def full(path, *given):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rt_avatar.engines.networks.importing.write_safetensors", full)
    with pytest.raises(OSError, match=r"expected room to write 224 tensors; got: .*No space"):
        import_checkpoint(NAME, source, tmp_path / "models", lambda *_: None)
    assert list((tmp_path / "models").iterdir()) == []
    with pytest.raises(FileExistsError):
        import_checkpoint(NAME, source, source, lambda *_: None)
