import re
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]


def test_the_image_is_given_everything_that_the_package_is_built_from():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    setuptools = project["tool"]["setuptools"]
    renamed = setuptools["package-dir"]
    folders = {renamed.get(name, name.replace(".", "/")) for name in setuptools["packages"]}
    real = {str((ROOT / folder).resolve().relative_to(ROOT)) for folder in folders}
    needed = {folder.split("/")[0] for folder in real} | {"rt_avatar"}
    needed |= {project["project"]["readme"], "pyproject.toml", "constraints.txt"}
    needed |= {name.split("/")[0] for name in project["project"]["license-files"]}
    copied = re.findall(r"^COPY (.+) \S+$", (ROOT / "Dockerfile").read_text("utf-8"), re.M)
    assert needed <= {name for names in copied for name in names.split()}


def test_a_volume_for_engines_belongs_to_who_writes_there():
    """Docker makes what the image does not have, for root alone."""
    root, _, user = (ROOT / "Dockerfile").read_text("utf-8").partition("\nUSER avatar\n")
    (mounted,) = re.findall(r" -v ENGINES:(\S+)", root)
    (home,) = re.findall(r"^WORKDIR (.+)$", user, re.M)
    (made,) = re.findall(r"^RUN mkdir -p (.+)$", user, re.M)
    assert f"{home}/{made}" == mounted
