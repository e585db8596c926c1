"""Weights of the small networks: what a file must hold, and what is said of one that does not."""

import re
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.weights_file import load_weights, read_arrays

pytestmark = pytest.mark.unit

SHAPES = {"first": (2, 3), "bias": (3,)}
MAKE = "Make them with: python -m somewhere"
RIGHT = {"first": np.ones((2, 3), np.float16), "bias": np.zeros(3, np.int8)}


def test_weights_come_as_float32_whatever_they_are_stored_as(tmp_path: Path):
    np.savez_compressed(tmp_path / "weights.npz", **RIGHT)
    weights = load_weights(tmp_path / "weights.npz", SHAPES, "jaw", MAKE)
    assert {name: array.dtype for name, array in weights.items()} == dict.fromkeys(
        SHAPES, np.dtype(np.float32)
    )
    assert (weights["first"] == 1).all()


@pytest.mark.parametrize(
    ("change", "got"),
    [
        ({"bias": None}, "no bias"),
        ({"more": np.zeros(2)}, "more besides"),
        ({"bias": np.zeros(4)}, "bias of float64 (4,) in the place of (3,)"),
        ({"bias": np.array(["a", "b", "c"])}, "bias of <U1 (3,)"),
        ({"first": np.full((2, 3), np.inf)}, "numbers in first that are not finite"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(tmp_path: Path, change, got):
    arrays = {name: array for name, array in (RIGHT | change).items() if array is not None}
    np.savez(tmp_path / "weights.npz", **arrays)
    words = f"jaw: expected finite weights in {tmp_path / 'weights.npz'}; got {got}"
    with pytest.raises(ValueError, match=re.escape(words)) as refused:
        load_weights(tmp_path / "weights.npz", SHAPES, "jaw", MAKE)
    assert str(refused.value).endswith(MAKE)


@pytest.mark.parametrize("kind", ["text", "cut", "objects", "array", "empty", "folder", "packed"])
def test_a_file_that_is_no_npz_is_refused(tmp_path: Path, kind):
    path = tmp_path / "weights.npz"
    if kind == "folder":
        path.mkdir()
    elif kind == "objects":
        np.savez(path, **(RIGHT | {"bias": np.array([{}], object)}))
    elif kind == "array":
        np.save(path.open("wb"), np.zeros(3))
    elif kind == "packed":
        np.savez_compressed(path, **RIGHT)
        data = bytearray(path.read_bytes())
        data[data.index(b"bias.npy") + len(b"bias.npy") + 20] = 0xFF  # no kind of deflated block
        path.write_bytes(data)
    else:
        np.savez(path, **RIGHT)
        whole = path.read_bytes()
        path.write_bytes({"text": b"no weights", "cut": whole[:200], "empty": b""}[kind])
    with pytest.raises(ValueError, match="jaw: expected an npz") as refused:
        load_weights(path, SHAPES, "jaw", MAKE)
    assert str(refused.value).endswith(MAKE)


def test_a_missing_file_says_how_it_is_made(tmp_path: Path):
    with pytest.raises(FileNotFoundError, match=re.escape(MAKE)):
        load_weights(tmp_path / "none.npz", SHAPES, "jaw", MAKE)


def test_large_tables_of_bytes_are_mapped_and_all_else_is_read(tmp_path: Path):
    table = np.random.default_rng(0).integers(-127, 128, (1_000, 128), np.int8)
    arrays = {"table": table, "turned": table.T, "numbers": np.arange(70_000.0), **RIGHT}
    np.savez(tmp_path / "stored.npz", **arrays)
    np.savez_compressed(tmp_path / "packed.npz", **arrays)
    stored, packed = (
        read_arrays(tmp_path / f"{name}.npz", "jaw", MAKE) for name in ("stored", "packed")
    )
    for name, array in arrays.items():
        np.testing.assert_array_equal(stored[name], array)
        np.testing.assert_array_equal(packed[name], array)
    assert [name for name, array in stored.items() if is_mapped(array)] == ["table"]
    assert not any(is_mapped(array) for array in packed.values())


def is_mapped(array: np.ndarray) -> bool:
    return isinstance(array.base, np.memmap)


def test_a_damaged_table_is_refused_though_it_would_only_be_mapped(tmp_path: Path):
    path = tmp_path / "weights.npz"
    np.savez(path, table=np.zeros((1_000, 128), np.int8))
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(ValueError, match="jaw: expected an npz"):
        read_arrays(path, "jaw", MAKE)


@pytest.mark.parametrize("network", ["reply_ranker", "text_emotion"])
def test_the_large_tables_of_the_package_are_mapped(network: str):
    packaged = resources.files("rt_avatar.engines") / network / "weights.npz"
    found = read_arrays(packaged, network, MAKE)
    tables = [array for array in found.values() if array.dtype == np.int8]
    assert tables
    assert all(is_mapped(array) for array in tables)
