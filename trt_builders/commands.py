"""What ``rt-avatar engines`` does, command by command; needs torch."""

import argparse
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console
from rich.table import Table

from engines.checkpoints import read_record
from engines.networks.graph import Graph
from engines.networks.profile import export_nano
from engines.runtimes.cuda import Device, load_cuda
from engines.runtimes.onnx import OnnxRuntime, Provider
from engines.runtimes.plan import load_tensorrt, open_plan
from engines.runtimes.runtime import Runtime
from trt_builders.budget import Budget, profile
from trt_builders.build import SUFFIX as PLAN
from trt_builders.build import BuildOptions, build_plan, wanted_manifest, why_to_build
from trt_builders.catalogue import NETWORKS, Network, make_graphs, pick
from trt_builders.errors import BuildError
from trt_builders.export import SUFFIX as ONNX
from trt_builders.export import ExportRecord, export_graph, read_export
from trt_builders.verify import verify as compare

Show: TypeAlias = Callable[[str, int, int], None]
_PROVIDERS: Final[Mapping[str, Provider]] = {
    "onnx": "cpu",
    "onnx-cuda": "cuda",
    "onnx-tensorrt": "tensorrt",
}


def list_networks(arguments: argparse.Namespace, console: Console, show: Show) -> int:
    """Print every network, with the weights it can have and what is exported and built of it."""
    folder = arguments.folder.expanduser()
    table = Table("network", "what for", "weights", "exported", "plans")
    for network in NETWORKS.values():
        place = folder / network.name
        table.add_row(
            network.name,
            network.what,
            ", ".join(network.weights) or "random, or trained here",
            str(len(list(place.glob(f"*{ONNX}")))),
            str(len(list(place.glob(f"*{PLAN}")))),
        )
    console.print(table)
    return 0


def export(arguments: argparse.Namespace, console: Console, show: Show) -> int:
    """Write the graphs of networks as ONNX."""
    folder = arguments.folder.expanduser()
    together: dict[str, Graph] = {}
    for network in _networks(arguments):
        real = bool(network.weights) and not arguments.random
        models = arguments.models.expanduser() if real else None
        show(f"{network.name}: making the network", 0, 1)
        graphs, used = make_graphs(network, models, arguments.seed)
        digests = {name: read_record(path).sha256 for name, path in used.items()}
        chosen = _picked(network, graphs, arguments)
        together |= {graph.name: graph for graph in chosen}
        for index, graph in enumerate(chosen):
            show(f"{network.name}: {graph.name}", index, len(chosen))
            path = export_graph(
                network.name,
                graph,
                folder,
                arguments.precision,
                weights_sha256=digests,
                seed=arguments.seed,
            )
            record = read_export(path)
            _say(
                console,
                f"{path}: {record.nodes} operations, {record.size_bytes / 1e6:.1f} MB, "
                f"{record.precision}, {', '.join(digests) or f'random weights {record.seed}'}",
            )
    if "nano" in arguments.networks and not arguments.graphs:
        place = export_nano(folder, together, "random", arguments.seed)
        _say(console, f"{place}: what rt-avatar infer needs beside them")
    return 0


def build(arguments: argparse.Namespace, console: Console, show: Show) -> int:
    """Build TensorRT plans from exported graphs, where they are not there already."""
    trt, device = load_tensorrt(), Device(load_cuda(), arguments.gpu)
    budget = Budget(arguments.seconds, arguments.context)
    options = BuildOptions(arguments.level, arguments.workspace_gb, arguments.ampere_plus)
    for path, graph, record in _exported(arguments, show):
        wanted = wanted_manifest(record, profile(graph, budget), trt, device)
        plan = path.with_suffix(PLAN)
        why = "asked for" if arguments.anew else why_to_build(plan, wanted)
        if not why:
            _say(console, f"{plan}: is there, and as it would be built now")
            continue
        _say(console, f"{plan}: building, since {why}")
        manifest = build_plan(path, plan, wanted, trt, options)
        _say(console, f"{plan}: {manifest.size_bytes / 1e6:.1f} MB, {manifest.precision}")
    device.close()
    return 0


def verify(arguments: argparse.Namespace, console: Console, show: Show) -> int:
    """Print the error of every output tensor at three lengths; return 1 if anything fails."""
    budget = Budget(arguments.seconds, arguments.context)
    table = Table("graph", "lengths", "output", "error", "", title=f"{arguments.runtime} and torch")
    failed = tensors = 0
    for path, graph, record in _exported(arguments, show):
        runtime = _open(path, arguments)
        for each in compare(graph, runtime, record.precision, budget):
            tensors += 1
            failed += bool(each.wrong)
            error = "" if math.isnan(each.error) else f"{each.error:.1e}"
            verdict = f"[red]{each.wrong}[/]" if each.wrong else "[green]ok[/]"
            table.add_row(each.graph, each.lengths, each.output, error, verdict)
        runtime.close()
    console.print(table)
    _say(console, f"{tensors} tensors compared, {failed} wrong")
    return 1 if failed else 0


def _open(path: Path, arguments: argparse.Namespace) -> Runtime:
    if arguments.runtime == "tensorrt":
        return open_plan(path.with_suffix(PLAN), gpu=arguments.gpu)
    return OnnxRuntime(path, _PROVIDERS[arguments.runtime])


def _exported(
    arguments: argparse.Namespace, show: Show
) -> Iterator[tuple[Path, Graph, ExportRecord]]:
    """Yield every exported graph that is asked for, with the torch module it was made from.

    Raises:
        BuildError: One was not exported, or from other weights than those that are here.
    """
    folder = arguments.folder.expanduser()
    for network in _networks(arguments):
        place = folder / network.name
        records = {
            record.graph: record for record in map(read_export, sorted(place.glob(f"*{ONNX}")))
        }
        if not records:
            raise BuildError(
                f"{place}: expected exported graphs, got none. "
                f"Make them with: rt-avatar engines export {network.name}"
            )
        first = next(iter(records.values()))
        models = arguments.models.expanduser() if first.weights_sha256 else None
        show(f"{network.name}: making the network", 0, 1)
        graphs, used = make_graphs(network, models, first.seed)
        chosen = [graph for graph in _picked(network, graphs, arguments) if graph.name in records]
        for index, graph in enumerate(chosen):
            record = records[graph.name]
            here = {name: read_record(path).sha256 for name, path in used.items()}
            if here != record.weights_sha256 or record.seed != first.seed:
                raise BuildError(
                    f"{place / graph.name}{ONNX}: was exported from other weights than those in "
                    f"{arguments.models}{'' if models else ' or with another seed'}. Export it "
                    f"again with: rt-avatar engines export {network.name}"
                )
            show(f"{network.name}: {graph.name}", index, len(chosen))
            yield place / f"{graph.name}{ONNX}", graph, record


def _networks(arguments: argparse.Namespace) -> list[Network]:
    names = []
    for word in arguments.networks:
        if word == "nano":
            names += [name for name in NETWORKS if name.endswith("-nano")]
        elif word in NETWORKS:
            names.append(word)
        else:
            raise BuildError(
                f"engines: expected nano or one of {', '.join(NETWORKS)}; got {word!r}"
            )
    return [NETWORKS[name] for name in dict.fromkeys(names)]


def _picked(
    network: Network, graphs: tuple[Graph, ...], arguments: argparse.Namespace
) -> tuple[Graph, ...]:
    chosen = pick(graphs, tuple(arguments.graphs))
    if not chosen:
        raise BuildError(
            f"{network.name}: expected some of {', '.join(graph.name for graph in graphs)}; "
            f"got {', '.join(arguments.graphs)}"
        )
    return chosen


def _say(console: Console, text: str) -> None:
    console.print(text, markup=False, highlight=False)
