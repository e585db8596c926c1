"""Where a point of the head lands on the canvas: pose in, points out.

Head space: origin between the eyes, x to the viewer's right, y down, z towards the viewer. Its
unit is the *head pixel*; 120 of them are a *head unit* (half the height from skull to chin of the
young woman). Roll is turned in the points and never on the canvas, because a turned canvas leaves
the fast fillers of the rasteriser.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.rig.curves import Curve, Point
from rt_avatar.engines.types import PITCH, ROLL, SHIFT_X, SHIFT_Y, YAW, MotionFrame

HEAD_UNIT: Final = 120.0  # head pixels
# The drawing is laid out on a 512 canvas: head pixels are scaled by this about this origin.
LAYOUT_PX: Final = 512
HEAD_SCALE: Final = 1.19
ORIGIN_X: Final = 256.0
ORIGIN_Y: Final = 246.0
# Beyond 20 degrees a face drawn from the front stops being believable.
MAX_ANGLE_RAD: Final = 0.35
# More shift would take the head off its neck.
MAX_SHIFT: Final = 0.25  # head units
# The face is an ellipsoid with these semi-axes, its middle slightly below the eyes.
FACE_X, FACE_Y, FACE_Z, FACE_MIDDLE_Y = 102.0, 156.0, 82.0, 4.0
# The head turns about this point and leans about the neck.
TURN_Y, TURN_Z, NECK_Y = 30.0, -10.0, 130.0
# Weak perspective: the eye is this far away, and unit size lies on this plane.
CAMERA, UNIT_PLANE = 930.0, 870.0
# A turning head also slides a little (canvas pixels of the 512 layout per radian).
SLIDE_YAW = 0.30 * 180 / math.pi
SLIDE_PITCH = 0.35 * 180 / math.pi


@dataclass(frozen=True, slots=True)
class Pose:
    """How the head is held, signs as in ``engines.types``.

    Attributes:
        pitch: Radians, +: chin down.
        yaw: Radians, +: towards the viewer's right.
        roll: Radians, +: leans to the viewer's right.
        shift_x: Head units, +: to the viewer's right.
        shift_y: Head units, +: down.
    """

    pitch: float = 0.0
    yaw: float = 0.0
    roll: float = 0.0
    shift_x: float = 0.0
    shift_y: float = 0.0


def pose_of(motion: MotionFrame) -> Pose:
    """Read the pose rows of a checked motion frame, clipped to what can be drawn."""

    def clip(row: int, limit: float) -> float:
        return max(-limit, min(limit, float(motion[row])))

    return Pose(
        clip(PITCH, MAX_ANGLE_RAD),
        clip(YAW, MAX_ANGLE_RAD),
        clip(ROLL, MAX_ANGLE_RAD),
        clip(SHIFT_X, MAX_SHIFT),
        clip(SHIFT_Y, MAX_SHIFT),
    )


def face_depth(x: float, y: float) -> float:
    """Return z of the face's surface at (x, y); 0 outside it."""
    rest = 1 - (x / FACE_X) ** 2 - ((y - FACE_MIDDLE_Y) / FACE_Y) ** 2
    return FACE_Z * math.sqrt(rest) if rest > 0 else 0.0


class Projection:
    """One frame's way from head space to *posed* head space, still in head pixels.

    The canvas then adds ``slide`` (512-layout pixels) and the scale. One object a frame.
    """

    def __init__(self, pose: Pose) -> None:
        self.pose = pose
        # Inside, pitch is positive with the chin up.
        self._cos_pitch, self._sin_pitch = math.cos(pose.pitch), -math.sin(pose.pitch)
        self._cos_yaw, self._sin_yaw = math.cos(pose.yaw), math.sin(pose.yaw)
        self._cos_roll, self._sin_roll = math.cos(pose.roll), math.sin(pose.roll)
        unit = HEAD_UNIT * HEAD_SCALE
        self.slide = (
            pose.yaw * SLIDE_YAW + pose.shift_x * unit,
            pose.pitch * SLIDE_PITCH + pose.shift_y * unit,
        )

    def at(self, x: float, y: float, z: float) -> Point:
        """Project a point of head space."""
        z -= TURN_Z
        y -= TURN_Y
        z1 = z * self._cos_yaw - x * self._sin_yaw
        near = UNIT_PLANE / (CAMERA - z1 * self._cos_pitch - y * self._sin_pitch)
        x2 = (x * self._cos_yaw + z * self._sin_yaw) * near
        y2 = (y * self._cos_pitch - z1 * self._sin_pitch) * near + (TURN_Y - NECK_Y)
        cos, sin = self._cos_roll, self._sin_roll
        return x2 * cos - y2 * sin, x2 * sin + y2 * cos + NECK_Y

    def upright(self, x: float, y: float, z: float) -> Point:
        """Project a point as ``at`` does, but without the roll."""
        x2, y2 = self.at(x, y, z)
        y2 -= NECK_Y
        cos, sin = self._cos_roll, self._sin_roll
        return x2 * cos + y2 * sin, y2 * cos - x2 * sin + NECK_Y

    def on_face(self, x: float, y: float, dz: float = 0.0) -> Point:
        """Project a point of the face's surface, raised by ``dz``."""
        rest = 1 - (x / FACE_X) ** 2 - ((y - FACE_MIDDLE_Y) / FACE_Y) ** 2
        return self.at(x, y, (FACE_Z * math.sqrt(rest) if rest > 0 else 0.0) + dz)

    def all(self, points: Curve) -> Curve:
        """Project many points at once: (n, 3) to (n, 2)."""
        x, y, z = points[:, 0], points[:, 1] - TURN_Y, points[:, 2] - TURN_Z
        z1 = z * self._cos_yaw - x * self._sin_yaw
        near = UNIT_PLANE / (CAMERA - z1 * self._cos_pitch - y * self._sin_pitch)
        x2 = (x * self._cos_yaw + z * self._sin_yaw) * near
        y2 = (y * self._cos_pitch - z1 * self._sin_pitch) * near + TURN_Y - NECK_Y
        cos, sin = self._cos_roll, self._sin_roll
        return np.stack([x2 * cos - y2 * sin, x2 * sin + y2 * cos + NECK_Y], axis=1)

    def plane(self, z: float) -> NDArray[np.float64]:
        """Return the (2, 3) affine map of the plane at depth ``z``: what a texture follows.

        Taken at three points about the face, so that it agrees with ``at`` there.
        """
        reach = 100.0
        x0, y0 = self.at(0.0, 0.0, z)
        xa, ya = self.at(reach, 0.0, z)
        xb, yb = self.at(-reach, 0.0, z)
        xc, yc = self.at(0.0, reach, z)
        xd, yd = self.at(0.0, -reach, z)
        two = 2 * reach
        return np.array(
            [[(xa - xb) / two, (xc - xd) / two, x0], [(ya - yb) / two, (yc - yd) / two, y0]]
        )
