"""Photographs to learn from: an astronaut that scikit-image carries, and a folder of others.

A folder may hold pictures and clips; of a clip its first picture is taken. Who uses one sees to it
that weights may be made of them. One is held out: the last by name.
"""

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rt_avatar.engines import media_file
from rt_avatar.engines.photo.crop import crop_face
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.photo.picture import read_picture
from rt_avatar.engines.types import Image

_PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp")
_CLIPS: Final = (".mpg", ".mp4", ".webm")
_SMALLEST_PX: Final = 720  # longer side to which small pictures are enlarged for the search


class Photograph:
    """A face in a picture: of whom (a file's name), and where it is."""

    def __init__(self, name: str, picture: Image) -> None:
        scale = max(1.0, _SMALLEST_PX / max(picture.shape[:2]))
        self.name = name
        self.picture: Image = cv2.resize(
            picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC
        )
        self.landmarks = find_landmarks(self.picture)

    def square(self, side: int) -> tuple[Image, Landmarks]:
        """Return the face's square and the landmarks in it."""
        return crop_face(self.picture, self.landmarks, side)

    def varied(self, side: int, rng: np.random.Generator) -> tuple[Image, Landmarks]:
        """Return the square as another picture might show it: mirrored, nearer, lit otherwise."""
        square, landmarks = self.square(side)
        if rng.random() < 0.5:
            square, landmarks = np.ascontiguousarray(square[:, ::-1]), _mirrored(landmarks, side)
        angle, scale = rng.normal(0, 4), rng.uniform(0.92, 1.12)
        place = cv2.getRotationMatrix2D((side / 2, side / 2), angle, scale)
        place[:, 2] += rng.normal(0, 0.02 * side, 2)
        square = cv2.warpAffine(
            square, place, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        )
        points = {name: place[:, :2] @ at + place[:, 2] for name, at in landmarks.items()}
        gain, lift = rng.uniform(0.7, 1.25, 3) ** np.array(0.5), rng.normal(0, 12)
        light = rng.uniform(0.75, 1.2)
        lit = np.clip(square * (gain * light) + lift, 0, 255).astype(np.uint8)
        return lit, Landmarks(points)


def read_photographs(folder: Path | None) -> tuple[list[Photograph], list[Photograph]]:
    """Return the photographs to learn from, and the one that is held out where there are two.

    Raises:
        FileNotFoundError: There is no such folder.
        ValueError: A picture shows no face that can be used.
    """
    from skimage.data import astronaut  # of the extra 'train' alone

    found = [Photograph("astronaut", astronaut()[:300])]
    if folder is None:
        return found, []
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in (*_PICTURES, *_CLIPS):
            continue
        try:
            found.append(Photograph(path.name, _read(path)))
        except PortraitError as error:
            raise ValueError(f"{path}: {error}") from error
    return (found[:-1], found[-1:]) if len(found) > 1 else (found, [])


def _read(path: Path) -> Image:
    if path.suffix.lower() in _PICTURES:
        return read_picture(path.read_bytes())
    return media_file.read_picture(path)


def _mirrored(landmarks: Landmarks, side: int) -> Landmarks:
    """Return the landmarks of the mirrored picture: its left is the other side."""
    other = {"left": "right", "right": "left"}
    points = {}
    for name, (x, y) in landmarks.items():
        half, _, rest = name.partition("_")
        points[f"{other[half]}_{rest}" if half in other else name] = (side - 1 - x, y)
    return Landmarks(points)
