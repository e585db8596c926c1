"""The graphs of an export, each opened when it is first needed.

So an engine of the network is measured with the graphs that it uses and no others, and the same
engine can be made of graphs that count what they are asked for.
"""

from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from rt_avatar.engines.empatheia.export_manifest import ExportManifest

Arrays = Mapping[str, NDArray[Any]]


class Runner(Protocol):
    """What runs one graph."""

    def run(self, inputs: Any, /) -> dict[str, NDArray[Any]]:
        """Run it once."""
        ...


Run = Callable[[Arrays], dict[str, NDArray[Any]]]


class GraphCache(Mapping[str, Run]):
    """Graphs by name, as ``EmpatheiaEngines`` takes them.

    Args:
        folder: Of exports.
        manifest: Which graphs there are.
        open_graph: Opens a file.
    """

    def __init__(
        self, folder: Path, manifest: ExportManifest, open_graph: Callable[[Path], Runner]
    ) -> None:
        self._files: Final = {name: manifest.file(folder, name) for name in manifest.graphs}
        self._open_graph = open_graph
        self._opened: dict[str, Runner] = {}

    def __getitem__(self, name: str) -> Run:
        if name not in self._files:
            raise KeyError(name)
        return lambda inputs: self._runner(name).run(inputs)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def keep(self, patterns: tuple[str, ...]) -> None:
        """Open the graphs of these names, which may hold wildcards, and forget all others."""
        wanted = self._named(patterns)
        self._opened = {name: run for name, run in self._opened.items() if name in wanted}
        for name in wanted:
            self._runner(name)

    def take(self) -> list[Runner]:
        """Return what was opened, and forget it: who is asked again is opened anew."""
        taken = list(self._opened.values())
        self._opened = {}
        return taken

    def weights_bytes(self, patterns: tuple[str, ...]) -> int:
        """Return the size of these graphs' files, with weights that lie beside them."""
        beside = ("", ".data")
        files = [
            self._files[name].with_name(self._files[name].name + ending)
            for name in self._named(patterns)
            for ending in beside
        ]
        return sum(file.stat().st_size for file in files if file.is_file())

    def _named(self, patterns: tuple[str, ...]) -> list[str]:
        return [name for name in self._files if any(fnmatchcase(name, one) for one in patterns)]

    def _runner(self, name: str) -> Runner:
        if name not in self._opened:
            self._opened[name] = self._open_graph(self._files[name])
        return self._opened[name]
