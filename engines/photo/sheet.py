"""A contact sheet: a face in its main motions, to look at before anybody else does."""

from typing import Final

import cv2
import numpy as np

from rt_avatar.engines.photo.face_file import SIDE_PX, FaceFile
from rt_avatar.engines.photo.portrait import PhotoPortrait
from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE, PITCH, ROLL, YAW, Image, MotionFrame

_CELL_PX: Final = 256
_COLUMNS: Final = 4
_NEAR: Final = np.s_[50:434, 64:448]
_ROWS: Final = {"yaw": YAW, "pitch": PITCH, "roll": ROLL}
# Shapes by name, for both sides where they have two; angles in radians.
_CELLS: Final[tuple[tuple[str, dict[str, float]], ...]] = (
    ("at rest", {}),
    ("blink", {"eyeBlink": 1}),
    ("ah", {"jawOpen": 0.6, "mouthLowerDown": 0.2}),
    ("ee", {"jawOpen": 0.12, "mouthStretch": 0.5, "mouthSmile": 0.3, "mouthLowerDown": 0.4,
            "mouthUpperUp": 0.3}),
    ("oo", {"jawOpen": 0.12, "mouthPucker": 0.8, "mouthFunnel": 0.3}),
    ("m", {"mouthPress": 0.5, "mouthRollLower": 0.3, "mouthRollUpper": 0.3}),
    ("f", {"jawOpen": 0.05, "mouthRollLower": 0.6, "mouthUpperUp": 0.4}),
    ("smile", {"mouthSmile": 0.8, "cheekSquint": 0.5, "eyeSquint": 0.3}),
    ("sad", {"mouthFrown": 0.7, "browInnerUp": 0.8, "eyeLookDown": 0.3}),
    ("angry", {"browDown": 0.9, "noseSneer": 0.4, "mouthPress": 0.4}),
    ("surprised", {"browInnerUp": 0.8, "browOuterUp": 0.9, "eyeWide": 0.9, "jawOpen": 0.35}),
    ("to the side", {"eyeLookOutLeft": 0.8, "eyeLookInRight": 0.8}),
    ("turned left", {"yaw": -0.21}),
    ("turned right", {"yaw": 0.21}),
    ("nodding", {"pitch": 0.2}),
    ("leaning", {"roll": 0.14}),
)  # fmt: skip


_STRIP: Final[tuple[dict[str, float], ...]] = (
    {},
    {"jawOpen": 0.3, "mouthLowerDown": 0.1},
    {"jawOpen": 0.55, "mouthLowerDown": 0.2},
    {"jawOpen": 0.12, "mouthStretch": 0.5, "mouthSmile": 0.3, "mouthLowerDown": 0.4},
    {"mouthPress": 0.5, "mouthRollLower": 0.3, "eyeBlink": 0.5},
    {"jawOpen": 0.1, "mouthPucker": 0.8, "mouthFunnel": 0.3, "eyeBlink": 1},
    {"eyeBlink": 0.5, "yaw": -0.05},
    {"mouthSmile": 0.4, "yaw": -0.1},
    {"mouthSmile": 0.8, "cheekSquint": 0.5, "eyeSquint": 0.3, "yaw": -0.1},
    {"mouthSmile": 0.6, "browInnerUp": 0.5, "yaw": -0.05},
    {"mouthSmile": 0.3, "yaw": 0.05},
    {"yaw": 0.03},
)  # fmt: skip
STRIP_FRAMES: Final = len(_STRIP)


def make_motion(values: dict[str, float]) -> MotionFrame:
    """Return a motion frame (73,) of shapes by name (without a side: both) and yaw, pitch, roll."""
    motion = np.zeros(MOTION_SIZE, np.float32)
    for name, value in values.items():
        rows = [_ROWS[name]] if name in _ROWS else _shapes(name)
        motion[rows] = value
    return motion


def draw_sheet(face: FaceFile) -> Image:
    """Return a face in its main motions, four by four."""
    picture, landmarks = face.at_size(SIDE_PX)
    portrait = PhotoPortrait(picture, landmarks)
    cells = []
    for text, values in _CELLS:
        near = portrait.draw(make_motion(values))[_NEAR]
        cell = cv2.resize(near, (_CELL_PX, _CELL_PX), interpolation=cv2.INTER_AREA)
        for colour, thick in (((20, 20, 20), 3), ((255, 255, 255), 1)):
            cv2.putText(
                cell, text, (8, 246), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, thick, cv2.LINE_AA
            )
        cells.append(cell)
    rows = [np.hstack(cells[at : at + _COLUMNS]) for at in range(0, len(cells), _COLUMNS)]
    return np.vstack(rows)


def draw_strip(face: FaceFile, size_px: int) -> Image:
    """Return ``STRIP_FRAMES`` pictures of a face in motion side by side, each ``size_px`` square.

    Played in a loop they speak, smile and blink.
    """
    portrait = PhotoPortrait(*face.at_size(SIDE_PX))
    pictures = [portrait.draw(make_motion(values)) for values in _STRIP]
    return np.hstack(
        [cv2.resize(one, (size_px, size_px), interpolation=cv2.INTER_AREA) for one in pictures]
    )


def _shapes(name: str) -> list[int]:
    if name in BLENDSHAPE:
        return [BLENDSHAPE[name]]
    return [BLENDSHAPE[f"{name}Left"], BLENDSHAPE[f"{name}Right"]]
