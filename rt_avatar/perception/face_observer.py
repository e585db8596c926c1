"""Face observer: camera image → ``FaceCue`` → the face's part of the affect, a few times a second.

It looks only at the latest image; without a camera it does nothing.
"""

from rt_avatar.engines.types import Image
from rt_avatar.perception.affect import AffectEstimator
from rt_avatar.services.engines import Engines


class FaceObserver:
    """The face observer of one caller."""

    def __init__(self, engines: Engines, affect: AffectEstimator) -> None:
        self._worker = engines.vision_worker
        self._stream = engines.face_cues.open()
        self._affect = affect

    async def look(self, image: Image) -> None:
        """Take in one image."""
        for cue in await self._worker.call(self._stream.push, image):
            self._affect.update_face(cue)

    def close(self) -> None:
        """Give back what the stream holds."""
        self._stream.close()
