"""A turn → how likely a life is in danger, and by what.

Two networks say it together: logistic regression over n-grams, which hears words that people say it
in, and a text encoder, which hears what they mean. They know one turn and nothing before it.
"""

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.text_danger.features import danger_grams, split_words
from rt_avatar.engines.text_emotion.network import linear_scores, softmax
from rt_avatar.engines.text_encoder import EncoderHead, TextEncoder, packaged_encoder
from rt_avatar.engines.text_encoder import split_words as split_to_read
from rt_avatar.engines.weights_file import find_wrong, read_arrays

Danger: TypeAlias = Literal[
    "suicide",  # the caller's own, or self-harm
    "others_suicide",  # of somebody near
    "unclear",  # may be meant as suicide
    "violence",  # somebody hurts or threatens the caller
    "fear",  # the caller is afraid of somebody near, or not free
    "threat",  # the caller may hurt somebody, or did
    "overdose",
    "emergency",
]
DANGERS: Final[tuple[Danger, ...]] = get_args(Danger)
CLASSES: Final = len(DANGERS) + 1  # the last one: none
# Probability of all dangers together from which one may be meant, and from which it is taken for
# granted: what that costs is in the model card.
HEARD: Final = 0.85
SURE: Final = 0.95
_LINEAR, _ENCODER = 0.5, 0.5  # what the scores of each count
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.text_danger --data FOLDER"
_WINDOW, _OVERLAP = 28, 10  # words that are read at once, and read again with those behind them


@dataclass(frozen=True, slots=True)
class DangerEstimate:
    """What a turn tells of danger.

    Attributes:
        likeliest: The likeliest kind.
        probability: 0 to 1, of all kinds together.
    """

    likeliest: Danger
    probability: float


class TextDangerClassifier:
    """Both networks, once a process; any thread.

    Args:
        folder: Of ``weights.npz``, the linear part, and ``upper.onnx``, the encoder's own layers;
            the package's where none is given.
        encoder: What they read with; the package's where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        RuntimeUnavailableError: The layers are no graph.
        ValueError: A file does not hold what it should.
    """

    def __init__(self, folder: Path | None = None, encoder: TextEncoder | None = None) -> None:
        files = folder or resources.files("rt_avatar.engines.text_danger")
        found = read_arrays(files / "weights.npz", "text danger", _MAKE)
        if wrong := _find_wrong(found):
            raise ValueError(f"text danger: expected weights in {files}; got {wrong}. {_MAKE}")
        self._linear = found | {"linear_bias": found["linear_bias"].astype(np.float32)}
        self._encoder = encoder or packaged_encoder()
        self._head = EncoderHead(files / "upper.onnx", CLASSES)

    def classify(self, text: str) -> DangerEstimate:
        """Return what one turn tells, by itself: of a long one, the part that tells most."""
        words = text.split()
        starts = range(0, max(1, len(words) - _OVERLAP), _WINDOW - _OVERLAP)
        parts = [self._shares(" ".join(words[at : at + _WINDOW])) for at in starts]
        shares = min(parts, key=lambda part: float(part[-1]))
        return DangerEstimate(DANGERS[int(shares[:-1].argmax())], float(1 - shares[-1]))

    def _shares(self, text: str) -> NDArray[np.float32]:
        """Return the probability (CLASSES,) of each danger and of none."""
        linear = linear_scores(self._linear, danger_grams(split_words(text)))
        read = self._head.scores(self._encoder.read(split_to_read(text)))
        return softmax(_LINEAR * linear + _ENCODER * read, 0)


def _find_wrong(found: dict[str, np.ndarray]) -> str:
    """Return what is wrong with the arrays of a file; empty if nothing is."""
    grams = len(np.atleast_1d(found.get("ngrams", ())))
    wrong = find_wrong(
        found,
        {
            "labels": (np.str_, (CLASSES - 1,)),
            "ngrams": (np.uint32, (grams,)),  # hashes, rising
            "linear": (np.int8, (grams, CLASSES)),
            "linear_scale": (np.float16, (grams,)),  # what one unit of the row means
            "linear_bias": (np.float16, (CLASSES,)),
            "idf": (np.float16, (grams,)),  # inverse document frequency
        },
    )
    if wrong or tuple(found["labels"].tolist()) == DANGERS:
        return wrong or ("" if grams else "an empty table")
    return f"other labels than {', '.join(DANGERS)}"
