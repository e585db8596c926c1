"""Graphs are opened when they are asked for something, and only those."""

from pathlib import Path

import pytest

from benchmarks.engines.shelf import Shelf

pytestmark = pytest.mark.unit

NAMES = ("llm_embed", "llm_extend", "fusion_styles")


class Files:
    """A profile of three graphs, whose opening is noted."""

    graphs = NAMES

    def __init__(self) -> None:
        self.opened: list[str] = []

    def file(self, folder: Path, graph: str) -> Path:
        return folder / graph.partition("_")[0] / f"{graph}.onnx"

    def open(self, file: Path) -> "Graph":
        self.opened.append(file.stem)
        return Graph(file.stem)


class Graph:
    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, inputs):
        return {"said": self.name, **inputs}


@pytest.fixture
def files() -> Files:
    return Files()


@pytest.fixture
def shelf(files, tmp_path) -> Shelf:
    return Shelf(tmp_path, files, files.open)


def test_a_graph_is_opened_once_and_by_its_first_run(files, shelf):
    run = shelf["llm_extend"]
    assert set(shelf) == set(NAMES)
    assert len(shelf) == 3
    assert files.opened == []
    assert run({"x": 1}) == {"said": "llm_extend", "x": 1}
    shelf["llm_extend"]({})
    assert files.opened == ["llm_extend"]


def test_what_is_not_kept_is_forgotten_and_what_is_kept_is_opened(files, shelf):
    shelf["fusion_styles"]({})
    shelf.keep(("llm_*",))
    assert files.opened == ["fusion_styles", "llm_embed", "llm_extend"]
    assert {graph.name for graph in shelf.take()} == {"llm_embed", "llm_extend"}
    assert shelf.take() == []


def test_an_unknown_graph_is_none(shelf):
    with pytest.raises(KeyError):
        shelf["llm_prefill"]


def test_weights_beside_a_graph_are_counted(files, shelf, tmp_path):
    for name, size in (("llm_embed.onnx", 5), ("llm_extend.onnx", 7), ("llm_extend.onnx.data", 90)):
        (tmp_path / "llm").mkdir(exist_ok=True)
        (tmp_path / "llm" / name).write_bytes(b"w" * size)
    assert shelf.weights_bytes(("llm_*",)) == 102
    assert shelf.weights_bytes(("llm_embed", "fusion_*")) == 5
