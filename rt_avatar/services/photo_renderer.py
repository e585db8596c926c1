"""The renderer with photographed faces: ``portrait/NAME`` is a face file, all else is drawn."""

from typing import Final

from rt_avatar.config.settings import AvatarSettings
from rt_avatar.engines.contract import Stream
from rt_avatar.engines.photo import PhotoEngine, PortraitError
from rt_avatar.engines.photo.face_file import load_face
from rt_avatar.engines.types import I420, MotionFrame
from rt_avatar.errors import SetupError
from rt_avatar.files.home import expand_home
from rt_avatar.services.interfaces import Renderer

_PREFIX: Final = "portrait/"


def look_of(name: str) -> str:
    """Return the look of the face file of that name."""
    return _PREFIX + name


class PhotoRenderer:
    """A ``Renderer`` in front of the one that draws.

    A face file is read anew at each ``open``: what was deleted is not shown again.

    Args:
        settings: Where face files are, and which one ``avatar.persona`` wears, if one does.
        drawn: Draws every other look.

    Raises:
        SetupError: There is no such face; says how to make it.
    """

    def __init__(self, settings: AvatarSettings, drawn: Renderer) -> None:
        self._folder = expand_home(settings.portraits_folder)
        self._size_px = settings.size_px
        self._drawn = drawn
        self._worn: dict[str, PhotoEngine] = {}
        if settings.portrait:
            try:
                face = load_face(self._folder, settings.portrait)
            except PortraitError as error:
                raise SetupError(f"avatar.portrait: {error}") from error
            self._worn[settings.persona] = PhotoEngine(face, self._size_px)

    def open(self, look: str) -> Stream[MotionFrame, I420]:
        """Begin to draw that look.

        Raises:
            PortraitError: Its face file is not there, or is none.
            ValueError: There is no such look.
        """
        photo = self._photo(look)
        return self._drawn.open(look) if photo is None else photo.open()

    def portrait_png(self, look: str) -> bytes:
        """Return a still portrait of a look; raises as ``open`` does."""
        photo = self._photo(look)
        return self._drawn.portrait_png(look) if photo is None else photo.portrait_png()

    def _photo(self, look: str) -> PhotoEngine | None:
        if look.startswith(_PREFIX):
            face = load_face(self._folder, look.removeprefix(_PREFIX))
            return PhotoEngine(face, self._size_px)
        return self._worn.get(look)
