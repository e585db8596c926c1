"""Nano's renderer as it comes with the package: what ``rt-avatar train nano --stage face`` made."""

from importlib import resources
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(str(resources.files("rt_avatar.engines.networks.pirender") / "weights"))
WEIGHTS: Final = _FOLDER / "nano.safetensors"  # the parts pyramid and face
