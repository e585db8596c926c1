"""The extras for a GPU can be installed together, and are all of one CUDA."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rt_avatar.commands import doctor
from rt_avatar.config.settings import Settings

ROOT = Path(__file__).parents[2]
OVERRIDES = "overrides-gpu.txt"


def uv() -> list[str]:
    """Return how uv is started here."""
    if found := shutil.which("uv"):
        return [found]
    for python in (sys.executable, shutil.which("python3")):
        module = [str(python), "-m", "uv"]
        if python and not subprocess.run([*module, "--version"], capture_output=True).returncode:
            return module
    pytest.skip("uv is not installed; pip install uv")


def resolved(*words: str) -> dict[str, str]:
    """Return package → version as Python 3.11 on Linux would get them."""
    given = ["--python-version", "3.11", "--python-platform", "x86_64-unknown-linux-gnu"]
    done = subprocess.run(
        [*uv(), "pip", "compile", *given, "--no-header", "--no-annotate", *words, "pyproject.toml"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode and "No solution found" not in done.stderr:
        pytest.skip(f"uv could not ask for versions: {done.stderr.strip()[-200:]}")
    assert not done.returncode, done.stderr
    return dict(re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==([^\s;]+)", done.stdout, re.M))


@pytest.mark.network
def test_a_gpu_gets_one_onnxruntime_and_one_cuda():
    extras = ("--extra", "network", "--extra", "gpu", "--extra", "tensorrt")
    found = resolved(*extras, "--override", OVERRIDES)
    assert "onnxruntime-gpu" in found
    assert "onnxruntime" not in found
    majors = {
        name: found[name].split(".")[0]
        for name in ("cuda-bindings", "nvidia-cuda-runtime", "nvidia-cublas")
    }
    assert set(majors.values()) == {"13"}, majors
    assert not [name for name in found if name.endswith(("-cu11", "-cu12"))]
    assert found["tensorrt"] == found["tensorrt-cu13"]


@pytest.mark.network
def test_the_extras_fit_the_versions_that_are_pinned():
    words = ("--extra", "gpu", "--extra", "tensorrt", "--override", OVERRIDES)
    pinned = resolved(*words, "--constraint", "constraints.txt")
    assert pinned["onnxruntime-gpu"] in (ROOT / "constraints.txt").read_text("utf-8")


@pytest.mark.unit
def test_onnxruntime_is_left_out_wherever_the_extra_gpu_is_installed():
    overrides = (ROOT / OVERRIDES).read_text("utf-8")
    assert re.findall(r"^[^#\n].*", overrides, re.M) == ["onnxruntime; sys_platform == 'none'"]
    for file in ("Dockerfile", "Makefile"):
        assert f"--override {OVERRIDES}" in (ROOT / file).read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [name for name in project["dependencies"] if re.match(r"onnxruntime\b", name)]


@pytest.mark.unit
def test_two_onnxruntimes_are_told_with_what_mends_it(monkeypatch):
    monkeypatch.setattr(doctor, "_version", lambda name: "1.31.1")
    (check,) = [each for each in doctor.examine(Settings()) if each.part == "accelerator"]
    assert check.state == "missing"
    assert "onnxruntime and onnxruntime-gpu are both installed" in check.what
