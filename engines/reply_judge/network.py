"""Features of replies and directions of words → how well each reply fits, in numpy.

Numbers that describe a turn and a reply to it, and the directions that ``reply_ranker`` gives the
words of both, through one hidden layer. Which numbers those are, ``reasoner.judging`` says.
"""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.reply_ranker.network import OUTPUT
from rt_avatar.engines.text_emotion.network import gelu, softmax
from rt_avatar.engines.weights_file import load_weights

Floats = NDArray[np.float32]
FEATURES: Final = 65
RANK: Final = 32  # of what is kept of a direction
HIDDEN: Final = 32
CLASSES: Final = 3  # beside the point, weak, fitting
MEMBERS: Final = 3  # networks that learnt the same from other beginnings; their mean is nearer
BOUND: Final = 4.0  # deviations from the mean that a feature counts at most
DIRECTION_SCALE: Final = 10.0  # numbers of a direction of length 1 are small
_SHAPES_OF_ONE: Final[dict[str, tuple[int, ...]]] = {
    "mean": (FEATURES,),
    "deviation": (FEATURES,),
    "context": (OUTPUT, RANK),
    "context_bias": (RANK,),
    "reply": (OUTPUT, RANK),
    "reply_bias": (RANK,),
    "hidden": (FEATURES + 3 * RANK, HIDDEN),
    "hidden_bias": (HIDDEN,),
    "output": (HIDDEN, CLASSES),
    "output_bias": (CLASSES,),
    "direct": (FEATURES, CLASSES),
}
SHAPES: Final = {name: (MEMBERS, *shape) for name, shape in _SHAPES_OF_ONE.items()}
# What a reply is worth that is beside the point, weak, and fitting.
WORTH: Final = np.array((0.0, 0.45, 1.0), np.float32)
_MAKE: Final = "Make them with: python -m rt_avatar.benchmarks.empathy.judging"


class ReplyJudge:
    """The network, once a process; any thread."""

    def __init__(self, weights: Path | None = None) -> None:
        """Load the weights; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold what it should.
        """
        packaged = resources.files("rt_avatar.engines.reply_judge") / "weights.npz"
        self._weights = load_weights(weights or packaged, SHAPES, "reply judge", _MAKE)

    def worth(self, features: Floats, context: Floats, replies: Floats) -> Floats:
        """Return what each reply (replies,) is worth, 0 to 1.

        Args:
            features: (replies, FEATURES).
            context: (192,) direction of what was said.
            replies: (replies, 192) directions of the replies.
        """
        return self.probabilities(features, context, replies) @ WORTH

    def probabilities(self, *seen: Floats) -> Floats:
        """Return how likely each reply (replies, CLASSES) is beside the point, weak, fitting.

        Args:
            seen: As for ``worth``.
        """
        each = [
            _shares({name: array[at] for name, array in self._weights.items()}, *seen)
            for at in range(MEMBERS)
        ]
        found: Floats = np.mean(each, axis=0, dtype=np.float32)
        return found


def _shares(of: Mapping[str, Floats], features: Floats, context: Floats, replies: Floats) -> Floats:
    x = np.clip((features - of["mean"]) / of["deviation"], -BOUND, BOUND)
    said = DIRECTION_SCALE * context @ of["context"] + of["context_bias"]
    reply = DIRECTION_SCALE * replies @ of["reply"] + of["reply_bias"]
    seen = np.concatenate((x, np.broadcast_to(said, reply.shape), reply, said * reply), 1)
    hidden = gelu(seen @ of["hidden"] + of["hidden_bias"])
    return softmax(hidden @ of["output"] + of["output_bias"] + x @ of["direct"], 1)
