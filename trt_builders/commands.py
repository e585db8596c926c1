"""What ``rt-avatar engines`` does, command by command; needs torch."""

import argparse
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from rich.console import Console
from rich.table import Table

from rt_avatar.engines.empatheia.export_manifest import EXPORT_MANIFEST
from rt_avatar.engines.networks.export_files import (
    CONSTANT_GRAPHS,
    RANDOM,
    Beside,
    export_with_manifest,
    manifest_of,
)
from rt_avatar.engines.networks.graph import Graph
from rt_avatar.engines.networks.sizes import SIZES
from rt_avatar.engines.runtimes.cuda import Device, load_cuda
from rt_avatar.engines.runtimes.onnx import OnnxRuntime, Provider
from rt_avatar.engines.runtimes.plan import load_tensorrt, open_plan
from rt_avatar.engines.runtimes.runtime import Runtime
from rt_avatar.trt_builders.asked import (
    check_models,
    check_tokenizer,
    check_trained,
    describe_weights,
    given,
    origin_of,
    sizes_of,
    trained_of,
    wanted,
    with_shipped,
    with_template,
)
from rt_avatar.trt_builders.budget import Budget, optimization_profile
from rt_avatar.trt_builders.build import SUFFIX as PLAN
from rt_avatar.trt_builders.build import BuildOptions, build_plan, wanted_manifest, why_to_build
from rt_avatar.trt_builders.catalogue import NETWORKS, Network, make_graphs, pick
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.export import SUFFIX as ONNX
from rt_avatar.trt_builders.export import ExportRecord, export_graph, read_export
from rt_avatar.trt_builders.verify import verify as compare
from rt_avatar.trt_builders.weights import TRAINED, Fill, Origin

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
    """Write the graphs of networks as ONNX; of a whole export, also what is needed beside."""
    folder = arguments.folder.expanduser()
    arguments = with_shipped(arguments)
    wanted_sizes = sizes_of(arguments)
    for sizes in wanted_sizes:
        check_tokenizer(sizes, arguments)
    wanted_sizes = tuple(with_template(sizes, arguments) for sizes in wanted_sizes)
    check_models(_networks(arguments), arguments)
    for sizes in wanted_sizes:  # until all is written, old graphs and new ones stand side by side
        (folder / sizes.name / EXPORT_MANIFEST).unlink(missing_ok=True)
    kept: dict[str, dict[str, Graph]] = {}
    filled: dict[str, Fill] = {}
    for network in _networks(arguments):
        name = network.name
        kept[name], filled[name] = _export_network(network, arguments, console, show)
    check_trained(arguments, filled)
    for sizes in wanted_sizes:
        graphs: dict[str, Graph] = {}
        for name in sizes.networks.values():
            graphs |= kept[name]
        bank = given(arguments.bank)
        fills = [filled[name] for name in sizes.networks.values()]
        learnt = manifest_of(sizes, describe_weights(fills)).guides_nano_voice
        has_bank = bank is not None or learnt
        weights = describe_weights(fills, () if has_bank else ("bank of styles",))
        beside = Beside(weights, arguments.seed, given(arguments.tokenizer), bank)
        place = export_with_manifest(folder, sizes, graphs, beside)
        _say(console, f"{place}: what rt-avatar infer needs beside them; weights: {weights}")
    return 0


def _export_network(
    network: Network, arguments: argparse.Namespace, console: Console, show: Show
) -> tuple[dict[str, Graph], Fill]:
    """Write one network's graphs; return those that constants are read off, and what filled all.

    All others are let go: the language model's weights are not held while the next are made.
    """
    show(f"{network.name}: making the network", 0, 1)
    origin = origin_of(network, arguments)
    graphs, fill = make_graphs(network, origin)
    weights = describe_weights([fill])
    weights = f"{RANDOM} weights {arguments.seed}" if weights == RANDOM else weights
    chosen = wanted(network, _picked(network, graphs, arguments), arguments)
    for index, graph in enumerate(chosen):
        show(f"{network.name}: {graph.name}", index, len(chosen))
        path = export_graph(
            network.name,
            graph,
            arguments.folder.expanduser(),
            arguments.precision or network.precision,
            weights_sha256=fill.digests,
            seed=arguments.seed,
        )
        record = read_export(path)
        _say(
            console,
            f"{path}: {record.nodes} operations, {record.size_bytes / 1e6:.1f} MB, "
            f"{record.precision}, {weights}",
        )
    if network.write_beside is not None and not arguments.graphs:
        place = arguments.folder.expanduser() / network.name
        _say(console, f"{network.write_beside(place, graphs, origin)}: what its voice needs beside")
    return {graph.name: graph for graph in chosen if graph.name in CONSTANT_GRAPHS}, fill


def build(arguments: argparse.Namespace, console: Console, show: Show) -> int:
    """Build TensorRT plans from exported graphs, where they are not there already."""
    trt, device = load_tensorrt(), Device(load_cuda(), arguments.gpu)
    budget = Budget(arguments.seconds, arguments.context)
    options = BuildOptions(arguments.level, arguments.workspace_gb, arguments.ampere_plus)
    for path, graph, record in _exported(arguments, show):
        if record.precision == "int8":
            raise BuildError(
                f"{path}: expected a graph in fp32 or fp16; got 8-bit weights, which are for "
                f"onnxruntime's CPU. Make it with: rt-avatar engines export {record.network} "
                "--precision fp16"
            )
        wanted = wanted_manifest(record, optimization_profile(graph, budget), trt, device, options)
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
    arguments = with_shipped(arguments)
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
        known = first.weights_sha256
        models = arguments.models.expanduser() if set(known) - {TRAINED} else None
        trained = trained_of(network, arguments) if TRAINED in known else ()
        show(f"{network.name}: making the network", 0, 1)
        graphs, fill = make_graphs(network, Origin(models, trained, first.seed))
        chosen = [graph for graph in _picked(network, graphs, arguments) if graph.name in records]
        for index, graph in enumerate(chosen):
            record = records[graph.name]
            if fill.digests != record.weights_sha256 or record.seed != first.seed:
                raise BuildError(
                    f"{place / graph.name}{ONNX}: was exported from other weights than those in "
                    f"{arguments.models}{'' if models else ' or with another seed'}. Export it "
                    f"again with: rt-avatar engines export {network.name}"
                )
            show(f"{network.name}: {graph.name}", index, len(chosen))
            yield place / f"{graph.name}{ONNX}", graph, record


def _networks(arguments: argparse.Namespace) -> list[Network]:
    names: list[str] = []
    for word in arguments.networks:
        if word in NETWORKS:
            names.append(word)
        elif word in SIZES:
            names += SIZES[word].networks.values()
        else:
            raise BuildError(
                f"engines: expected {', '.join(SIZES)} or one of {', '.join(NETWORKS)}; "
                f"got {word!r}"
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
