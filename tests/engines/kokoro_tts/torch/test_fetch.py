"""``rt-avatar models fetch kokoro-82m``, from a server of this machine, to a voice that speaks."""

import numpy as np
import pytest
import torch

from rt_avatar.commands.cli import main
from rt_avatar.engines.checkpoints import check_imported
from rt_avatar.engines.kokoro_tts import KokoroModel
from rt_avatar.engines.published_files import RELEASES, PublishedFile, Release
from rt_avatar.engines.styletts2.symbols import encode
from tests.engines.kokoro_tts.torch.exported import content, table

pytestmark = pytest.mark.networks


def fetch(capfd, folder, *words, name="kokoro-82m"):
    status = main(["models", "fetch", name, "--folder", str(folder), *words])
    said = capfd.readouterr()
    return status, " ".join(said.out.split()), " ".join(said.err.split())


def errors_of(capfd) -> str:
    return " ".join(capfd.readouterr().err.split())


def test_what_is_fetched_is_told_compared_and_imported(capfd, server, files, tmp_path):
    status, out, err = fetch(capfd, tmp_path)
    assert status == 0, err
    assert "Licence: Apache-2.0. 21 files," in out
    assert server.base in out
    record = check_imported("kokoro-82m", tmp_path, lambda *_: None)
    assert set(record.source_sha256) == {path.rpartition("/")[2] for path in files}
    assert record.source == server.base
    assert not list((tmp_path / "downloads").rglob("*.pt*"))
    server.wanted.clear()
    status, out, _ = fetch(capfd, tmp_path)
    assert (status, server.wanted) == (0, [])
    assert "is there already" in out


def test_the_exported_tables_are_the_published_ones(fetched):
    model = KokoroModel(fetched[1], threads=1)
    assert len(model.names) == 20
    tokens = encode("həlˈO", "both", "misaki")
    style = model.style(tokens, {"af_bella": 1.0}, {})
    wanted = table("af_bella")[len("həlˈO") - 1].numpy()
    np.testing.assert_allclose(np.hstack([style.acoustic, style.prosodic]), wanted, atol=1e-6)


def test_a_fetch_that_broke_off_is_gone_on_with_by_the_same_command(capfd, server, files, tmp_path):
    server.breaks = [10_000] + [0] * 5
    status, _, err = fetch(capfd, tmp_path)
    assert status == 2
    assert "broke off 5 times after 10000 bytes" in err
    server.asked.clear()
    assert fetch(capfd, tmp_path)[0] == 0
    assert server.asked[0] == "bytes=10000-"


@pytest.mark.parametrize("path", ["kokoro-v1_0.pth", "voices/af_bella.pt"])
def test_another_file_than_the_published_one_is_refused_and_does_not_stay(
    capfd, server, files, tmp_path, path
):
    server.files[path] = files[path][:-1] + b"x"
    status, _, err = fetch(capfd, tmp_path)
    assert status == 2
    assert "expected sha256" in err
    assert not list(tmp_path.rglob("*.safetensors"))
    assert not list((tmp_path / "downloads").rglob(path.rpartition("/")[2] + "*"))
    server.files[path] = files[path]
    assert fetch(capfd, tmp_path)[0] == 0


def test_a_disk_without_room_is_told_before_anything_is_fetched(
    capfd, server, files, tmp_path, monkeypatch
):
    large = tuple(PublishedFile(path, 10**17, "0") for path in files)
    monkeypatch.setitem(RELEASES, "kokoro-82m", Release(server.base, large))
    status, _, err = fetch(capfd, tmp_path)
    assert status == 2
    assert "MB of free disk, got" in err
    assert "--folder" in err
    assert server.wanted == []


def test_what_cannot_be_fetched_by_name_is_told_with_what_can(capfd, tmp_path):
    status, _, err = fetch(capfd, tmp_path, name="dreamtalk")
    assert status == 2
    assert "dreamtalk is on no hub" in err
    assert "rt-avatar models import dreamtalk FILE" in err
    status, _, err = fetch(capfd, tmp_path, name="nothing")
    assert status == 2
    assert "expected one of kokoro-82m, face-landmarker, smart-turn" in err
    assert "got 'nothing'" in err
    assert "models import NAME FILE" in err


def test_a_file_of_one_s_own_is_imported_only_with_its_style_tables(capfd, server, files, tmp_path):
    path = tmp_path / "kokoro-v1_0.pth"
    path.write_bytes(files[path.name])
    words = ["models", "import", "kokoro-82m", str(path), "--folder", str(tmp_path / "models")]
    assert main(words) == 2
    assert "expected the style tables voices/*.pt beside" in " ".join(
        capfd.readouterr().err.split()
    )
    (tmp_path / "voices").mkdir()
    (tmp_path / "voices" / "af_heart.pt").write_bytes(content(torch.zeros(3, 1, 8)))
    assert main(words) == 2
    assert "style table af_heart: expected (510, 1, 8)" in errors_of(capfd)
    (tmp_path / "voices" / "af_heart.pt").write_bytes(files["voices/af_heart.pt"])
    assert main(words) == 0
