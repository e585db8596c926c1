import pytest

from rt_avatar.services.worker import EngineWorker


@pytest.fixture
def worker():
    worker = EngineWorker("face")
    yield worker
    worker.close()
