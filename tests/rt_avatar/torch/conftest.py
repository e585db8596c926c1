"""Calls with the network, whose graphs need torch: only the extra ``train`` brings it."""

from importlib.util import find_spec

import pytest

collect_ignore_glob = [] if find_spec("torch") else ["*"]


@pytest.fixture(scope="session")
def network():
    """All stages of the network, run by torch: nano with random weights and a small picture."""
    from tests.engines.empatheia.torch.shared import shared_engines

    return shared_engines()
