"""Stages of the network counted and timed by torch, without an export.

    python -m rt_avatar.benchmarks.engines.torch_parts count | cpu | gpu  NAME …

``count`` needs no memory for weights: shapes go through the network, numbers do not. ``cpu`` runs
it with random weights on one thread; ``gpu`` as recorded CUDA graphs. Prints one line of JSON: name
of the part → what was found. In a process of its own, so that who measures need not load torch.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Any, Final, cast

import psutil
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils.flop_counter import FlopCounterMode

from rt_avatar.benchmarks.engines.parts import Found, GraphRun, Part, parts
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.lazy_weights import LazyWeights, lazy_noise, materialize
from rt_avatar.trt_builders.budget import shapes
from rt_avatar.trt_builders.catalogue import NETWORKS

LARGE: Final = "encoders"  # made without memory from the beginning: 2.5 GB of weights
FEWEST: Final = 3  # runs behind a median
LIMIT_S: Final = 2.0  # about how long one graph is run
WARM_RUNS: Final = 3  # before a CUDA graph is recorded
ROOM: Final = 1.3  # memory that a network takes against its weights'


class _Unfilled:
    """Leaves every part as it was made."""

    random = ("every part",)

    def __call__(self, *_: object, **__: object) -> None:
        pass

    def lazily(self, module: nn.Module, *_: object, **__: object) -> LazyWeights:
        return lazy_noise({name: tuple(one.shape) for name, one in module.state_dict().items()}, 0)


def make_graphs(network: str, device: str) -> dict[str, Graph]:
    """Return a network's graphs by name, as they were made at random; ``device`` may be meta."""
    make = NETWORKS[network].make
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        if device == "meta" and network == LARGE:
            with torch.device("meta"):
                return {graph.name: graph for graph in make(cast(Any, _Unfilled()))}
        # The others read their own numbers when they are made, which meta has none of.
        return {graph.name: graph for graph in make(cast(Any, _Unfilled()))}


# --- counting -----------------------------------------------------------------------------------
class _CountedLstms(TorchFunctionMode):  # type: ignore[misc]
    """Counts LSTMs by their weights: step after step takes torch seconds, of shapes alone."""

    def __init__(self) -> None:
        super().__init__()
        self.flops = 0

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> object:
        if getattr(func, "__name__", "") != "lstm":
            return func(*args, **(kwargs or {}))
        item, (hidden, cell), weights, *_, is_both_ways, _ = args
        self.flops += 2 * item.shape[:2].numel() * sum(w.numel() for w in weights if w.dim() == 2)
        width = hidden.shape[-1] * (2 if is_both_ways else 1)
        return item.new_empty((*item.shape[:2], width)), hidden, cell


def count(part: Part, graphs: dict[str, Graph]) -> Found:
    """Count a part; its graphs have no numbers afterwards."""
    modules = [graphs[run.graph].module for run in part.runs]
    weights = {id(one): one for module in modules for one in module.parameters()}
    parameters = sum(one.numel() for one in weights.values())
    flops = 0
    for run in part.runs:
        graph = graphs[run.graph]
        module = graph.module.eval().requires_grad_(False).to("meta")
        with (
            torch.device("meta"),
            torch.no_grad(),
            FlopCounterMode(display=False) as counter,
            _CountedLstms() as lstms,
        ):
            module(*_inputs(graph, run, "meta"))
        flops += run.times * (counter.get_total_flops() + lstms.flops)
    return Found(parameters, float(flops), 4 * parameters)


def _inputs(graph: Graph, run: GraphRun, device: str) -> list[Tensor]:
    """Return ones of the wanted shapes: valid ids, masks of tokens, and no subnormal numbers."""
    wanted = shapes(graph, run.sizes)
    return [
        torch.ones(wanted[name], dtype=example.dtype, device=device)
        for name, example in graph.inputs.items()
    ]


# --- timing -------------------------------------------------------------------------------------
def run_part(part: Part, graphs: dict[str, Graph], device: str) -> Found:
    """Run a part; what it takes is the sum of its graphs' medians."""
    timed = _on_gpu if device == "cuda" else _on_cpu
    ms = 0.0
    with torch.inference_mode():
        for run in part.runs:
            graph = graphs[run.graph]
            materialize(graph.module, graph.weights)
            module = graph.module.eval().to(device)
            inputs = _inputs(graph, run, device)
            ms += run.times * timed(partial(module, *inputs))
    return Found(ms=ms)


def _on_cpu(call: Callable[[], object]) -> float:
    """Return the median of processor time, in milliseconds."""
    call()
    taken: list[float] = []
    end_s = time.perf_counter() + LIMIT_S
    while len(taken) < FEWEST or time.perf_counter() < end_s:
        begin_s = time.process_time()
        call()
        taken.append(1000 * (time.process_time() - begin_s))
    return statistics.median(taken)


def _on_gpu(call: Callable[[], object]) -> float:
    """Return the median time of a recorded CUDA graph, in milliseconds."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(WARM_RUNS):
            call()
    torch.cuda.current_stream().wait_stream(side)
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded):
        call()
    taken: list[float] = []
    end_s = time.perf_counter() + LIMIT_S
    while len(taken) < FEWEST or time.perf_counter() < end_s:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        recorded.replay()
        end.record()
        torch.cuda.synchronize()
        taken.append(begin.elapsed_time(end))
    return statistics.median(taken)


def room_for(weights_bytes: int, device: str) -> str:
    """Return why a network cannot be run here; "" if it can."""
    if device == "cuda" and not torch.cuda.is_available():
        return "torch finds no GPU"
    free_bytes = float(psutil.virtual_memory().available)
    if device == "cuda":
        free_bytes = min(free_bytes, torch.cuda.mem_get_info()[0])
    if ROOM * weights_bytes > free_bytes:
        return f"needs {ROOM * weights_bytes / 1e9:.0f} GB of memory"
    return ""


# --- all ----------------------------------------------------------------------------------------
@contextmanager
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def find(task: str, names: list[str]) -> dict[str, Found]:
    """Count or run parts, network by network.

    Args:
        task: ``count``, ``cpu`` or ``gpu``.
        names: Of the parts.
    """
    device = {"count": "meta", "cpu": "cpu", "gpu": "cuda"}[task]
    wanted = [part for size in ("nano", "official") for part in parts(size) if part.name in names]
    if why_not := room_for(0, device) if task == "gpu" else "":
        return {part.name: Found(why_not=why_not) for part in wanted}
    found: dict[str, Found] = {}
    for network in dict.fromkeys(part.network for part in wanted):
        mine = [part for part in wanted if part.network == network]
        empty = make_graphs(network, "meta")
        counted = {part.name: count(part, empty) for part in mine}
        if task == "count":
            found |= counted
            continue
        needed = max(each.weights_bytes for each in counted.values())
        if why_not := room_for(needed, device):
            found |= {part.name: Found(why_not=why_not) for part in mine}
            continue
        graphs = make_graphs(network, device)
        with _one_thread():
            found |= {part.name: run_part(part, graphs, device) for part in mine}
    return found


def main() -> None:
    """Do what is asked for; write the answer as the last line."""
    task, *names = sys.argv[1:]
    counts = {name: asdict(found) for name, found in find(task, names).items()}
    sys.stdout.write(json.dumps(counts) + "\n")


if __name__ == "__main__":
    main()
