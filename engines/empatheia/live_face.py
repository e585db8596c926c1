"""The network's renderer in a call: ``MotionFrame (73,)`` → ``I420 (size * 3 // 2, size)``.

One picture for each frame, at once: a call draws just in time, so that nothing of what is to come
is known and the newest frame stands for it. A frame that is not drawn (nothing moved, or half of
them are left out) is not seen by the renderer either.
"""

from collections.abc import Callable
from threading import Lock
from typing import Final

import cv2
import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.dreamtalk.pose import cropped_as_learnt
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.face import EncodedPortrait, FaceStream
from rt_avatar.engines.motion.space import ARKIT52, MotionSpace
from rt_avatar.engines.rig.expression import check_motion
from rt_avatar.engines.types import FPS, I420, Image, MotionFrame

_SPEC: Final = EngineSpec("network face", FPS, FPS, 1)
_PICKER_PX: Final = 256


class LiveFaceStream:
    """One caller's face. Not thread-safe."""

    def __init__(self, face: FaceStream, size_px: int, space: MotionSpace) -> None:
        self._face, self._size_px, self._space = face, size_px, space
        self._is_open = True

    def push(self, motion: MotionFrame) -> list[I420]:
        """Draw one frame.

        Args:
            motion: (73,) in the network's space; see ``engines.motion.space``.

        Returns:
            Exactly one fresh (size * 3 // 2, size) array.

        Raises:
            ValueError: The shape is wrong, or a number is not finite.
            RuntimeError: The stream is closed, or the graph failed.
        """
        if not self._is_open:
            raise RuntimeError("network face: expected an open stream, got a closed one")
        check_motion(motion)
        is_arkit = self._space is ARKIT52
        framed = cropped_as_learnt(motion) if is_arkit else motion.astype(np.float32)
        return [_planes(_scaled(picture, self._size_px)) for picture in self._face.push(framed)]

    def flush(self) -> list[I420]:
        """Return nothing: every frame came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Forget the motion."""
        self._face.reset()

    def close(self) -> None:
        """End the stream."""
        self._is_open = False
        self._face.close()


class LiveFace:
    """The renderer for all callers. ``open`` and ``portrait_png`` are safe from any thread.

    1. Looks at a portrait when its look is first opened, once a process.
    2. Draws the picker's pictures.

    Args:
        engines: The network.
        size_px: Side of the square picture, even.
        portrait_of: Look → portrait (px, px, 3) RGB of ``engines.manifest.face_px``; raises
            ``ValueError`` for a look that there is not. Asked once a look.
    """

    def __init__(
        self, engines: EmpatheiaEngines, size_px: int, portrait_of: Callable[[str], Image]
    ) -> None:
        if size_px % 2 or size_px < 2:
            raise ValueError(f"size_px: expected an even number from 2 on; got {size_px}")
        self._engine = engines.face(0, pose=None)
        self._space = engines.manifest.motion_space
        self._size_px, self._portrait_of = size_px, portrait_of
        self._portraits: dict[str, Image] = {}
        self._encoded_portraits: dict[str, EncodedPortrait] = {}
        self._lock = Lock()

    @property
    def spec(self) -> EngineSpec:
        """25 frames in, 25 pictures out, no look-ahead."""
        return _SPEC

    def warmup(self) -> None:
        """Draw nobody."""
        self._engine.warmup()

    def open(self, look: str = "ava") -> LiveFaceStream:
        """Begin to draw that look.

        Raises:
            ValueError: There is no such look.
        """
        with self._lock:
            if look not in self._encoded_portraits:
                self._encoded_portraits[look] = self._engine.encode_portrait(self._portrait(look))
            encoded = self._encoded_portraits[look]
        return LiveFaceStream(self._engine.open_portrait(encoded), self._size_px, self._space)

    def portrait_png(self, look: str) -> bytes:
        """Return the portrait that is moved, as a PNG.

        Raises:
            ValueError: There is no such look.
        """
        with self._lock:
            picture = _scaled(self._portrait(look), _PICKER_PX)
        done, data = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
        if not done:
            raise RuntimeError(f"portrait {look}: the PNG encoder refused {picture.shape}")
        png: bytes = data.tobytes()
        return png

    def _portrait(self, look: str) -> Image:
        if look not in self._portraits:
            self._portraits[look] = self._portrait_of(look)
        return self._portraits[look]


def _scaled(picture: Image, size_px: int) -> Image:
    if picture.shape[0] == size_px:
        return picture
    way = cv2.INTER_AREA if size_px < picture.shape[0] else cv2.INTER_CUBIC
    scaled: Image = cv2.resize(picture, (size_px, size_px), interpolation=way)
    return scaled


def _planes(picture: Image) -> I420:
    planes: I420 = cv2.cvtColor(picture, cv2.COLOR_RGB2YUV_I420)  # BT.601 limited
    return planes
