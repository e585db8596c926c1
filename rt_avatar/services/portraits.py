"""Portraits of callers: a face file kept under a name, and the key that its uploader alone has.

A name cannot be guessed, and does not suffice: of the key only the digest is on disk. Without it a
portrait is found only when the operator shares it (``rt-avatar portrait --share``).
"""

from contextlib import suppress
from dataclasses import replace
from typing import Final

from rt_avatar.config.settings import Settings
from rt_avatar.engines.motion.space import ARKIT52, MotionSpace
from rt_avatar.engines.photo import PhotoEngine, PortraitError
from rt_avatar.engines.photo.face_file import (
    FaceFile,
    delete_face,
    face_age_s,
    face_names,
    load_face,
    read_owner,
    save_face,
    shared_names,
)
from rt_avatar.errors import AdmissionError, BadInputError
from rt_avatar.files.home import expand_home
from rt_avatar.services.owner_key import digest_of, new_name_and_key, opens
from rt_avatar.services.photo_renderer import look_of

_DAY_S: Final = 86_400.0


class Portraits:
    """The face files of ``avatar.portraits_folder`` as callers may use them.

    Attributes:
        can_show: Whether what moves the face speaks ARKit's shapes, which photographs follow.
    """

    def __init__(self, settings: Settings, space: MotionSpace = ARKIT52) -> None:
        self._settings = settings.avatar
        self._folder = expand_home(settings.avatar.portraits_folder)
        self.can_show = space is ARKIT52 and settings.tts.kind != "sync_test"

    def kept(self) -> list[str]:
        """Return the names of all that are kept. Deletes what is too old. Blocking."""
        self.delete_old()
        return face_names(self._folder)

    def keep(self, face: FaceFile) -> tuple[str, str]:
        """Keep a caller's face; return its name and key. Deletes what is too old. Blocking.

        Raises:
            AdmissionError: As many are kept as may be.
        """
        if len(self.kept()) >= self._settings.max_portraits:
            raise AdmissionError(
                f"all {self._settings.max_portraits} places for portraits are taken "
                "(avatar.max_portraits)",
                reason="portraits_full",
            )
        name, key = new_name_and_key()
        save_face(self._folder, name, replace(face, owner=digest_of(key)))
        return name, key

    def find(self, name: str, key: str = "") -> str:
        """Return the look of a portrait that this key opens, or that is shared.

        Raises:
            BadInputError: There is none of that name, it is somebody else's, or none can be shown.
        """
        if not self.can_show:
            raise BadInputError(
                "portrait: expected none, since this server can show no photographs just now; got "
                "one; choose the own face",
                reason="uploads_off",
            )
        self._check_key(name, key)
        return look_of(name)

    def picture_png(self, name: str, key: str = "") -> bytes:
        """Return a portrait's picture as a PNG, so that its owner can delete it at any time.

        Raises:
            BadInputError: There is none of that name, or it is somebody else's.
        """
        self._check_key(name, key)
        try:
            return PhotoEngine(load_face(self._folder, name)).portrait_png()
        except PortraitError:  # deleted at this moment
            raise _not_found() from None

    def find_named(self, name: str) -> str:
        """Return the look of a portrait that the operator shares, or wears (``avatar.portrait``).

        Raises:
            BadInputError: There is none of that name, or it is private.
        """
        if not self.can_show or name not in (self._settings.portrait, *self.shared()) or not name:
            raise BadInputError(
                f"portrait: expected one that is shared, or avatar's own; got {name[:40]!r}",
                reason="no_portrait",
            )
        return look_of(name)

    def delete(self, name: str, key: str) -> None:
        """Delete a caller's portrait.

        Raises:
            BadInputError: There is none of that name, or it is somebody else's.
        """
        owner = read_owner(self._folder, name)
        if owner is None or not opens(key, owner):
            raise _not_found()
        try:
            delete_face(self._folder, name)
        except PortraitError:
            raise _not_found() from None

    def shared(self) -> tuple[str, ...]:
        """Return the names of shared portraits."""
        return tuple(shared_names(self._folder)) if self.can_show else ()

    def delete_old(self) -> None:
        """Delete callers' portraits that are older than ``avatar.portrait_days``; keep shared."""
        for name in set(face_names(self._folder)).difference(shared_names(self._folder)):
            is_old = face_age_s(self._folder, name) > self._settings.portrait_days * _DAY_S
            if is_old and read_owner(self._folder, name):
                with suppress(PortraitError):  # just deleted by somebody else
                    delete_face(self._folder, name)

    def _check_key(self, name: str, key: str) -> None:
        owner = read_owner(self._folder, name)
        if owner is None or not (name in self.shared() or opens(key, owner)):
            raise _not_found()


def _not_found() -> BadInputError:
    return BadInputError(
        "portrait: expected one of yours that is still kept, or a shared one; got another; use the "
        "photograph again",
        reason="no_portrait",
    )
