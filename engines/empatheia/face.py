"""Motion → pictures of one portrait: the neural renderer as a stream, a frame at a time."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.dreamtalk.pose import STILL, PoseLoop
from rt_avatar.engines.pirender.portraits import Floats, Portraits, Run
from rt_avatar.engines.pirender.windows import MotionWindows, Windows, to_rgb
from rt_avatar.engines.types import FPS, MOTION_SIZE, Image, MotionFrame

EncodedPortrait: TypeAlias = Any  # a handle of ``Portraits``
Picture: TypeAlias = NDArray[np.uint8]  # (size, size, 3) RGB

_GREY: Final = 128


class FaceStream:
    """One caller's face. Not thread-safe."""

    def __init__(self, frames: Portraits, encoded: EncodedPortrait, windows: MotionWindows) -> None:
        self._frames, self._encoded, self._windows = frames, encoded, windows

    def push(self, item: MotionFrame) -> list[Picture]:
        """Take (73,) of the next frame; return the pictures whose windows are whole."""
        if item.shape != (MOTION_SIZE,):
            raise ValueError(f"face: expected motion ({MOTION_SIZE},); got {item.shape}")
        return self._draw(self._windows.push(item[None]))

    def flush(self) -> list[Picture]:
        """Return the pictures still due, as if the motion ended here."""
        return self._draw(self._windows.flush())

    def reset(self) -> None:
        """Forget the motion: the next frame is number 0."""
        self._windows.reset()

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()

    def _draw(self, windows: Windows) -> list[Picture]:
        pictures: list[Picture] = []
        for window in windows:
            frame = self._frames.draw(window[None], [self._encoded])
            pictures.append(to_rgb(frame)[0])
        return pictures


class FaceEngine:
    """The renderer for all callers.

    Args:
        portrait: Runs the graph of the portrait.
        frames: The graph of its frames, with the memory of portraits.
        maps: What that takes of a portrait beside the motion: of the portrait's graph, or the
            ``source`` itself, which the published renderer warps.
        size: Of portrait and picture, in pixels.
        lookahead: Frames of motion waited for.
        pose: The template by which poses to come are known; None: nobody knows them, and the
            newest stands for them.
    """

    def __init__(
        self,
        portrait: Run,
        frames: Portraits,
        maps: Sequence[str],
        size: int,
        lookahead: int = 2,
        pose: Floats | None = STILL,
    ) -> None:
        self._portrait, self._frames, self._maps, self._size = portrait, frames, maps, size
        self._lookahead = lookahead
        self._pose = None if pose is None else PoseLoop(pose)
        self.spec: Final = EngineSpec("face", FPS, FPS, 1, lookahead)

    def warmup(self) -> None:
        """Draw nobody."""
        stream = self.open()
        stream.push(np.zeros(MOTION_SIZE, np.float32))
        stream.flush()

    def open(self, portrait: Image | None = None) -> FaceStream:
        """Return a stream that moves a portrait.

        Args:
            portrait: (size, size, 3) RGB; None: plain grey.

        Raises:
            ValueError: It has another shape or type.
        """
        return self.open_portrait(self.encode_portrait(portrait))

    def encode_portrait(self, portrait: Image | None = None) -> EncodedPortrait:
        """Look at a portrait, once for all streams that will move it; as ``open`` otherwise."""
        shape = (self._size, self._size, 3)
        if portrait is None:
            portrait = np.full(shape, _GREY, np.uint8)
        if portrait.shape != shape or portrait.dtype != np.uint8:
            raise ValueError(
                f"face: expected a portrait {shape} uint8; got {portrait.shape} {portrait.dtype}"
            )
        scaled = portrait.astype(np.float32).transpose(2, 0, 1)[None] / 127.5 - 1
        source = {"source": np.ascontiguousarray(scaled)}
        seen = {**source, **self._portrait(source)}
        return self._frames.keep({name: seen[name] for name in self._maps})

    def open_portrait(self, encoded: EncodedPortrait) -> FaceStream:
        """Return a stream that moves a portrait that was looked at."""
        rows = None if self._pose is None else self._pose.rows
        return FaceStream(self._frames, encoded, MotionWindows(self._lookahead, rows))
