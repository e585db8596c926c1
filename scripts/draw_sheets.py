"""Draw the contact sheets in docs/pictures: profiles, emotions, visemes, pose.

``python scripts/draw_sheets.py [FOLDER]``. Look at them after any change to the rig.
"""

import sys
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np

from engines.rig import LOOKS, RigEngine, listening_motion
from engines.types import BLENDSHAPE, MOTION_SIZE, PITCH, ROLL, YAW, Image, MotionFrame

Weights: TypeAlias = dict[str, float]
Cell: TypeAlias = tuple[str, Image]
LABEL_PX: Final = 20
INK: Final = (0x20, 0x22, 0x2A)
PAPER: Final = (0xE8, 0xE8, 0xF0)
# A name that ends in _ stands for both sides.
EMOTIONS: Final[dict[str, Weights]] = {
    "neutral": {},
    "happy": {
        "mouthSmile_": 0.85, "cheekSquint_": 0.6, "eyeSquint_": 0.25, "jawOpen": 0.24,
        "mouthUpperUp_": 0.2, "browInnerUp": 0.12, "browOuterUp_": 0.15,
    },
    "sad": {
        "mouthFrown_": 0.75, "browInnerUp": 0.95, "browDown_": 0.15, "eyeLookDown_": 0.35,
        "mouthShrugLower": 0.5, "eyeBlink_": 0.12, "mouthPress_": 0.2,
    },
    "angry": {
        "browDown_": 1.0, "eyeSquint_": 0.45, "mouthPress_": 0.75, "mouthFrown_": 0.4,
        "noseSneer_": 0.35, "jawForward": 0.3,
    },
    "surprised": {
        "browInnerUp": 0.75, "browOuterUp_": 0.9, "eyeWide_": 0.9, "jawOpen": 0.5,
        "mouthFunnel": 0.35,
    },
    "fear": {
        "browInnerUp": 1.0, "browOuterUp_": 0.35, "browDown_": 0.3, "eyeWide_": 0.8,
        "mouthStretch_": 0.7, "jawOpen": 0.2, "mouthLowerDown_": 0.3, "mouthFrown_": 0.3,
    },
    "disgusted": {
        "noseSneer_": 1.0, "browDown_": 0.65, "eyeSquint_": 0.6, "mouthUpperUp_": 0.7,
        "mouthFrown_": 0.45, "mouthLowerDown_": 0.1, "mouthShrugUpper": 0.2, "cheekSquint_": 0.4,
    },
    "contempt": {
        "mouthSmileLeft": 0.62, "mouthDimpleLeft": 0.7, "mouthPressLeft": 0.4,
        "browOuterUpLeft": 0.5, "browDownRight": 0.3, "eyeSquint_": 0.35, "eyeLookDown_": 0.1,
        "cheekSquintLeft": 0.3,
    },
}  # fmt: skip
VISEMES: Final[dict[str, Weights]] = {
    "rest": {},
    "p b m": {"mouthPress_": 0.6, "mouthRollUpper": 0.45, "mouthRollLower": 0.5},
    "f v": {"mouthRollLower": 0.75, "mouthUpperUp_": 0.5, "jawOpen": 0.08},
    "ah": {"jawOpen": 0.68, "mouthLowerDown_": 0.15},
    "ee": {
        "mouthSmile_": 0.35, "mouthStretch_": 0.45, "jawOpen": 0.13, "mouthLowerDown_": 0.45,
        "mouthUpperUp_": 0.3,
    },
    "oh": {"jawOpen": 0.28, "mouthFunnel": 0.55, "mouthPucker": 0.6},
    "th l": {"jawOpen": 0.2, "tongueOut": 0.32, "mouthLowerDown_": 0.2},
    "ch sh": {
        "mouthFunnel": 0.7, "jawOpen": 0.06, "mouthUpperUp_": 0.25, "mouthLowerDown_": 0.35,
    },
}  # fmt: skip
# What of the picture the sheets show: rows, columns.
FACE: Final = (slice(24, 464), slice(36, 476))
MOUTH: Final = (slice(150, 420), slice(121, 391))
# Yaw, pitch and roll in degrees.
POSES: Final = ((-15, 0, 0), (15, 0, 0), (0, -12, 0), (0, 12, 0), (12, -6, 8))


def motion_of(
    weights: Weights, yaw: float = 0.0, pitch: float = 0.0, roll: float = 0.0
) -> MotionFrame:
    """Return the motion frame of some weights and a pose in degrees: (73,)."""
    motion = np.zeros(MOTION_SIZE, np.float32)
    for name, weight in weights.items():
        stem = name.removesuffix("_")
        for full in (stem,) if stem == name else (stem + "Left", stem + "Right"):
            motion[BLENDSHAPE[full]] = weight
    motion[[YAW, PITCH, ROLL]] = np.radians([yaw, pitch, roll])
    return motion


def sheet(cells: list[Cell], columns: int, tile_px: int) -> Image:
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
    profiles = [(look, stream.rgb(listening_motion())) for look, stream in streams.items()]
    save(sheet(profiles, 4, 256), folder / "profiles.png")
    moods = [(name, motion_of(weights)) for name, weights in EMOTIONS.items()]
    moods.append(("listening", listening_motion()))
    faces = [(name, ava.rgb(motion)[FACE]) for name, motion in moods]
    save(sheet(faces, 3, 288), folder / "emotions.png")
    mouths = [(name, ava.rgb(motion_of(weights))[MOUTH]) for name, weights in VISEMES.items()]
    save(sheet(mouths, 4, 256), folder / "visemes.png")
    poses = [
        (f"yaw {y} pitch {p} roll {r}", stream.rgb(motion_of({"mouthSmile_": 0.2}, y, p, r)))
        for stream in (ava, tom)
        for y, p, r in POSES
    ]
    save(sheet(poses, 5, 216), folder / "pose.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/pictures"))
