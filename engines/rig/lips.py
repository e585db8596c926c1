"""The shape of the mouth: weights and pose in, posed lip curves out. Draws nothing.

Lengths in head pixels. The upper teeth never move with the jaw: the lip slides over them.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from rt_avatar.engines.rig.anatomy import Anatomy
from rt_avatar.engines.rig.curves import Point
from rt_avatar.engines.rig.expression import SIDES, Expression
from rt_avatar.engines.rig.frame import JAW_SIDEWAYS
from rt_avatar.engines.rig.projection import Projection, face_depth

# jawOpen 1 lowers the inner edge of the lower lip by this.
JAW_OPENS: Final = 37.0
# mouthClose 1 cancels this share of it.
CLOSE_CANCELS: Final = 0.9
# Narrower than 60 % of its width a mouth reads as a beak.
MOST_NARROWING: Final = 0.40
# Smaller gaps are drawn as one line.
CLOSED_GAP: Final = 0.8
# (corner handle, middle handle) of a half curve
Handles: TypeAlias = tuple[Point, Point]


@dataclass(frozen=True, slots=True)
class HalfLips:
    """The posed curves of one side.

    Attributes:
        corner: The mouth's corner.
        peak: Outer upper edge: corner handle, peak handle, peak.
        inner_upper: Inner edge of the upper lip.
        inner_lower: Inner edge of the lower lip.
        outer_lower: Outer edge of the lower lip.
    """

    corner: Point
    peak: tuple[Point, Point, Point]
    inner_upper: Handles
    inner_lower: Handles
    outer_lower: Handles


@dataclass(frozen=True, slots=True)
class LipShape:
    """Posed curves and unposed measures of one mouth; dicts are by side (+1, -1).

    Attributes:
        middle: x of the mouth's middle, unposed.
        corner: Corners, unposed.
        half: Posed curves of each side.
        dip: Cupid's bow, posed.
        centre_upper: Middle of the upper inner edge, posed.
        centre_lower: Middle of the lower inner edge, posed.
        low: Middle of the lower lip's outer edge, posed.
        upper_y: Mean height of the upper inner edge, unposed.
        lower_y: Mean height of the lower inner edge, unposed.
        thick: Thickness of the upper and the lower lip as drawn.
        narrow: Half width towards the nearer corner.
        jaw: How far the jaw opens the lips (0..1).
    """

    middle: float
    corner: dict[int, Point]
    half: dict[int, HalfLips]
    dip: Point
    centre_upper: Point
    centre_lower: Point
    low: Point
    upper_y: float
    lower_y: float
    thick: tuple[float, float]
    narrow: float
    jaw: float

    @property
    def open(self) -> float:
        """Height of the gap."""
        return self.lower_y - self.upper_y

    @property
    def top_y(self) -> float:
        """Middle of the upper lip's outer edge, unposed."""
        return self.upper_y - self.thick[0]

    @property
    def low_y(self) -> float:
        """Middle of the lower lip's outer edge, unposed."""
        return self.lower_y + self.thick[1]


class MouthSpace:
    """Projects points of the mouth: on the face, raised in the middle by a pout.

    Attributes:
        middle: x of the mouth's middle.
    """

    def __init__(self, space: Projection, middle: float, pout: float) -> None:
        self._space = space
        self.middle = middle
        self._pout = pout

    def at(self, x: float, y: float, dz: float = 0.0) -> Point:
        """Project (x, y)."""
        away = 1 - min(1.0, abs(x - self.middle) / 40) ** 2
        z = face_depth(x * 0.9, min(y, 112.0)) + self._pout * away + dz
        return self._space.at(x, y, z)


@dataclass(frozen=True, slots=True)
class _Edges:
    """Heights of the lips' edges on one side."""

    upper: float
    lower: float
    thick_upper: float
    thick_lower: float


def _edges(face: Expression, anatomy: Anatomy, jaw: float, side: int) -> _Edges:
    """Heights and thicknesses as the weights of one side have them."""
    base = anatomy.mouth + 0.6
    smile, upper_up, lower_down = face.smile[side], face.upper_up[side], face.lower_down[side]
    pucker, funnel, press = face.pucker, face.funnel, face.press[side]
    sag = 2.6 * smile * (1 - jaw) - 0.8 * face.frown[side]
    upper = base + sag - 5.0 * funnel - 6.5 * upper_up - 2.2 * smile * jaw
    upper -= 2.5 * face.sneer[side] + 3 * face.shrug_upper
    lower = base + sag + JAW_OPENS * jaw + 3.4 * funnel * (1 - 0.4 * pucker) + 8.5 * lower_down
    lower += 1.4 * pucker
    raised = 3.0 * face.shrug_lower * (1 - min(1.0, jaw * 5))
    parts = jaw + funnel + upper_up + lower_down
    # The chin's shrug lifts closed lips together, and parted ones only from below.
    upper -= 0.6 * raised * max(0.0, 1 - parts * 12)
    lower -= raised
    if parts < 0.02 and pucker < 0.1:
        lower = upper
    # mouthClose on a shut jaw has nothing to cancel: it presses the lips a little.
    sealed = 0.16 * face.close * (1 - min(1.0, face.jaw_open * 4))
    thick_upper, thick_lower = anatomy.lips
    thick_upper *= (1 - 0.72 * face.roll_upper) * (1 - 0.45 * press) * (1 - 0.24 * smile)
    thick_upper *= (1 + 0.12 * pucker + 0.10 * funnel) * (1 - 0.12 * jaw) * (1 - sealed)
    thick_lower *= (1 - 0.80 * face.roll_lower) * (1 - 0.42 * press) * (1 - 0.18 * smile)
    thick_lower *= (1 + 0.20 * pucker + 0.20 * funnel) * (1 - 0.10 * jaw) * (1 - sealed)
    thick_lower *= (1 + 0.22 * face.shrug_lower) * (1 + 0.24 * face.jaw_forward)
    if face.roll_lower > 0 and jaw + upper_up > 0.02:
        lower -= 2.4 * face.roll_lower
    return _Edges(upper, max(lower, upper), thick_upper, thick_lower)


def _corner(face: Expression, anatomy: Anatomy, jaw: float, side: int) -> Point:
    smile, frown, stretch = face.smile[side], face.frown[side], face.stretch[side]
    half = anatomy.mouth_half
    narrowing = min(MOST_NARROWING, 0.42 * face.pucker + 0.28 * face.funnel)
    x = half + 10.5 * smile - 2.0 * frown + 8 * stretch + 3.5 * face.dimple[side]
    x -= half * narrowing + 3.2 * face.jaw_open * (1 - smile)
    x += 1.2 * face.press[side]
    y = anatomy.mouth - 11.5 * smile + 9.0 * frown + 3.5 * stretch - 2 * face.dimple[side]
    return x, y + 9.5 * jaw


def _half(
    mouth: MouthSpace, edge: _Edges, corner: Point, bow: float, face: Expression, gap: float
) -> HalfLips:
    """Pose one side: its corner, and the handles of its four edges."""
    at, middle = mouth.at, mouth.middle
    x, corner_y = corner
    reach = x - middle
    roundness = min(1.0, face.funnel + 0.8 * face.pucker + 0.25 * min(1.0, gap / 14))
    arched = 0.50 + 0.22 * face.funnel + 0.2 * face.pucker
    top, low = edge.upper - edge.thick_upper, edge.lower + edge.thick_lower
    peak_x = middle + (bow if reach > 0 else -bow)

    def handles(y: float, far: tuple[float, float], near: float) -> Handles:
        return (
            at(middle + reach * far[0], corner_y + (y - corner_y) * far[1]),
            at(middle + reach * near, y),
        )

    inner = (0.80 + 0.12 * roundness, 0.62 + 0.25 * roundness)
    outer = (0.80 + 0.10 * roundness, 0.66 + 0.20 * roundness)
    near = 0.36 + 0.14 * roundness
    return HalfLips(
        corner=at(x, corner_y),
        peak=(
            at(middle + reach * 0.72, corner_y + (top - corner_y) * arched),
            at(peak_x + reach * 0.20, top - 0.4),
            at(peak_x, top),
        ),
        inner_upper=handles(edge.upper, inner, near),
        inner_lower=handles(edge.lower, inner, near),
        outer_lower=handles(low, outer, 0.48 + 0.06 * roundness),
    )


def lip_shape(face: Expression, anatomy: Anatomy, space: Projection) -> tuple[LipShape, MouthSpace]:
    """Return the mouth of this frame, and the projection that made it."""
    pucker = face.pucker
    jaw = max(0.0, face.jaw_open - CLOSE_CANCELS * face.close)
    middle = 9 * face.mouth_sideways + JAW_SIDEWAYS * 0.7 * face.jaw_sideways
    pout = 5 + 6 * pucker + 5 * face.funnel + 4 * face.jaw_forward
    mouth = MouthSpace(space, middle, pout)
    edges = {side: _edges(face, anatomy, jaw, side) for side in SIDES}
    corner: dict[int, Point] = {}
    for side in SIDES:
        x, y = _corner(face, anatomy, jaw, side)
        corner[side] = (side * x + middle, y)
    right, left = edges[1], edges[-1]
    upper_y, lower_y = (right.upper + left.upper) / 2, (right.lower + left.lower) / 2
    thick_upper = (right.thick_upper + left.thick_upper) / 2
    thick_lower = (right.thick_lower + left.thick_lower) / 2
    gap = lower_y - upper_y
    narrow = min(corner[1][0] - middle, middle - corner[-1][0])
    bow = min((6.6 - 2.2 * pucker) * (1 + 0.3 * face.smile[0]), narrow * 0.34)
    fall = 1.2 * max(0.0, 1 - gap / 3)  # a closed mouth's line dips in the middle
    shape = LipShape(
        middle=middle,
        corner=corner,
        half={side: _half(mouth, edges[side], corner[side], bow, face, gap) for side in SIDES},
        dip=mouth.at(middle, upper_y - thick_upper + 2.4 * (1 - 0.6 * pucker)),
        centre_upper=mouth.at(middle, upper_y + fall),
        centre_lower=mouth.at(middle, lower_y + fall),
        low=mouth.at(middle, lower_y + thick_lower),
        upper_y=upper_y,
        lower_y=lower_y,
        thick=(thick_upper, thick_lower),
        narrow=narrow,
        jaw=jaw,
    )
    return shape, mouth
