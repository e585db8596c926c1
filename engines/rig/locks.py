"""What hair is made of: ribbons of strands and clouds of curls, as plain data.

A ``Lock`` is a ribbon between an inner and an outer edge, roots first and tips last; a ``Cloud`` is
a closed outline filled with curls. A ``HairStyle`` is some of them behind the head and some before
it. Head pixels throughout. Baking and drawing are in ``hair_texture`` and ``hair``.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rt_avatar.engines.rig.curves import Point, Points, mirrored


@dataclass(frozen=True, slots=True)
class Lock:
    """A ribbon of strands.

    Attributes:
        inner: Edge nearer to the face, root to tip.
        outer: Edge away from it, root to tip.
        depth: Height above the face's surface, or z itself where ``on_face`` is false.
        tip: Points from the inner edge's end to the outer's; a single one ends in a point.
        tone: -1 (the dark tone) to 1 (the light tone).
        on_face: Whether the ribbon lies on the face's curved surface.
        strands: How densely strands are drawn.
        sheen: Where along the ribbon the light lies, as (from, to) of its length; None for none.
        fade: Share of the length over which the root fades in, for locks laid over others.
    """

    inner: Points
    outer: Points
    depth: float = 8.0
    tip: Points = ()
    tone: float = 0.0
    on_face: bool = True
    strands: int = 46
    sheen: tuple[float, float] | None = (0.16, 0.44)
    fade: float = 0.0

    @property
    def outline(self) -> list[Point]:
        """The closed contour."""
        return [*self.inner, *self.tip, *reversed(self.outer)]

    @property
    def corners(self) -> tuple[int, ...]:
        """Where the contour turns sharply."""
        end, tips = len(self.inner), len(self.tip)
        last = end + tips + len(self.outer) - 1
        return (0, end, last) if tips == 1 else (0, end - 1, end + tips, last)

    def mirror(self) -> "Lock":
        """The same ribbon on the other side of the face."""
        return replace(
            self,
            inner=mirrored(self.inner),
            outer=mirrored(self.outer),
            tip=mirrored(self.tip),
        )


@dataclass(frozen=True, slots=True)
class Cloud:
    """A mass of curls; attributes as in ``Lock``."""

    outline: list[Point]
    depth: float = 8.0
    tone: float = 0.0
    on_face: bool = True
    corners: tuple[int, ...] = ()


Piece: TypeAlias = Lock | Cloud


@dataclass(frozen=True, slots=True)
class HairStyle:
    """A haircut: pieces drawn behind the head, pieces drawn before the face, back to front."""

    back: Sequence[Piece]
    front: Sequence[Piece]
    parting: Points = field(default=())  # hairline to crown; () where none shows
    shadow: bool = True  # whether the hair throws a shadow on the forehead
    is_long: bool = False  # whether it lies on the shoulders
    covers_ears: bool = False


def both_sides(lock: Lock) -> tuple[Lock, Lock]:
    """Return the lock and its mirror image."""
    return lock, lock.mirror()


def curly_arc(
    centre: Point, radii: Point, turn: tuple[float, float], bumps: int, seed: int
) -> list[Point]:
    """Return an arc with the uneven edge of curls.

    Bumps differ in width and height; an even edge reads as a cog-wheel.

    Args:
        centre: Middle of the ellipse.
        radii: Its half axes.
        turn: First and last angle in turns, clockwise on the canvas from the right; a whole turn
            leaves the last point out, because it is the first.
        bumps: Number of curls on the edge.
        seed: Which random edge.
    """
    dice = random.Random(seed)
    widths = [dice.uniform(0.65, 1.35) for _ in range(bumps)]
    whole = sum(widths)
    first, last = turn
    points: list[Point] = []
    at = 0.0
    for width in widths:
        bump = dice.uniform(0.025, 0.06)
        for share, height in ((0.0, -0.022), (0.5, bump)):
            angle = 2 * math.pi * (first + (last - first) * (at + share * width) / whole)
            reach = 1 + height + dice.uniform(-0.008, 0.008)
            points.append(
                (
                    centre[0] + radii[0] * reach * math.cos(angle),
                    centre[1] + radii[1] * reach * math.sin(angle),
                )
            )
        at += width
    if last - first < 1:
        angle = 2 * math.pi * last
        points.append(
            (centre[0] + radii[0] * math.cos(angle), centre[1] + radii[1] * math.sin(angle))
        )
    return points
