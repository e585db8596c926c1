"""The real server, once for all tests; a room for each."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from rt_avatar.signaling.livekit import dispatches
from rt_avatar.signaling.livekit.worker import outlive_callbacks
from tests.livekit.server import LiveKitServer, ServerFailedError

outlive_callbacks()  # here, as it must come before the SDK's first use in any test


@pytest.fixture(scope="session")
def livekit() -> Iterator[LiveKitServer]:
    """A livekit-server on loopback; its log is shown when a test of it fails to start."""
    try:
        server = LiveKitServer().__enter__()
    except ServerFailedError as error:
        pytest.fail(str(error))
    yield server
    server.__exit__()


@pytest.fixture
def room_name() -> str:
    """A room that nobody else is in."""
    return f"room-{uuid4().hex[:12]}"


@pytest.fixture
def watchful(monkeypatch) -> None:
    """Workers of this process look for rooms without an avatar more often than in life."""
    monkeypatch.setattr(dispatches, "WATCH_S", 0.5)
