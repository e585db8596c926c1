"""Real parts for whole calls: server processes, a face for their callers' cameras."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import av
import pytest

from rt_avatar.benchmarks.server import Server, running_server
from tests.conftest import BUSY
from tests.media import Speaker, pictures


@pytest.fixture(scope="module")
def start_server() -> Iterator[Callable[..., Server]]:
    """Start servers with the given flags; they are stopped when the module is done."""
    with ExitStack() as servers:
        yield lambda *flags: servers.enter_context(running_server(*BUSY, *flags))


@pytest.fixture(scope="module")
def camera_file(tmp_path_factory: pytest.TempPathFactory, speaker: Speaker) -> Path:
    """The speaker's face as MJPEG, which Chromium's fake camera plays."""
    path = tmp_path_factory.mktemp("camera") / "face.mjpeg"
    shown = pictures(speaker.face)
    with av.open(str(path), "w", format="mjpeg") as file:
        stream = file.add_stream("mjpeg", rate=25, options={"qscale": "4"})
        stream.height, stream.width, _ = shown[0].shape
        stream.pix_fmt = "yuvj420p"
        for picture in shown:
            file.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        file.mux(stream.encode(None))
    return path
