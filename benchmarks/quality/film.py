"""Any talking-head video with sound: pictures and sound in, the mouth found and held still.

For drawn and filmed faces alike: OpenCV's cascade finds the face, the upper half of it holds the
picture still, and the mouth is where the lower half changes most.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.cascades import Cascades, Gray
from rt_avatar.engines.media_file import (
    FILMS,
    MediaError,
    open_media,
    pictures_of,
    sound_of,
)
from rt_avatar.engines.types import INPUT_RATE_HZ, Image, Pcm
from rt_avatar.errors import BadInputError

LONGEST_S: Final = 120.0  # of a clip that is looked at: memory, and nobody needs more
FACE_PX: Final = 128  # side of the face that is kept still
_SMALLEST: Final = 0.15  # of the picture's height; smaller faces have no mouth to speak of
_HIGHEST_PX: Final = 360  # faces are looked for in pictures no larger
_EVERY: Final = 5  # pictures between two looks for the face
_LEAST_SEEN: Final = 0.3  # of the looks that must find one
_CALM: Final = 5  # looks over whose median and mean the box is smoothed: 1 s at 25 fps
_UPPER: Final = (slice(30, 92), slice(20, 108))  # eyes and nose in a face of FACE_PX …
_MOST_PX: Final = 12  # … move no further than this against the box; else it was a blink
_CLEAR: Final = 0.1  # of the correlation's peak
# Where mouths are in the cascade's boxes: .61 to .85 of the height for eight drawn faces, .76 to
# .83 for seven filmed ones, all within .4 to .6 of the width.
_MOUTHS: Final = (slice(76, 114), slice(50, 78))
_MOUTH: Final = (12, 16, 18)  # rows above and below, columns to either side of its middle


@dataclass(frozen=True, slots=True)
class Film:
    """A video in memory.

    Attributes:
        pictures: RGB, all of one size.
        times_s: (pictures,) the middle of the time that each is shown; 0 is the sound's first.
        pcm: (samples,) at 16 kHz; empty without sound.
        fps: Mean rate.
    """

    pictures: list[Image]
    times_s: NDArray[np.float64]
    pcm: Pcm
    fps: float


def read_film(path: Path) -> Film:
    """Read at most two minutes of a video.

    Raises:
        BadInputError: It cannot be read or has fewer than two pictures.
    """
    try:
        pictures, times = _pictures(path)
        pcm, begin_s = _sound(path)
    except MediaError as error:
        raise BadInputError(f"clip {error}") from error
    if len(pictures) < 2:
        raise BadInputError(f"clip {path}: expected a video, got {len(pictures)} pictures")
    period = float(np.median(np.diff(times)))
    return Film(pictures, np.array(times) + period / 2 - begin_s, pcm, 1 / period)


def _pictures(path: Path) -> tuple[list[Image], list[float]]:
    pictures: list[Image] = []
    times: list[float] = []
    with open_media(path, "a video", FILMS) as file:
        for frame in pictures_of(file):
            if frame.time is None or frame.time > LONGEST_S:
                break
            pictures.append(frame.to_ndarray(format="rgb24"))
            times.append(frame.time)
    return pictures, times


def _sound(path: Path) -> tuple[Pcm, float]:
    """Return the sound at 16 kHz and the time of its first sample."""
    resampler = av.AudioResampler("flt", "mono", INPUT_RATE_HZ)
    parts: list[Pcm] = []
    begin_s = 0.0
    with open_media(path, "a video", FILMS) as file:
        if not file.streams.audio:
            return np.zeros(0, np.float32), 0.0
        for frame in sound_of(file):
            if frame.time is not None and frame.time > LONGEST_S:
                break
            if not parts:
                begin_s = frame.time or 0.0
            parts += [out.to_ndarray()[0] for out in resampler.resample(frame)]
    parts += [out.to_ndarray()[0] for out in resampler.resample(None)]
    return np.concatenate(parts) if parts else np.zeros(0, np.float32), begin_s


def still_faces(pictures: list[Image]) -> NDArray[np.uint8]:
    """Return the face of every picture, cut out and held still: (pictures, 128, 128) grey.

    Raises:
        BadInputError: No face is seen in most of the pictures.
    """
    greys = [cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in pictures]
    faces = [_cut(grey, box) for grey, box in zip(greys, face_boxes(greys), strict=True)]
    rows, columns = _UPPER
    first = faces[0][rows, columns].astype(np.float32)
    taper = cv2.createHanningWindow(first.shape[::-1], cv2.CV_32F)
    still = []
    for face in faces:
        upper = face[rows, columns].astype(np.float32)
        (x, y), clear = cv2.phaseCorrelate(first, upper, taper)
        if clear < _CLEAR or max(abs(x), abs(y)) > _MOST_PX:
            x = y = 0.0
        back = np.array([[1, 0, -x], [0, 1, -y]])
        still.append(
            cv2.warpAffine(face, back, (FACE_PX, FACE_PX), borderMode=cv2.BORDER_REPLICATE)
        )
    return np.array(still)


def mouths_of(faces: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the mouths in still faces: (pictures, rows, columns) grey, where most changes."""
    changes = cv2.GaussianBlur(faces.std(axis=0), (0, 0), 4)
    rows, columns = _MOUTHS
    part = changes[rows, columns]
    y, x = np.unravel_index(int(part.argmax()), part.shape)
    middle_y, middle_x = int(y) + rows.start, int(x) + columns.start
    above, below, aside = _MOUTH
    cut: NDArray[np.float64] = faces[
        :, middle_y - above : middle_y + below, middle_x - aside : middle_x + aside + 1
    ].astype(np.float64)
    return cut


def face_boxes(greys: list[Gray]) -> Iterator[tuple[float, float, float, float]]:
    """Yield a calm box (left, top, width, height) of the face for every picture.

    Raises:
        BadInputError: No face is seen in most of the pictures.
    """
    cascades = Cascades()
    height = greys[0].shape[0]
    scale = max(1.0, height / _HIGHEST_PX)
    looks = list(range(0, len(greys), _EVERY))
    found: dict[int, tuple[float, ...]] = {}
    for at in looks:
        small = cv2.resize(greys[at], None, fx=1 / scale, fy=1 / scale) if scale > 1 else greys[at]
        least = max(24, int(_SMALLEST * small.shape[0]))
        box = cascades.frontal(small, least, min(small.shape))
        if box is not None:
            found[at] = tuple(scale * value for value in box)
    if len(found) < max(1, _LEAST_SEEN * len(looks)):
        raise BadInputError(
            f"clip: expected one face that looks at the camera, saw one in {len(found)} of "
            f"{len(looks)} pictures"
        )
    rows = np.array(
        [np.interp(looks, list(found), side) for side in zip(*found.values(), strict=True)]
    )
    calm = _mean(_median(rows))
    every = np.array([np.interp(np.arange(len(greys)), looks, side) for side in calm])
    yield from every.T.tolist()


def _cut(grey: Gray, box: tuple[float, float, float, float]) -> Gray:
    left, top, width, height = box
    place = np.array(
        [
            [FACE_PX / width, 0, -left * FACE_PX / width],
            [0, FACE_PX / height, -top * FACE_PX / height],
        ]
    )
    face: Gray = cv2.warpAffine(grey, place, (FACE_PX, FACE_PX), flags=cv2.INTER_AREA)
    return face


def _windows(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    half = _CALM // 2
    padded = np.pad(rows, ((0, 0), (half, half)), "edge")
    windows: NDArray[np.float64] = np.lib.stride_tricks.sliding_window_view(padded, _CALM, axis=1)
    return windows


def _median(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.median(_windows(rows), axis=2))


def _mean(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.mean(_windows(rows), axis=2))
