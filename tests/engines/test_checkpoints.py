"""What is known of published and imported weights without torch; what was changed is noticed."""

import json
import struct
from dataclasses import replace

import pytest

from rt_avatar.engines.checkpoints import (
    PUBLISHED,
    ImportRecord,
    check_imported,
    find_published,
    read_header,
    read_record,
    sha256,
)
from rt_avatar.engines.checkpoints_errors import CheckpointError

pytestmark = pytest.mark.unit
NAME = "dreamtalk"


def quiet(what: str, done: int, total: int) -> None:
    assert what
    assert 0 <= done <= total


@pytest.fixture
def weights(tmp_path):
    """Two tensors and their record, as an import writes them."""
    header = json.dumps(
        {
            "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
            "b": {"dtype": "F32", "shape": [], "data_offsets": [24, 28]},
            "__metadata__": {"format": "pt"},
        }
    ).encode()
    path = tmp_path / f"{NAME}.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(28))
    ImportRecord(
        name=NAME,
        source="somewhere",
        licence=PUBLISHED[NAME].licence,
        date="2026-01-01T00:00:00+00:00",
        source_sha256={"denoising_network.pth": "00"},
        sha256=sha256(path),
        tensors=2,
        parameters=7,
        tools={"torch": "2.13.0"},
    ).write(path)
    return path


def test_every_published_file_has_what_a_user_must_know():
    for name, published in PUBLISHED.items():
        assert published.name == name
        assert published.files
        assert published.licence
        assert published.project
        assert "://" not in " ".join((published.project, *published.files))


def test_an_unknown_name_is_answered_with_all_names():
    with pytest.raises(CheckpointError, match=r"expected one of hubert-large, .*got 'kokoro'"):
        find_published("kokoro")


def test_imported_weights_are_compared_to_the_last_bit(weights):
    record = check_imported(NAME, weights.parent, quiet)
    assert (record.tensors, record.parameters) == (2, 7)
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"the file was changed\. Import.* dreamtalk FILE"):
        check_imported(NAME, weights.parent, quiet)


def test_header_tells_keys_and_shapes(weights):
    assert read_header(weights) == {"a": (2, 3), "b": ()}


@pytest.mark.parametrize("kept", [0, 5, 8, 40, 100, -1])
def test_a_part_of_a_file_is_noticed_by_its_header(weights, kept):
    weights.write_bytes(weights.read_bytes()[:kept])
    with pytest.raises(CheckpointError, match="complete"):
        check_imported(NAME, weights.parent, quiet)


def headed(header: str) -> bytes:
    return struct.pack("<Q", len(header)) + header.encode()


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04" + bytes(100),
        headed("[]" * 20),
        headed('{"a": {"shape": [2], "data_offsets": [0, "8"]}}'),
        headed('{"a": {"shape": "2", "data_offsets": [0, 8]}}'),
        headed('{"a": {"shape": [2], "data_offsets": []}}'),
        headed('{"a": 8}'),
        headed("[" * 100_000),
    ],
    ids=["zip", "list", "text for a size", "text for a shape", "no size", "number", "deep"],
)
def test_a_foreign_file_is_noticed_by_its_header(weights, content):
    weights.write_bytes(content)
    with pytest.raises(CheckpointError, match="expected a safetensors file"):
        read_header(weights)


def test_weights_without_their_own_record_are_not_trusted(weights):
    record = read_record(weights)
    replace(record, name="pirenderer").write(weights)
    with pytest.raises(CheckpointError, match="its record is of pirenderer"):
        check_imported(NAME, weights.parent, quiet)
    for content in ("", "[]", "{}"):
        weights.with_suffix(".json").write_text(content)
        with pytest.raises(CheckpointError, match="expected the record of an import"):
            check_imported(NAME, weights.parent, quiet)
    weights.with_suffix(".json").unlink()
    with pytest.raises(CheckpointError, match="expected its record"):
        check_imported(NAME, weights.parent, quiet)
    weights.unlink()
    with pytest.raises(CheckpointError, match="expected imported weights, got none"):
        check_imported(NAME, weights.parent, quiet)
