"""The README tells the truth about the tree and the commands."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_tree_names_every_source_file():
    folders = ["rt_avatar", "engines", "signaling", "benchmarks", "trt_builders"]
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    names = {Path(name).name for name in listed if name.endswith((".py", ".js"))}
    tree = README.split("<!-- tree -->")[1]
    missing = [name for name in names if name != "__init__.py" and f"  {name}" not in tree]
    assert not missing, "run `make tree`"


def test_every_picture_and_page_it_links_to_is_there():
    for link in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / link).exists(), link


def test_its_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\w+)", README, re.M):
        assert f"\n{target}:" in makefile
