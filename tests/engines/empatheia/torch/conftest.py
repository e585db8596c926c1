"""The graph's networks need torch, which only the extra ``train`` brings."""

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("torch") else ["*"]


@pytest.fixture(scope="session")
def parts():
    """All graphs of nano by name, with random weights and a small picture."""
    from tests.engines.empatheia.torch.shared import shared_parts

    return shared_parts()


@pytest.fixture(scope="session")
def engines():
    """All stages, run by torch."""
    from tests.engines.empatheia.torch.shared import shared_engines

    return shared_engines()
