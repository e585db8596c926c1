"""torch → ONNX: one file a graph, checked; fp32, mixed precision, or 8-bit weights for a CPU."""

import hashlib
import importlib.metadata
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final, Literal, TypeAlias

import onnx

from rt_avatar.engines.networks.graph import (
    OPSET,
    Graph,
    export_onnx,
    fits_one_file,
    weight_bytes,
)
from rt_avatar.trt_builders import streamed
from rt_avatar.trt_builders.errors import BuildError
from rt_avatar.trt_builders.operators import Objection, check_graph
from rt_avatar.trt_builders.precision import to_fp16
from rt_avatar.trt_builders.quantised import INT8_GRAPHS, to_int8

Precision: TypeAlias = Literal["fp32", "fp16", "int8"]
TOOLS: Final = ("torch", "onnx", "onnxscript", "onnxruntime")
SUFFIX: Final = ".onnx"

# Graphs that stay fp32 whole: small, or their numbers are phases and logarithms.
FP32_GRAPHS: Final[Mapping[str, str]] = {
    "styletts2_durations": "LSTM cells, and durations are rounded",
    "styletts2_curves": "LSTM cells, and a pitch in Hz",
    "styletts2_step": "a spectrum's logarithms and phases, and it is small",
    "dreamtalk_style_encoder": "once a style",
    "llm_embed": "a table that rows are looked up in: nothing is multiplied",
}
# Of the others, what stays fp32, by a part of its name or its weights': the last layer before a
# spectrum's logarithms and phases, and what gives the coordinates that a picture is warped by.
FP32_NODES: Final[Mapping[str, tuple[str, ...]]] = {
    "styletts2_whole": ("conv_post",),
    "styletts2_window": ("conv_post",),
    "pirender_frame": ("flow_out",),
    "pirender_nano_frame": ("flow_small", "flow_large", "flow_out", "flow_fine"),
}
# What is fp16 at the graph's ends as well, by the beginning of its name: keys and values are
# multiplied in fp16, so nothing more is lost, and a cache takes half of the memory.
FP16_ENDS: Final[Mapping[str, tuple[str, ...]]] = {"llm_extend": ("key_", "value_")}
FP32_IF_THERE: Final = ("inverse",)  # iSTFTNet's transform; HiFi-GAN has none


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """What an ONNX file was made from: the JSON beside it.

    Attributes:
        network: As the catalogue names it.
        graph: Its name.
        precision: Of its multiplications; fp32 where the one asked for is not safe, or no gain.
        opset: Of ONNX.
        sha256: Of the ONNX file, and of its weights where those lie beside it.
        weights_sha256: By name of the imported weights, of their files; empty for random ones.
        seed: Of random weights.
        nodes: How many operations.
        size_bytes: Of the file.
        tools: Versions that made it.
    """

    network: str
    graph: str
    precision: str
    opset: int
    sha256: str
    weights_sha256: Mapping[str, str]
    seed: int
    nodes: int
    size_bytes: int
    tools: Mapping[str, str]


def export_graph(
    network: str,
    graph: Graph,
    folder: Path,
    precision: Precision = "fp32",
    *,
    weights_sha256: Mapping[str, str] | None = None,
    seed: int = 0,
) -> Path:
    """Write ``folder/network/graph.onnx`` with its record; return its path.

    Raises:
        BuildError: The graph holds what TensorRT does not take, or cannot be made in the precision
            asked for.
    """
    check_precision(graph, precision)
    path = folder / network / f"{graph.name}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    for part in parts(path):  # of an earlier export; its weights may have lain beside it
        part.unlink(missing_ok=True)
    narrow = precision == "fp16" and graph.name not in FP32_GRAPHS
    actual: Precision = "fp32"
    kept, ends = FP32_NODES.get(graph.name, ()), FP16_ENDS.get(graph.name, ())
    if graph.weights:
        model, weights = streamed.trace(graph)
        if narrow:
            mixed = to_fp16(model, kept, FP32_IF_THERE, weights, ends)
            model, weights = mixed.model, mixed.weights
            actual = "fp16" if mixed.narrow else "fp32"
        streamed.write(model, weights, path)
    else:
        export_onnx(graph, path)
        if narrow:
            mixed = to_fp16(onnx.load(path), kept, FP32_IF_THERE, ends=ends)
            onnx.save(mixed.model, path)
            actual = "fp16" if mixed.narrow else "fp32"
    objections = check_graph(path)
    if objections:
        for part in parts(path):
            part.unlink()
        raise BuildError(describe_objections(graph.name, objections))
    # Checked before: 8-bit operations are onnxruntime's own.
    if precision == "int8" and to_int8(graph.name, path):
        actual = "int8"
    record = ExportRecord(
        network=network,
        graph=graph.name,
        precision=actual,
        opset=OPSET,
        sha256=content_sha256(path),
        weights_sha256=dict(weights_sha256 or {}),
        seed=seed,
        nodes=len(onnx.load(path, load_external_data=False).graph.node),
        size_bytes=sum(each.stat().st_size for each in parts(path)),
        tools={tool: importlib.metadata.version(tool) for tool in TOOLS},
    )
    text = json.dumps(asdict(record), indent=2, sort_keys=True) + "\n"
    record_path(path).write_text(text, encoding="utf-8")
    return path


def check_precision(graph: Graph, precision: Precision) -> None:
    """Check that a graph can be made in a precision, before it is made in another.

    Raises:
        BuildError: It is too large for what rounds or narrows it.
    """
    size = f"{weight_bytes(graph.module) / 1e9:.1f} GB of weights"
    is_large = bool(graph.weights) or not fits_one_file(graph.module)
    if precision == "int8" and is_large and graph.name in INT8_GRAPHS:
        raise BuildError(
            f"{graph.name}: expected fp16 or fp32 for {size}; got int8, whose rounding holds all "
            "of them in memory. Take --precision fp16, for GPUs"
        )
    if precision == "fp16" and is_large and not graph.weights and graph.name not in FP32_GRAPHS:
        raise BuildError(
            f"{graph.name}: expected weights that fit one file, or that are read one at a time, "
            f"for fp16; got {size} in memory. Take --precision fp32"
        )


def describe_objections(name: str, objections: list[Objection]) -> str:
    """Return in one line what is wrong with a graph."""
    first = "; ".join(str(each) for each in objections[:3])
    more = f" and {len(objections) - 3} more" if len(objections) > 3 else ""
    return f"{name}: expected a graph that TensorRT takes; got {first}{more}"


def read_export(path: Path) -> ExportRecord:
    """Return the record of an ONNX file, which it must still fit.

    Raises:
        BuildError: There is none, or the file is another.
    """
    mend = "Export it again with: rt-avatar engines export"
    try:
        data = json.loads(record_path(path).read_text(encoding="utf-8"))
        if set(data) != {field.name for field in fields(ExportRecord)}:
            raise ValueError("other keys than an export's")
        record = ExportRecord(**data)
        if content_sha256(path) != record.sha256:
            raise ValueError("the file was changed after its export")
    except (OSError, ValueError, TypeError) as error:
        raise BuildError(f"{path}: expected an exported graph, got: {error}. {mend}") from error
    return record


def record_path(path: Path) -> Path:
    """Return where the record of an ONNX file is; a plan's manifest has a name of its own."""
    return path.with_name(f"{path.name}.json")


def parts(path: Path) -> list[Path]:
    """Return the ONNX file, and its weights where those lie beside it."""
    beside = path.with_name(f"{path.name}.data")
    return [path, beside] if beside.exists() else [path]


def content_sha256(path: Path) -> str:
    """Return the digest of a graph with its weights."""
    digest = hashlib.sha256()
    for part in parts(path):
        with part.open("rb") as file:
            while block := file.read(1 << 22):
                digest.update(block)
    return digest.hexdigest()
