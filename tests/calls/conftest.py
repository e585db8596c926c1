"""Real parts for whole calls: server processes, recordings for their callers."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from benchmarks.server import Server, running_server
from benchmarks.speech import load_utterances
from tests.conftest import BUSY

ROOT = Path(__file__).parents[2]
SPEECH = ROOT.parent / "shared" / "media" / "speech"
FACES = ROOT.parent / "shared" / "media" / "faces"


@pytest.fixture(scope="module")
def start_server() -> Iterator[Callable[..., Server]]:
    """Start servers with the given flags; they are stopped when the module is done."""
    with ExitStack() as servers:
        yield lambda *flags: servers.enter_context(running_server(*BUSY, *flags))


def recording(name: str) -> np.ndarray:
    """A read sentence, (samples,) int16 at 48 kHz, from its first voice to its last."""
    return next(one.pcm for one in load_utterances(SPEECH) if one.name == name)


@pytest.fixture(scope="session")
def camera_file(tmp_path_factory) -> Path:
    """A real person's face as MJPEG, which Chromium's fake camera plays."""
    path = tmp_path_factory.mktemp("camera") / "face.mjpeg"
    face = sorted(FACES.glob("*.mpg"))[0]
    command = ["ffmpeg", "-v", "error", "-i", str(face), "-an", "-q:v", "4", "-r", "25", str(path)]
    subprocess.run(command, check=True)
    return path
