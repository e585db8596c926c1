"""Real parts for whole calls: a server process, Chromium, a microphone that plays a recording."""

import json
import os
import re
import shutil
import subprocess
import sys
import wave
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
SPEECH = ROOT.parent / "shared" / "media" / "speech"
FACES = ROOT.parent / "shared" / "media" / "faces"
MIC_RATE_HZ = 16_000


@dataclass
class Server:
    """A running `rt-avatar serve`."""

    address: str
    process: subprocess.Popen[str]
    log: Path


def chromium_path() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if found := shutil.which(name):
            return found
    mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    if os.path.exists(mac):
        return mac
    pytest.fail("Chromium is needed: `make test` installs it, or install it by hand.")


@pytest.fixture(scope="module")
def start_server(tmp_path_factory) -> Iterator:
    """Start servers with the given flags; they are stopped when the module is done."""
    started: list[Server] = []

    def start(*flags: str) -> Server:
        log = tmp_path_factory.mktemp("server") / "log.txt"
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "rt_avatar.cli", "serve", "--server.port", "0"),
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


@dataclass
class MicTape:
    """A microphone recording in the making; remembers where each utterance ends (seconds)."""

    parts: list[np.ndarray] = field(default_factory=list)
    speech_ends_s: list[float] = field(default_factory=list)
    speech_starts_s: list[float] = field(default_factory=list)

    @property
    def length_s(self) -> float:
        return sum(map(len, self.parts)) / MIC_RATE_HZ

    def silence(self, seconds: float) -> "MicTape":
        # A quiet room, not digital zero: −70 dBFS noise.
        noise = np.random.default_rng(len(self.parts)).normal(0, 3e-4, int(seconds * MIC_RATE_HZ))
        self.parts.append(noise.astype(np.float32))
        return self

    def speak(self, name: str) -> "MicTape":
        with wave.open(str(SPEECH / name)) as file:
            assert file.getframerate() == MIC_RATE_HZ
            pcm = np.frombuffer(file.readframes(file.getnframes()), np.int16) / 32768
        loud = np.flatnonzero(np.abs(pcm) > 0.02)
        pcm = pcm[loud[0] : loud[-1] + 1].astype(np.float32)
        self.speech_starts_s.append(self.length_s)
        self.parts.append(pcm)
        self.speech_ends_s.append(self.length_s)
        return self

    def write(self, path: Path) -> Path:
        pcm = (np.clip(np.concatenate(self.parts), -1, 1) * 32767).astype(np.int16)
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(MIC_RATE_HZ)
            file.writeframes(pcm.tobytes())
        return path


@pytest.fixture(scope="session")
def camera_file(tmp_path_factory) -> Path:
    """A real person's face as MJPEG, which Chromium's fake camera plays."""
    path = tmp_path_factory.mktemp("camera") / "face.mjpeg"
    face = sorted(FACES.glob("*.mpg"))[0]
    command = ["ffmpeg", "-v", "error", "-i", str(face), "-an", "-q:v", "4", "-r", "25", str(path)]
    subprocess.run(command, check=True)
    return path


def probe_script() -> str:
    return (Path(__file__).parent / "probe.js").read_text(encoding="utf-8")


def chromium_flags(mic: Path | None = None, camera: Path | None = None) -> list[str]:
    flags = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--autoplay-policy=no-user-gesture-required",
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
    ]
    if mic is not None:
        flags.append(f"--use-file-for-fake-audio-capture={mic}%noloop")
    if camera is not None:
        flags.append(f"--use-file-for-fake-video-capture={camera}")
    return flags


def dump(data: object) -> str:
    """Short JSON for assertion messages."""
    return json.dumps(data)[:2000]
