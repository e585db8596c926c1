"""What somebody gets who installs the wheel with pip alone, in an environment with nothing else."""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import numpy as np
import pytest

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.server import running_server
from tests.conftest import BUSY

pytestmark = pytest.mark.network

ROOT = Path(__file__).parents[2]
AUDIBLE = 0.005 * 32768


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An environment of its own with pip and nothing else; gone in the end, as it is large."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    yield folder
    shutil.rmtree(folder)


def pip(environment: Path, *words: str) -> str:
    done = subprocess.run(
        [environment / "bin" / "python", "-m", "pip", "--disable-pip-version-check", *words],
        cwd=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the tracked files as they are, so that no build before leaks in."""
    source = tmp_path_factory.mktemp("source")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_symlink() or (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name, follow_symlinks=False)
    pip(
        environment,
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(source / "out"),
        str(source),
    )
    [built] = (source / "out").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def program(environment: Path, wheel: Path) -> Path:
    """The script ``rt-avatar`` of the environment, the wheel installed alone."""
    pip(environment, "install", "--quiet", "--no-compile", str(wheel))
    return environment / "bin" / "rt-avatar"


def test_pip_alone_installs_it_whole_and_without_torch(environment: Path, program: Path) -> None:
    installed = {line.split("==")[0] for line in pip(environment, "freeze").splitlines()}
    assert not installed & {"torch", "triton", "silero-vad"}
    pip(environment, "check")


def test_the_wheel_puts_nothing_beside_other_people_s_packages(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"rt_avatar", "livekit"}


def test_the_wheel_brings_licences_and_every_file_that_is_no_module(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    data = (".onnx", "client/index.html", "py.typed", "weights.npz")
    for end in (*data, "licenses/LICENSE", "licenses/NOTICE", "silero_vad/LICENSE"):
        assert any(name.endswith(end) for name in names), end


def test_the_command_that_errors_name_installs_an_extra(environment: Path, program: Path) -> None:
    would = pip(environment, "install", "--dry-run", "rt-avatar[network]")
    assert "Would install" in would
    assert "tokenizers" in would


async def test_a_call_with_the_installed_program_is_answered_in_voice_and_picture(
    program: Path,
) -> None:
    with running_server("--avatar.greeting", "false", *BUSY, program=[str(program)]) as server:
        async with aiohttp.ClientSession() as http, Caller(server.address, http) as caller:
            await caller.call()
            caller.send({"type": "text", "text": "Please tell me who you are."})
            await caller.until(lambda: any(np.abs(one).max() > AUDIBLE for one in caller.sound))
            said = await caller.wait_for("caption", role="avatar", final=True)
            await caller.until(lambda: caller.pictures > 25)
            assert await caller.delete() == 204
        assert "Traceback" not in server.log.read_text()
    assert len(said["text"].split()) >= 4
