"""What the machine can do at best, and what a network asks of it: rates, counts → a floor.

The floor of an item is the longer of two times: its arithmetic at the rate of a large matrix
product, and the bytes that it must touch at the rate of a large copy. Nothing computed on one
thread with 32-bit floats beats the first, but 8-bit weights do; small weights that stay in the
caches beat the second (a copy of 128 MiB goes through memory). So a ratio below 1 is possible and
says just that.
"""

import json
import math
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from rt_avatar.benchmarks.engines.case import Work

MATRIX: Final = 1024  # beyond it the rate of one core rises no more
COPY_BYTES: Final = 128 * 2**20  # several times any last-level cache that one core may fill
REPEATS: Final = 12  # the best of so many: the machine's rate, not what others left of it

Feeds = Mapping[str, NDArray[Any]]  # name of an input → its array
Shape = Sequence[int]


@dataclass(frozen=True, slots=True)
class MachineRates:
    """Of one thread.

    Attributes:
        gemm_flops: Multiplications and additions a second, float32.
        copy_bytes: Bytes a second, read and written ones both counted.
    """

    gemm_flops: float
    copy_bytes: float


def measure_machine() -> MachineRates:
    """Measure; numpy must have been told to use one thread before it was loaded."""
    dice = np.random.default_rng(0)
    left, right = dice.random((2, MATRIX, MATRIX), np.float32)
    product = np.empty_like(left)
    gemm_s = _best_s(lambda: np.matmul(left, right, out=product))
    source = np.ones(COPY_BYTES, np.uint8)
    target = np.zeros_like(source)
    target[:] = 1  # touched, or the first copy would pay for the pages
    copy_s = _best_s(lambda: np.copyto(target, source))
    return MachineRates(2 * MATRIX**3 / gemm_s, 2 * COPY_BYTES / copy_s)


def _best_s(function: Callable[[], object]) -> float:
    taken = []
    for _ in range(REPEATS):
        begin_s = time.process_time()
        function()
        taken.append(time.process_time() - begin_s)
    return min(taken)


def floor_ms(work: Work, rates: MachineRates) -> float:
    """Return the least time of an item; NaN where nothing is known of its work."""
    if not work.flops and not work.moved_bytes:
        return math.nan
    return 1000 * max(work.flops / rates.gemm_flops, work.moved_bytes / rates.copy_bytes)


# --- onnx ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Tally:
    """What the runs of one network asked for.

    Attributes:
        flops: Of all runs.
        moved_bytes: Weights that were used, inputs and outputs, of all runs; of a table only the
            rows that were looked up.
        parameters: Weights of all nodes that ran, once; of any precision.
        tables: How many each table has in which something was looked up.
        products: How many the matrix products have.
    """

    flops: float
    moved_bytes: float
    parameters: int
    tables: tuple[int, ...]
    products: frozenset[int]


class CountedGraph:
    """A network that counts what its runs ask of the machine, from onnxruntime's own profile.

    Only what really ran is counted, branches with the rest left out: products (convolutions, matrix
    products, recurrent cells) in full, every other result as one operation a number. It is slower
    than the network itself: time is measured elsewhere.
    """

    def __init__(self, model: Path) -> None:
        self._folder = tempfile.TemporaryDirectory()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.enable_profiling = True
        options.profile_file_prefix = str(Path(self._folder.name) / "profile")
        # Weights that were folded are numbers to count; packed ones would be hidden, and fused
        # operations have names and shapes of their own.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.add_session_config_entry("session.disable_prepacking", "1")
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )
        self._names = [one.name for one in self._session.get_outputs()]
        self._runs = 0
        self._through_bytes = 0

    def run(self, feeds: Feeds) -> dict[str, NDArray[Any]]:
        """Run the network once, as any runtime does."""
        outs = self._session.run(None, dict(feeds))
        self._runs += 1
        self._through_bytes += sum(np.asarray(one).nbytes for one in (*feeds.values(), *outs))
        return dict(zip(self._names, outs, strict=True))

    def finish(self) -> Tally:
        """Return what all runs together asked for. Once."""
        events = json.loads(Path(self._session.end_profiling()).read_text(encoding="utf-8"))
        self._folder.cleanup()
        return tally(events, self._through_bytes, self._runs)


def onnx_work(model: Path, feeds: Feeds) -> Work:
    """Return what one run of a network asks for."""
    counted = CountedGraph(model)
    counted.run(feeds)
    return summed([counted.finish()])


def summed(tallies: Sequence[Tally]) -> Work:
    """Add up networks.

    A table as large as the weights of a product is taken for the same numbers (the head of a
    language model that shares them with its embedding) and counted once.
    """
    products = {size for each in tallies for size in each.products}
    twice = sum(size for each in tallies for size in each.tables if size in products)
    return Work(
        sum(each.parameters for each in tallies) - twice,
        sum(each.flops for each in tallies),
        sum(each.moved_bytes for each in tallies),
    )


def tally(events: Iterable[Mapping[str, Any]], through_bytes: int, runs: int = 1) -> Tally:
    """Sum up the nodes of a profile.

    Args:
        events: Of all runs.
        through_bytes: The network's inputs and outputs, of all runs.
        runs: How often the network ran, each time through the same nodes.
    """
    flops = 0.0
    parameters = moved_bytes = 0
    tables: list[int] = []
    products: set[int] = set()
    for event in events:
        if event.get("cat") != "Node" or not event["name"].endswith("_kernel_time"):
            continue
        node = event["args"]
        inputs = [_shape(one) for one in node["input_type_shape"]]
        outputs = [_shape(one) for one in node["output_type_shape"]]
        flops += node_flops(node["op_name"], inputs, outputs)
        weights_bytes = int(node["parameter_size"])
        weights = weights_bytes // 4
        if node["op_name"] in _ROUNDED and weights_bytes:
            weights = math.prod(inputs[1])  # a byte each; what scales them is not counted
        parameters += weights
        if node["op_name"] == "Gather" and weights:
            tables.append(weights)
            weights_bytes = min(weights_bytes, 4 * math.prod(outputs[0] if outputs else ()))
        elif node["op_name"] in _PRODUCTS and weights:
            products.add(weights)
        moved_bytes += weights_bytes
    return Tally(
        flops,
        moved_bytes + through_bytes,
        parameters // max(1, runs),
        tuple(sorted(tables)[:: max(1, runs)]),
        frozenset(products),
    )


def node_flops(kind: str, inputs: Sequence[Shape], outputs: Sequence[Shape]) -> float:
    """Return the multiplications and additions of one node of that kind."""
    results = math.prod(outputs[0]) if outputs else 0
    if kind in ("Conv", "FusedConv"):  # weights (out, in / groups, kernel…)
        return 2.0 * results * math.prod(inputs[1][1:])
    if kind == "ConvTranspose":  # weights (in, out / groups, kernel…): every input spreads so far
        return 2.0 * math.prod(inputs[0]) * math.prod(inputs[1][1:])
    if kind in _PRODUCTS:  # (…, m, k) × (…, k, n)
        return 2.0 * results * inputs[0][-1]
    if kind in _GATES:  # x (time, batch, in), W (directions, gates, in), R (directions, gates, out)
        steps = inputs[0][0] * inputs[0][1]
        return 2.0 * steps * (math.prod(inputs[1]) + math.prod(inputs[2]))
    if kind in _MOVES:
        return 0.0
    return float(results)


_ROUNDED: Final = ("MatMulInteger", "MatMulNBits")  # of 8-bit weights
_PRODUCTS: Final = ("MatMul", "Gemm", "FusedMatMul", "FusedGemm", *_ROUNDED)
_GATES: Final = ("LSTM", "GRU", "RNN")
# They compute nothing, or what they hold is counted already.
_MOVES: Final = frozenset(
    ("If", "Loop", "Scan", "Shape", "Size", "Gather", "Squeeze", "Unsqueeze", "Reshape", "Slice",
     "Split", "Concat", "Identity", "Cast", "Pad", "Transpose", "Constant", "Flatten", "Expand")
)  # fmt: skip


def _shape(one: Mapping[str, Shape]) -> Shape:
    """Return the shape of ``{"float": [1, 128]}``."""
    return next(iter(one.values()), ())
