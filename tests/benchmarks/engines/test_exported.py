"""The folder of exports that is measured: a named one is checked, a made one is kept."""

import json

import pytest

from rt_avatar.benchmarks.engines import counted, exported
from rt_avatar.benchmarks.engines.parts import Found
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit

needs_torch = pytest.mark.skipif(bool(exported.why_not()), reason=exported.why_not())


def test_a_folder_without_exports_is_refused_with_the_command_that_makes_them(tmp_path):
    with pytest.raises(SetupError, match=r"--network: .*rt-avatar engines export nano"):
        exported.check(tmp_path)


@needs_torch
def test_what_was_exported_of_the_same_networks_is_not_exported_again(tmp_path):
    folder = exported.workshop(tmp_path) / "engines"
    folder.mkdir(parents=True)
    assert exported.export_nano(tmp_path) == folder
    assert exported.workshop(tmp_path) == folder.parent


@needs_torch
def test_what_was_counted_of_the_same_networks_is_not_counted_again(tmp_path):
    kept = exported.workshop(tmp_path) / counted.KEPT
    kept.parent.mkdir(parents=True)
    known = {"parameters": 5, "flops": 7.0, "weights_bytes": 20, "ms": float("nan"), "why_not": ""}
    kept.write_text(json.dumps({"nano voice": known, "nano face": known}))
    found = counted.count(["nano voice"], tmp_path)
    assert set(found) == {"nano voice"}
    assert isinstance(found["nano voice"], Found)
    assert (found["nano voice"].parameters, found["nano voice"].flops) == (5, 7.0)
