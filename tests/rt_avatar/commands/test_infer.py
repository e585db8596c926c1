"""``rt-avatar infer``: what is missing is told before anything is made."""

import subprocess
import sys

import pytest

from rt_avatar.commands.cli import main
from tests.engines.empatheia.test_export_manifest import make_folder

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


def test_without_the_tokenizers_library_the_extra_is_named(tmp_path):
    make_folder(tmp_path)
    code = (
        "import sys; sys.modules['tokenizers'] = None\n"
        "from rt_avatar.commands.cli import main\n"
        f"sys.exit(main(['infer', 'dialogue.json', '--folder', {str(tmp_path)!r}]))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert made.returncode == 2
    assert "make install EXTRAS=network" in " ".join(made.stderr.split())


def test_answering_asks_for_neither_torch_nor_transformers():
    code = (
        "import sys; import rt_avatar.commands.infer, rt_avatar.engines.empatheia.engines\n"
        "assert not {'torch', 'transformers', 'tokenizers', 'onnx', 'peft'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
