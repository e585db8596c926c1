"""Make a face file of a photograph: a picture's bytes and corrected points → ``FaceFile``."""

from datetime import date

from rt_avatar.engines.photo.crop import crop_face
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.face_file import SIDE_PX, FaceFile
from rt_avatar.engines.photo.landmarks import NAMES, Landmarks, read_points
from rt_avatar.engines.photo.picture import read_picture
from rt_avatar.engines.types import Image


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
    landmarks = Landmarks(given) if whole else find_landmarks(picture).moved(given)
    square, placed = crop_face(picture, landmarks, SIDE_PX)
    return FaceFile(square, placed, date.today().isoformat()), picture, landmarks
