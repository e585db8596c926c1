"""Folds and wrinkles: what age leaves and what an expression adds."""

from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.rig.anatomy import Age, Anatomy
from rt_avatar.engines.rig.expression import SIDES
from rt_avatar.engines.rig.frame import Frame
from rt_avatar.engines.rig.looks import Look
from rt_avatar.engines.rig.palette import SKINS, mix


@dataclass(frozen=True, slots=True)
class _Lines:
    """Strength of lines at rest, as alphas (a fold above 0.5 reads as old age at once)."""

    fold: float  # from the nose to the mouth's corner
    forehead: float
    frown: float
    eyes: float  # share of an old eye's bags and crow's feet
    mouth: float  # below the corners


_AT_REST: Final[dict[Age, _Lines]] = {
    "child": _Lines(0.0, 0.0, 0.0, 0.0, 0.0),
    "young": _Lines(0.0, 0.0, 0.0, 0.0, 0.0),
    "middle-aged": _Lines(0.14, 0.08, 0.06, 0.30, 0.06),
    "elderly": _Lines(0.28, 0.26, 0.20, 1.0, 0.18),
}


class Wrinkles:
    """The lines of one look's face. Draws in head pixels, clipped to the face."""

    def __init__(self, look: Look, anatomy: Anatomy) -> None:
        self._skin = SKINS[look.skin]
        self._soft = mix(self._skin.deep, self._skin.shade, 0.55)
        self._anatomy = anatomy
        self._rest = _AT_REST[look.age]
        self._is_child = look.age == "child"
        self._is_old = look.age == "elderly"
        # Young skin folds little, and stubble hides part of a fold.
        young = {"child": 0.4, "young": 0.65}.get(look.age, 1.0)
        self._fold_share = young * (0.6 if 0 < look.beard < 0.5 else 1.0)

    def draw(self, frame: Frame) -> None:
        """Draw all lines."""
        for side in SIDES:
            self._fold(frame, side)
            if self._rest.eyes:
                self._eye_lines(frame, side)
            if self._rest.mouth:
                self._corner_line(frame, side)
        self._forehead(frame)
        self._frown(frame)

    def _fold(self, frame: Frame, side: int) -> None:
        """The nasolabial fold: rises and darkens with a smile or a sneer."""
        face, on, a = frame.face, frame.space.on_face, self._anatomy
        smile, sneer = face.smile[side], face.sneer[side]
        alpha = self._rest.fold + 0.36 * max(0.0, smile - 0.25) + 0.36 * sneer
        alpha = (alpha + 0.10 * face.frown[side] + 0.12 * face.dimple[side]) * self._fold_share
        points = [
            on(side * (a.nose_half + 2), a.nose - 6 - 3 * sneer),
            on(side * (a.nose_half + 9 + 3 * smile), a.nose + 5),
            on(side * (a.mouth_half + 6 + 7 * smile), a.mouth - 13 - 4 * smile),
            on(side * (a.mouth_half + 10 + 9 * smile), a.mouth + 2 - 5 * smile),
        ]
        if alpha > 0.06:
            frame.brush.taper(points, 3.8, self._soft, min(0.5, alpha * 0.95))
        swell = (points[2][0] + points[1][0]) / 2 + side * 7, points[2][1] - 5
        frame.brush.stamp(self._skin.light, swell, 10, 9, 0.35 * min(1.0, alpha * 2))

    def _eye_lines(self, frame: Frame, side: int) -> None:
        brush, on, deep = frame.brush, frame.space.on_face, self._skin.deep
        (x, y), strength = self._anatomy.eye, self._rest.eyes
        bag = [on(side * (x - 17), y + 15), on(side * x, y + 20), on(side * (x + 17), y + 15)]
        brush.taper(bag, 2.6, deep, 0.36 * strength)
        brush.stamp(self._skin.light, on(side * x, y + 15), 16, 5, 0.4 * strength)
        crow = (0.20 + 0.3 * frame.face.smile[side]) * strength
        for row in (-1, 0, 1):
            line = [
                on(side * (x + 27), y + row * 3),
                on(side * (x + 33), y + row * 5.5 + 1),
                on(side * (x + 38), y + row * 9 + 2),
            ]
            brush.taper(line, 1.6, deep, crow)

    def _corner_line(self, frame: Frame, side: int) -> None:
        """The line below the mouth's corner: a smile lifts and irons it."""
        face, on, a = frame.face, frame.space.on_face, self._anatomy
        smile = face.smile[side]
        x, y = a.mouth_half + 4 + 8 * smile, a.mouth - 5 * smile + 8 * face.jaw_open
        ironed = max(0.0, 1 - 1.3 * smile) * (1 - 0.6 * min(1.0, face.jaw_open * 2))
        line = [on(side * x, y + 6), on(side * (x + 3), y + 14), on(side * (x + 1), y + 23)]
        frame.brush.taper(line, 2.6, self._skin.deep, self._rest.mouth * (0.3 + 0.7 * ironed))
        if self._is_old:
            frame.brush.stamp(self._skin.shade, on(side * 62, a.mouth + 4), 16, 26, 0.30)

    def _forehead(self, frame: Frame) -> None:
        face, on = frame.face, frame.space.on_face
        raised = max(face.brow_inner_up, 0.6 * max(face.brow_outer_up[1], face.brow_outer_up[-1]))
        alpha = self._rest.forehead + max(0.0, raised - 0.42) * (0.2 if self._is_child else 0.42)
        if alpha <= 0.02:
            return
        rows = ((-58, 36), (-69, 42), (-80, 34))
        for row, half in rows if self._is_old else rows[:2]:
            y = row - 5 * raised
            line = [
                on(-half, y + 2), on(-half * 0.4, y - 1), on(half * 0.1, y + 1),
                on(half * 0.5, y - 1), on(half, y + 2),
            ]  # fmt: skip
            frame.brush.taper(line, 2.2, self._skin.deep, alpha * 0.8)

    def _frown(self, frame: Frame) -> None:
        on = frame.space.on_face
        for side in SIDES:
            down = frame.face.brow_down[side]
            alpha = max(0.0, down - 0.15) * 0.62 + self._rest.frown
            if alpha > 0.02:
                line = [
                    on(side * 6, -30 + 4 * down, 4), on(side * 7.5, -22 + 4 * down, 5),
                    on(side * 5, -12 + 4 * down, 6),
                ]  # fmt: skip
                frame.brush.taper(line, 2.8, self._skin.deep, alpha)
