"""Make a face file of a photograph: a picture's bytes and corrected points → ``FaceFile``."""

import logging
from datetime import date

from rt_avatar.engines.photo.crop import crop_face
from rt_avatar.engines.photo.detection import check_size, find_landmarks
from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.photo.face_file import SIDE_PX, FaceFile
from rt_avatar.engines.photo.face_landmarker import (
    FETCHED,
    FaceLandmarker,
    FaceLandmarkerFileError,
)
from rt_avatar.engines.photo.landmarks import NAMES, Landmarks, read_points
from rt_avatar.engines.photo.picture import read_picture
from rt_avatar.engines.types import Image

_log = logging.getLogger(__name__)


def make_face(data: bytes, points: str | None = None) -> tuple[FaceFile, Image, Landmarks]:
    """Make a face of a photograph.

    Args:
        data: The picture's file.
        points: JSON of points by name that are put right by hand, in the picture's pixels; with
            all of them given, no face is looked for.

    Returns:
        The face, the picture as decoded, and the landmarks in its pixels.

    Raises:
        PortraitError: The picture or the points cannot be used.
    """
    picture = read_picture(data)
    given = {} if points is None else read_points(points)
    whole = set(NAMES) <= set(given)
    landmarks = Landmarks(given) if whole else find_face(picture).moved(given)
    check_size(landmarks.frame)
    shorter = min(picture.shape[:2])
    if landmarks.frame.unit > shorter:  # blurs are as wide as that, however small the picture is
        raise PortraitError(
            f"points: expected irises at most {shorter} pixels apart, the picture's shorter side; "
            f"got {landmarks.frame.unit:.0f}; drag them into the eyes"
        )
    square, placed = crop_face(picture, landmarks, SIDE_PX)
    return FaceFile(square, placed, date.today().isoformat()), picture, landmarks


def has_landmarker() -> bool:
    """Return whether MediaPipe's face landmarker was fetched."""
    return FETCHED.expanduser().is_file()


def find_face(picture: Image) -> Landmarks:
    """Find the landmarks of the one face: by MediaPipe's landmarker where it was fetched.

    Where it was not, cannot be read or finds nobody: by what OpenCV carries.

    Args:
        picture: (height, width, 3) RGB.

    Raises:
        PortraitError: There is no face, several, or one too small.
    """
    path = FETCHED.expanduser()
    found = None
    if has_landmarker():
        try:
            found = FaceLandmarker(path).find(picture)
        except FaceLandmarkerFileError as error:
            _log.warning("%s", error)
    if found is None:
        return find_landmarks(picture)
    check_size(found.frame)
    return found
