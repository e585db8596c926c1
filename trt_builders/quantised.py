"""fp32 ONNX → 8-bit weights where onnxruntime's CPU gains by it: language model and encoders.

Weights are rounded once, activations whenever they are used; no data is needed to calibrate with.
``round_blocks`` rounds activations by token, 128 numbers at a time, so a token is the same alone
and among others: a prompt may be read in any parts. ``round_calls`` rounds all activations of a
call by one scale, which is cheaper for the many tokens of an encoder, whose calls are always cut
alike. What it costs is compared with torch by ``verify``; docs/decisions/0013-eight-bits.md has
what else was tried.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import onnx
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import (
    DefaultWeightOnlyQuantConfig,
    MatMulNBitsQuantizer,
)

BITS: Final = 8  # four would cost a third of the logits' spread (measured on random weights)
BLOCK: Final = 128  # numbers that share a scale: twice as fast as 32, and hardly less exact
_INTEGERS: Final = 4  # onnxruntime's accuracy level that multiplies integers


def round_blocks(path: Path) -> None:
    """Round matrix products in place: a scale for 128 weights, and for 128 activations."""
    quantizer = MatMulNBitsQuantizer(
        onnx.load(path),
        algo_config=DefaultWeightOnlyQuantConfig(
            block_size=BLOCK, is_symmetric=True, accuracy_level=_INTEGERS, bits=BITS
        ),
    )
    quantizer.process()
    onnx.save(quantizer.model.model, path)


def round_calls(path: Path) -> None:
    """Round matrix products in place: a scale for an output's weights, one for all activations."""
    quantize_dynamic(
        path,
        path,
        weight_type=QuantType.QInt8,
        # Seven bits: processors with AVX2 and no VNNI add two products of 8 bits in 16 and saturate
        # (onnxruntime, quantization: reduce_range); measured on one: 15 % of the peak instead of 2.
        reduce_range=True,
        per_channel=True,
        op_types_to_quantize=["MatMul"],
        extra_options={"MatMulConstBOnly": True},
    )


INT8_GRAPHS: Final[Mapping[str, Callable[[Path], None]]] = {
    "llm_extend": round_blocks,
    "encoders_speech": round_calls,
    "encoders_lips": round_calls,
    "encoders_vision": round_calls,
}


def to_int8(name: str, path: Path) -> bool:
    """Round the graph ``name`` in its file; return whether it is one that gains by it.

    onnxruntime logs every product; nobody asked.
    """
    if name not in INT8_GRAPHS:
        return False
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        INT8_GRAPHS[name](path)
    finally:
        logging.disable(level)
    return True
