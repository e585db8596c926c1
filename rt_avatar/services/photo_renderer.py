"""The renderer with a photographed face: one persona wears it, the others are drawn."""

from pathlib import Path

from rt_avatar.config.settings import AvatarSettings
from rt_avatar.engines.contract import Stream
from rt_avatar.engines.photo import PhotoEngine, PortraitError
from rt_avatar.engines.photo.face_file import load_face
from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.types import I420, MotionFrame
from rt_avatar.errors import SetupError


class PhotoRenderer:
    """A ``Renderer``: the look ``avatar.persona`` is the photograph.

    Args:
        settings: Which face, and whose look it is.

    Raises:
        SetupError: There is no such face; says how to make it.
    """

    def __init__(self, settings: AvatarSettings) -> None:
        try:
            face = load_face(Path(settings.portraits_folder).expanduser(), settings.portrait)
        except PortraitError as error:
            raise SetupError(f"avatar.portrait: {error}") from error
        self._look = settings.persona
        self._photo = PhotoEngine(face, settings.size_px)
        self._rig = RigEngine(settings.size_px)

    def open(self, look: str) -> Stream[MotionFrame, I420]:
        """Begin to draw that look; raises ``ValueError`` when there is none."""
        return self._photo.open() if look == self._look else self._rig.open(look)

    def portrait_png(self, look: str) -> bytes:
        """Return a still portrait of a look."""
        if look == self._look:
            return self._photo.portrait_png()
        return self._rig.portrait_png(look)
