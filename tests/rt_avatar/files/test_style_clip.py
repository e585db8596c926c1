"""A file of expressions is read as numbers, and what is wrong with it is told."""

import numpy as np
import pytest

from rt_avatar.engines.dreamtalk.style import STYLE_FRAMES
from rt_avatar.errors import SetupError
from rt_avatar.files.style_clip import read_style_clip

pytestmark = pytest.mark.unit

ROWS = np.random.default_rng(1).normal(0, 0.3, (30, 64))


@pytest.mark.parametrize("header", ["", ",".join(f"channel {n}" for n in range(64)) + "\n"])
def test_both_formats_give_the_same_numbers(tmp_path, header):
    np.save(tmp_path / "a.npy", ROWS)
    lines = [",".join(f"{number:.8f}" for number in row) for row in ROWS]
    (tmp_path / "a.CSV").write_text(header + "\n".join(lines) + "\n\n")
    binary, text = read_style_clip(tmp_path / "a.npy"), read_style_clip(tmp_path / "a.CSV")
    assert binary.dtype == text.dtype == np.float32
    np.testing.assert_allclose(binary, ROWS, atol=1e-6)
    np.testing.assert_allclose(text, binary, atol=1e-6)


def test_the_mark_that_spreadsheets_put_before_utf8_is_no_number_of_the_first_frame(tmp_path):
    lines = [",".join(f"{number:.8f}" for number in row) for row in ROWS]
    (tmp_path / "a.csv").write_text("\n".join(lines), encoding="utf-8-sig")
    np.testing.assert_allclose(read_style_clip(tmp_path / "a.csv"), ROWS, atol=1e-6)


def test_of_a_long_file_the_beginning_is_taken(tmp_path):
    rows = np.tile(ROWS, (20, 1))
    np.save(tmp_path / "a.npy", rows)
    read = read_style_clip(tmp_path / "a.npy")
    assert read.shape == (STYLE_FRAMES, 64)
    np.testing.assert_allclose(read, rows[:STYLE_FRAMES], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"1,2", r"expected expressions in a file ending in \.npy or \.csv"),
        ("a.csv", b"", r"expected \(frames, 64\) numbers, 25 frames a second; got \(0,\)"),
        ("a.csv", b"1,2,3\n", r"got \(1, 3\)"),
        ("a.csv", b"1,2,3\n4,5\n", "lines of different lengths"),
        ("a.csv", b"1,2\n3,x\n", "expected numbers; got could not convert"),
        ("a.csv", b"\xff\xfe\n", "expected numbers"),
        ("a.csv", ("nan," * 63 + "1\n").encode(), "expected finite numbers"),
        ("a.npy", b"", "expected numbers"),
        ("a.npy", b"words", "expected numbers"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SetupError, match=message):
        read_style_clip(tmp_path / name)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(64), r"got \(64,\)"),
        (np.zeros((9, 73)), r"got \(9, 73\)"),
        (np.zeros((0, 64)), r"got \(0, 64\)"),
        (np.full((9, 64), np.inf), "finite"),
        (np.full((9, 64), 1e300), "finite"),  # in single precision it is not
        (np.full((9, 64), "a"), "expected numbers; got <U1"),
        (np.zeros((9, 64), complex), "expected numbers; got complex128"),
        (np.full((9, 64), None), "expected numbers"),
    ],
)
def test_arrays_of_something_else_are_told(tmp_path, array, message):
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(SetupError, match=message):
        read_style_clip(tmp_path / "a.npy")


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(SetupError, match="No such file"):
        read_style_clip(tmp_path / "a.npy")
