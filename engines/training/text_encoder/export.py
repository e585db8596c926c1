"""A tuned encoder → the files that ship: a table of pieces, and layers in eight bits as ONNX."""

import tempfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from rt_avatar.engines.text_encoder.encoder import MOST_PIECES
from rt_avatar.engines.text_encoder.pieces import SIZE
from rt_avatar.engines.training.text_emotion.packing import save, to_int8
from rt_avatar.engines.training.text_encoder.model import TextEncoderModel


class _Lower(nn.Module):  # type: ignore[misc]
    """Vectors (1, pieces, SIZE) → what the lower layers say of each, likewise."""

    def __init__(self, model: TextEncoderModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, vectors: Tensor) -> Tensor:
        """Return (1, pieces, SIZE)."""
        return self.model.lower(vectors)


class _Upper(nn.Module):  # type: ignore[misc]
    """What the lower layers say → scores (1, outputs)."""

    def __init__(self, model: TextEncoderModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, vectors: Tensor) -> Tensor:
        """Return (1, outputs)."""
        scores: Tensor = self.model.head(self.model.upper(vectors))
        return scores


def export_pieces(model: TextEncoderModel, path: Path) -> None:
    """Write the table of pieces."""
    rows, scale = to_int8(model.vectors.weight.detach().numpy())
    stored = np.frombuffer("\n".join(model.pieces).encode(), np.uint8)
    save(path, {"pieces": stored, "vectors": rows, "vectors_scale": scale})


def export_lower(model: TextEncoderModel, path: Path) -> None:
    """Write the layers that all share."""
    _export(_Lower(model.eval()), "hidden", path)


def export_upper(model: TextEncoderModel, path: Path) -> None:
    """Write the layers of one task."""
    _export(_Upper(model.eval()), "scores", path)


def _export(layers: nn.Module, output: str, path: Path) -> None:
    """Write a graph in eight bits; there is the whole file or none."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "layers.onnx"
        torch.onnx.export(
            layers.eval(),
            (torch.zeros(1, 8, SIZE),),
            whole,
            input_names=["vectors"],
            output_names=[output],
            dynamic_shapes={"vectors": {1: torch.export.Dim("pieces", min=2, max=MOST_PIECES)}},
            dynamo=True,
            external_data=False,
            verbose=False,
        )
        graph = onnx.load(whole)
        graph.graph.ClearField("value_info")  # shapes of before the exporter folded constants
        small = path.with_suffix(".part")
        # Seven of the eight bits: processors without VNNI add two products of eight in sixteen.
        quantize_dynamic(
            graph, small, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
        )
        small.replace(path)
