"""The network's stages as cases, for every size in a folder of exports.

Each loads the graphs that its stage uses and no others; what it asks of the machine is counted by
the same stage made of graphs that count.
"""

import time
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from rt_avatar.benchmarks.engines.case import AnyEngine, Case, Flush, Work
from rt_avatar.benchmarks.engines.floor import CountedGraph, Tally, summed
from rt_avatar.benchmarks.engines.graph_cache import GraphCache
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.benchmarks.engines.network_stage import Exports, Stage
from rt_avatar.benchmarks.engines.network_stages import STAGES
from rt_avatar.engines.empatheia.export_manifest import EXPORT_MANIFEST
from rt_avatar.engines.runtimes import OnnxRuntime
from rt_avatar.engines.runtimes.onnx import Provider

SIZES: Final = ("nano", "empatheia")
WHOLES: Final = (" answer", " voice, whole", " face, in a call")  # rows of what others make up


def row_names(size: str) -> list[str]:
    """Return the rows of an export."""
    return [f"{size} {stage.name}" for stage in STAGES]


def network_cases(options: Options) -> list[Case]:
    """Return the cases of every size in the folder that ``options`` name; none without one."""
    if not options.network:
        return []
    folder = Path(options.network)
    found = [name for name in SIZES if (folder / name / EXPORT_MANIFEST).is_file()]
    return [_case(stage, Exports(folder, name, options)) for name in found for stage in STAGES]


def _case(stage: Stage, exports: Exports) -> Case:
    provider = cast(Provider, exports.options.provider)

    def make() -> AnyEngine:
        graph_cache = exports.graph_cache(lambda file: OnnxRuntime(file, provider))
        engine = stage.build(exports.engines(graph_cache))
        graph_cache.keep(stage.graphs(exports.manifest))
        return engine

    def weights_bytes() -> int:
        return exports.graph_cache(OnnxRuntime).weights_bytes(stage.graphs(exports.manifest))

    case = Case(
        f"{exports.name} {stage.name}", stage.worker, stage.item, make,
        lambda: stage.items(exports), stage.seconds_per_item, stage.seconds_of,
        outputs_in=stage.outputs_in, split=stage.split,
        work=lambda: stage_work(stage, exports), weights_bytes=weights_bytes,
    )  # fmt: skip
    if provider == "cpu":
        return case
    # Who waits for a GPU takes no processor time. What is asked of it, the CPU's run has told.
    return replace(case, clock=time.perf_counter, work=None)


def stage_work(stage: Stage, exports: Exports) -> Work:
    """Return what an item asks of the machine: all graphs that its stage runs for it."""
    graph_cache = exports.graph_cache(CountedGraph)
    stream = stage.build(exports.engines(graph_cache)).open()
    _finish(graph_cache)  # what the making and the opening asked for
    items = stage.items(exports)
    for item in items:
        if isinstance(item, Flush):
            stream.flush()
        else:
            stream.push(item)
    count = sum(not isinstance(item, Flush) for item in items)
    work = summed(_finish(graph_cache))
    return replace(work, flops=work.flops / count, moved_bytes=work.moved_bytes / count)


def _finish(graph_cache: GraphCache) -> list[Tally]:
    return [counted.finish() for counted in graph_cache.take() if isinstance(counted, CountedGraph)]
