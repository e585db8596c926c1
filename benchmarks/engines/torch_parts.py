"""Stages of the network counted and timed by torch, without an export.

    python -m rt_avatar.benchmarks.engines.torch_parts TASK NAME …

TASK is one of ``PLACES``.

``count`` needs no memory for weights: shapes go through the network, numbers do not. ``cpu`` runs
it with random weights on one thread; ``gpu`` as recorded CUDA graphs in fp32 (convolutions in TF32,
as torch has it), ``gpu-bf16`` with bfloat16 weights under torch's autocast, LSTMs in fp32, and
``gpu-bf16-eager`` the same without recording: each kernel is asked for by the host. On a GPU a part
that fails costs the others nothing. Prints one line of JSON: name of the part → what was
found. In a process of its own, so that who measures need not load torch.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import Any, Final, NamedTuple, cast

import psutil
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils.flop_counter import FlopCounterMode

from rt_avatar.benchmarks.engines.parts import Found, GraphRun, Part, parts
from rt_avatar.benchmarks.engines.road import road
from rt_avatar.engines.networks.graph import Graph, weight_bytes
from rt_avatar.engines.networks.lazy_weights import LazyWeights, lazy_noise, materialize
from rt_avatar.trt_builders.budget import shapes
from rt_avatar.trt_builders.catalogue import NETWORKS

LARGE: Final = "encoders"  # made without memory from the beginning: 2.5 GB of weights
FEWEST: Final = 3  # runs behind a median
LIMIT_S: Final = 2.0  # about how long one graph is run
GPU_LIMIT_S: Final = 0.3  # there: hundreds of times, and both sizes have 50 graphs
WARM_RUNS: Final = 3  # before a CUDA graph is recorded
ROOM: Final = 1.3  # memory that a network takes against its weights'
_SPREAD: Final = 0.02  # of random matrices, as ``lazy_noise`` has it
_GAIN_SPREAD: Final = 0.1  # of what has one axis, about 1


class Place(NamedTuple):
    """Where parts are run, whether their weights and products are bfloat16, and how on a GPU."""

    device: str
    is_narrow: bool = False
    is_recorded: bool = True


PLACES: Final = {
    "count": Place("meta"),
    "cpu": Place("cpu"),
    "gpu": Place("cuda"),
    "gpu-bf16": Place("cuda", is_narrow=True),
    "gpu-bf16-eager": Place("cuda", is_narrow=True, is_recorded=False),
}


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
def run_part(part: Part, graphs: dict[str, Graph], place: Place) -> Found:
    """Run a part; what it takes is the sum of its graphs' medians."""
    on_gpu = partial(_on_gpu, is_recorded=place.is_recorded)
    timed = on_gpu if place.device == "cuda" else _on_cpu
    ms = 0.0
    with torch.inference_mode():
        for run in part.runs:
            graph = graphs[run.graph]
            settle(graph, place)
            inputs = _inputs(graph, run, place.device)
            with torch.autocast(
                place.device, torch.bfloat16, enabled=place.is_narrow, cache_enabled=False
            ):
                ms += run.times * timed(partial(graph.module, *inputs))
    return Found(ms=ms)


def settle(graph: Graph, place: Place) -> None:
    """Give a graph's module numbers, where it is to run and in the types that it is to have.

    What has none yet gets them where it runs: 7 B of them take minutes to be drawn by one thread of
    the host, and 27 GB of its memory.
    """
    if place.device == "cuda":
        _draw(graph.module, place)
    materialize(graph.module, graph.weights)
    graph.module.eval().to(place.device)
    if place.is_narrow:
        _narrow(graph.module)


def _draw(module: nn.Module, place: Place) -> None:
    dtype = torch.bfloat16 if place.is_narrow else torch.float32
    for owner in module.modules():
        for name, weight in owner.named_parameters(recurse=False):
            if weight.is_meta:
                values = torch.empty(weight.shape, dtype=dtype, device=place.device)
                if weight.dim() > 1:
                    values.normal_(0.0, _SPREAD)
                else:
                    values.normal_(1.0, _GAIN_SPREAD)
                setattr(owner, name, nn.Parameter(values, requires_grad=False))


def _narrow(module: nn.Module) -> None:
    """Make weights bfloat16, to be run under autocast; LSTMs and norms stay wide, as in exports."""
    for owner in module.modules():
        if not isinstance(owner, (nn.LSTM, nn.LayerNorm, nn.GroupNorm)):
            for weight in owner.parameters(recurse=False):
                weight.data = weight.data.to(torch.bfloat16)
        elif isinstance(owner, nn.LSTM) and "forward" not in vars(owner):  # parts share modules
            owner.forward = partial(_run_wide, owner.forward)


def _run_wide(forward: Callable[..., Tensor], x: Tensor, *rest: object) -> Tensor:
    with torch.autocast(x.device.type, enabled=False):
        return forward(x.float(), *rest)


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


def _on_gpu(call: Callable[[], object], *, is_recorded: bool = True) -> float:
    """Return the median time of a call, recorded as a CUDA graph or not, in milliseconds."""
    once = _recorded(call) if is_recorded else call
    for _ in range(WARM_RUNS):
        once()
    torch.cuda.synchronize()
    taken: list[float] = []
    end_s = time.perf_counter() + GPU_LIMIT_S
    while len(taken) < FEWEST or time.perf_counter() < end_s:
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        once()
        end.record()
        torch.cuda.synchronize()
        taken.append(begin.elapsed_time(end))
    return statistics.median(taken)


def _recorded(call: Callable[[], object]) -> Callable[[], object]:
    """Return what replays a call's kernels."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(WARM_RUNS):
            call()
    torch.cuda.current_stream().wait_stream(side)
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded):
        call()
    return cast(Callable[[], object], recorded.replay)


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
        task: One of ``PLACES``.
        names: Of the parts.
    """
    place = PLACES[task]
    device = place.device
    known = (*parts("nano"), *parts("official"), *road())
    wanted = [part for part in known if part.name in names]
    if why_not := room_for(0, device) if device == "cuda" else "":
        return {part.name: Found(why_not=why_not) for part in wanted}
    found: dict[str, Found] = {}
    for network in dict.fromkeys(part.network for part in wanted):
        mine = [part for part in wanted if part.network == network]
        if device == "cuda":
            found |= _find_on_gpu(network, mine, place)
            continue
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
            found |= {part.name: run_part(part, graphs, place) for part in mine}
    return found


def _find_on_gpu(network: str, mine: list[Part], place: Place) -> dict[str, Found]:
    """Run a network's parts; of one that cannot be run, tell why."""
    torch.backends.cudnn.benchmark = True  # a recording has one shape for ever
    graphs = make_graphs(network, place.device)
    modules = {run.graph: graphs[run.graph].module for part in mine for run in part.runs}
    needed = max(weight_bytes(module) for module in modules.values())
    if why_not := room_for(needed // 2 if place.is_narrow else needed, place.device):
        return {part.name: Found(why_not=why_not) for part in mine}
    found: dict[str, Found] = {}
    for part in mine:
        try:
            found[part.name] = run_part(part, graphs, place)
        except RuntimeError as error:  # torch's own, CUDA's and lack of memory among them
            found[part.name] = Found(why_not=f"failed: {str(error).partition(chr(10))[0]}")
    del graphs, modules
    torch.cuda.empty_cache()
    return found


def main() -> None:
    """Do what is asked for; write the answer as the last line."""
    task, *names = sys.argv[1:]
    counts = {name: asdict(found) for name, found in find(task, names).items()}
    sys.stdout.write(json.dumps(counts) + "\n")


if __name__ == "__main__":
    main()
