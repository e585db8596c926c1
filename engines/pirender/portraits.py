"""What a renderer sees in portraits, kept where its graph runs; frames of several in one run.

A portrait's maps are 26 MB at the published size, and the same for all of its frames: with a plan
they lie on the GPU (``engines.runtimes.device_portraits``), else in the host's memory.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
Maps: TypeAlias = Mapping[str, Floats]  # (1, C, H, W) each
Run: TypeAlias = Callable[[Mapping[str, NDArray[np.generic]]], Mapping[str, Floats]]

# By renderer: what its frames take beside the motion. The published one warps the portrait itself.
MAPS: Final[Mapping[str, tuple[str, ...]]] = {
    "pirender": ("source", "warp", "edit"),
    "pirender_nano": ("crisp", "quarter", "eighth", "smallest"),
}


class Portraits(Protocol):
    """The graph of frames with the memory of its portraits."""

    def keep(self, maps: Maps) -> Any:
        """Return a handle of a portrait's maps, which stay as long as the handle."""
        ...

    def draw(self, windows: Floats, portraits: Sequence[Any]) -> Floats:
        """Draw frames.

        Args:
            windows: (B, 73, 27) of motion.
            portraits: Whose frame each is, a handle of ``keep``.

        Returns:
            (B, 3, H, W) in -1..1.
        """
        ...


class HostPortraits:
    """The graph on a runtime that takes the host's arrays as they are."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def keep(self, maps: Maps) -> Maps:
        """Return the maps themselves."""
        return maps

    def draw(self, windows: Floats, portraits: Sequence[Maps]) -> Floats:
        """Draw frames, see ``Portraits``; of one alone nothing is copied."""
        first, *others = portraits
        maps = dict(first)
        if others:
            maps = {name: np.concatenate([each[name] for each in portraits]) for name in first}
        return self._run({**maps, "window": windows})["frame"]
