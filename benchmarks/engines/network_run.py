"""Finds what there is of the network to measure, and runs what is beyond the cases.

Official sizes are counted, and run where that is asked for; so is a GPU.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console

from rt_avatar.benchmarks.engines.case import Case
from rt_avatar.benchmarks.engines.child import run_case
from rt_avatar.benchmarks.engines.counted import GPU_TASKS, ask, count
from rt_avatar.benchmarks.engines.exported import check, export_nano, why_not
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.benchmarks.engines.network import row_names
from rt_avatar.benchmarks.engines.parts import Found, Part, parts
from rt_avatar.benchmarks.engines.road import road
from rt_avatar.benchmarks.result import percentile
from rt_avatar.errors import SetupError

SMALLEST: Final = "nano styles"


@dataclass(frozen=True, slots=True)
class Network:
    """What there is of the network.

    Attributes:
        folder: Of exports; None: its stages are left out.
        official: Parts at official sizes; none where torch cannot count them.
        notes: What the reader must know of both.
    """

    folder: Path | None
    official: Sequence[Part]
    notes: Sequence[str]


def find_network(given: Path | None, only: Sequence[str], console: Console) -> Network:
    """Find or make the network's exports, if any of its rows is asked for.

    Args:
        given: Folder of exports that somebody named.
        only: Beginnings of the rows that are asked for; all, where there are none.
        console: To tell what is being done.

    Raises:
        SetupError: ``--network`` is no folder of exports, or none could be made.
    """
    begin = tuple(only) or ("",)
    official = [part for part in parts("official") if part.name.startswith(begin)]
    is_asked = any(name.startswith(begin) for name in row_names("nano"))
    lacking = why_not()
    folder: Path | None = None
    notes: list[str] = []
    if given is not None:
        folder = check(given)
        notes.append("The network's graphs are those of --network; speed depends on sizes alone.")
    elif is_asked and not lacking:
        with console.status("nano's graphs, exported once"):
            folder = export_nano()
        notes.append(
            "Nano's own voice and motion are random: times are those of trained ones that speak as "
            "people read."
        )
    elif is_asked:
        notes.append(f"The network is left out: no --network FOLDER of exports, and {lacking}.")
    if official and lacking:
        notes.append(f"Official sizes are left out: {lacking}.")
        official = []
    elif official:
        notes.append(
            "Official sizes: products counted by torch; ≥ is the floor here, of what was not run."
        )
    return Network(folder, official, notes)


def run_official(official: Sequence[Part], *, is_timed: bool) -> list[tuple[Part, Found, float]]:
    """Count parts, and where asked for run those that fit into memory.

    Returns:
        What was counted of each, and milliseconds an item; NaN if it was not run.
    """
    if not official:
        return []
    names = [part.name for part in official]
    counts = count(names)
    run = ask("cpu", names) if is_timed else {name: Found() for name in names}
    return [
        (part, replace(counts[part.name], why_not=run[part.name].why_not), run[part.name].ms)
        for part in official
    ]


def need_gpu() -> None:
    """Find out whether there is a GPU, before everything else is measured.

    Raises:
        SetupError: There is none, or no torch to run it with.
    """
    why = why_not() or ask("gpu", [SMALLEST])[SMALLEST].why_not
    if why:
        raise SetupError(f"--gpu: expected an NVIDIA GPU and torch, found none: {why}")


def run_gpu(
    cases: Sequence[Case], official: Sequence[Part], options: Options, limit_s: float
) -> dict[str, tuple[float, ...]]:
    """Run the network on a GPU, and where all official sizes are asked for their road, too.

    Returns:
        Row → milliseconds with torch, recorded in fp32 and in bfloat16, and eagerly in bfloat16;
        with ONNX on CUDA and on TensorRT.
    """
    rows = {case.name: case for case in cases if case.name in row_names("nano")}
    asked = [part.name for part in parts("nano") if part.name in rows]
    stages = road() if len(official) == len(parts("official")) else []
    names = [*asked, *(part.name for part in (*official, *stages))]
    by_torch = [ask(task, names) for task in GPU_TASKS]
    for name in names:
        for each in (found[name] for found in by_torch):
            if each.why_not:
                Console(stderr=True).print(f"{name}: {each.why_not}", style="yellow", markup=False)

    def by_onnx(name: str, provider: str) -> float:
        if name not in rows:
            return math.nan
        try:
            cost = run_case(name, replace(options, provider=provider), limit_s)
        except SetupError as error:  # an onnxruntime without it: a dash
            Console(stderr=True).print(str(error), style="yellow", markup=False)
            return math.nan
        return percentile(cost.item_ms, 50)

    return {
        name: (
            *(found[name].ms if name in found else math.nan for found in by_torch),
            by_onnx(name, "cuda"),
            by_onnx(name, "tensorrt"),
        )
        for name in dict.fromkeys([*rows, *names])
    }
