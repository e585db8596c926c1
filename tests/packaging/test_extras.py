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


def made(folder: Path, *words: str) -> list[str]:
    """Return what make would let uv do in a checkout's folder."""
    make = ["make", "--dry-run", "--always-make", "--file", str(ROOT / "Makefile"), "UV=uv"]
    done = subprocess.run([*make, *words], cwd=folder, capture_output=True, text=True, check=True)
    return re.findall(r"^uv pip .+", done.stdout, re.M)


@pytest.mark.unit
def test_no_target_brings_onnxruntime_to_where_onnxruntime_gpu_is(tmp_path):
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).touch()
    targets = ("setup", "livekit", "setup-dev", "install")
    assert not [line for line in made(tmp_path, *targets) if OVERRIDES in line]
    for name in ("onnxruntime-1.31.1", "onnxruntime_gpu-1.31.1"):
        (tmp_path / f".venv/lib/python3.12/site-packages/{name}.dist-info").mkdir(parents=True)
    installing = made(tmp_path, *targets, "EXTRAS=whisper")
    assert len(installing) == len(targets)
    assert all(f"--override {OVERRIDES} " in line for line in installing)


@pytest.mark.unit
def test_onnxruntime_gpu_that_is_installed_again_has_all_its_files(tmp_path):
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).touch()
    *_, removing, installing = made(tmp_path, "install", "EXTRAS=network,gpu")
    assert removing.endswith(" uninstall --quiet --python .venv onnxruntime onnxruntime-gpu")
    assert f"--override {OVERRIDES} " in installing


@pytest.mark.unit
def test_two_onnxruntimes_are_told_with_what_mends_it(monkeypatch):
    monkeypatch.setattr(doctor, "_version", lambda name: "1.31.1")
    (check,) = [each for each in doctor.examine(Settings()) if each.part == "accelerator"]
    assert check.state == "missing"
    assert "onnxruntime and onnxruntime-gpu are both installed" in check.what
