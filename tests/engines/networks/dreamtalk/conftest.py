"""What a test draws does not depend on the tests before it, nor on which process runs it."""

import pytest
import torch


@pytest.fixture(autouse=True)
def seeded():
    """The same numbers for every test."""
    torch.manual_seed(0)
