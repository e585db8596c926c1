"""Nano's exports are made of the networks as they are now; calls of the tests use them, too."""

import pytest

from benchmarks.engines.exported import check, export_nano, workshop

pytestmark = pytest.mark.networks


def test_nano_is_exported_whole_and_kept_for_whoever_wants_it_next():
    folder = export_nano()
    assert folder.parent == workshop()
    assert check(folder) == folder
    assert export_nano() == folder
