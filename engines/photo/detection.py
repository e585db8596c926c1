"""Find one face and its landmarks in a picture with what OpenCV carries: no network, no download.

1. The frontal cascade finds the face, also in pictures that are tilted.
2. The irises are the darkest discs near where the eye cascade finds eyes.
3. A mean face is laid on the irises; the lips' line and corners are then looked for near it.

Source: P. Viola, M. Jones, "Rapid object detection using a boosted cascade of simple features",
CVPR 2001, for the cascades.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.photo.errors import PortraitError
from rt_avatar.engines.photo.landmarks import (
    IRIS_RADIUS,
    NOT_FOUND,
    Frame,
    Landmarks,
    Points,
    found_landmarks,
    frame_of,
    mean_landmarks,
)
from rt_avatar.engines.types import Image

Gray = NDArray[np.uint8]  # (height, width)
_Found: TypeAlias = dict[str, tuple[float, float]]  # name → x, y in canonical pixels

_SEARCH_PX: Final = 900  # longer side of the picture in which faces are looked for
_TILTS_DEG: Final = (0, -15, 15, -30, 30)
_STRAIGHT: Final = 1.1  # of two equally likely tilts, none
_AGREE, _AGREE_LARGE = 5, 2  # neighbouring hits that make a face
RIVAL: Final = 0.55  # a second face of this share of the first one's width is a second person
_RIVAL_AGREE: Final = 0.3  # … on which this share of its hits agree
# Canonical view: the face upright, this many pixels between the irises, the origin at _AT.
_UNIT: Final = 100
_AT: Final = (200, 200)
_VIEW_PX: Final = 400
MIN_UNIT_PX: Final = 24  # between the irises; a sharp mouth needs as much


def find_landmarks(picture: Image) -> Landmarks:
    """Find the landmarks of the one face in a picture.

    Args:
        picture: (height, width, 3) RGB.

    Raises:
        PortraitError: There is no face, several, or one too small; says how to mend it.
    """
    gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    frame = _find_irises(gray)
    check_size(frame)
    return found_landmarks(_fit_mouth(picture, frame))


def check_size(frame: Frame) -> None:
    """Refuse a face that is too small to be moved.

    Raises:
        PortraitError: It is.
    """
    if frame.unit < MIN_UNIT_PX:
        raise PortraitError(
            f"picture: expected a face with {MIN_UNIT_PX} pixels or more between the eyes; got "
            f"{frame.unit:.0f}; take a picture from nearer, or a larger copy of it"
        )


def _find_irises(gray: Gray) -> Frame:
    height, width = gray.shape
    scale = min(1.0, _SEARCH_PX / max(height, width))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    # Fewer hits make a face where it is large and nothing else is found.
    best = _surest(small, _AGREE, 40) or _surest(small, _AGREE_LARGE, max(small.shape) // 5)
    if best is None:
        raise PortraitError(NOT_FOUND)
    people, *eyes = best
    if people > 1:
        raise PortraitError(f"picture: expected one face; got {people}; cut the picture to the one")
    rough = frame_of(*(eye / scale for eye in eyes))
    irises = (rough.to_pixels(np.array([x, 0.0])) for x in (-0.5, 0.5))
    return frame_of(*(_refine_iris(gray, eye, rough.unit) for eye in irises))


def _surest(gray: Gray, agree: int, least_px: int) -> tuple[int, Points, Points] | None:
    """Return how many faces there are in the likeliest tilt, and the eyes of the surest.

    Args:
        gray: In which they are looked for.
        agree: Neighbouring hits that make a face.
        least_px: Its least width.
    """
    best, surest = None, 0.0
    for tilt in _TILTS_DEG:
        turn = cv2.getRotationMatrix2D((gray.shape[1] / 2, gray.shape[0] / 2), tilt, 1.0)
        turned = cv2.warpAffine(gray, turn, (gray.shape[1], gray.shape[0])) if tilt else gray
        boxes, hits = _cascade("frontalface_alt2").detectMultiScale2(
            turned, 1.1, agree, minSize=(least_px, least_px)
        )
        if not len(boxes):
            continue
        first = int(np.argmax(hits))
        # The straighter a face, the more windows of the cascade agree on it.
        sure = float(hits[first]) * (1 if tilt else _STRAIGHT)
        if sure > surest:
            back = cv2.invertAffineTransform(turn) if tilt else np.eye(2, 3)
            right, left = (back @ (*eye, 1.0) for eye in _eyes(turned, boxes[first]))
            people = sum(
                box[2] > RIVAL * boxes[first][2] and hit > _RIVAL_AGREE * hits[first]
                for box, hit in zip(boxes, hits, strict=True)
            )
            best, surest = (people, right, left), sure
    return best


def _eyes(gray: Gray, face: Sequence[int]) -> tuple[tuple[float, float], ...]:
    """Return the middles of the eye on the picture's left and on its right."""
    left, top, width, height = (int(n) for n in face)
    usual = [(left + share * width, top + 0.39 * height) for share in (0.31, 0.69)]
    upper = gray[top + height // 6 : top + int(0.58 * height), left : left + width]
    zoom = 240 / width
    upper = cv2.equalizeHist(cv2.resize(upper, None, fx=zoom, fy=zoom))
    found = _cascade("eye_tree_eyeglasses").detectMultiScale(
        upper, 1.1, 2, minSize=(32, 32), maxSize=(90, 90)
    )
    eyes = []
    for usual_x, usual_y in usual:
        near = []
        for x, y, w, h in found:
            place = left + (x + w / 2) / zoom, top + height // 6 + (y + h / 2) / zoom
            away = np.hypot(place[0] - usual_x, place[1] - usual_y) / width
            if away < 0.12:
                near.append((away, place))
        eyes.append(min(near)[1] if near else (usual_x, usual_y))
    return tuple(eyes)


def _refine_iris(gray: Gray, eye: NDArray[np.float64], unit: float) -> NDArray[np.float64]:
    """Return the middle of the darkest disc of an iris's size near ``eye``."""
    radius = 10.0
    zoom = radius / (IRIS_RADIUS * unit)
    side = 81
    place = np.array(
        [[zoom, 0, side / 2 - zoom * eye[0]], [0, zoom, side / 2 - zoom * eye[1]]], np.float64
    )
    patch = cv2.warpAffine(gray, place, (side, side), borderMode=cv2.BORDER_REPLICATE)
    patch = cv2.GaussianBlur(patch, (0, 0), 1.2).astype(np.float32)
    y, x = np.mgrid[-16:17, -16:17]
    away = np.hypot(x, y)
    disc = (away < radius - 1).astype(np.float32)
    # The lids hide the ring above and below: what lies left and right must be brighter.
    ring = ((away > radius + 1) & (away < radius + 6) & (np.abs(y) < 6)).astype(np.float32)
    contrast = cv2.filter2D(patch, -1, ring / ring.sum() - disc / disc.sum())
    y, x = np.mgrid[:side, :side] - side / 2
    contrast -= 0.05 * contrast.std() * (np.hypot(x, 1.4 * y) / 4) ** 2
    row, column = np.unravel_index(int(np.argmax(contrast)), contrast.shape)
    return eye + (np.array([column, row]) + 0.5 - side / 2) / zoom


def _fit_mouth(picture: Image, frame: Frame) -> dict[str, NDArray[np.float64]]:
    """Return the mean face with the mouth as the picture has it."""
    view = canonical_view(picture, frame)
    lab = cv2.cvtColor(cv2.GaussianBlur(view, (0, 0), 1.5), cv2.COLOR_RGB2LAB).astype(np.float32)
    light, red = lab[..., 0], lab[..., 1]
    cheeks = red[_AT[1] + 45 : _AT[1] + 80, _AT[0] - 60 : _AT[0] + 60]
    lips = red - float(np.median(cheeks))
    # Rows: lips are redder than the skin and their line is darker than what is above and below.
    rows = np.arange(75, 150)
    middle = lips[_AT[1] + rows, _AT[0] - 25 : _AT[0] + 26].mean(1)
    weight = np.exp(-(((rows - 112) / 16.0) ** 2) / 2)
    dark = light[_AT[1] + rows, _AT[0] - 22 : _AT[0] + 23].mean(1)
    dark = cv2.GaussianBlur(dark[:, None], (0, 0), 12)[:, 0] - dark
    score = (_standard(middle) + _standard(dark)) * weight
    smooth = cv2.GaussianBlur(score[:, None], (0, 0), 5)[:, 0]
    y = int(rows[int(np.argmax(smooth))])
    points = mean_landmarks(frame, y / 112)
    found = _teeth_edges(lab) or _lip_edges(lips, light, y)
    if "left_mouth" in found:
        return points | _in_pixels(found, frame)
    found |= _mouth_corners(lips, light, y, found)
    return points | _in_pixels(found, frame)


def _in_pixels(found: _Found, frame: Frame) -> dict[str, NDArray[np.float64]]:
    return {name: frame.to_pixels(np.array(at) / _UNIT) for name, at in found.items()}


def _teeth_edges(lab: NDArray[np.float32]) -> _Found:
    """Return the lips' edges and corners of a smile with teeth, nothing of any other mouth."""
    top, left, right = _AT[1] + 78, _AT[0] - 56, _AT[0] + 56
    mouth = lab[top : _AT[1] + 145, left:right]
    cheeks = lab[_AT[1] + 45 : _AT[1] + 75, _AT[0] - 55 : _AT[0] + 55].reshape(-1, 3)
    skin = np.median(cheeks, axis=0)
    chroma = np.hypot(*(mouth[..., 1:] - 128).transpose(2, 0, 1))
    is_tooth = (chroma < 0.62 * np.hypot(*(skin[1:] - 128))) & (mouth[..., 0] > 0.75 * skin[0])
    is_tooth = cv2.morphologyEx(is_tooth.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 5)))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(is_tooth)
    best = max(range(1, count), key=lambda at: int(stats[at, cv2.CC_STAT_AREA]), default=0)
    x, _, width, height, area = (int(n) for n in stats[best])
    if not best or area < 250 or width < 36 or height > 40 or abs(middles[best][0] - 56) > 14:
        return {}
    rows = np.flatnonzero((labels == best)[:, 50:62].mean(1) > 0.5)
    if len(rows) < 5:
        return {}
    # Gums and shadow are no teeth yet: the upper lip begins where it is redder again.
    red = cv2.GaussianBlur(mouth[:, 48:64, 1].mean(1)[:, None], (0, 0), 1)[:, 0]
    above = red[max(0, rows[0] - 22) : rows[0]]
    least, most = float(red[rows].min()), float(above.max(initial=float(red[rows].min())))
    first = int(rows[0])
    while first > rows[0] - 16 and first > 0 and red[first] < 0.5 * (least + most):
        first -= 1
    upper, lower = float(first + 79), float(rows[-1] + 79)
    found: _Found = {
        "lip_top": (0.0, upper - 9), "lip_upper": (0.0, upper), "lip_lower": (0.0, lower),
        "lip_bottom": (0.0, lower + 15),
    }  # fmt: skip
    for name, edge, sign in (("right_mouth", x, -1), ("left_mouth", x + width, 1)):
        # Beyond the last tooth that is seen comes a dark corner.
        band = mouth[max(0, first - 10) : rows[-1], :, 0]
        start = int(np.clip(edge, 0, 111))
        outward = [at for at in range(start, start + 24 * sign, sign) if 1 < at < 110]
        if not outward:  # what is bright reaches beyond any mouth
            return {}
        dark = [at for at in outward if band[:, at].min() < 0.8 * skin[0]]
        end = dark[-1] if dark else outward[min(4, len(outward) - 1)]
        row = float(np.argmin(band[:, end - 3 * sign])) + max(0, first - 10) + 78
        found[name] = (float(end - 56), min(row, upper + 4))
    return found


def _lip_edges(lips: NDArray[np.float32], light: NDArray[np.float32], y: int) -> _Found:
    """Return the four edges of the lips in the middle, nothing where the lips do not stand out."""
    rows = np.arange(y - 26, y + 34)
    red = lips[_AT[1] + rows, _AT[0] - 9 : _AT[0] + 10].mean(1)
    line = light[_AT[1] + rows, _AT[0] - 9 : _AT[0] + 10].mean(1)
    split = 26 + int(np.argmin(line[20:33])) - 6
    upper, lower = int(np.argmax(red[10:30])) + 10, int(np.argmax(red[24:50])) + 24
    if lower - upper < 4:  # one red band: its darkest row parts it
        upper = lower = split
    if min(red[upper], red[lower]) < 3:
        return {}
    top = upper
    while top > 2 and red[top] > 0.45 * red[upper]:
        top -= 1
    bottom = lower
    while bottom < len(red) - 3 and red[bottom] > 0.45 * red[lower]:
        bottom += 1
    inner = inner_low = split
    if lower - upper > 9:
        between = red[upper : lower + 1]
        level = 0.5 * (between.min() + min(red[upper], red[lower]))
        inside = np.flatnonzero(between < level)
        contrast = min(red[upper], red[lower]) - between.min()
        if len(inside) >= 6 and contrast > 4:
            inner, inner_low = upper + int(inside[0]), upper + int(inside[-1]) + 1
    inner, inner_low = max(inner, top + 3), min(inner_low, bottom - 4)
    if inner_low < inner:
        inner = inner_low = (inner + inner_low) // 2
    heights = {"lip_top": top, "lip_upper": inner, "lip_lower": inner_low, "lip_bottom": bottom}
    return {name: (0.0, float(rows[at])) for name, at in heights.items()}


def _mouth_corners(
    lips: NDArray[np.float32], light: NDArray[np.float32], y: int, edges: _Found
) -> _Found:
    """Return the corners: where the red of the lips ends to the sides."""
    band = lips[_AT[1] + y - 14 : _AT[1] + y + 12, _AT[0] - 62 : _AT[0] + 63]
    red = cv2.GaussianBlur(band.max(0)[None], (0, 0), 2)[0]
    level = 0.5 * float(np.median(red[62 - 20 : 62 + 21]))
    if level < 2:
        return {}
    found: _Found = {}
    for name, sign in (("left_mouth", 1), ("right_mouth", -1)):
        at = 24
        while at < 54 and red[62 + sign * at] > level:
            at += 1
        # The line between the lips is darkest at its ends.
        near = light[_AT[1] + y - 14 : _AT[1] + y + 12, _AT[0] + sign * (at - 3)]
        height = float(y - 14 + int(np.argmin(near)))
        middle = edges["lip_upper"][1] if "lip_upper" in edges else float(y)
        found[name] = (
            float(np.clip(sign * at, -54, 54)),
            float(np.clip(height, middle - 12, middle + 8)),
        )
    return found


def _standard(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return values with mean 0 and deviation 1."""
    scaled: NDArray[np.float32] = (values - values.mean()) / (values.std() + 1e-6)
    return scaled


def canonical_view(picture: Image, frame: Frame) -> Image:
    """Return the face upright, (400, 400, 3): 100 pixels an iris distance, origin at (200, 200)."""
    to_pixels = np.column_stack([frame.matrix / _UNIT, frame.origin])
    shift = np.array([[1, 0, -_AT[0]], [0, 1, -_AT[1]], [0, 0, 1]], np.float64)
    view: Image = cv2.warpAffine(
        picture,
        to_pixels @ shift,
        (_VIEW_PX, _VIEW_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return view


@cache
def _cascade(name: str) -> "cv2.CascadeClassifier":
    path = Path(cv2.__file__).parent / "data" / f"haarcascade_{name}.xml"
    cascade = cv2.CascadeClassifier(str(path))
    if cascade.empty():
        raise FileNotFoundError(
            f"portrait: expected the cascade {path}, which opencv-python-headless 4.x carries "
            "(5.x does not); install a version below 5"
        )
    return cascade
