"""The expression of a silent face: state, style and the caller's affect → 52 weights.

Three layers: how one looks while listening, thinking or about to speak; the avatar's own feeling;
and the mirror of what it perceives: a smile is answered with a smile, distress with concern (not
with distress). All go through one soft lag, fast enough that a third of a mirrored expression is
there after 300 ms, and slow enough that nothing jumps.

Sources: U. Dimberg et al., "Unconscious facial reactions to emotional facial expressions", 2000
(mimicry begins 300-400 ms after the stimulus); U. Hess, A. Fischer, "Emotional mimicry as social
regulation", 2013 (what affiliates is mirrored, what hurts is not).
"""

import math
from random import Random
from typing import Final

import numpy as np

from rt_avatar.engines.motion.blink import State
from rt_avatar.engines.motion.channels import MOUTH, OPENERS, Weights, weights
from rt_avatar.engines.motion.emotions import CONCERN, expression_of
from rt_avatar.engines.types import FPS, FaceStyle

_FACES: Final[dict[State, Weights]] = {
    "listening": weights({
        "mouthSmileLeft": 0.17, "mouthSmileRight": 0.15, "browInnerUp": 0.20, "browOuterUp": 0.13,
        "eyeWide": 0.07, "eyeSquint": 0.04,
    }),
    "thinking": weights({
        "browDown": 0.12, "browInnerUp": 0.22, "browOuterUpLeft": 0.20, "eyeSquint": 0.16,
        "mouthPress": 0.22, "mouthLeft": 0.14, "mouthDimpleRight": 0.22, "mouthShrugLower": 0.12,
    }),
    "speaking": weights({"mouthSmile": 0.08, "browInnerUp": 0.10, "browOuterUp": 0.08}),
}  # fmt: skip
# How the head is held: pitch, yaw, roll in radians. A tilted head listens.
STANCE: Final[dict[State, tuple[float, float, float]]] = {
    "listening": (0.0, 0.02, -0.05),
    "thinking": (-0.035, 0.03, 0.04),
    "speaking": (0.0, 0.0, 0.0),
}
MIRRORED_SMILE: Final[Weights] = weights({
    "mouthSmile": 0.66, "cheekSquint": 0.42, "eyeSquint": 0.14, "browInnerUp": 0.06,
    "browOuterUp": 0.10,
})  # fmt: skip
# How much of what the caller feels is shown, by state: a speaker's face is its own.
_MIRROR: Final[dict[State, float]] = {"listening": 1.0, "thinking": 0.55, "speaking": 0.35}
_OWN: Final[dict[State, float]] = {"listening": 0.75, "thinking": 0.6, "speaking": 1.0}
# Feelings weaker than this are not answered; perception is not that sure.
_DEAD_ZONE: Final = 0.15
# Two lags of this time in a row: 0 % at 0, 46 % after 300 ms, 90 % after 700 ms.
_LAG_S: Final = 0.18
_LAG_SHARE: Final = 1.0 - math.exp(-1.0 / (FPS * _LAG_S))

# Micro-expressions: small, short, never opening the mouth.
_FLICKERS: Final = tuple(
    weights(shapes)
    for shapes in (
        {"browInnerUp": 0.20, "browOuterUp": 0.10},
        {"mouthSmileLeft": 0.16},
        {"mouthPress": 0.20, "mouthRollLower": 0.10},
        {"eyeSquint": 0.18, "cheekSquint": 0.08},
        {"mouthDimpleRight": 0.22},
        {"browOuterUpLeft": 0.22},
        {"mouthShrugLower": 0.16},
    )
)
_FLICKER_EVERY_S: Final = (3.5, 9.0)
_FLICKER_S: Final = (0.5, 1.0)


def _answer(level: float) -> float:
    """0 inside the dead zone, 1 from two thirds of the scale on."""
    return min(1.0, max(0.0, (level - _DEAD_ZONE) / (0.66 - _DEAD_ZONE)))


def wanted_face(
    state: State, style: FaceStyle, valence: float, arousal: float, is_smiling: bool
) -> Weights:
    """Return the (52,) weights a silent face strives for; the lips stay shut.

    Args:
        state: What the avatar does.
        style: Its own feeling.
        valence: The caller's, -1..1.
        arousal: The caller's, -1..1.
        is_smiling: Whether the caller smiles.

    Raises:
        ValueError: The style is not one.
    """
    own = expression_of(style)
    strength = _MIRROR[state]
    smile = strength * max(_answer(valence), 0.85 if is_smiling else 0.0)
    # A smile over bad news is a brave face: it gets some of both.
    concern = strength * _answer(-valence) * (0.5 if is_smiling else 1.0)
    if concern:
        smile *= 0.4
    face = _FACES[state] * (1.0 - 0.8 * max(concern, 0.7 * smile))
    for layer, share in ((own, _OWN[state]), (MIRRORED_SMILE, smile), (CONCERN, concern)):
        face = np.maximum(face, layer * share)
    awake = 0.12 * strength * max(0.0, arousal)
    face = face + awake * _AWAKE
    # Corners cannot go up and down at once: concern takes the smile away.
    face[_SMILE] *= 1.0 - 0.75 * concern
    face[OPENERS] = 0.0
    return np.minimum(face, 1.0)


_AWAKE: Final = weights({"eyeWide": 1.0, "browOuterUp": 1.0})
_SMILE: Final = np.flatnonzero(weights({"mouthSmile": 1.0}))


class IdleExpression:
    """One silent face. ``rng`` is its own."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._lagged: Weights | None = None
        self._face: Weights | None = None
        self._wait = round(FPS * rng.uniform(*_FLICKER_EVERY_S))
        self._flicker = _FLICKERS[0]
        self._age, self._length = 0, 0
        self._frame = 0

    def step(self, wanted: Weights) -> Weights:
        """Come nearer to ``wanted`` and return the (52,) weights of the next frame."""
        if self._face is None or self._lagged is None:
            self._lagged = self._face = wanted
        self._lagged = self._lagged + _LAG_SHARE * (wanted - self._lagged)
        self._face = self._face + _LAG_SHARE * (self._lagged - self._face)
        self._frame += 1
        # A held smile breathes a little, or it is a mask.
        pulse = 1.0 + 0.06 * math.sin(math.tau * 0.19 * self._frame / FPS)
        face = self._face.copy()
        face[MOUTH] *= pulse
        face += self._flicker_now() * (1.0 - face)
        return face

    def _flicker_now(self) -> Weights:
        rng = self._rng
        self._wait -= 1
        if self._wait <= 0:
            self._wait = round(FPS * rng.uniform(*_FLICKER_EVERY_S))
            self._flicker = _FLICKERS[rng.randrange(len(_FLICKERS))] * rng.uniform(0.6, 1.0)
            self._age, self._length = 0, round(FPS * rng.uniform(*_FLICKER_S))
        if self._age >= self._length:
            return _STILL
        self._age += 1
        bell: Weights = self._flicker * (0.5 - 0.5 * math.cos(math.tau * self._age / self._length))
        return bell


_STILL: Final = weights({})
