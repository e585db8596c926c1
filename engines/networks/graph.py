"""One graph to export: a module, named example inputs, and which axes may vary.

What is split from what is said by each network's ``graphs``; who exports only walks over them.
"""

import gc
import importlib
import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, reduce
from pathlib import Path
from typing import Final

import onnx
import torch
from torch import Tensor, nn

from rt_avatar.engines.networks.lazy_weights import LazyWeights

_log = logging.getLogger(__name__)

OPSET: Final = 18
# A protobuf ends at 2 GiB; beyond, weights lie in a file of their own beside the graph.
ONE_FILE_BYTES: Final = (1 << 31) - (1 << 24)


@dataclass(frozen=True, slots=True)
class Graph:
    """What leaves torch as one file.

    Attributes:
        name: Unique among all networks' graphs, as ``dreamtalk_step``.
        module: Tensors in, a tensor or a tuple of tensors out; in inference mode.
        inputs: Example inputs by name, in the order of the module's arguments. Each has memory of
            its own: what shares a tensor is exported as one input.
        outputs: Names of the outputs, in order.
        dynamic: By input, which axes may have any length, by the name of that length.
        traced: Export by tracing, which takes a fifteenth of the newer exporter's time and runs as
            fast. Only so does an LSTM keep a length that varies: behind it, the newer exporter
            writes the example's length into the graph. No branch may depend on a size then, since
            only the one taken is seen; and what is computed of numbers alone becomes a weight.
        dynamic_outputs: The same by output, for tracing: it cannot tell by itself that an output
            which is only a view of something has a length that varies.
        weights: Reads weights by their names in the module, which then lies on the ``meta``
            device: such a graph is written weight by weight. Empty: the module has its own.
    """

    name: str
    module: nn.Module
    inputs: Mapping[str, Tensor]
    outputs: tuple[str, ...]
    dynamic: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    traced: bool = False
    dynamic_outputs: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    weights: LazyWeights = field(default_factory=dict)


def export_onnx(graph: Graph, path: Path) -> None:
    """Write a graph as ONNX of opset 18, the weights within; above 2 GiB they lie beside it.

    The module is put into inference mode first: the exporter would otherwise set its parts to
    training, and dropout with them, where only a wrapper was left in training mode.

    Raises:
        ValueError: Two examples share their memory.
        torch.onnx.OnnxExporterError: An operation has no counterpart, or an axis cannot vary.
    """
    places = {value.data_ptr() for value in graph.inputs.values()}
    if len(places) != len(graph.inputs):
        raise ValueError(f"{graph.name}: expected an own tensor for every input; got shared ones")
    graph.module.eval()
    if graph.traced:
        _export_traced(graph, path)
        return
    shapes = tuple(
        {axis: torch.export.Dim.AUTO for axis in graph.dynamic.get(name, {})} or None
        for name in graph.inputs
    )
    # The exporter tells of every package for vision that is not installed.
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    _keep_tables()
    # Nothing is learnt: without what gradients need, and without looking for rubbish among all that
    # the exporter holds, a graph takes a fifth less time.
    with torch.no_grad(), _no_collections():
        torch.onnx.export(
            graph.module,
            tuple(graph.inputs.values()),
            str(path),
            input_names=list(graph.inputs),
            output_names=list(graph.outputs),
            opset_version=OPSET,
            dynamo=True,
            dynamic_shapes=shapes,
            external_data=not fits_one_file(graph.module),
            verbose=False,
        )


@contextmanager
def _no_collections() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


# What the exporter makes anew for every graph, and what is the same in all of a process.
_TABLES: Final = {
    "torch.onnx._internal.exporter._registration": ("ONNXRegistry", "from_torchlib"),
    # Names all operations that are made of others: sixty times a graph. One that is registered
    # later is named when it is first used.
    "torch._export.utils": ("_materialize_cpp_cia_ops",),
}


@cache
def _keep_tables() -> None:
    """Let the exporter make its tables of operations once a process, and not for every graph.

    It has no call for that, and spends a third of an export of ours on them; a torch that keeps
    them elsewhere goes on as before.
    """
    for module, (*parents, name) in _TABLES.items():
        try:
            place = reduce(getattr, parents, importlib.import_module(module))
            made_once = cache(getattr(place, name))
        except (ImportError, AttributeError) as error:
            _log.debug("the exporter's table is made for every graph: %s", error)
        else:
            setattr(place, name, staticmethod(made_once) if parents else made_once)


def weight_bytes(module: nn.Module) -> int:
    """Return the size of a module's parameters and buffers."""
    return sum(value.nbytes for value in (*module.parameters(), *module.buffers()))


def fits_one_file(module: nn.Module) -> bool:
    """Return whether a module's weights lie within the graph's file."""
    return weight_bytes(module) <= ONE_FILE_BYTES


def _export_traced(graph: Graph, path: Path) -> None:
    with warnings.catch_warnings():
        # It tells that it is the older exporter, and of LSTMs in batches; ours are one sentence.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            graph.module,
            tuple(graph.inputs.values()),
            str(path),
            input_names=list(graph.inputs),
            output_names=list(graph.outputs),
            opset_version=OPSET,
            dynamo=False,
            dynamic_axes={
                name: dict(axes)
                for name, axes in {**graph.dynamic, **graph.dynamic_outputs}.items()
            },
        )
    gather(path)


def gather(path: Path) -> None:
    """Bring weights that lie in many files beside a graph into one, ``<graph>.onnx.data``.

    Beyond 2 GiB the older exporter writes a file for every tensor, by the tensor's name.
    """
    model = onnx.load(path, load_external_data=False)
    scattered = {
        entry.value
        for tensor in model.graph.initializer
        for entry in tensor.external_data
        if entry.key == "location"
    }
    together = f"{path.name}.data"
    if not scattered - {together}:
        return
    onnx.load_external_data_for_model(model, str(path.parent))
    for name in {*scattered, together}:  # what is there would be written on, not over
        (path.parent / name).unlink(missing_ok=True)
    onnx.save_model(
        model,
        path,
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location=together,
        size_threshold=0,
    )
