"""The road from a bare GPU machine to a call names nothing that the program does not have."""

import re
from pathlib import Path

import pytest

from rt_avatar.commands.cli import main
from rt_avatar.config.loader import all_keys

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
ROAD = PAGE.partition("## From a bare GPU machine to a call")[2].partition("\n## ")[0]
COMMANDS = sorted(set(re.findall(r"rt-avatar((?: [^\s`|;&#,()…]+)+)", PAGE)))
WITH_PARTS = ("bench", "engines", "models")  # commands that have commands


@pytest.fixture
def help_of(capsys, monkeypatch):
    """What a command says of itself."""
    monkeypatch.setenv("COLUMNS", "200")

    def said(*words: str) -> str:
        with pytest.raises(SystemExit) as end:
            main([*words, "--help"])
        assert not end.value.code
        return capsys.readouterr().out

    return said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_has_its_parts_and_flags(command, help_of):
    words = command.split()
    assert re.search(rf"^\s+{words[0]}\b", help_of(), re.M), f"no command {words[0]}"
    own = words[: 2 if words[0] in WITH_PARTS else 1]
    help_of(*own)
    for flag in (word for word in words if word.startswith("--")):
        if "." in flag:
            assert flag.removeprefix("--") in all_keys(), flag
        else:
            assert re.search(rf"{flag}\b", help_of(*own)), flag


def test_the_road_is_numbered_and_installs_extras_that_there_are():
    steps = [int(number) for number in re.findall(r"^\| (\d+) \|", ROAD, re.M)]
    assert steps == list(range(1, 11))
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    asked = re.findall(r"EXTRAS=([\w,]+)", PAGE + docker)
    assert len(asked) >= 3
    for extra in {name for names in asked for name in names.split(",")}:
        assert re.search(rf"^{extra} = \[", project, re.M), f"no extra {extra}"
