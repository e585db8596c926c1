"""The photographed face as an engine: motion in, video frames out, one for one.

``MotionFrame (73,) -> I420 (size * 3 // 2, size)``, BT.601 limited range. Knows nothing of calls,
turns or time.
"""

from threading import Lock
from typing import Final

import cv2

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.photo.face_file import FaceFile
from rt_avatar.engines.photo.portrait import PhotoPortrait
from rt_avatar.engines.rig.expression import check_motion
from rt_avatar.engines.types import FPS, I420, Image, MotionFrame

_SPEC: Final = EngineSpec("photo", FPS, FPS, 1)


class PhotoStream:
    """One caller's face. Drawing keeps no state: a stream costs next to no memory."""

    def __init__(self, portrait: PhotoPortrait) -> None:
        self._portrait: PhotoPortrait | None = portrait

    def push(self, motion: MotionFrame) -> list[I420]:
        """Draw one frame.

        Args:
            motion: (73,) ARKit weights 0 to 1, rows 52 to 63 ignored, then the pose; see
                ``engines.types``. Weights and pose are clipped to what can be shown.

        Returns:
            Exactly one fresh (size * 3 // 2, size) array.

        Raises:
            ValueError: The shape is wrong, or a number is not finite.
            RuntimeError: The stream is closed.
        """
        return [cv2.cvtColor(self.rgb(motion), cv2.COLOR_RGB2YUV_I420)]

    def rgb(self, motion: MotionFrame) -> Image:
        """Draw one frame as a fresh (size, size, 3) RGB picture; raises as ``push`` does."""
        if self._portrait is None:
            raise RuntimeError("photo stream: expected an open stream, got a closed one")
        check_motion(motion)
        return self._portrait.draw(motion)

    def flush(self) -> list[I420]:
        """Return nothing: every frame came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Do nothing: there is no state."""

    def close(self) -> None:
        """Give back the share in the prepared face."""
        self._portrait = None


class PhotoEngine:
    """One photographed face that follows 52 blendshapes and a pose.

    Prepares the face when it is first opened, once a process, and shares it between streams.
    ``open`` and ``portrait_png`` are safe from any thread.

    Args:
        face: Whose.
        size_px: Side of the square picture, even.
    """

    def __init__(self, face: FaceFile, size_px: int = 512) -> None:
        self._face, self._size_px = face, size_px
        self._portrait: PhotoPortrait | None = None
        self._lock = Lock()

    @property
    def spec(self) -> EngineSpec:
        """25 frames in, 25 frames out, no look-ahead."""
        return _SPEC

    def warmup(self) -> None:
        """Prepare the face."""
        self.open().close()

    def open(self) -> PhotoStream:
        """Open a stream."""
        with self._lock:
            if self._portrait is None:
                self._portrait = PhotoPortrait(*self._face.at_size(self._size_px))
        return PhotoStream(self._portrait)

    def portrait_png(self, size_px: int = 256) -> bytes:
        """Return the picture as it is, as a PNG of ``size_px`` squared."""
        picture, _ = self._face.at_size(size_px)
        done, data = cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
        if not done:
            raise RuntimeError(f"portrait: the PNG encoder refused a {size_px} px picture")
        png: bytes = data.tobytes()
        return png
