"""Draw the contact sheets in docs/pictures: personas, emotions, visemes, pose.

``python scripts/draw_sheets.py [FOLDER]``. Look at them after any change to the rig.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np

from rt_avatar.engines.motion.channels import weights
from rt_avatar.engines.motion.emotions import expression_of, head_of
from rt_avatar.engines.motion.visemes import DRIVEN, VISEMES
from rt_avatar.engines.rig import LOOKS, RigEngine, listening_motion
from rt_avatar.engines.types import (
    ARKIT,
    EMOTIONS,
    MOTION_SIZE,
    PITCH,
    ROLL,
    YAW,
    FaceStyle,
    Image,
    MotionFrame,
)

Cell: TypeAlias = tuple[str, Image]
LABEL_PX: Final = 20
INK: Final = (0x20, 0x22, 0x2A)
PAPER: Final = (0xE8, 0xE8, 0xF0)
# Sounds that differ most to the eye: what the sheet calls them, and their viseme.
SOUNDS: Final[dict[str, str]] = {
    "rest": "pause", "p b m": "bilabial", "f v": "labiodental", "ah": "ah", "ee": "ee",
    "oh": "oh", "th": "dental", "ch sh": "hush",
}  # fmt: skip
# What of the picture the sheets show: rows, columns.
FACE: Final = (slice(24, 464), slice(36, 476))
MOUTH: Final = (slice(150, 420), slice(121, 391))
# Yaw, pitch and roll in degrees.
POSES: Final = ((-15, 0, 0), (15, 0, 0), (0, -12, 0), (0, 12, 0), (12, -6, 8))


def posed(yaw: float, pitch: float, roll: float) -> MotionFrame:
    """Return a slight smile at an angle (degrees): (73,)."""
    motion = np.zeros(MOTION_SIZE, np.float32)
    motion[: len(ARKIT)] = weights({"mouthSmile": 0.2})
    motion[[YAW, PITCH, ROLL]] = np.radians([yaw, pitch, roll])
    return motion


def feeling(style: FaceStyle) -> MotionFrame:
    """Return the face of a feeling, head and all: (73,)."""
    motion = np.zeros(MOTION_SIZE, np.float32)
    motion[: len(ARKIT)] = expression_of(style)
    motion[[PITCH, YAW, ROLL]] = head_of(style)
    return motion


def sound(viseme: str) -> MotionFrame:
    """Return the face of a sound: (73,)."""
    motion = np.zeros(MOTION_SIZE, np.float32)
    motion[DRIVEN] = VISEMES[viseme].target
    return motion


def sheet(cells: Sequence[Cell], columns: int, tile_px: int) -> Image:
    """Lay pictures out in rows, each with its name below it."""
    rows = -(-len(cells) // columns)
    row_px = tile_px + LABEL_PX
    page = np.full((rows * row_px, columns * tile_px, 3), INK, np.uint8)
    for index, (name, picture) in enumerate(cells):
        top, left = index // columns * row_px, index % columns * tile_px
        small = cv2.resize(picture, (tile_px, tile_px), interpolation=cv2.INTER_AREA)
        page[top : top + tile_px, left : left + tile_px] = small
        at = left + 7, top + tile_px + 14
        cv2.putText(page, name, at, cv2.FONT_HERSHEY_DUPLEX, 0.42, PAPER, 1, cv2.LINE_AA)
    return page


def save(page: Image, path: Path) -> None:
    """Write a page as a PNG."""
    options = [cv2.IMWRITE_PNG_COMPRESSION, 9]
    cv2.imwrite(str(path), cv2.cvtColor(page, cv2.COLOR_RGB2BGR), options)


def main(folder: Path) -> None:
    """Draw all four sheets into ``folder``."""
    engine = RigEngine()
    streams = {look: engine.open(look) for look in LOOKS}
    ava, tom = streams["ava"], streams["tom"]
    personas = [(look, stream.rgb(listening_motion())) for look, stream in streams.items()]
    save(sheet(personas, 4, 256), folder / "personas.png")
    moods: list[tuple[str, MotionFrame]] = [
        (name, feeling(FaceStyle(name, 0.95))) for name in EMOTIONS
    ]
    moods.insert(1, ("listening", listening_motion()))
    moods.append(("sad 0.6: concern", feeling(FaceStyle("sad", 0.6))))
    faces = [(name, ava.rgb(motion)[FACE]) for name, motion in moods]
    save(sheet(faces, 5, 208), folder / "emotions.png")
    mouths = [(name, ava.rgb(sound(viseme))[MOUTH]) for name, viseme in SOUNDS.items()]
    save(sheet(mouths, 4, 256), folder / "visemes.png")
    poses = [
        (f"yaw {y} pitch {p} roll {r}", stream.rgb(posed(y, p, r)))
        for stream in (ava, tom)
        for y, p, r in POSES
    ]
    save(sheet(poses, 5, 216), folder / "pose.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/pictures"))
