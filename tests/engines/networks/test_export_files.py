"""What is given beside the graphs fits them, or is refused."""

import numpy as np
import pytest

from rt_avatar.engines.checkpoints_errors import CheckpointError
from rt_avatar.engines.llm.tokens import TextStream
from rt_avatar.engines.networks.export_files import makeshift_tokens, read_bank, read_tokens
from rt_avatar.engines.networks.llm.config import NANO, LlmConfig
from rt_avatar.engines.types import EMOTIONS

pytestmark = pytest.mark.networks
LIKE_VICUNA = LlmConfig("like vicuna", 24, 2, 4, 4, 48, 9000 + 32, 9000, 128)


def test_a_makeshift_tokenizer_has_as_many_ids_as_the_model_has_rows():
    tokens = makeshift_tokens(LIKE_VICUNA)
    assert tokens.size == LIKE_VICUNA.vocabulary
    assert tokens.signals == LIKE_VICUNA.signals
    assert (tokens.id("<s>"), tokens.id("</s>")) == (1, 2)
    text = "How are you? Très bien, 好."
    assert tokens.decode(tokens.encode(text)) == text
    ids = tokens.encode(text)
    stream = TextStream(tokens)
    assert "".join([*map(stream.push, ids), stream.flush()]) == text
    assert makeshift_tokens(NANO).signals == NANO.signals


def test_a_tokenizer_of_another_model_is_refused(tmp_path):
    makeshift_tokens(LIKE_VICUNA).save(tmp_path / "tokenizer.json")
    assert read_tokens(tmp_path / "tokenizer.json", LIKE_VICUNA).size == 9032
    with pytest.raises(CheckpointError, match=r"expected at most 4096 ids .* from 13 on; got 9032"):
        read_tokens(tmp_path / "tokenizer.json", NANO)
    with pytest.raises(CheckpointError, match=r"expected a tokenizer\.json at"):
        read_tokens(tmp_path / "none.json", NANO)


def test_a_bank_is_read_as_it_is(tmp_path):
    voice, face = np.ones((len(EMOTIONS), 8)), np.zeros((len(EMOTIONS), 16), np.float32)
    np.savez(tmp_path / "bank.npz", voice=voice, face=face)
    read = read_bank(tmp_path / "bank.npz", 8, 16)
    assert np.array_equal(read[0], voice)
    assert np.array_equal(read[1], face)
    assert read[0].dtype == read[1].dtype == np.float32


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"voice": np.ones((8, 8))}, "expected an .npz with the arrays voice and face"),
        ({"voice": np.ones((7, 8)), "face": np.ones((8, 16))}, r"voice: expected \(8, 8\)"),
        ({"voice": np.ones((8, 8)), "face": np.ones((8, 9))}, r"face: expected \(8, 16\)"),
        ({"voice": np.full((8, 8), np.nan), "face": np.ones((8, 16))}, "finite numbers"),
        ({"voice": np.array([{}]), "face": np.ones((8, 16))}, "expected an .npz"),
    ],
)
def test_a_bank_that_does_not_fit_is_refused(tmp_path, arrays, message):
    np.savez(tmp_path / "bank.npz", **arrays)
    with pytest.raises(CheckpointError, match=message):
        read_bank(tmp_path / "bank.npz", 8, 16)


@pytest.mark.parametrize("content", [b"", b"PK", b"words"])
def test_a_file_that_is_no_bank_is_refused(tmp_path, content):
    (tmp_path / "bank.npz").write_bytes(content)
    with pytest.raises(CheckpointError, match=r"expected an \.npz"):
        read_bank(tmp_path / "bank.npz", 8, 16)


def test_a_damaged_bank_that_is_compressed_is_refused(tmp_path):
    path = tmp_path / "bank.npz"
    np.savez_compressed(path, voice=np.ones((8, 8)), face=np.ones((8, 16)))
    data = bytearray(path.read_bytes())
    data[data.index(b"face.npy") + len(b"face.npy") + 20] = 0xFF  # no kind of deflated block
    path.write_bytes(data)
    with pytest.raises(CheckpointError, match=r"expected an \.npz"):
        read_bank(path, 8, 16)
