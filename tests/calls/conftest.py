"""Real parts for whole calls: a server process, recordings for its callers."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from benchmarks.speech import load_utterances

ROOT = Path(__file__).parents[2]
SPEECH = ROOT.parent / "shared" / "media" / "speech"
FACES = ROOT.parent / "shared" / "media" / "faces"


@dataclass
class Server:
    """A running `rt-avatar serve`."""

    address: str
    process: subprocess.Popen[str]
    log: Path


@pytest.fixture(scope="module")
def start_server(tmp_path_factory) -> Iterator:
    """Start servers with the given flags; they are stopped when the module is done."""
    started: list[Server] = []

    def start(*flags: str) -> Server:
        log = tmp_path_factory.mktemp("server") / "log.txt"
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "rt_avatar.commands.cli", "serve", "--server.port", "0"),
                *("--server.max_load", "1"),  # a test machine is busy with the tests themselves
                *flags,
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=log.open("w"),
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"},
        )
        assert process.stdout is not None
        for line in process.stdout:
            if match := re.search(r"http://\S+", line):
                server = Server(match.group(0), process, log)
                started.append(server)
                return server
        pytest.fail(f"the server did not start: {log.read_text()[-2000:]}")

    yield start
    for server in started:
        server.process.terminate()
        server.process.wait(timeout=30)


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
