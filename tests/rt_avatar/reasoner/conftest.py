"""What the reasoners' tests share."""

import pytest

from rt_avatar.services.worker import EngineWorker


@pytest.fixture
def worker():
    """A thread for a network, ended with the test."""
    made = EngineWorker("llm")
    yield made
    made.close()
