"""A folder of exported graphs to measure: the one that is given, or one made here and kept.

Made from torch, with the weights of the package; its own voice and motion are random, and cost as
much as if they had learnt.
Kept under ``~/.cache/rt-avatar/bench`` by a digest of all that makes them: a changed network
is exported anew; older ones are removed then.
"""

import hashlib
import importlib.metadata
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rt_avatar.engines.empatheia.export_manifest import ExportError, read_export_manifest
from rt_avatar.errors import SetupError

CACHE: Final = Path("~/.cache/rt-avatar/bench")
NEEDED: Final = ("torch", "onnx", "onnxscript", "transformers", "tokenizers")
TIMEOUT_S: Final = 600.0  # a slow machine takes two minutes
_ROOT: Final = Path(__file__).resolve().parents[2]
_SOURCES: Final = ("engines/networks", "engines/empatheia", "engines/styletts2", "trt_builders")
_KINDS: Final = ("*.py", "*.safetensors")
_EXPORT: Final = (
    "import sys; from rt_avatar.trt_builders.cli import main; "
    "sys.exit(main(['export', 'nano', '--folder', sys.argv[1]]))"
)


def why_not() -> str:
    """Return why nothing can be made of torch here; "" if it can."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if not missing:
        return ""
    return f"no {missing[0]} here to make it with (make install EXTRAS=train)"


def check(folder: Path) -> Path:
    """Return a folder of exports that somebody named.

    Raises:
        SetupError: There is no export in it, or not a whole one.
    """
    place = folder.expanduser()
    try:
        read_export_manifest(place, "empatheia" if (place / "empatheia").is_dir() else "nano")
    except ExportError as error:
        raise SetupError(f"--network: {error}") from error
    if find_spec("tokenizers") is None:
        raise SetupError(
            "--network: expected the package tokenizers, found none; make install EXTRAS=network"
        )
    return place


def workshop(cache: Path = CACHE) -> Path:
    """Return the folder of what is made from the networks as they are now; there may be none."""
    digest = hashlib.sha256()
    for source in _SOURCES:
        files = [file for kind in _KINDS for file in (_ROOT / source).rglob(kind)]
        for file in sorted(files):
            digest.update(file.read_bytes())
    for name in NEEDED:
        digest.update(importlib.metadata.version(name).encode())
    return cache.expanduser() / digest.hexdigest()[:16]


def export_nano(cache: Path = CACHE) -> Path:
    """Return a folder with nano's exports, made if there is none.

    Raises:
        SetupError: They could not be made; the message has the last words of who tried.
    """
    place = workshop(cache)
    folder = place / "engines"
    if folder.is_dir():
        return folder
    for old in place.parent.glob("*"):
        if old != place:
            shutil.rmtree(old, ignore_errors=True)
    unfinished = place / "unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    command = [sys.executable, "-c", _EXPORT, str(unfinished)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S, cwd=_ROOT
        )
    except subprocess.TimeoutExpired as error:
        raise SetupError(f"network: expected an export in {TIMEOUT_S:.0f} s; hangs") from error
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip()).splitlines() or ["it said nothing"]
        raise SetupError(f"network: expected its export, which failed: {words[-1]}")
    unfinished.replace(folder)
    return folder
