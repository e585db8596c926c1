"""Text → scores by a transformer encoder, which reads both ways, on onnxruntime.

Its lower layers are shared by all who read with it; each has upper layers of its own, which give
one row of scores: what they mean is up to who trained them.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.runtimes.onnx import OnnxRuntime
from rt_avatar.engines.text_encoder.pieces import BEGIN, END, SIZE, PieceTable, Splitter

MOST_PIECES: Final = 96  # of a text, its begin and ends among them
Hidden = NDArray[np.float32]


def framed(splitter: Splitter, *texts: Sequence[str]) -> list[int]:
    """Return the rows of the pieces of texts' words: a begin, and an end behind each text."""
    end = splitter.row_of(END)
    rows = [splitter.row_of(BEGIN)]
    for words in texts:
        rows += [*splitter.rows_of(words), end]
    return rows


class TextEncoder:
    """Pieces and the lower layers, once a process; any thread.

    Args:
        folder: Of ``pieces.npz`` and ``lower.onnx``; the package's where none is given.

    Raises:
        FileNotFoundError: A file is missing.
        RuntimeUnavailableError: The layers are no graph.
        ValueError: A file does not hold what it should.
    """

    def __init__(self, folder: Path | None = None) -> None:
        packaged = resources.files("rt_avatar.engines.text_encoder")
        self.pieces = PieceTable(folder / "pieces.npz" if folder else None)
        self._graph = load_layers(
            (folder or packaged) / "lower.onnx", "hidden", (1, "pieces", SIZE)
        )

    def read(self, *texts: Sequence[str]) -> Hidden:
        """Return (1, pieces, SIZE) of texts' words; the first MOST_PIECES pieces are read."""
        vectors = self.pieces.vectors(framed(self.pieces, *texts)[:MOST_PIECES])
        found: Hidden = self._graph.run({"vectors": vectors[None]})["hidden"]
        return found


class EncoderHead:
    """Upper layers; any thread.

    Args:
        layers: The ONNX file.
        outputs: How many scores they give.

    Raises:
        FileNotFoundError: There is no such file.
        RuntimeUnavailableError: It is no graph.
        ValueError: It is another one.
    """

    def __init__(self, layers: Path | Traversable, outputs: int) -> None:
        self._graph = load_layers(layers, "scores", (1, outputs))

    def scores(self, hidden: Hidden) -> NDArray[np.float32]:
        """Return scores (outputs,) of what ``TextEncoder.read`` gave."""
        found: NDArray[np.float32] = self._graph.run({"vectors": hidden})["scores"][0]
        return found


@cache
def packaged_encoder() -> TextEncoder:
    """Return the package's encoder, which all share."""
    return TextEncoder()


def load_layers(
    layers: Path | Traversable, output: str, shape: tuple[int | str, ...]
) -> OnnxRuntime:
    """Return a graph from ``vectors`` to an output of that name and shape.

    Raises:
        FileNotFoundError: There is no such file.
        RuntimeUnavailableError: It is no graph.
        ValueError: It is another one.
    """
    graph = OnnxRuntime(layers if isinstance(layers, Path) else layers.read_bytes(), arena=False)
    found = [*(spec.name for spec in graph.inputs)], [(o.name, o.shape) for o in graph.outputs]
    if found != (["vectors"], [(output, shape)]):
        raise ValueError(
            f"{layers}: expected a graph from vectors to {output} {shape}; got {found[0]} to "
            f"{found[1]}"
        )
    return graph
