"""Face files: one prepared photograph each, private to who made it.

A file holds the square picture, its landmarks, the day, and the digest of its uploader's key; an
empty file ``NAME.shared`` beside it says that every caller may use it. Folder and
files are readable by their owner alone.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.private_files import age_s, name_problem, write_private
from rt_avatar.engines.types import Image

SIDE_PX: Final = 512
_SUFFIX: Final = ".npz"
_SHARED: Final = ".shared"


@dataclass(frozen=True, slots=True)
class FaceFile:
    """One prepared face.

    Attributes:
        picture: (512, 512, 3) RGB.
        landmarks: In its pixels.
        created: The day, ISO 8601.
        owner: SHA-256 of the key of the caller who uploaded it; "": made by command.
    """

    picture: Image
    landmarks: Landmarks
    created: str
    owner: str = ""

    def at_size(self, size_px: int) -> tuple[Image, Landmarks]:
        """Return picture and landmarks at another size."""
        if size_px == SIDE_PX:
            return self.picture, self.landmarks
        how = cv2.INTER_AREA if size_px < SIDE_PX else cv2.INTER_CUBIC
        picture: Image = cv2.resize(self.picture, (size_px, size_px), interpolation=how)
        return picture, self.landmarks.mapped(size_px / SIDE_PX, (0.0, 0.0))


def check_name(name: str) -> str:
    """Return a name that can be a file's.

    Raises:
        PortraitError: It cannot.
    """
    if problem := name_problem(name):
        raise PortraitError(problem)
    return name


def save_face(folder: Path, name: str, face: FaceFile) -> Path:
    """Write a face file, mode 0600; one of that name is replaced when the new one is whole."""
    path = folder / f"{check_name(name)}{_SUFFIX}"
    data = io.BytesIO()
    np.savez_compressed(
        data,
        picture=face.picture,
        points=np.array(json.dumps(face.landmarks.as_dict())),
        made=np.array(face.created),
        owner=np.array(face.owner),
    )
    write_private(path, data.getvalue())
    return path


def load_face(folder: Path, name: str) -> FaceFile:
    """Read a face file.

    Raises:
        PortraitError: There is none of that name, or it is no face file.
    """
    path = folder / f"{check_name(name)}{_SUFFIX}"
    try:
        with np.load(path, allow_pickle=False) as file:
            picture, created = file["picture"], str(file["made"])
            points = json.loads(str(file["points"]))
            owner = _owner(file)
    except FileNotFoundError:
        raise _not_found(
            folder, name, f"; make it with rt-avatar portrait PICTURE --name {name}"
        ) from None
    except (KeyError, OSError, ValueError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise PortraitError(
            f"{path}: expected a face file; got {error}; make it anew with rt-avatar portrait"
        ) from error
    if picture.shape != (SIDE_PX, SIDE_PX, 3) or picture.dtype != np.uint8:
        raise PortraitError(
            f"{path}: expected a picture ({SIDE_PX}, {SIDE_PX}, 3) uint8; got {picture.shape} "
            f"{picture.dtype}; make it anew with rt-avatar portrait"
        )
    return FaceFile(picture, Landmarks(points), created, owner)


def read_owner(folder: Path, name: str) -> str | None:
    """Return a face file's ``owner``; None where there is no readable file."""
    try:
        with np.load(folder / f"{check_name(name)}{_SUFFIX}", allow_pickle=False) as file:
            return _owner(file)
    except (PortraitError, OSError, ValueError, EOFError, zlib.error, zipfile.BadZipFile):
        return None


def delete_face(folder: Path, name: str) -> None:
    """Delete a face file.

    Raises:
        PortraitError: There is none of that name.
    """
    path = folder / f"{check_name(name)}{_SUFFIX}"
    (folder / f"{name}{_SHARED}").unlink(missing_ok=True)
    try:
        path.unlink()
    except FileNotFoundError:
        raise _not_found(folder, name) from None


def face_names(folder: Path) -> list[str]:
    """Return the names of all face files."""
    return sorted(path.stem for path in folder.glob(f"*{_SUFFIX}"))


def face_age_s(folder: Path, name: str) -> float:
    """Return how many seconds ago a face file was written; 0 where there is none."""
    return age_s(folder / f"{name}{_SUFFIX}")


def share_face(folder: Path, name: str, *, is_shared: bool) -> None:
    """Let every caller use a face, or nobody else any more.

    Raises:
        PortraitError: There is none of that name.
    """
    load_face(folder, name)
    mark = folder / f"{name}{_SHARED}"
    if is_shared:
        mark.touch(mode=0o600)
    else:
        mark.unlink(missing_ok=True)


def shared_names(folder: Path) -> list[str]:
    """Return the names of all faces that are shared."""
    return sorted(path.stem for path in folder.glob(f"*{_SHARED}"))


def _owner(file: Mapping[str, NDArray[np.generic]]) -> str:
    """Return whose it is; files of before owners were kept have none."""
    return str(file["owner"]) if "owner" in file else ""


def _not_found(folder: Path, name: str, mend: str = "") -> PortraitError:
    known = ", ".join(face_names(folder)) or "none yet"
    return PortraitError(f"portrait: expected one of those made ({known}); got {name!r}{mend}")
