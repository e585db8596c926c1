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
    MOTION_SIZE,
    PITCH,
    ROLL,
    YAW,
    Emotion,
    FaceStyle,
    Image,
    MotionFrame,
)

_FEELINGS: Final[tuple[Emotion, ...]] = ("happy", "surprised")
_CELL_PX: Final = 200
_REPEATS: Final = 14  # frames of the same motion, so that a window of it is whole


def motions() -> list[MotionFrame]:
    """Return rest, an open mouth, a blink, two feelings and a turned head."""
    shown: list[dict[str, float]] = [{}, {"jawOpen": 0.6}, {"eyeBlinkLeft": 1, "eyeBlinkRight": 1}]
    posed = [np.zeros(MOTION_SIZE, np.float32) for _ in range(6)]
    for motion, weights in zip(posed, shown, strict=False):
        for name, weight in weights.items():
            motion[BLENDSHAPE[name]] = weight
    for motion, emotion in zip(posed[3:], _FEELINGS, strict=False):
        motion[: len(BLENDSHAPE)] = expression_of(FaceStyle(emotion, 1.0))
    posed[5][[PITCH, YAW, ROLL]] = 0.1, -0.2, 0.08
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
            picture = cv2.cvtColor(planes, cv2.COLOR_YUV2RGB_I420)
            pictures.append(cv2.resize(picture, (_CELL_PX,) * 2, interpolation=cv2.INTER_AREA))
        rows.append(np.hstack(pictures))
    cv2.imwrite(str(out), cv2.cvtColor(np.vstack(rows), cv2.COLOR_RGB2BGR))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
