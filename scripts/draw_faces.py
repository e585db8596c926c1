"""Draw one look as the rig, the network and the photograph renderer move it: a contact sheet.

    python scripts/draw_faces.py ENGINES docs/pictures/neural-face.png

``ENGINES`` is a folder of ``rt-avatar engines export nano``. A row each: the drawing, the network,
the warp; the look is the one that the network's training holds out.
"""

import sys
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rt_avatar.benchmarks.quality.face import methods
from rt_avatar.engines.motion.emotions import expression_of
from rt_avatar.engines.types import (
    BLENDSHAPE,
    I420,
    MOTION_SIZE,
    PITCH,
    ROLL,
    YAW,
    FaceStyle,
    Image,
    MotionFrame,
)

_REPEATS: Final = 14  # frames of the same motion, so that a window of it is whole


def motions() -> list[MotionFrame]:
    """Return rest, sounds, a blink, feelings and turns."""
    shown = [{}, {"jawOpen": 0.5}, {"mouthPucker": 0.8, "jawOpen": 0.15}, {"eyeBlink": 1.0}]
    posed = [np.zeros(MOTION_SIZE, np.float32) for _ in range(len(shown))]
    for motion, weights in zip(posed, shown, strict=True):
        for name, weight in weights.items():
            for row in (name, name + "Left", name + "Right"):
                if row in BLENDSHAPE:
                    motion[BLENDSHAPE[row]] = weight
    for emotion in ("happy", "sad", "surprised"):
        posed.append(np.zeros(MOTION_SIZE, np.float32))
        posed[-1][: len(BLENDSHAPE)] = expression_of(FaceStyle(emotion, 1.0))
    for pitch, yaw, roll in ((0.0, 0.22, 0.0), (0.12, -0.15, 0.08)):
        posed.append(np.zeros(MOTION_SIZE, np.float32))
        posed[-1][[PITCH, YAW, ROLL]] = pitch, yaw, roll
    return posed


def main(engines: Path, out: Path) -> None:
    """Write the sheet."""
    makers = methods(engines)
    rows = []
    for name in ("drawn", "network", "warp"):
        pictures: list[Image] = []
        for motion in motions():
            stream = makers[name]()
            for _ in range(_REPEATS):
                (planes,) = stream.push(motion)
            pictures.append(rgb(planes))
        rows.append(np.hstack(pictures))
    cv2.imwrite(str(out), cv2.cvtColor(np.vstack(rows), cv2.COLOR_RGB2BGR))


def rgb(planes: I420) -> Image:
    """Return a picture of a call as RGB."""
    picture: Image = cv2.cvtColor(planes, cv2.COLOR_YUV2RGB_I420)
    return picture


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
