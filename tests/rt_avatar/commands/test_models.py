"""``rt-avatar models``: what there is, under which licence, and whether it is still what it was."""

import hashlib
import json
import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from rt_avatar.commands.cli import main
from rt_avatar.engines.checkpoints import PUBLISHED, ImportRecord, sha256
from rt_avatar.engines.published_files import RELEASES, PublishedFile
from tests.fakes.file_server import serving

pytestmark = pytest.mark.unit


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    header = json.dumps({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}).encode()
    path = tmp_path / "kokoro-82m.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(8))
    ImportRecord(
        name="kokoro-82m",
        source="by post",
        licence="Apache-2.0",
        date="2026-01-02T00:00:00+00:00",
        source_sha256={"kokoro-v1_0.pth": "00"},
        sha256=sha256(path),
        tensors=1,
        parameters=2,
        tools={},
    ).write(path)
    return tmp_path


def run(capfd, *words):
    status = main(["models", *map(str, words)])
    out, err = capfd.readouterr()
    return status, out, err


def test_list_tells_all_with_licence_and_what_is_here(capfd, folder):
    status, out, _ = run(capfd, "list", "--folder", folder)
    assert status == 0
    for published in PUBLISHED.values():
        assert published.name in out
    row = next(line for line in out.splitlines() if "kokoro-82m" in line)
    assert "2026-01-02" in row
    assert "Apache-2.0" in row
    assert "academic research only" in " ".join(out.split())


def test_check_finds_what_was_changed(capfd, folder):
    assert run(capfd, "check", "--folder", folder)[0] == 0
    path = folder / "kokoro-82m.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"\1")
    status, out, _ = run(capfd, "check", "--folder", folder)
    assert status == 1
    assert "the file was changed" in out
    assert run(capfd, "check", "dreamtalk", "--folder", folder)[0] == 1


def test_check_of_nothing_says_so(capfd, tmp_path):
    status, out, _ = run(capfd, "check", "--folder", tmp_path)
    assert (status, out.strip().endswith("nothing is imported")) == (0, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("import", "kokoro", "x"), "expected one of hubert-large"),
        (("import", "kokoro-82m"), "expected a file or folder, or --url; one of them"),
        (("import", "kokoro-82m", "x", "--url", "http://x/y"), "one of them"),
        (("import", "kokoro-82m", "--url", "http://x/y"), "rt-avatar models fetch kokoro-82m"),
        (("import", "vicuna-7b", "--url", "a", "--url", "b", "--sha256", "0"), "expects one --url"),
        (("check", "unknown"), "expected one of hubert-large"),
    ],
)
def test_wrong_words_are_told(capfd, tmp_path, words, message):
    status, out, err = run(capfd, *words, "--folder", tmp_path)
    assert status in (1, 2)
    assert message in out + err


def test_what_is_fetched_by_name_is_named_whole_where_a_name_is_wrong(capfd, tmp_path):
    status, out, _ = run(capfd, "list", "--folder", tmp_path)
    names = re.search(r"rt-avatar models fetch (\S+)\.", out)[1].split("|")
    status, _, err = run(capfd, "fetch", "hubert_large", "--folder", tmp_path)
    assert status == 2
    assert f"expected one of {', '.join(names)}; got 'hubert_large'" in err
    assert "hubert-large" in names


def small_release(monkeypatch, content: bytes) -> str:
    """Let a model that needs no import be these bytes; return the name of its file."""
    release = RELEASES["smart-turn"]
    name = release.files[0].path
    file = PublishedFile(name, len(content), hashlib.sha256(content).hexdigest())
    monkeypatch.setitem(RELEASES, "smart-turn", replace(release, files=(file,)))
    return name


def test_what_needs_no_import_is_fetched_and_compared(capfd, tmp_path, monkeypatch):
    content = b"weights"
    name = small_release(monkeypatch, content)
    with serving({name: content}) as server:
        words = ("fetch", "smart-turn", "--folder", tmp_path, "--address", server.base)
        status, out, err = run(capfd, *words)
        assert status == 0, err
        assert "Licence: BSD-2-Clause" in " ".join(out.split())
        assert (tmp_path / name).read_bytes() == content
        server.wanted.clear()
        assert run(capfd, *words)[0] == 0
        assert not server.wanted
        (tmp_path / name).unlink()
        server.files[name] = b"another"
        status, _, err = run(capfd, *words)
    assert status == 2
    assert "expected sha256" in err
    assert not (tmp_path / name).exists()


def test_of_two_that_fetch_the_same_the_second_is_told_to_wait(capfd, tmp_path, monkeypatch):
    name = small_release(monkeypatch, b"weights")
    seconds = []
    with serving({name: b"weights"}) as server:
        words = ["models", "fetch", "smart-turn", "--folder", str(tmp_path)]
        words += ["--address", server.base]
        server.meanwhile = lambda: seconds.append(main(words))
        assert main(words) == 0
        assert seconds == [2]
        assert "another process is bringing it" in capfd.readouterr().err
        assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [name]
        assert main(words) == 0


@pytest.mark.parametrize("place", ["file", "file/models", "/sys/rt-avatar"])
def test_a_folder_that_cannot_be_one_is_told_with_what_mends_it(
    capfd, tmp_path, monkeypatch, place
):
    monkeypatch.setenv("COLUMNS", "500")
    name = small_release(monkeypatch, b"weights")
    (tmp_path / "file").touch()
    folder = tmp_path / place
    if not folder.is_relative_to(tmp_path) and not Path("/sys").is_dir():
        pytest.skip("a folder of Linux that nobody may write to")
    with serving({name: b"weights"}) as server:
        words = ("fetch", "smart-turn", "--folder", folder, "--address", server.base)
        status, _, err = run(capfd, *words)
    assert status == 2
    assert f"{folder}: expected a folder to write to" in err
    assert "choose another place with --folder" in err
    assert "Errno" not in err


def test_a_disk_that_becomes_full_is_told_with_what_mends_it(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "500")
    name = small_release(monkeypatch, b"weights")
    part = tmp_path / f"{name}.part"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.symlink_to("/dev/full")  # a disk without room for one byte
    with serving({name: b"weights"}) as server:
        words = ("fetch", "smart-turn", "--folder", tmp_path, "--address", server.base)
        status, _, err = run(capfd, *words)
    assert status == 2
    assert f"{tmp_path}: expected room on its disk" in err
    assert "the same command goes on" in err


def test_a_file_that_cannot_be_read_is_not_taken_for_the_folder(capfd, tmp_path):
    status, _, err = run(capfd, "import", "kokoro-82m", tmp_path / "none", "--folder", tmp_path)
    assert status == 2
    assert "expected a folder to write to" not in err
