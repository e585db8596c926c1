"""Weights of the small networks: what a file must hold, and what is said of one that does not."""

import re
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.engines.weights_file import load_weights

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


@pytest.mark.parametrize("kind", ["text", "cut", "objects", "array", "empty", "folder"])
def test_a_file_that_is_no_npz_is_refused(tmp_path: Path, kind):
    path = tmp_path / "weights.npz"
    if kind == "folder":
        path.mkdir()
    elif kind == "objects":
        np.savez(path, **(RIGHT | {"bias": np.array([{}], object)}))
    elif kind == "array":
        np.save(path.open("wb"), np.zeros(3))
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
