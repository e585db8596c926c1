"""The network that hears whether a turn is over: features of a window → a logit.

A layer over three windows (96 ms), a recurrent layer (GRU) that remembers the turn so far, one
linear layer. All of it is causal. Plain numpy: a step is three small matrix products.

Source of the GRU's equations: K. Cho et al., "Learning phrase representations using RNN
encoder-decoder", 2014, with the reset gate behind the product, as torch.nn.GRU has it.
"""

from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines import weights_file
from rt_avatar.engines.end_of_turn.features import FEATURES

TAPS: Final = 3
FIRST_SIZE: Final = 48
MEMORY_SIZE: Final = 64
# Names and shapes of the weights: rows are what comes in (taps × features), columns what goes out.
WEIGHTS: Final[dict[str, tuple[int, ...]]] = {
    "first": (TAPS * FEATURES, FIRST_SIZE),
    "first_bias": (FIRST_SIZE,),
    "into": (FIRST_SIZE, 3 * MEMORY_SIZE),  # reset, update, new
    "into_bias": (3 * MEMORY_SIZE,),
    "again": (MEMORY_SIZE, 3 * MEMORY_SIZE),
    "again_bias": (3 * MEMORY_SIZE,),
    "answer": (MEMORY_SIZE, 1),
    "answer_bias": (1,),
    "combination": (3,),  # offset, weight of the sound's logit, weight of the words'
}
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.end_of_turn"
Floats = NDArray[np.float32]


def load_weights(path: Path | None = None) -> dict[str, Floats]:
    """Return the weights in a file; those that come with the package where none is given.

    Raises:
        FileNotFoundError: There is no such file.
        ValueError: It does not hold ``WEIGHTS``, all finite.
    """
    packaged = resources.files("rt_avatar.engines.end_of_turn") / "weights.npz"
    return weights_file.load_weights(path or packaged, WEIGHTS, "end of turn", _MAKE)


class NetworkStream:
    """One caller through the network. Not thread-safe."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self._weights = weights
        self.reset()

    def reset(self) -> None:
        """Forget the turn so far."""
        self._rows: Floats = np.zeros((TAPS, FEATURES), np.float32)
        self._memory: Floats = np.zeros(MEMORY_SIZE, np.float32)

    def push(self, row: Floats) -> float:
        """Take the next window's features, (FEATURES,); return the logit that the turn is over."""
        w, memory = self._weights, self._memory
        self._rows = np.concatenate((self._rows[1:], row[None]))
        first = np.maximum(self._rows.ravel() @ w["first"] + w["first_bias"], 0.0)
        step = first @ w["into"] + w["into_bias"]
        again = memory @ w["again"] + w["again_bias"]
        gates = 0.5 + 0.5 * np.tanh(0.5 * (step[: 2 * MEMORY_SIZE] + again[: 2 * MEMORY_SIZE]))
        reset, update = gates[:MEMORY_SIZE], gates[MEMORY_SIZE:]
        new = np.tanh(step[2 * MEMORY_SIZE :] + reset * again[2 * MEMORY_SIZE :])
        self._memory = (new + update * (memory - new)).astype(np.float32)
        return float((self._memory @ w["answer"] + w["answer_bias"])[0])
