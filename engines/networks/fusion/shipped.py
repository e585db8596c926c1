"""Nano's two modules as they come with the package: what ``rt-avatar train nano`` made."""

from importlib import resources
from pathlib import Path
from typing import Final

from rt_avatar.engines.networks.fusion.config import NANO_DISENTANGLER, NANO_SYNCHRONIZER
from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.trained import read_parts

_FOLDER: Final = Path(str(resources.files("rt_avatar.engines.networks.fusion") / "weights"))
WEIGHTS: Final = (_FOLDER / "content.safetensors", _FOLDER / "style.safetensors")


def load_fusion() -> tuple[ContentSynchronizer, StyleDisentangler]:
    """Return both, ready to run."""
    parts = read_parts(WEIGHTS)
    synchronizer = ContentSynchronizer(NANO_SYNCHRONIZER)
    disentangler = StyleDisentangler(NANO_DISENTANGLER)
    load_strict(synchronizer, parts["synchronizer"].state)
    load_strict(disentangler, parts["disentangler"].state)
    return synchronizer.eval(), disentangler.eval()
