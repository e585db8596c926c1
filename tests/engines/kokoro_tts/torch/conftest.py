"""A server that publishes a small Kokoro, and what was fetched of it and exported, once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rt_avatar.commands.cli import main
from rt_avatar.engines.networks.styletts2.config import CONFIGS
from rt_avatar.engines.published_files import RELEASES
from tests.engines.kokoro_tts.torch.exported import export, published_files, release
from tests.engines.networks.styletts2.tiny import KOK, lean
from tests.fakes.file_server import FileServer, serving


@pytest.fixture(scope="session")
def files() -> dict[str, bytes]:
    return published_files()


@pytest.fixture
def server(files, monkeypatch) -> Iterator[FileServer]:
    monkeypatch.setitem(CONFIGS, "kokoro", lean(KOK))
    with serving(dict(files)) as made:
        monkeypatch.setitem(RELEASES, "kokoro-82m", release(made.base, files))
        yield made


@pytest.fixture(scope="session")
def fetched(files, tmp_path_factory) -> tuple[Path, Path]:
    """The folder of imported weights, and the exported one."""
    models = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch, serving(dict(files)) as made:
        patch.setitem(CONFIGS, "kokoro", lean(KOK))
        patch.setitem(RELEASES, "kokoro-82m", release(made.base, files))
        assert main(["models", "fetch", "kokoro-82m", "--folder", str(models)]) == 0
        words = ("--models", str(models))
        return models, export(tmp_path_factory.mktemp("engines"), patch, *words)


@pytest.fixture(scope="session")
def exported(fetched) -> Path:
    return fetched[1]
