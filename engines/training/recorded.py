"""Steps of training that a GPU repeats from a recording, launched at once by its host.

Small networks keep a GPU busy for a quarter of a step; the rest is the host, who launches some
thousands of kernels. Recorded (a CUDA graph), a step is one launch.
"""

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor

_EAGER: Final = 3  # steps before the recording: libraries choose their kernels, buffers are made


class RecordedStep:
    """One step, the same every time but for its seed: on a CPU as it is, on a GPU recorded.

    Args:
        step: Draws by ``chance`` alone, reads and writes tensors that stay where they are, and asks
            nothing of the device. Returns its figures.
        chance: Of the device on which the step runs.
    """

    def __init__(self, step: Callable[[], dict[str, Tensor]], chance: torch.Generator) -> None:
        self._step, self._chance = step, chance
        self._done = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._figures: dict[str, Tensor] = {}

    def run(self, seed: int) -> dict[str, Tensor]:
        """Take the step with a seed; figures of a recording are overwritten by the next one."""
        self._chance.manual_seed(seed)
        if self._chance.device.type != "cuda":
            return self._step()
        if self._done < _EAGER:
            self._done += 1
            return self._aside()
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            self._graph.register_generator_state(self._chance)
            with torch.cuda.graph(self._graph):
                self._figures = self._step()
            self._chance.manual_seed(seed)
        self._graph.replay()
        return self._figures

    def _aside(self) -> dict[str, Tensor]:
        """Take it eagerly on a stream that is not the default one, as recordings are made."""
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            figures = self._step()
        torch.cuda.current_stream().wait_stream(stream)
        return figures
