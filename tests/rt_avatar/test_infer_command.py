"""``rt-avatar infer``: what is missing is told before anything is made."""

import pytest

pytest.importorskip("tokenizers")

from rt_avatar.cli import main

pytestmark = pytest.mark.unit


def test_missing_engines_name_the_command_that_makes_them(tmp_path, capsys):
    words = ["infer", "dialogue.json", "--folder", str(tmp_path), "-o", str(tmp_path / "a.mp4")]
    assert main(words) == 2
    told = capsys.readouterr().err.replace("\n", "")
    assert "expected the exported engines 'nano', got none" in told
    assert "rt-avatar engines export nano --folder" in told


def test_a_film_needs_a_name_that_ends_in_mp4(tmp_path, capsys):
    assert main(["infer", "dialogue.json", "-o", str(tmp_path / "a.avi")]) == 2
    assert "expected a file name ending in .mp4" in capsys.readouterr().err
