"""A stage of the network as a benchmark runs it, and the export whose graphs it runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rt_avatar.benchmarks.engines.case import AnyEngine, Item, Out
from rt_avatar.benchmarks.engines.graph_cache import GraphCache
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.engines.empatheia.export_manifest import (
    TOKENIZER,
    ExportManifest,
    read_export_manifest,
)

if TYPE_CHECKING:
    from rt_avatar.engines.empatheia.engines import EmpatheiaEngines


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the network.

    Attributes:
        name: Its row, behind the export's name.
        worker: The thread that it runs on in a call.
        item: What one item is, in words.
        graphs: Names of the graphs that it uses, perhaps with wildcards.
        build: Makes it of the network.
        items: Makes its input.
        seconds_per_item: As in ``Case``; so are the rest.
        seconds_of: As there.
        outputs_in: As there.
        split: As there.
    """

    name: str
    worker: str
    item: str
    graphs: Callable[[ExportManifest], tuple[str, ...]]
    build: Callable[["EmpatheiaEngines"], AnyEngine]
    items: Callable[["Exports"], Sequence[Item]]
    seconds_per_item: float = 0.0
    seconds_of: Callable[[Out], float] | None = None
    outputs_in: Callable[[Out], int] | None = None
    split: Callable[[Item], Sequence[Item]] | None = None


@dataclass(frozen=True, slots=True)
class Exports:
    """An export in a folder, and what its stages are fed.

    Attributes:
        folder: Of exports.
        name: Of the export.
        options: What inputs are made of.
    """

    folder: Path
    name: str
    options: Options

    @property
    def manifest(self) -> ExportManifest:
        """What the graphs are."""
        return read_export_manifest(self.folder, self.name)[0]

    def graph_cache(self, open_graph: Callable[[Path], Any]) -> GraphCache:
        """Return its graphs."""
        return GraphCache(self.folder, self.manifest, open_graph)

    def engines(self, graph_cache: GraphCache) -> "EmpatheiaEngines":
        """Return the network, made of graphs from ``graph_cache``."""
        from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
        from rt_avatar.engines.llm.tokens import Tokens

        manifest, constants = read_export_manifest(self.folder, self.name)
        tokens = Tokens.load(self.folder / self.name / TOKENIZER)
        return EmpatheiaEngines(graph_cache, manifest, constants, tokens)
