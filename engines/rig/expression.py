"""Expression: the 52 ARKit weights of a frame, read once, by name and by side.

``MotionFrame -> Expression``. A live face is never at all-zero, so a look's rest expression is
added here; it gives way where the frame asks for something it would contradict.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from rt_avatar.engines.types import ARKIT, BLENDSHAPE, MOTION_SIZE, MotionFrame

# (mean, left, right): index 0 is the mean of the sides, +1 the person's left (the viewer's right,
# x > 0), -1 the person's right. So ``smile[side]`` reads the side whose sign of x is ``side``.
Pair: TypeAlias = tuple[float, float, float]
SIDES: Final = (1, -1)
# The rest expression of every look: a hint of an uneven smile and a touch of openness. Zero
# weights without it look cold.
REST_SMILE: Final = (0.20, 0.17)  # left, right
REST_BROW_INNER_UP: Final = 0.04


@dataclass(frozen=True, slots=True)
class Expression:
    """Weights 0 to 1, named as in ARKit."""

    blink: Pair
    look_down: Pair
    look_in: Pair
    look_out: Pair
    look_up: Pair
    squint: Pair
    wide: Pair
    jaw_forward: float
    jaw_sideways: float  # left - right, -1..1, +: to the viewer's right
    jaw_open: float
    close: float
    funnel: float
    pucker: float
    mouth_sideways: float  # left - right, -1..1, +: to the viewer's right
    smile: Pair
    frown: Pair
    dimple: Pair
    stretch: Pair
    roll_lower: float
    roll_upper: float
    shrug_lower: float
    shrug_upper: float
    press: Pair
    lower_down: Pair
    upper_up: Pair
    brow_down: Pair
    brow_inner_up: float
    brow_outer_up: Pair
    cheek_puff: float
    cheek_squint: Pair
    sneer: Pair
    tongue_out: float


def check_motion(motion: MotionFrame) -> None:
    """Check one frame of motion.

    Raises:
        ValueError: Its shape is not (73,) or it is not finite; says expected and got.
    """
    shape = np.shape(motion)
    if shape != (MOTION_SIZE,):
        raise ValueError(f"motion: expected shape ({MOTION_SIZE},), got {shape}")
    if not np.isfinite(motion).all():
        bad = int(np.flatnonzero(~np.isfinite(motion))[0])
        name = ARKIT[bad] if bad < len(ARKIT) else f"row {bad}"
        raise ValueError(f"motion: expected finite numbers, got {motion[bad]} in {name}")


def _both(stem: str) -> tuple[int, int]:
    return BLENDSHAPE[stem + "Left"], BLENDSHAPE[stem + "Right"]


_BLINK, _DOWN, _IN = _both("eyeBlink"), _both("eyeLookDown"), _both("eyeLookIn")
_OUT, _UP, _SQUINT = _both("eyeLookOut"), _both("eyeLookUp"), _both("eyeSquint")
_WIDE, _SMILE, _FROWN = _both("eyeWide"), _both("mouthSmile"), _both("mouthFrown")
_DIMPLE, _STRETCH, _PRESS = _both("mouthDimple"), _both("mouthStretch"), _both("mouthPress")
_LOWER, _UPPER, _BROW = _both("mouthLowerDown"), _both("mouthUpperUp"), _both("browDown")
_OUTER, _CHEEK, _SNEER = _both("browOuterUp"), _both("cheekSquint"), _both("noseSneer")
_JAW, _MOUTH = _both("jaw"), _both("mouth")


def _with_rest(smile: float, side: int, against: float) -> float:
    """Add the rest to a smile, as far as nothing speaks against it (0..1)."""
    rest = REST_SMILE[0 if side > 0 else 1] * max(0.0, 1.0 - against)
    return min(1.0, smile + rest * (1.0 - 0.5 * smile))


def read_expression(motion: MotionFrame) -> Expression:
    """Read the weights of a checked motion frame, clipped to 0..1, with the rest added."""
    w: list[float] = np.clip(motion[: len(ARKIT)], 0.0, 1.0).tolist()

    def pair(rows: tuple[int, int]) -> Pair:
        left, right = w[rows[0]], w[rows[1]]
        return (left + right) / 2, left, right

    def one(name: str) -> float:
        return w[BLENDSHAPE[name]]

    frown, sneer, brow_down, wide = pair(_FROWN), pair(_SNEER), pair(_BROW), pair(_WIDE)
    press, stretch, smile = pair(_PRESS), pair(_STRETCH), pair(_SMILE)
    funnel, pucker, inner_up = one("mouthFunnel"), one("mouthPucker"), one("browInnerUp")
    shrug_lower = one("mouthShrugLower")
    shared = max(funnel, pucker, shrug_lower, inner_up - 0.4)

    def smiling(side: int) -> float:
        against = max(
            shared, 1.6 * frown[side], 1.6 * sneer[side], 1.2 * brow_down[side], wide[side],
            stretch[side], 0.7 * press[side],
        )  # fmt: skip
        return _with_rest(smile[side], side, against)

    left, right = smiling(1), smiling(-1)
    return Expression(
        blink=pair(_BLINK),
        look_down=pair(_DOWN),
        look_in=pair(_IN),
        look_out=pair(_OUT),
        look_up=pair(_UP),
        squint=pair(_SQUINT),
        wide=wide,
        jaw_forward=one("jawForward"),
        jaw_sideways=w[_JAW[0]] - w[_JAW[1]],
        jaw_open=one("jawOpen"),
        close=one("mouthClose"),
        funnel=funnel,
        pucker=pucker,
        mouth_sideways=w[_MOUTH[0]] - w[_MOUTH[1]],
        smile=((left + right) / 2, left, right),
        frown=frown,
        dimple=pair(_DIMPLE),
        stretch=stretch,
        roll_lower=one("mouthRollLower"),
        roll_upper=one("mouthRollUpper"),
        shrug_lower=shrug_lower,
        shrug_upper=one("mouthShrugUpper"),
        press=press,
        lower_down=pair(_LOWER),
        upper_up=pair(_UPPER),
        brow_down=brow_down,
        brow_inner_up=min(1.0, inner_up + REST_BROW_INNER_UP * (1.0 - brow_down[0])),
        brow_outer_up=pair(_OUTER),
        cheek_puff=one("cheekPuff"),
        cheek_squint=pair(_CHEEK),
        sneer=sneer,
        tongue_out=one("tongueOut"),
    )
