"""What the runtimes' tests share."""

import pytest

from tests.fakes import tensorrt as fake


@pytest.fixture
def cuda(monkeypatch):
    made = fake.FakeCuda()
    monkeypatch.setattr(fake, "CUDA", made)
    return made
