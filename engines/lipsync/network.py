"""The network that hears where a mouth is: 20 hops → 18 numbers a frame of the chunk before.

Three convolutions in time look at the last quarter of a second, a recurrent layer (GRU) remembers
the speaker, one linear layer answers. All of it is causal; the answer belongs to the frame five
steps (200 ms) before, which is the look-ahead. Plain numpy: a step is some small matrix products.

Source of the GRU's equations: K. Cho et al., "Learning phrase representations using RNN
encoder-decoder", 2014, with the reset gate behind the product, as torch.nn.GRU has it.
"""

from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.lipsync.channels import NODS, OUTPUTS
from rt_avatar.engines.motion.spectrum import BANDS, Heard
from rt_avatar.engines.types import CHUNK_FRAMES
from rt_avatar.engines.weights_file import load_weights

HOPS_A_FRAME: Final = 4
DELAY_FRAMES: Final = CHUNK_FRAMES  # from a frame to the step that answers for it
FIRST_TAPS, FIRST_SIZE = 3, 64  # hops; the first convolution
FRAME_SIZE: Final = 96  # the second takes the four hops of a frame
CONTEXT_TAPS, CONTEXT_SIZE = 7, 128  # frames; the third
MEMORY_SIZE: Final = 96
# Names and shapes of the weights: rows are what comes in (taps × channels), columns what goes out.
WEIGHTS: Final[dict[str, tuple[int, ...]]] = {
    "first": (FIRST_TAPS * BANDS, FIRST_SIZE),
    "first_bias": (FIRST_SIZE,),
    "frame": (HOPS_A_FRAME * FIRST_SIZE, FRAME_SIZE),
    "frame_bias": (FRAME_SIZE,),
    "context": (CONTEXT_TAPS * FRAME_SIZE, CONTEXT_SIZE),
    "context_bias": (CONTEXT_SIZE,),
    "into": (CONTEXT_SIZE, 3 * MEMORY_SIZE),  # reset, update, new
    "into_bias": (3 * MEMORY_SIZE,),
    "again": (MEMORY_SIZE, 3 * MEMORY_SIZE),
    "again_bias": (3 * MEMORY_SIZE,),
    "answer": (MEMORY_SIZE + CONTEXT_SIZE, OUTPUTS),
    "answer_bias": (OUTPUTS,),
}
_MAKE: Final = "Make them with: python -m rt_avatar.engines.training.lipsync"
Floats = NDArray[np.float32]


class Network:
    """The weights, shared by all."""

    def __init__(self, path: Path | None = None) -> None:
        """Load the weights; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold the weights of this network.
        """
        packaged = resources.files("rt_avatar.engines.lipsync") / "weights.npz"
        self.weights = load_weights(path or packaged, WEIGHTS, "lipsync", _MAKE)


class NetworkStream:
    """One stream through the network. Not thread-safe."""

    def __init__(self, network: Network) -> None:
        self._weights = network.weights
        # What the convolutions still need of the past.
        self._hops: Floats = np.zeros((FIRST_TAPS - 1, BANDS), np.float32)
        self._frames: Floats = np.zeros((CONTEXT_TAPS - 1, FRAME_SIZE), np.float32)
        self._memory: Floats = np.zeros(MEMORY_SIZE, np.float32)

    def push(self, heard: Heard) -> Floats:
        """Hear the next chunk; return (5, OUTPUTS) for the frames of the one before."""
        w = self._weights
        hops = np.concatenate((self._hops, heard.bands))  # (2 + 20, BANDS)
        self._hops = hops[len(heard.bands) :]
        first = _relu(_taps(hops, FIRST_TAPS) @ w["first"] + w["first_bias"])  # (20, 64)
        frames = _relu(
            first.reshape(-1, HOPS_A_FRAME * FIRST_SIZE) @ w["frame"] + w["frame_bias"]
        )  # (5, 96)
        frames = np.concatenate((self._frames, frames))
        self._frames = frames[CHUNK_FRAMES:]
        context = _relu(_taps(frames, CONTEXT_TAPS) @ w["context"] + w["context_bias"])  # (5, 128)
        hidden = np.stack([self._gru_step(step) for step in context @ w["into"]])
        both = np.concatenate((hidden, context), axis=1)
        answer = both @ w["answer"] + w["answer_bias"]  # (5, OUTPUTS)
        numbers = _sigmoid(answer)
        numbers[:, NODS] = answer[:, NODS]
        return numbers

    def _gru_step(self, step: Floats) -> Floats:
        """Take one step of the GRU: (3 * MEMORY_SIZE,) → the new memory."""
        w, memory = self._weights, self._memory
        step = step + w["into_bias"]
        again = memory @ w["again"] + w["again_bias"]
        gates = _sigmoid(step[: 2 * MEMORY_SIZE] + again[: 2 * MEMORY_SIZE])
        reset, update = gates[:MEMORY_SIZE], gates[MEMORY_SIZE:]
        new = np.tanh(step[2 * MEMORY_SIZE :] + reset * again[2 * MEMORY_SIZE :])
        self._memory = (new + update * (memory - new)).astype(np.float32)
        return self._memory


def _taps(rows: Floats, taps: int) -> Floats:
    """(T + taps - 1, C) → (T, taps * C): each row with those before it, oldest first."""
    windows = np.lib.stride_tricks.sliding_window_view(rows, taps, axis=0)  # (T, C, taps)
    return windows.transpose(0, 2, 1).reshape(len(windows), -1)


def _relu(values: Floats) -> Floats:
    return np.maximum(values, 0.0)


def _sigmoid(values: Floats) -> Floats:
    half: Floats = 0.5 + 0.5 * np.tanh(0.5 * values)
    return half
