"""DNSMOS beside a voice: which pieces are rated, how loud, and what a missing graph says."""

from argparse import Namespace

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from rt_avatar.benchmarks.voice.benchmark import measure
from rt_avatar.benchmarks.voice.naturalness import P808, P835, DnsMos
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit

PIECE = 144_160


def graph(path, shape: list[int], outputs: int) -> None:
    """Write a graph whose every output is the mean of its input."""
    value = helper.make_tensor_value_info("input_1", TensorProto.FLOAT, ["n", *shape])
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, ["n", outputs])
    axes = helper.make_tensor("axes", TensorProto.INT64, [len(shape)], range(1, len(shape) + 1))
    sizes = helper.make_tensor("sizes", TensorProto.INT64, [2], [1, outputs])
    flat = helper.make_tensor("flat", TensorProto.INT64, [2], [-1, 1])
    nodes = [
        helper.make_node("ReduceMean", ["input_1", "axes"], ["mean"]),
        helper.make_node("Reshape", ["mean", "flat"], ["column"]),
        helper.make_node("Tile", ["column", "sizes"], ["out"]),
    ]
    made = helper.make_graph(nodes, "mean", [value], [out], [axes, sizes, flat])
    opset = [helper.make_opsetid("", 18)]
    onnx.save(helper.make_model(made, opset_imports=opset, ir_version=9), path)


@pytest.fixture
def folder(tmp_path):
    graph(tmp_path / P808, [900, 120], 1)
    graph(tmp_path / P835, [PIECE], 3)
    return tmp_path


def test_a_short_sound_is_repeated_and_a_long_one_rated_piece_by_piece(folder):
    dnsmos = DnsMos(folder)
    short = np.full(8_000, 0.5, np.float32)
    assert dnsmos.rate(short).overall == pytest.approx(
        np.polyval((-0.06766283, 1.11546468, 0.04602535), 0.5), abs=1e-4
    )
    # Pieces begin each second: of eleven seconds the first one and 9 s behind it, and so on.
    long = np.concatenate([np.zeros(32_000, np.float32), np.ones(PIECE, np.float32)])
    shares = [1 - (32_000 - first) / PIECE for first in (0, 16_000, 32_000)]
    wanted = np.mean([np.polyval((-0.06766283, 1.11546468, 0.04602535), one) for one in shares])
    assert dnsmos.rate(long).overall == pytest.approx(wanted, abs=1e-4)


def test_loudness_does_not_change_what_is_heard_of_the_spectrum(folder):
    tone = np.sin(np.arange(PIECE) * 0.3).astype(np.float32)
    hiss = np.random.default_rng(0).standard_normal(PIECE).astype(np.float32)
    dnsmos = DnsMos(folder)
    assert dnsmos.rate(tone).quality == pytest.approx(dnsmos.rate(0.1 * tone).quality, abs=1e-3)
    assert dnsmos.rate(hiss).quality > dnsmos.rate(tone).quality + 0.3


def test_a_folder_without_its_graphs_says_where_they_are(tmp_path):
    with pytest.raises(FileNotFoundError, match="wheel of speechmos"):
        DnsMos(tmp_path)


@pytest.mark.parametrize(
    ("people", "told"), [(None, "with --people DATA"), ("speech", "wheel of speechmos")]
)
def test_what_is_missing_is_told_before_anybody_speaks(people, told, tmp_path):
    with pytest.raises(SetupError, match=told):
        measure(Namespace(dnsmos=tmp_path, people=people))
