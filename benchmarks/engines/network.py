"""The network's stages as cases, for every profile in a folder of exports.

Each loads the graphs that its stage uses and no others; what it asks of the machine is counted by
the same stage made of graphs that count.
"""

import time
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from benchmarks.engines.case import AnyEngine, Case, Flush, Work
from benchmarks.engines.floor import CountedGraph, Tally, summed
from benchmarks.engines.inputs import Options
from benchmarks.engines.network_stages import STAGES, Exports, Stage
from benchmarks.engines.shelf import Shelf
from engines.empatheia.profile import PROFILE
from engines.runtimes import OnnxRuntime
from engines.runtimes.onnx import Provider

PROFILES: Final = ("nano", "empatheia")
WHOLES: Final = (" answer", " voice, whole", " face, in a call")  # rows of what others make up


def row_names(profile: str) -> list[str]:
    """Return the rows of a profile."""
    return [f"{profile} {stage.name}" for stage in STAGES]


def network_cases(options: Options) -> list[Case]:
    """Return the cases of every profile in the folder that ``options`` name; none without one."""
    if not options.network:
        return []
    folder = Path(options.network)
    found = [name for name in PROFILES if (folder / name / PROFILE).is_file()]
    return [_case(stage, Exports(folder, name, options)) for name in found for stage in STAGES]


def _case(stage: Stage, exports: Exports) -> Case:
    provider = cast(Provider, exports.options.provider)

    def make() -> AnyEngine:
        shelf = exports.shelf(lambda file: OnnxRuntime(file, provider))
        engine = stage.build(exports.engines(shelf))
        shelf.keep(stage.graphs(exports.profile))
        return engine

    def weights_bytes() -> int:
        return exports.shelf(OnnxRuntime).weights_bytes(stage.graphs(exports.profile))

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
    shelf = exports.shelf(CountedGraph)
    stream = stage.build(exports.engines(shelf)).open()
    _finish(shelf)  # what the making and the opening asked for
    items = stage.items(exports)
    for item in items:
        if isinstance(item, Flush):
            stream.flush()
        else:
            stream.push(item)
    count = sum(not isinstance(item, Flush) for item in items)
    work = summed(_finish(shelf))
    return replace(work, flops=work.flops / count, moved_bytes=work.moved_bytes / count)


def _finish(shelf: Shelf) -> list[Tally]:
    return [counted.finish() for counted in shelf.take() if isinstance(counted, CountedGraph)]
