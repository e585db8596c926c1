"""How each emotion shows: ``FaceStyle`` → weights of the 52 shapes and a posture of the head.

The avatar is an empathic listener, so sadness has two faces: up to a moderate intensity it is
*concern* (raised inner brows, soft lids, a closed calm mouth, the face of somebody who feels with
you), only beyond it turns into grief.

Source: the combinations of action units of P. Ekman, W. Friesen, "Facial Action Coding System",
1978 (EMFACS), put into ARKit's shapes; amounts chosen by eye on contact sheets of the rig.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from rt_avatar.engines.motion.channels import Weights, weights
from rt_avatar.engines.types import Emotion, FaceStyle

_FULL: Final[Mapping[Emotion, Weights]] = {
    "neutral": weights({}),
    "happy": weights({
        "mouthSmile": 0.80, "cheekSquint": 0.60, "eyeSquint": 0.22, "mouthUpperUp": 0.20,
        "jawOpen": 0.22, "browInnerUp": 0.12, "browOuterUp": 0.15, "mouthDimple": 0.10,
    }),
    "surprised": weights({
        "browInnerUp": 0.75, "browOuterUp": 0.90, "eyeWide": 0.85, "jawOpen": 0.40,
        "mouthFunnel": 0.20,
    }),
    "angry": weights({
        "browDown": 0.95, "eyeSquint": 0.45, "mouthPress": 0.70, "mouthFrown": 0.38,
        "noseSneer": 0.32, "jawForward": 0.20,
    }),
    "fear": weights({
        "browInnerUp": 0.95, "browOuterUp": 0.35, "browDown": 0.28, "eyeWide": 0.75,
        "mouthStretch": 0.55, "mouthFrown": 0.25, "jawOpen": 0.14, "mouthLowerDown": 0.28,
    }),
    "sad": weights({
        "browInnerUp": 0.95, "browDown": 0.15, "mouthFrown": 0.65, "mouthShrugLower": 0.40,
        "eyeBlink": 0.14, "mouthPress": 0.15, "eyeSquint": 0.10,
    }),
    "disgusted": weights({
        "noseSneer": 0.90, "browDown": 0.60, "eyeSquint": 0.55, "mouthUpperUp": 0.60,
        "mouthFrown": 0.42, "mouthShrugUpper": 0.20, "cheekSquint": 0.40,
    }),
    "contempt": weights({
        "mouthSmileLeft": 0.58, "mouthDimpleLeft": 0.65, "mouthPressLeft": 0.40,
        "browOuterUpLeft": 0.50, "browDownRight": 0.30, "eyeSquint": 0.32, "cheekSquintLeft": 0.30,
    }),
}  # fmt: skip
# Feeling with somebody: attentive, soft, not crying. The hint of a smile keeps the corners of the
# mouth level; without it the face accuses.
CONCERN: Final[Weights] = weights({
    "browInnerUp": 0.64, "browDown": 0.10, "eyeSquint": 0.14, "cheekSquint": 0.06,
    "mouthPress": 0.16, "mouthSmile": 0.06, "mouthFrown": 0.08, "mouthDimple": 0.05,
})  # fmt: skip
# Sadness up to this intensity is concern, at 1 it is grief. 0.6 is what a style has by default.
CONCERN_UNTIL: Final = 0.6

# How the head is held at intensity 1: pitch, yaw, roll in radians (signs as in engines.types).
HEAD: Final[Mapping[Emotion, tuple[float, float, float]]] = {
    "neutral": (0.0, 0.0, 0.0),
    "happy": (-0.02, 0.0, 0.03),
    "surprised": (-0.05, 0.0, 0.0),
    "angry": (0.05, 0.0, 0.0),
    "fear": (-0.03, 0.03, -0.02),
    "sad": (0.06, 0.0, -0.07),
    "disgusted": (-0.03, 0.05, 0.0),
    "contempt": (-0.05, -0.05, 0.03),
}
# How large the movements of speech and head are at intensity 1, against neutral: activation makes
# gestures larger, sadness smaller (H. Wallbott, "Bodily expression of emotion", 1998, in kind).
LIVELINESS: Final[Mapping[Emotion, float]] = {
    "neutral": 1.0,
    "happy": 1.15,
    "surprised": 1.18,
    "angry": 1.15,
    "fear": 1.05,
    "sad": 0.82,
    "disgusted": 1.0,
    "contempt": 0.92,
}


def check_style(style: FaceStyle) -> float:
    """Return the intensity of a style, clipped to 0..1.

    Raises:
        ValueError: The emotion is not one of ``EMOTIONS``, or the intensity is not finite.
    """
    if style.emotion not in _FULL:
        raise ValueError(f"emotion: expected one of {', '.join(_FULL)}; got {style.emotion!r}")
    if not np.isfinite(style.intensity):
        raise ValueError(f"intensity: expected 0 to 1, got {style.intensity}")
    return min(1.0, max(0.0, float(style.intensity)))


def expression_of(style: FaceStyle) -> Weights:
    """Return the (52,) weights of a feeling, with all that it does to the mouth.

    Raises:
        ValueError: As ``check_style``.
    """
    intensity = check_style(style)
    full = _FULL[style.emotion]
    if style.emotion != "sad":
        return full * intensity
    if intensity <= CONCERN_UNTIL:
        return CONCERN * (intensity / CONCERN_UNTIL)
    share = (intensity - CONCERN_UNTIL) / (1.0 - CONCERN_UNTIL)
    return CONCERN * (1.0 - share) + full * share


def head_of(style: FaceStyle) -> tuple[float, float, float]:
    """Return pitch, yaw and roll (radians) with which a feeling holds the head."""
    intensity = check_style(style)
    pitch, yaw, roll = HEAD[style.emotion]
    return pitch * intensity, yaw * intensity, roll * intensity


def liveliness_of(style: FaceStyle) -> float:
    """Return how large movements are in this feeling, against 1 in none."""
    return 1.0 + (LIVELINESS[style.emotion] - 1.0) * check_style(style)
