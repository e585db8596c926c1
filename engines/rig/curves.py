"""Smooth curves through a few points: the one way in which the rig makes outlines.

Points in, cubic Bézier controls or canvas paths out. The builders used in every frame are plain
Python: on ten points numpy costs more in calls than it saves in arithmetic.
"""

from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

import numpy as np
import skia
from numpy.typing import NDArray

Point: TypeAlias = tuple[float, float]
Points: TypeAlias = Sequence[Point]
Curve: TypeAlias = NDArray[np.float64]  # (1 + 3 * segments, 2 or 3) cubic controls p0 c1 c2 p1 ...
# Tangents of a uniform Catmull-Rom spline are a sixth of the chord between the neighbours.
TANGENT: Final = 1 / 6
# A control point farther than this share of its segment makes loops on uneven spacing.
TANGENT_LIMIT: Final = 0.45


def smoothstep(value: float, low: float, high: float) -> float:
    """Rise from 0 at ``low`` to 1 at ``high`` without corners."""
    share = max(0.0, min(1.0, (value - low) / (high - low)))
    return share * share * (3 - 2 * share)


def mirrored(points: Points) -> list[Point]:
    """Return the points reflected about the middle of the face."""
    return [(-x, y) for x, y in points]


def controls(points: Points, closed: bool = True, corners: Collection[int] = ()) -> Curve:
    """Return the Catmull-Rom curve through ``points`` as cubic controls.

    Args:
        points: (n, 2) points.
        closed: Whether the last joins the first.
        corners: Indices where the curve turns sharply.
    """
    knots = np.asarray(points, np.float64)
    if closed:
        before, after = np.roll(knots, 1, 0), np.roll(knots, -1, 0)
        step = np.linalg.norm(after - knots, axis=1)
    else:
        before, after = np.vstack([knots[:1], knots[:-1]]), np.vstack([knots[1:], knots[-1:]])
        step = np.linalg.norm(np.diff(knots, axis=0), axis=1)
    tangents = (after - before) * TANGENT
    tangents[list(corners)] = 0
    length = np.linalg.norm(tangents, axis=1)
    out = [knots[0]]
    for index in range(len(step)):
        other = (index + 1) % len(knots)
        limit = step[index] * TANGENT_LIMIT
        leave = tangents[index] * min(1.0, limit / max(length[index], 1e-6))
        arrive = tangents[other] * min(1.0, limit / max(length[other], 1e-6))
        out += [knots[index] + leave, knots[other] - arrive, knots[other]]
    return np.array(out)


def orient(curve: Curve) -> Curve:
    """Return the closed curve with the one winding we use, so that overlaps do not cancel."""
    x, y = curve[:, 0], curve[:, 1]
    area = (x[:-1] * y[1:] - x[1:] * y[:-1]).sum()
    return curve if area > 0 else curve[::-1]


def path_of(curves: Sequence[list[float]]) -> skia.Path:
    """Return closed curves, each as the flat x, y of its cubic controls, as one path."""
    path = skia.Path()
    cubic = path.cubicTo
    for flat in curves:
        path.moveTo(flat[0], flat[1])
        for index in range(2, len(flat) - 5, 6):
            cubic(*flat[index : index + 6])
        path.close()
    return path


def smooth(
    points: Points, closed: bool = True, corners: Collection[int] = (), tangent: float = TANGENT
) -> skia.Path:
    """Return the Catmull-Rom curve through ``points`` as a path: the builder of every frame."""
    count = len(points)
    last = count - 1
    tangents = []
    for index in range(count):
        if index in corners:
            tangents.append((0.0, 0.0))
            continue
        if closed:
            before, after = points[index - 1], points[index + 1 if index < last else 0]
        else:
            before, after = points[max(0, index - 1)], points[min(last, index + 1)]
        tangents.append(((after[0] - before[0]) * tangent, (after[1] - before[1]) * tangent))
    path = skia.Path()
    cubic = path.cubicTo
    px, py = points[0]
    path.moveTo(px, py)
    tx, ty = tangents[0]
    for index in range(1, count + 1 if closed else count):
        if index == count:
            index = 0
        qx, qy = points[index]
        ux, uy = tangents[index]
        cubic(px + tx, py + ty, qx - ux, qy - uy, qx, qy)
        px, py, tx, ty = qx, qy, ux, uy
    if closed:
        path.close()
    return path


def polygon(points: Points | Curve, closed: bool = False) -> skia.Path:
    """Return straight lines through ``points`` as a path."""
    path = skia.Path()
    path.addPoly([skia.Point(float(x), float(y)) for x, y in points], closed)
    return path


def resampled(points: Points, count: int) -> Curve:
    """Return (count, 2) points at equal steps along the open curve through ``points``."""
    curve = controls(points, closed=False)
    share = np.linspace(0, 1, 9)[:, None]
    rest = 1 - share
    pieces = [
        rest**3 * curve[i]
        + 3 * rest**2 * share * curve[i + 1]
        + 3 * rest * share**2 * curve[i + 2]
        + share**3 * curve[i + 3]
        for i in range(0, len(curve) - 1, 3)
    ]
    line = np.concatenate([pieces[0], *(piece[1:] for piece in pieces[1:])])
    distance = np.r_[0, np.cumsum(np.hypot(*np.diff(line, axis=0).T))]
    at = np.linspace(0, distance[-1], count)
    return np.stack(
        [np.interp(at, distance, line[:, 0]), np.interp(at, distance, line[:, 1])], axis=1
    )
