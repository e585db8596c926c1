"""What the pose does to the picture: the right way, and without tearing."""

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from rt_avatar.engines.rig import LOOKS, RigEngine, RigStream
from rt_avatar.engines.rig.portrait import Portrait
from rt_avatar.engines.types import (
    BLENDSHAPE,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SHIFT_X,
    SHIFT_Y,
    YAW,
    MotionFrame,
)

pytestmark = pytest.mark.unit

SIZE_PX = 256
CHIN_PX = 160
FIFTEEN = float(np.radians(15))


def posed(**rows: float) -> MotionFrame:
    index = {"pitch": PITCH, "yaw": YAW, "roll": ROLL, "x": SHIFT_X, "y": SHIFT_Y}
    motion = np.zeros(MOTION_SIZE, np.float32)
    for name, value in rows.items():
        motion[index[name]] = value
    return motion


@pytest.fixture(scope="module")
def stream() -> RigStream:
    return RigEngine(SIZE_PX).open("finn")


def pupils(stream: RigStream, motion: MotionFrame) -> list[tuple[float, float]]:
    """Middle (x, y) of the dark of each eye, from the viewer's left."""
    luma = stream.push(motion)[0][:SIZE_PX]
    box = luma[96:164, 76:180] < 40
    rows, columns = np.nonzero(box)
    middle = (columns.min() + columns.max()) / 2
    return [
        (float(columns[half].mean()), float(rows[half].mean()))
        for half in (columns < middle, columns >= middle)
    ]


@pytest.mark.parametrize(
    ("row", "value", "axis"),
    [("yaw", 0.2, 0), ("pitch", 0.2, 1), ("x", 0.08, 0), ("y", 0.08, 1)],
)
def test_the_face_moves_the_way_the_pose_says(
    stream: RigStream, row: str, value: float, axis: int
) -> None:
    back, rest, there = (
        np.mean(pupils(stream, posed(**{row: sign * value})), axis=0)[axis] for sign in (-1, 0, 1)
    )
    assert back + 2 < rest < there - 2


def test_a_leaning_head_lowers_the_eye_on_its_side(stream: RigStream) -> None:
    for roll in (-0.2, 0.2):
        (_, left), (_, right) = pupils(stream, posed(roll=roll))
        assert (right - left) * roll > 0
        assert abs(right - left) > 5


def test_small_turns_move_the_picture_without_jumps(stream: RigStream) -> None:
    frames = [
        stream.push(posed(roll=0.002 * step, yaw=0.001 * step))[0][:SIZE_PX].astype(int)
        for step in range(30)
    ]
    steps = [np.abs(b - a).mean() for a, b in pairwise(frames)]
    assert max(steps) < 1.6 * float(np.median(steps))


def test_breathing_moves_the_shoulders_too(stream: RigStream) -> None:
    low = stream.push(posed(y=0.02))[0][:SIZE_PX].astype(int)
    rest = stream.push(posed())[0][:SIZE_PX].astype(int)
    assert np.abs(low - rest)[220:].max() > 20


@pytest.mark.parametrize("look", LOOKS)
def test_no_wall_shows_through_the_head(look: str) -> None:
    green = ("#00FF00", "#00FF00", "#00FF00")
    # Without glasses: one rightly sees the wall through a lens beyond the cheek.
    portrait = Portrait(replace(LOOKS[look], backdrop=green, glasses=""), SIZE_PX)
    for yaw in (-FIFTEEN, 0.0, FIFTEEN):
        for pitch, roll in ((0.0, 0.0), (FIFTEEN, 0.14), (-FIFTEEN, -0.14)):
            motion = posed(yaw=yaw, pitch=pitch, roll=roll)
            motion[BLENDSHAPE["jawOpen"]] = 0.5
            portrait.draw(motion)
            picture = portrait.canvas.rgb().astype(int)
            wall = picture[..., 1] - np.maximum(picture[..., 0], picture[..., 2]) > 60
            count, _, stats, _ = cv2.connectedComponentsWithStats(wall.astype(np.uint8))
            # Down to the chin, all of the wall that shows hangs together with the picture's edge.
            inside = [
                tuple(int(value) for value in stats[part])
                for part in range(1, count)
                if 0 < stats[part, cv2.CC_STAT_TOP] < CHIN_PX
                and stats[part, cv2.CC_STAT_LEFT] > 0
                and stats[part, cv2.CC_STAT_LEFT] + stats[part, cv2.CC_STAT_WIDTH] < SIZE_PX
            ]
            assert inside == [], f"yaw {yaw:.2f} pitch {pitch:.2f} roll {roll:.2f}"
