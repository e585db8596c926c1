"""``rt-avatar engines``: exports, proves, and tells in one line what is missing."""

import subprocess
import sys
from importlib.util import find_spec

import pytest
import torch
from torch import nn

from rt_avatar.commands.cli import main
from rt_avatar.trt_builders import commands
from rt_avatar.trt_builders.catalogue import NETWORKS, Network
from tests.trt_builders.tiny import Tiny, tiny

pytestmark = pytest.mark.networks


@pytest.fixture(autouse=True)
def networks(monkeypatch):
    made = Network("tiny-nano", "nothing", lambda fill: (tiny(), tiny("fusion_other")))
    real = Network("tiny", "nothing", lambda fill: (fill(tiny().module, "dreamtalk"), tiny())[1:],
                   ("dreamtalk",))  # fmt: skip
    monkeypatch.setattr(commands, "NETWORKS", {"tiny-nano": made, "tiny": real})
    monkeypatch.setenv("COLUMNS", "200")


def run(capfd, *words):
    status = main(["engines", *map(str, words)])
    out, err = capfd.readouterr()
    return status, out, err


def test_export_then_verify_prints_the_error_of_every_tensor(capfd, tmp_path):
    status, out, _ = run(capfd, "export", "tiny-nano", "--folder", tmp_path)
    assert status == 0
    assert out.count("operations") == 2
    assert "random weights 0" in out
    status, out, _ = run(capfd, "verify", "tiny-nano", "--folder", tmp_path)
    assert status == 0
    assert out.count(" ok ") == 6
    assert "6 tensors compared, 0 wrong" in out
    _, out, _ = run(capfd, "list", "--folder", tmp_path)
    row = next(line for line in out.splitlines() if "tiny-nano" in line)
    assert [cell.strip() for cell in row.split("│")[-3:-1]] == ["2", "0"]


def test_a_graph_that_says_something_else_fails(capfd, tmp_path, monkeypatch):
    run(capfd, "export", "tiny-nano", "--folder", tmp_path, "--graphs", "fusion_tiny")
    torch.manual_seed(1)
    module = Tiny().eval()
    other = Network("tiny-nano", "nothing", lambda fill: (tiny(module=module),))
    monkeypatch.setattr(commands, "NETWORKS", {"tiny-nano": other})
    status, out, _ = run(capfd, "verify", "tiny-nano", "--folder", tmp_path)
    assert status == 1
    assert "3 tensors compared, 3 wrong" in out
    assert out.count("error above 0.002") == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("export", "tny"), "expected nano, empatheia or one of tiny-nano, tiny; got 'tny'"),
        (("export", "tiny-nano", "--graphs", "x"), "expected some of fusion_tiny, fusion_other"),
        (("verify", "tiny-nano"), "rt-avatar engines export tiny-nano"),
        (("export", "tiny"), "rt-avatar models import dreamtalk FILE"),
        (("verify", "tiny-nano", "--seconds", "0"), "expected 1 to 60 seconds"),
    ],
)
def test_what_cannot_be_done_is_one_line(capfd, tmp_path, words, message):
    status, _, err = run(capfd, *words, "--folder", tmp_path, *(
        ("--models", tmp_path) if words[0] != "list" else ()
    ))  # fmt: skip
    assert status == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_a_place_that_cannot_be_written_is_one_line(capfd, tmp_path):
    (tmp_path / "taken").write_text("a file")
    status, _, err = run(capfd, "export", "tiny-nano", "--folder", tmp_path / "taken")
    assert status == 2
    assert "Not a directory" in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.skipif(find_spec("tensorrt") is not None, reason="TensorRT is here")
def test_without_tensorrt_a_build_says_what_to_install(capfd, tmp_path):
    run(capfd, "export", "tiny-nano", "--folder", tmp_path, "--graphs", "fusion_tiny")
    status, _, err = run(capfd, "build", "tiny-nano", "--folder", tmp_path)
    assert status == 2
    assert "expected the package tensorrt" in err


def test_eight_bits_are_told_apart_from_what_tensorrt_takes(capfd, tmp_path, monkeypatch):
    eyes = tiny("encoders_vision", module=nn.Linear(8, 8).eval())
    made = Network("tiny-nano", "nothing", lambda fill: (eyes,), precision="int8")
    monkeypatch.setattr(commands, "NETWORKS", {"tiny-nano": made})
    _, out, _ = run(capfd, "export", "tiny-nano", "--folder", tmp_path)
    assert " int8, random weights 0" in out
    for name in ("load_tensorrt", "load_cuda"):
        monkeypatch.setattr(commands, name, lambda: None)
    monkeypatch.setattr(commands, "Device", lambda *_: None)
    status, _, err = run(capfd, "build", "tiny-nano", "--folder", tmp_path)
    assert status == 2
    assert "8-bit weights, which are for onnxruntime's CPU" in err
    assert "rt-avatar engines export tiny-nano --precision fp16" in err
    _, out, _ = run(capfd, "export", "tiny-nano", "--folder", tmp_path, "--precision", "fp16")
    assert " fp16, random weights 0" in out


def test_without_torch_the_extra_is_named():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from rt_avatar.commands.cli import main\n"
        "sys.exit(main(['engines', 'list']) + main(['models', 'import', 'dreamtalk', 'x']))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert made.returncode == 4
    assert made.stderr.count("make install EXTRAS=train") == 2
    assert "without torch" in made.stderr


def test_every_real_network_is_named_after_what_it_is():
    assert {"styletts2-nano", "kokoro", "dreamtalk", "pirenderer", "llm", "fusion"} <= set(NETWORKS)
