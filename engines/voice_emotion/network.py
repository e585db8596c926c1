"""The network that names an emotion by the voice: functionals → a probability for each of eight.

Two small ensembles of three networks, each two layers and an answer: one sees the utterance as it
is, the other how it differs from the caller's own neutral. Their errors differ; where the neutral
is known the answer is the geometric mean of both. Plain numpy: three small products a network.
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
MEMBERS: Final = 3  # networks whose probabilities are averaged
HIDDEN: Final = (192, 96)
ABSOLUTE, RELATIVE = "absolute", "relative"
_CLIP: Final = 4.0  # deviations: further is a fault of a tracker


def _shapes(kind: str) -> dict[str, tuple[int, ...]]:
    first, second = HIDDEN
    return {
        f"{kind}_mean": (FUNCTIONALS,),
        f"{kind}_deviation": (FUNCTIONALS,),
        f"{kind}_first": (MEMBERS, FUNCTIONALS, first),  # whole numbers, in units of the scale
        f"{kind}_first_scale": (MEMBERS, 1, first),
        f"{kind}_first_bias": (MEMBERS, 1, first),
        f"{kind}_second": (MEMBERS, first, second),
        f"{kind}_second_bias": (MEMBERS, 1, second),
        f"{kind}_answer": (MEMBERS, second, CLASSES),
        f"{kind}_answer_bias": (MEMBERS, 1, CLASSES),
    }


SHAPES: Final = {
    **_shapes(ABSOLUTE),
    **_shapes(RELATIVE),
    "calibration": (2,),  # exponents of the probabilities: neutral unknown, known
}
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.voice_emotion --data FOLDER"


def load_weights(path: Path | None = None) -> Weights:
    """Return the weights in a file; those that come with the package where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold what it should.
    """
    source = path or resources.files("rt_avatar.engines.voice_emotion") / "weights.npz"
    found = load_checked(source, SHAPES, "voice emotion", _MAKE)
    for kind in (ABSOLUTE, RELATIVE):
        found[f"{kind}_first"] = found[f"{kind}_first"] * found[f"{kind}_first_scale"]
    return found


def standardised(rows: Floats, mean: Floats, deviation: Floats, kind: str) -> Floats:
    """Return rows (..., FUNCTIONALS) as a network takes them.

    How loud the microphone is says nothing by itself: only against the caller's own neutral.
    """
    scaled: Floats = np.clip((rows - mean) / deviation, -_CLIP, _CLIP).astype(np.float32)
    if kind == ABSOLUTE:
        scaled[..., LOUDNESS] = 0.0
    return scaled


def probabilities(weights: Weights, row: Floats, neutral: Floats | None) -> Floats:
    """Return the probability (CLASSES,) of each of ``VOICE_EMOTIONS``.

    Args:
        weights: From ``load_weights``.
        row: (FUNCTIONALS,) of the utterance.
        neutral: (FUNCTIONALS,) mean of the caller's own neutral utterances; None: unknown.
    """
    shares = _answer(weights, row, ABSOLUTE)
    exponent = weights["calibration"][0]
    if neutral is not None:
        shares = np.sqrt(shares * _answer(weights, row - neutral, RELATIVE))
        exponent = weights["calibration"][1]
    shares = shares**exponent
    calibrated: Floats = (shares / shares.sum()).astype(np.float32)
    return calibrated


def _answer(weights: Weights, row: Floats, kind: str) -> Floats:
    x = standardised(row, weights[f"{kind}_mean"], weights[f"{kind}_deviation"], kind)
    hidden = np.broadcast_to(x, (MEMBERS, 1, len(x)))
    for layer in ("first", "second"):
        product = hidden @ weights[f"{kind}_{layer}"] + weights[f"{kind}_{layer}_bias"]
        hidden = np.maximum(product, 0.0)
    scores = hidden @ weights[f"{kind}_answer"] + weights[f"{kind}_answer_bias"]
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares: Floats = (raised / raised.sum(axis=-1, keepdims=True)).mean(axis=0)[0]
    return shares
