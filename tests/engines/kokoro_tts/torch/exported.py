"""Kokoro of the published kind and layout with very few numbers: published, fetched, exported."""

import hashlib
import io
from pathlib import Path

import pytest
import torch

from rt_avatar.commands.cli import main
from rt_avatar.engines.networks.styletts2.config import CONFIGS
from rt_avatar.engines.published_files import RELEASES, PublishedFile, Release
from tests.engines.networks.styletts2.tiny import KOK, checkpoint, lean

NAMES = [Path(file.path).stem for file in RELEASES["kokoro-82m"].files[1:]]


def content(value: object) -> bytes:
    file = io.BytesIO()
    torch.save(value, file)
    return file.getvalue()


def table(name: str) -> torch.Tensor:
    torch.manual_seed(NAMES.index(name))
    return 0.15 * torch.randn(510, 1, 2 * KOK.style)


def published_files() -> dict[str, bytes]:
    """What is published, of few numbers: a network, and tables by the names of voices."""
    parts = checkpoint(lean(KOK))
    parts = {part: {key: (1.0 if "fc.weight" in key else 0.1) * value  # styles are to be heard
                    for key, value in keys.items()} for part, keys in parts.items()}  # fmt: skip
    durations = parts["predictor"]
    for key in ("weight", "bias"):  # 50 sigmoids: a sound has 4.15 frames
        name = f"module.duration_proj.linear_layer.{key}"
        durations[name] = torch.full_like(durations[name], -2.4 if key == "bias" else 0.0)
    made = {"kokoro-v1_0.pth": content(parts)}
    return made | {f"voices/{name}.pt": content(table(name)) for name in NAMES}


def release(address: str, files: dict[str, bytes]) -> Release:
    """Return what a server has, as it is published."""
    return Release(
        address,
        tuple(
            PublishedFile(path, len(data), hashlib.sha256(data).hexdigest())
            for path, data in files.items()
        ),
    )


def export(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Path:
    """Export it, with random weights unless ``words`` say otherwise; return its folder."""
    monkeypatch.setitem(CONFIGS, "kokoro", lean(KOK))
    words = words or ("--random",)
    assert main(["engines", "export", "kokoro", "--folder", str(folder), *words]) == 0
    return folder / "kokoro"
