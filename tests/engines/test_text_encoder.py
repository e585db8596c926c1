"""The text encoder: how words are cut into pieces, and what is said of files that are none."""

from importlib import resources

import numpy as np
import pytest

from rt_avatar.engines.runtimes.runtime import RuntimeUnavailableError
from rt_avatar.engines.text_encoder import (
    EncoderHead,
    PieceTable,
    Splitter,
    TextEncoder,
    framed,
    split_words,
)
from rt_avatar.engines.text_encoder.encoder import MOST_PIECES
from rt_avatar.engines.text_encoder.pieces import BEGIN, END, SIZE, UNKNOWN

pytestmark = pytest.mark.unit

PIECES = (UNKNOWN, BEGIN, END, "'", "un", "##happ", "##y", "can", "t", "i", "m", "3")
UPPER = resources.files("rt_avatar.engines.text_danger") / "upper.onnx"
OUTPUTS = 9


@pytest.fixture
def arrays() -> dict[str, np.ndarray]:
    return {
        "pieces": np.frombuffer("\n".join(PIECES).encode(), np.uint8),
        "vectors": np.full((len(PIECES), SIZE), 2, np.int8),
        "vectors_scale": np.arange(len(PIECES)).astype(np.float16),
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I can't!", ["i", "can't"]),
        ("i CANT", ["i", "can't"]),
        ("I’m at the café…", ["i'm", "at", "the", "cafe"]),
        ("well", ["well"]),  # may be "we'll", may be not
        ("'quoted' 3rd", ["quoted", "3rd"]),
        ("助けて\x00 — ", []),
    ],
)
def test_words_are_the_same_however_they_were_written(text, words):
    assert split_words(text) == words


def test_a_word_is_cut_into_the_longest_pieces_and_what_is_strange_is_unknown():
    rows = Splitter(PIECES).rows_of(["unhappy", "can't", "zebra", "3", "x" * 10_000])
    assert [PIECES[row] for row in rows] == [
        "un", "##happ", "##y", "can", "'", "t", UNKNOWN, "3", UNKNOWN,
    ]  # fmt: skip


def test_a_text_has_a_begin_and_each_one_an_end():
    splitter = Splitter(PIECES)
    rows = framed(splitter, ["i"], [], ["can"])
    assert [PIECES[row] for row in rows] == [BEGIN, "i", END, END, "can", END]


def test_a_table_gives_each_piece_its_vector(tmp_path, arrays):
    np.savez(tmp_path / "pieces.npz", **arrays)
    table = PieceTable(tmp_path / "pieces.npz")
    vectors = table.vectors([0, 3])
    assert vectors.shape == (2, SIZE)
    assert vectors.dtype == np.float32
    assert (vectors[1] == 6).all()


@pytest.mark.parametrize(
    ("change", "got"),
    [
        ({"vectors": np.zeros((3, SIZE), np.int8)}, r"vectors of int8 \(3, 384\)"),
        ({"pieces": np.frombuffer(b"a\nb", np.uint8)}, "vectors of int8"),
        ({"pieces": np.frombuffer("\n".join("abcdefghijkl").encode(), np.uint8)},
         r"no \[UNK\], \[CLS\], \[SEP\]"),
        ({"pieces": np.zeros(3)}, "pieces of float64"),
    ],
)  # fmt: skip
def test_a_foreign_table_is_refused_with_how_to_make_one(tmp_path, arrays, change, got):
    np.savez(tmp_path / "pieces.npz", **(arrays | change))
    with pytest.raises(ValueError, match=rf"word pieces: expected .* got .*{got}.*Make it with"):
        PieceTable(tmp_path / "pieces.npz")
    with pytest.raises(FileNotFoundError, match="Make it with"):
        PieceTable(tmp_path / "none.npz")


def test_a_text_of_any_length_gets_its_scores():
    encoder, head = TextEncoder(), EncoderHead(UPPER, OUTPUTS)
    for words in ([], ["i"], ["so"] * MOST_PIECES * 3):
        hidden = encoder.read(words)
        assert hidden.shape == (1, min(len(words) + 2, MOST_PIECES), SIZE)
        scores = head.scores(hidden)
        assert scores.shape == (OUTPUTS,)
        assert np.isfinite(scores).all()


def test_another_graph_or_none_is_refused(tmp_path, arrays):
    with pytest.raises(ValueError, match=r"to scores \(1, 4\); got .*\(1, 9\)"):
        EncoderHead(UPPER, 4)
    (tmp_path / "upper.onnx").write_bytes(b"no graph")
    with pytest.raises(RuntimeUnavailableError, match="expected a graph"):
        EncoderHead(tmp_path / "upper.onnx", OUTPUTS)
    np.savez(tmp_path / "pieces.npz", **arrays)
    (tmp_path / "lower.onnx").write_bytes(UPPER.read_bytes())
    with pytest.raises(ValueError, match=r"lower\.onnx: expected a graph from vectors to hidden"):
        TextEncoder(tmp_path)
