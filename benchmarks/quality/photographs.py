"""Photographs: is the face of each found, and does it move as a face should?

Of every picture of a folder: whether the cascades find its face, and how far their points are from
those of MediaPipe's face landmarker (where that was fetched); whether a shape, a pair of shapes or
a pose folds the face; whether lips shut for p, b and m; what stays of the picture above the brows
while the mouth speaks; and how sharp it is when it moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.metrics.image import cpbd, luma_of, ssim
from rt_avatar.benchmarks.metrics.lips import is_bilabial, shuts
from rt_avatar.benchmarks.quality.group import Group, percent, progress
from rt_avatar.benchmarks.quality.take import Studio, Take
from rt_avatar.benchmarks.result import percentile
from rt_avatar.engines.photo import PhotoPortrait, PortraitError
from rt_avatar.engines.photo.crop import crop_face
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.face_file import SIDE_PX
from rt_avatar.engines.photo.landmarks import Landmarks
from rt_avatar.engines.photo.picture import read_picture
from rt_avatar.engines.photo.prepare import find_face, has_landmarker
from rt_avatar.engines.photo.weights import MAX_ANGLE_RAD, MAX_ROLL_RAD
from rt_avatar.engines.types import ARKIT, MOTION_SIZE, PITCH, ROLL, YAW, MotionFrame
from rt_avatar.errors import BadInputError

_SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".webp")
_TEXT: Final = "Maybe my mother bought a big pumpkin pie for Bob and me."
_SHUT_PX: Final = 1.0  # pixels seen between the lips of a face of 512 that count as none
_EVERY: Final = 8  # pictures of the sentence that are compared with the photograph
# Points whose place is seen; which of them make a part of the face.
_PARTS: Final[dict[str, tuple[str, ...]]] = {
    "irises": ("left_iris", "right_iris"),
    "lids": ("left_eye_top", "left_eye_bottom", "right_eye_top", "right_eye_bottom"),
    "corners of the mouth": ("left_mouth", "right_mouth"),
    "lips": ("lip_top", "lip_upper", "lip_lower", "lip_bottom"),
    "chin": ("chin",),
}


@dataclass(slots=True)
class _Seen:
    """What was found over all photographs; names are those of the files."""

    unread: dict[str, str] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    apart: dict[str, list[float]] = field(default_factory=lambda: {part: [] for part in _PARTS})
    folds: dict[str, float] = field(default_factory=dict)
    shut: list[bool] = field(default_factory=list)
    open_at_rest: list[str] = field(default_factory=list)
    unmoved: dict[str, float] = field(default_factory=dict)
    sharp: list[float] = field(default_factory=list)


def photographs(studio: Studio, folder: Path, *, quick: bool) -> Group:
    """Return how photographed faces are found and move.

    Args:
        studio: Whose sentence they say.
        folder: Of pictures; what is no picture by its name is left out.
        quick: Whether every fourth must do.

    Raises:
        BadInputError: There are none.
    """
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES)
    if not files:
        raise BadInputError(f"{folder}: expected photographs ({', '.join(_SUFFIXES)}); got none")
    take = studio.say("mei", _TEXT)
    seen = _Seen()
    for path in progress(files[:: 4 if quick else 1], "photographs"):
        _look(seen, path, take)
    return _group(seen)


def _look(seen: _Seen, path: Path, take: Take) -> None:
    try:
        picture = read_picture(path.read_bytes())
        landmarks = find_face(picture)
        square, placed = crop_face(picture, landmarks, SIDE_PX)
    except PortraitError as error:
        seen.unread[path.name] = str(error)
        return
    if has_landmarker():
        try:
            _compare(seen, find_landmarks(picture), landmarks)
        except PortraitError:
            seen.missed.append(path.name)
    portrait = PhotoPortrait(square, placed)
    seen.folds[path.name] = min(
        least_determinant(moved, SIDE_PX / len(moved))
        for moved in map(portrait.displacement, _extremes())
    )
    opening = np.array([portrait.opening(motion) for motion in take.motion])
    seen.shut += shuts(opening, take.times_s, take.spans_s(is_bilabial), _SHUT_PX)
    rest = np.zeros(MOTION_SIZE, np.float32)
    if portrait.opening(rest) > _SHUT_PX:
        seen.open_at_rest.append(path.name)
    above = max(11, int(min(placed[f"{side}_brow_middle"][1] for side in ("left", "right"))))
    still, spoken = luma_of(square), [_straight(one) for one in take.motion[::_EVERY]]
    drawn = [luma_of(portrait.draw(motion)) for motion in spoken]
    seen.unmoved[path.name] = min(ssim(one[:above], still[:above]) for one in drawn)
    if (sharpness := cpbd(still)) > 0:
        moved = [luma_of(portrait.draw(motion)) for motion in take.motion[::_EVERY]]
        seen.sharp.append(float(np.mean([cpbd(one) for one in moved])) / sharpness)


def _compare(seen: _Seen, found: Landmarks, better: Landmarks) -> None:
    for part, names in _PARTS.items():
        far = [np.hypot(*(found[name] - better[name])) / better.frame.unit for name in names]
        seen.apart[part].append(float(np.mean(far)))


def least_determinant(displacement: NDArray[np.floating], step_px: float) -> float:
    """Return the least Jacobian determinant of where places come from; below 0 the picture folds.

    Args:
        displacement: (rows, columns, 2) how far each place came, in pixels.
        step_px: From one place to the next.
    """
    across = np.diff(displacement[:-1], axis=1) / -step_px
    down = np.diff(displacement[:, :-1], axis=0) / -step_px
    turned = across[..., 1] * down[..., 0]
    return float(((1 + across[..., 0]) * (1 + down[..., 1]) - turned).min())


def _extremes() -> list[MotionFrame]:
    """Return all shapes, all pairs of them, and all corners of the head's angles."""
    pairs = list(combinations_with_replacement(range(len(ARKIT)), 2))
    poses = list(product((-1, 0, 1), repeat=3))
    motions = np.zeros((len(pairs) + len(poses), MOTION_SIZE), np.float32)
    for row, pair in zip(motions, pairs, strict=False):
        row[list(pair)] = 1
    motions[len(pairs) :, [PITCH, YAW, ROLL]] = np.array(poses) * (
        MAX_ANGLE_RAD, MAX_ANGLE_RAD, MAX_ROLL_RAD,
    )  # fmt: skip
    return list(motions)


def _straight(motion: MotionFrame) -> MotionFrame:
    """Return a frame of which only the mouth is left."""
    moved = np.zeros_like(motion)
    rows = [row for row, name in enumerate(ARKIT) if name.startswith(("jaw", "mouth"))]
    moved[rows] = motion[rows]
    return moved


def _group(seen: _Seen) -> Group:
    tried = len(seen.unread) + len(seen.folds)
    rows = [
        ("photographs whose face is found", f"{len(seen.folds)} of {tried}",
         _few([f"{name}: {error}" for name, error in seen.unread.items()])),
    ]  # fmt: skip
    figures = {"photographs": float(tried), "photographs_found": float(len(seen.folds))}
    if compared := len(seen.apart["lips"]) + len(seen.missed):
        rows.append(
            ("  by the cascades, too", f"{len(seen.apart['lips'])} of {compared}",
             _few(seen.missed))
        )  # fmt: skip
        figures["photographs_found_by_cascades"] = float(len(seen.apart["lips"]))
        for part, far in seen.apart.items():
            if far:
                median, most = np.percentile(far, [50, 90])
                rows.append(
                    (f"  {part}, from the landmarker's", f"{median:.3f}",
                     f"of the distance of the irises; nine of ten within {most:.3f}")
                )  # fmt: skip
                figures[f"photograph_{part.replace(' ', '_')}_apart"] = float(median)
    if seen.folds:
        worst = min(seen.folds, key=lambda name: seen.folds[name])
        least = min(seen.unmoved, key=lambda name: seen.unmoved[name])
        rows += [
            ("least determinant of all motions", f"{seen.folds[worst]:.2f}",
             f"{worst}; shapes, pairs and poses; below 0 a face folds"),
            ("p, b, m with the lips shut", percent(float(np.mean(seen.shut))),
             f"{len(seen.shut)} sounds; open at rest: {_few(seen.open_at_rest) or 'none'}"),
            ("SSIM above the brows while it speaks", f"{seen.unmoved[least]:.3f}",
             f"least of all: {least}"),
            ("sharpness (CPBD) moved, of the picture's", f"{np.median(seen.sharp):.2f}",
             f"tenth from below {percentile(seen.sharp, 10):.2f}"),
        ]  # fmt: skip
        figures |= {
            "photograph_least_determinant": seen.folds[worst],
            "photograph_lips_shut_percent": 100 * float(np.mean(seen.shut)),
            "photograph_unmoved_ssim": seen.unmoved[least],
            "photograph_cpbd_share": float(np.median(seen.sharp)),
        }
    return Group(
        "photographs",
        rows,
        figures,
        higher_is_better=[key for key in figures if not key.endswith("_apart")],
        notes=(
            "Photographs: faces are found by MediaPipe's landmarker where it was fetched, else by "
            "the cascades; less than a pixel of 512 x 512 between lips counts as shut.",
        ),
    )


def _few(what: Sequence[str]) -> str:
    return "; ".join(what[:3]) + (f" and {len(what) - 3} more" if len(what) > 3 else "")
