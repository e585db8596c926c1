"""Open an export: folder → graphs with a runtime of theirs, and what they need beside.

On a GPU the language model's caches and the portraits stay there; what a plan is too small for is
taken from the manifest.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from numpy.typing import NDArray

from rt_avatar.engines.empatheia.export_manifest import (
    TOKENIZER,
    Constants,
    ExportError,
    ExportManifest,
    read_export_manifest,
)
from rt_avatar.engines.llm.cache import CachedGraph, HostCachedGraph
from rt_avatar.engines.llm.tokens import Tokens
from rt_avatar.engines.pirender.portraits import MAPS, Portraits
from rt_avatar.engines.runtimes import RuntimeName, open_graph
from rt_avatar.engines.runtimes.device_cache import DeviceCachedGraph, resident
from rt_avatar.engines.runtimes.device_portraits import DevicePortraits
from rt_avatar.engines.runtimes.native import TensorRtRuntime

Run: TypeAlias = Callable[[Mapping[str, NDArray[Any]]], dict[str, NDArray[Any]]]

# Most dialogues whose next tokens are read in one run. With four, a token takes nano 1.9 times as
# long as alone, with eight 3.4 times: a reply shall not wait so long for others' thoughts
# (docs/LOG.md).
_MAX_BATCH: Final = 4
# Runtimes that take any batch: plans are built for one, onnxruntime's TensorRT builds each anew.
_ANY_BATCH: Final = frozenset({"cpu", "cuda"})
# Inputs of plans that limit a clause.
_SYMBOLS: Final = (("fusion_speech_content", "phonemes"), ("styletts2_bert", "tokens"))


class OpenedExport(NamedTuple):
    """An export that can be run; fields as ``EmpatheiaEngines`` takes them."""

    graphs: Mapping[str, Run]
    manifest: ExportManifest
    constants: Constants
    tokens: Tokens
    max_batch: int
    extend: CachedGraph
    portraits: Portraits | None


def open_export(folder: Path, name: str, provider: RuntimeName, threads: int) -> OpenedExport:
    """Open what ``rt-avatar engines export`` (and ``build``, for plans) wrote into a folder.

    Raises:
        ExportError: It is none.
        FileNotFoundError: No plan was built of a graph.
        ManifestError: A plan has no manifest.
        RuntimeUnavailableError: The runtime cannot run its graphs here, or the extra ``network``
            is not installed.
    """
    manifest, constants = read_export_manifest(folder, name)
    tokens = Tokens.load(folder / name / TOKENIZER)
    maps = MAPS[manifest.renderer]
    stays = {"llm_extend": resident(manifest.cache[0]), manifest.frame: frozenset(maps)}
    opened = {
        graph: open_graph(
            manifest.file(folder, graph),
            provider,
            threads=threads,
            resident=stays.get(graph, frozenset()),
        )
        for graph in manifest.graphs
    }
    if "key_0_added" not in {spec.name for spec in opened["llm_extend"].outputs}:
        raise ExportError(
            f"{folder}: expected a language model that gives what to add to its cache; got one "
            f"of an earlier version. Make it with: rt-avatar engines export {name}"
        )
    logits = next(spec for spec in opened["llm_extend"].outputs if spec.name == "logits")
    if isinstance(rows := logits.shape[-1], int) and tokens.size > rows:
        raise ExportError(
            f"{folder / name / TOKENIZER}: expected at most {rows} ids, the vocabulary of "
            f"llm_extend; got {tokens.size}. Make it with: rt-avatar engines export {name} "
            "--tokenizer FILE, that of its language model"
        )
    graphs: dict[str, Run] = {graph: runtime.run for graph, runtime in opened.items()}
    max_batch = _MAX_BATCH if provider in _ANY_BATCH else 1
    plan = opened["llm_extend"]
    extend: CachedGraph
    if not isinstance(plan, TensorRtRuntime):
        dtype = next(spec.dtype for spec in plan.inputs if spec.name == "key_0")
        extend = HostCachedGraph(plan.run, *manifest.cache, dtype=dtype)
    else:
        extend = DeviceCachedGraph(plan, *manifest.cache)
        manifest = replace(
            manifest,
            positions=min(manifest.positions, extend.context),
            symbols=min(
                runtime.largest(name)[1]
                for graph, name in _SYMBOLS
                if isinstance(runtime := opened[graph], TensorRtRuntime)
            ),
        )
    frame = opened[manifest.frame]
    portraits = DevicePortraits(frame, maps) if isinstance(frame, TensorRtRuntime) else None
    return OpenedExport(graphs, manifest, constants, tokens, max_batch, extend, portraits)
