"""README and docs/tree.md tell the truth about the tree, the commands and the settings."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rt_avatar.config.loader import all_keys

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "NOTICE")
}
STAGES = [
    path
    for path in (ROOT / "rt_avatar").glob("*/__init__.py")
    if not path.parent.is_symlink()  # they lie elsewhere
]
FOLDERS = ["rt_avatar", "engines", "signaling", "benchmarks", "trt_builders"]


def test_the_tree_names_every_source_file():
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    names = {Path(name).name for name in listed if name.endswith((".py", ".js"))}
    tree = (ROOT / "docs" / "tree.md").read_text(encoding="utf-8")
    missing = [name for name in names if name != "__init__.py" and f"  {name}" not in tree]
    assert not missing, "run `make tree`"


def test_the_readme_is_short_and_names_every_package_of_the_runtime():
    assert len(README.splitlines()) <= 150
    packages = [path.parent.name for path in STAGES]
    missing = [name for name in FOLDERS + packages if f" {name}/" not in README.replace("\n", " ")]
    assert not missing, "run `make tree`"


@pytest.mark.parametrize("page", PAGES)
def test_every_file_it_links_to_is_there(page):
    for link in re.findall(r"\]\(([^)#:]+)\)", PAGES[page]):
        assert (ROOT / link).exists(), link


@pytest.mark.parametrize("page", PAGES)
def test_its_make_targets_exist(page):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:^|`)make (\w+)", PAGES[page], re.M):
        assert f"\n{target}:" in makefile, target


def test_its_commands_and_settings_exist():
    said = subprocess.run(
        [sys.executable, "-m", "rt_avatar.commands.cli", "--help"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    ).stdout  # fmt: skip
    commands = set(re.findall(r"^    (\w+) ", said, re.M))
    named = set(re.findall(r"rt-avatar (\w+)", README))
    assert named <= commands, named - commands
    settings = set(re.findall(r"--(\w+\.\w+)", README))
    assert settings, "expected the README to show settings"
    assert settings <= set(all_keys()), settings - set(all_keys())


def test_no_command_asks_an_index_for_us():
    # We are on no index: `pip install rt-avatar` would install somebody else's.
    assert not re.findall(r"pip install '?rt-avatar", README)


def test_the_notice_names_every_package_that_we_ask_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"]]
    for extra, packages in project["optional-dependencies"].items():
        asked += [] if extra == "dev" else packages
    names = {re.match(r"[\w-]+", one)[0].lower() for one in asked} - {"rt-avatar"}
    words = set(re.findall(r"[\w-]+", PAGES["NOTICE"].lower()))
    assert names <= words, names - words
