"""Graphs are opened when they are asked for something, and only those."""

from pathlib import Path

import pytest

from rt_avatar.benchmarks.engines.graph_cache import GraphCache

pytestmark = pytest.mark.unit

NAMES = ("llm_embed", "llm_extend", "fusion_styles")


class Files:
    """An export of three graphs, whose opening is noted."""

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
def graph_cache(files, tmp_path) -> GraphCache:
    return GraphCache(tmp_path, files, files.open)


def test_a_graph_is_opened_once_and_by_its_first_run(files, graph_cache):
    run = graph_cache["llm_extend"]
    assert set(graph_cache) == set(NAMES)
    assert len(graph_cache) == 3
    assert files.opened == []
    assert run({"x": 1}) == {"said": "llm_extend", "x": 1}
    graph_cache["llm_extend"]({})
    assert files.opened == ["llm_extend"]


def test_what_is_not_kept_is_forgotten_and_what_is_kept_is_opened(files, graph_cache):
    graph_cache["fusion_styles"]({})
    graph_cache.keep(("llm_*",))
    assert files.opened == ["fusion_styles", "llm_embed", "llm_extend"]
    assert {graph.name for graph in graph_cache.take()} == {"llm_embed", "llm_extend"}
    assert graph_cache.take() == []


def test_an_unknown_graph_is_none(graph_cache):
    with pytest.raises(KeyError):
        graph_cache["llm_prefill"]


def test_weights_beside_a_graph_are_counted(files, graph_cache, tmp_path):
    for name, size in (("llm_embed.onnx", 5), ("llm_extend.onnx", 7), ("llm_extend.onnx.data", 90)):
        (tmp_path / "llm").mkdir(exist_ok=True)
        (tmp_path / "llm" / name).write_bytes(b"w" * size)
    assert graph_cache.weights_bytes(("llm_*",)) == 102
    assert graph_cache.weights_bytes(("llm_embed", "fusion_*")) == 5
