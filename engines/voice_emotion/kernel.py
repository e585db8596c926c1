"""What names an emotion by the voice: functionals → a probability for each of eight.

Kernel ridge regression: what is said of an utterance is a sum over recordings that were learnt
from, each counting by how near it lies. Where the caller's own neutral is not known, by the
utterance as it is; where it is, by three views at once: as it is, against that neutral, and against
as much of it as can be trusted. Of a functional in which a few neutral utterances of one person
differ as much as those of two persons, the own neutral tells little. Plain numpy.

Sources: C. Saunders, A. Gammerman, V. Vovk, "Ridge regression learning algorithm in dual
variables", ICML 1998; shrinkage after W. James, C. Stein, "Estimation with quadratic loss", 4th
Berkeley Symposium (1961).
"""

from importlib import resources
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.voice_emotion.functionals import FUNCTIONALS, LOUDNESS
from rt_avatar.engines.weights_file import load_weights as load_checked

Floats = NDArray[np.float32]
Weights: TypeAlias = dict[str, Floats]
# RAVDESS' eight, named as everywhere here; nobody acted contempt there, and calm is no emotion of
# ours.
VoiceEmotion: TypeAlias = Literal[
    "neutral", "calm", "happy", "sad", "angry", "fear", "disgusted", "surprised"
]
VOICE_EMOTIONS: Final[tuple[VoiceEmotion, ...]] = get_args(VoiceEmotion)
CLASSES: Final = len(VOICE_EMOTIONS)
CENTRES: Final = 3_200  # recordings; those beyond what was learnt from count nothing
UNKNOWN, KNOWN = "unknown", "known"  # the caller's own neutral
AXES: Final = {UNKNOWN: 96, KNOWN: 192}  # principal ones of what is seen
VIEWS: Final = {UNKNOWN: FUNCTIONALS, KNOWN: 3 * FUNCTIONALS}
QUANTIZED: Final = ("basis", "centres")  # written as whole numbers
_WIDTH: Final = 0.6  # of the kernel, by the mean squared deviation of the functionals
_SHARPNESS: Final = 5.0  # an answer of 1 more is e⁵ times as likely
_CLIP: Final = 4.0  # deviations: further is a fault of a tracker


def _shapes(kind: str) -> dict[str, tuple[int, ...]]:
    return {
        f"{kind}_mean": (VIEWS[kind],),
        f"{kind}_deviation": (VIEWS[kind],),
        f"{kind}_basis": (VIEWS[kind], AXES[kind]),  # whole numbers, in units of the scale, like
        f"{kind}_basis_scale": (1, AXES[kind]),
        f"{kind}_centres": (CENTRES, AXES[kind]),  # these
        f"{kind}_centres_scale": (1, AXES[kind]),
        f"{kind}_answers": (CENTRES, CLASSES),
        # Exponent of the probabilities, and the logarithm of a factor of each.
        f"{kind}_calibration": (1 + CLASSES,),
    }


SHAPES: Final = {**_shapes(UNKNOWN), **_shapes(KNOWN), "trust": (FUNCTIONALS,)}
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.voice_emotion --data FOLDER"


def load_weights(path: Path | None = None) -> Weights:
    """Return the weights in a file; those that come with the package where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold what it should.
    """
    source = path or resources.files("rt_avatar.engines.voice_emotion") / "weights.npz"
    found = load_checked(source, SHAPES, "voice emotion", _MAKE)
    for kind in VIEWS:
        for layer in QUANTIZED:
            found[f"{kind}_{layer}"] = found[f"{kind}_{layer}"] * found[f"{kind}_{layer}_scale"]
    return found


def views_of(rows: Floats, neutral: Floats | None, trust: Floats) -> Floats:
    """Return rows (..., FUNCTIONALS) as they are looked at, (..., VIEWS).

    How loud the microphone is says nothing by itself: only against the caller's own neutral.

    Args:
        rows: Of utterances.
        neutral: The mean of the same speakers' neutral utterances; None: unknown.
        trust: (FUNCTIONALS,) 0 to 1, how far the neutral is believed.
    """
    parts = [rows] if neutral is None else [rows, rows - neutral, rows - trust * neutral]
    found = np.concatenate(parts, axis=-1)
    found[..., LOUDNESS] = 0.0
    return found


def turned(seen: Floats, mean: Floats, deviation: Floats, basis: Floats) -> Floats:
    """Return what is seen, in deviations, along principal axes (..., AXES)."""
    found: Floats = np.clip((seen - mean) / deviation, -_CLIP, _CLIP).astype(np.float32) @ basis
    return found


def nearness(places: Floats, centres: Floats, width: int) -> Floats:
    """Return (N, M), 0 to 1, how near places (N, AXES) lie to centres (M, AXES).

    Args:
        places: Of what is looked at.
        centres: Of what was learnt from.
        width: How many numbers both were before they were turned.
    """
    squares = (places**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1)
    away = np.maximum(squares - 2 * places @ centres.T, 0.0) / width
    near: Floats = np.exp(-_WIDTH * away)
    return near


def shares_of(near: Floats, answers: Floats) -> Floats:
    """Return probabilities (N, CLASSES) of nearness (N, M) and the centres' answers."""
    return calibrated(np.exp(_SHARPNESS * (near @ answers)), np.array([1.0] + [0.0] * CLASSES))


def calibrated(shares: Floats, calibration: Floats) -> Floats:
    """Return probabilities (..., CLASSES), as often right as they say, each emotion counting alike.

    Args:
        shares: (..., CLASSES), positive.
        calibration: (1 + CLASSES,) an exponent, and the logarithm of a factor of each.
    """
    weighed = shares ** calibration[0] * np.exp(calibration[1:])
    found: Floats = (weighed / weighed.sum(axis=-1, keepdims=True)).astype(np.float32)
    return found


def probabilities(weights: Weights, row: Floats, neutral: Floats | None) -> Floats:
    """Return the probability (CLASSES,) of each of ``VOICE_EMOTIONS``.

    Args:
        weights: From ``load_weights``.
        row: (FUNCTIONALS,) of the utterance.
        neutral: (FUNCTIONALS,) mean of the caller's own neutral utterances; None: unknown.
    """
    kind = UNKNOWN if neutral is None else KNOWN
    mean, deviation, basis, centres, answers, calibration = (
        weights[f"{kind}_{name}"]
        for name in ("mean", "deviation", "basis", "centres", "answers", "calibration")
    )
    place = turned(views_of(row, neutral, weights["trust"]), mean, deviation, basis)
    shares = shares_of(nearness(place[None], centres, VIEWS[kind]), answers)[0]
    return calibrated(shares, calibration)
