"""Nano's two modules as they come with the package: what ``rt-avatar train nano`` made."""

from importlib import resources
from pathlib import Path
from typing import Final

from rt_avatar.engines.networks.fusion.config import NANO_DISENTANGLER, NANO_SYNCHRONIZER
from rt_avatar.engines.networks.fusion.disentangler import StyleDisentangler
from rt_avatar.engines.networks.fusion.synchronizer import ContentSynchronizer
from rt_avatar.engines.networks.loading import load_strict
from rt_avatar.engines.networks.trained import read_trained

_FOLDER: Final = Path(str(resources.files("rt_avatar.engines.networks.fusion") / "weights"))
WEIGHTS: Final = _FOLDER / "nano.safetensors"


def load_fusion() -> tuple[ContentSynchronizer, StyleDisentangler]:
    """Return both, ready to run."""
    parts = read_trained(WEIGHTS)
    synchronizer = ContentSynchronizer(NANO_SYNCHRONIZER)
    disentangler = StyleDisentangler(NANO_DISENTANGLER)
    load_strict(synchronizer, parts["synchronizer"])
    load_strict(disentangler, parts["disentangler"])
    return synchronizer.eval(), disentangler.eval()
