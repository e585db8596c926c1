"""A browser is found, or it is said how to get one."""

from pathlib import Path

import pytest

from rt_avatar.benchmarks.browser import chromium
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit


def test_a_missing_browser_is_told_with_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "PLACES", (str(tmp_path / "*" / "chrome"),))
    with pytest.raises(SetupError, match="apt install chromium"):
        chromium.chromium_path()


def test_the_browser_on_the_path_is_taken_before_another(monkeypatch, tmp_path):
    kept = tmp_path / "chromium-1234" / "chrome-linux" / "chrome"
    kept.parent.mkdir(parents=True)
    kept.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(chromium, "PLACES", (str(tmp_path / "chromium-*" / "*" / "chrome"),))
    assert chromium.chromium_path() == str(kept)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "chromium").touch(mode=0o755)
    assert chromium.chromium_path() == str(tmp_path / "bin" / "chromium")


def test_files_become_the_devices():
    flags = chromium.chromium_flags(Path("/a/mic.wav"), Path("/a/face.mjpeg"))
    assert "--use-file-for-fake-audio-capture=/a/mic.wav%noloop" in flags
    assert "--use-file-for-fake-video-capture=/a/face.mjpeg" in flags
    assert not [flag for flag in chromium.chromium_flags() if "capture=" in flag]
