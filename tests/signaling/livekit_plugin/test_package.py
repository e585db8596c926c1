"""The plug-in is installed beside upstream's plug-ins, and everything else where it lies."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
SETUP = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
PLUGIN = "livekit.plugins.rt_avatar"
FOLDERS = ("rt_avatar", "engines", "signaling", "benchmarks", "trt_builders")


def test_every_folder_with_modules_is_installed():
    listed = subprocess.run(
        ["git", "ls-files", *FOLDERS], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    folders = {str(Path(name).parent) for name in listed if name.endswith(".py")}
    renamed = SETUP["package-dir"]
    own = {folder.removeprefix("rt_avatar/") for folder in folders - set(renamed.values())}
    expected = {f"rt_avatar.{folder}".replace("/", ".") for folder in own - {"rt_avatar"}}
    expected.add("rt_avatar")
    assert set(SETUP["packages"]) == expected | set(renamed), "tool.setuptools.packages"
    assert SETUP["packages"] == sorted(SETUP["packages"])


def test_the_plug_in_is_found_beside_another_and_says_what_it_is(tmp_path):
    # As two wheels lay it down: the same namespace, no __init__ in it, in two places.
    ours, theirs = (tmp_path / name / "livekit" / "plugins" for name in ("ours", "theirs"))
    ours.mkdir(parents=True)
    (ours / "rt_avatar").symlink_to(ROOT / SETUP["package-dir"][PLUGIN])
    (theirs / "another").mkdir(parents=True)
    (theirs / "another" / "__init__.py").write_text("NAME = 'another'\n", encoding="utf-8")
    code = (
        "import sys\n"
        "from livekit.plugins import another, rt_avatar\n"
        "from livekit.agents import Plugin\n"
        "assert another.NAME == 'another'\n"
        f"(plugin,) = [one for one in Plugin.registered_plugins if one.package == {PLUGIN!r}]\n"
        "assert plugin.version == rt_avatar.__version__ and plugin.logger.name == plugin.package\n"
        "assert rt_avatar.__all__ == ['AvatarJoinError', 'AvatarSession', '__version__']\n"
        # It lives in other people's programs: it brings neither face nor ears along.
        "heavy = {'cv2', 'onnxruntime', 'skia', 'rt_avatar.session'}\n"
        "heavy |= {'rt_avatar.services.engines'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    path = [str(place.parents[1]) for place in (ours, theirs)]
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{code}"]
    subprocess.run(command, cwd=tmp_path, check=True)


def test_the_folder_promises_its_types():
    assert (ROOT / SETUP["package-dir"][PLUGIN] / "py.typed").exists()
    assert SETUP["package-data"][PLUGIN] == ["py.typed"]
