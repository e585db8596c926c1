"""The rig as an engine: motion in, video frames out, one for one.

``MotionFrame (73,) -> I420 (size * 3 // 2, size)``, BT.601 limited range. Knows nothing of calls,
turns or time.
"""

from threading import Lock
from typing import Final

import cv2
import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.rig.expression import check_motion
from rt_avatar.engines.rig.looks import find_look
from rt_avatar.engines.rig.portrait import Portrait
from rt_avatar.engines.types import (
    BLENDSHAPE,
    FPS,
    I420,
    MOTION_SIZE,
    ROLL,
    YAW,
    Image,
    MotionFrame,
)

# The face of the picker: it listens. Weights and angles (radians) as chosen on the sheets.
_LISTENING: Final[dict[str, float]] = {
    "mouthSmileLeft": 0.34, "mouthSmileRight": 0.32, "browInnerUp": 0.22, "browOuterUpLeft": 0.16,
    "browOuterUpRight": 0.16, "eyeSquintLeft": 0.06, "eyeSquintRight": 0.06, "eyeWideLeft": 0.08,
    "eyeWideRight": 0.08,
}  # fmt: skip
_SPEC: Final = EngineSpec("rig", FPS, FPS, 1)
MIN_SIZE_PX: Final = 64
MAX_SIZE_PX: Final = 2048


def listening_motion() -> MotionFrame:
    """Return the motion frame of a friendly, listening face: (73,)."""
    motion = np.zeros(MOTION_SIZE, np.float32)
    for name, weight in _LISTENING.items():
        motion[BLENDSHAPE[name]] = weight
    motion[YAW], motion[ROLL] = 0.06, -0.05
    return motion


class _Studio:
    """A baked look and the lock that keeps two threads off its canvas."""

    def __init__(self, look: str, size_px: int) -> None:
        self.portrait = Portrait(find_look(look), size_px)
        self.lock = Lock()


class RigStream:
    """One caller's face. Drawing keeps no state: a stream costs next to no memory."""

    def __init__(self, studio: _Studio) -> None:
        self._studio: _Studio | None = studio

    def push(self, motion: MotionFrame) -> list[I420]:
        """Draw one frame.

        Args:
            motion: (73,) ARKit weights 0 to 1, rows 52 to 63 ignored, then the pose; see
                ``engines.types``. Weights and pose are clipped to what can be drawn.

        Returns:
            Exactly one fresh (size * 3 // 2, size) array.

        Raises:
            ValueError: The shape is wrong, or a number is not finite.
            RuntimeError: The stream is closed.
        """
        studio = self._open_studio()
        check_motion(motion)
        with studio.lock:
            studio.portrait.draw(motion)
            return [studio.portrait.canvas.i420()]

    def rgb(self, motion: MotionFrame) -> Image:
        """Draw one frame as a fresh (size, size, 3) RGB picture; raises as ``push`` does."""
        studio = self._open_studio()
        check_motion(motion)
        with studio.lock:
            studio.portrait.draw(motion)
            return studio.portrait.canvas.rgb()

    def flush(self) -> list[I420]:
        """Return nothing: every frame came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Do nothing: there is no state."""

    def close(self) -> None:
        """Give back the share in the baked look."""
        self._studio = None

    def _open_studio(self) -> _Studio:
        if self._studio is None:
            raise RuntimeError("rig stream: expected an open stream, got a closed one")
        return self._studio


class RigEngine:
    """A vector portrait that follows 52 blendshapes and a pose.

    1. Bakes a look when it is first opened, once a process, and shares it between streams.
    2. Draws the picker's pictures.

    ``open`` and ``portrait_png`` are safe from any thread.

    Args:
        size_px: Side of the square picture, even, 64 to 2048.
    """

    def __init__(self, size_px: int = 512) -> None:
        if size_px % 2 or not MIN_SIZE_PX <= size_px <= MAX_SIZE_PX:
            raise ValueError(
                f"size_px: expected an even number {MIN_SIZE_PX} to {MAX_SIZE_PX}, got {size_px}"
            )
        self._size_px = size_px
        self._studios: dict[str, _Studio] = {}
        self._pictures: dict[tuple[str, int], bytes] = {}
        self._lock = Lock()

    @property
    def spec(self) -> EngineSpec:
        """25 frames in, 25 frames out, no look-ahead."""
        return _SPEC

    def warmup(self, look: str = "ava") -> None:
        """Bake a look and draw it once."""
        self.open(look).push(listening_motion())

    def open(self, look: str = "ava") -> RigStream:
        """Open a stream that draws ``look``.

        Raises:
            ValueError: There is no such look; the message lists all.
        """
        find_look(look)
        with self._lock:
            studio = self._studios.get(look)
            if studio is None:
                studio = self._studios[look] = _Studio(look, self._size_px)
        return RigStream(studio)

    def portrait_png(self, look: str, size_px: int = 256) -> bytes:
        """Return a look's friendly, listening face as a PNG of ``size_px`` squared.

        The picture is kept; a look that nobody opened is not.

        Raises:
            ValueError: There is no such look, or the size is not 16 to 2048.
        """
        find_look(look)
        if not 16 <= size_px <= MAX_SIZE_PX:
            raise ValueError(f"size_px: expected 16 to {MAX_SIZE_PX}, got {size_px}")
        key = look, size_px
        with self._lock:
            known, studio = self._pictures.get(key), self._studios.get(look)
        if known is not None:
            return known
        studio = studio or _Studio(look, self._size_px)
        picture = RigStream(studio).rgb(listening_motion())
        is_smaller = size_px < self._size_px
        scaled = cv2.resize(
            picture,
            (size_px, size_px),
            interpolation=cv2.INTER_AREA if is_smaller else cv2.INTER_CUBIC,
        )
        done, data = cv2.imencode(".png", cv2.cvtColor(scaled, cv2.COLOR_RGB2BGR))
        if not done:
            raise RuntimeError(f"portrait {look}: the PNG encoder refused a {size_px} px picture")
        png: bytes = data.tobytes()
        with self._lock:
            self._pictures[key] = png
        return png


def draw_portrait(look: str, size_px: int) -> Image:
    """Return a look at rest (size_px, size_px, 3) RGB; nothing of what it takes is kept.

    Raises:
        ValueError: There is no such look.
    """
    return RigEngine(size_px).open(look).rgb(np.zeros(MOTION_SIZE, np.float32))
