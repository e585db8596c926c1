"""Nano's exports are made of the networks as they are now; calls of the tests use them, too."""

import pytest

from rt_avatar.benchmarks.engines.exported import check, export_nano

pytestmark = pytest.mark.networks


def test_what_is_made_of_nano_passes_as_a_folder_of_exports():
    folder = export_nano()
    assert check(folder) == folder
