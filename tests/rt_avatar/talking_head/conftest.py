import pytest

from rt_avatar.engine_room.worker import EngineWorker


@pytest.fixture
def worker():
    worker = EngineWorker("face")
    yield worker
    worker.close()
