"""Data is made once, and batches follow from seed and step alone."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.llm.tokens import train
from rt_avatar.engines.training.llm.dataset import (
    EPOCHS,
    SHARES,
    DatasetOptions,
    Stream,
    load_dataset,
    pretraining_batch,
    reply_batches,
    shares_of,
)
from tests.engines.training.llm.made_up import felt_rows, write_avamerg, write_data, write_rows

pytestmark = pytest.mark.unit

OPTIONS = DatasetOptions(vocabulary=400, context=128)


@pytest.fixture
def dataset(tmp_path):
    return load_dataset(write_data(tmp_path / "data"), tmp_path, OPTIONS)


def test_it_is_read_again_without_the_texts(dataset, tmp_path):
    again = load_dataset(tmp_path / "nowhere", tmp_path, OPTIONS)
    assert set(again.streams) == set(SHARES)
    for name, stream in dataset.streams.items():
        assert np.array_equal(again.streams[name].ids, stream.ids)
    assert np.array_equal(again.replies.ids, dataset.replies.ids)
    assert again.tokens.size == dataset.tokens.size <= 400
    with pytest.raises(FileNotFoundError):
        load_dataset(tmp_path / "nowhere", tmp_path, DatasetOptions(400, 64))


@pytest.mark.parametrize(
    "changed", [{"given": "x"}, {"template": "vicuna_v1.5_empathy"}, {"notation": "ordinal"}]
)
def test_what_was_made_for_another_model_is_not_read(dataset, tmp_path, changed):
    with pytest.raises(FileNotFoundError):
        load_dataset(tmp_path / "nowhere", tmp_path, replace(OPTIONS, **changed))


@pytest.mark.parametrize("write", [write_data, write_avamerg])
def test_another_folder_of_data_is_refused_with_what_to_do(dataset, tmp_path, write):
    cache = next(tmp_path.glob("dataset-*.npz"))
    other = write(tmp_path / "other")
    if write is write_data:
        load_dataset(other, tmp_path, OPTIONS)  # a copy
        write_rows(other / "empathetic_dialogues/train.jsonl.gz", felt_rows(44))
    with pytest.raises(ValueError, match=rf"got another file.*--out, or remove {cache.name}"):
        load_dataset(other, tmp_path, OPTIONS)
    cache.unlink()
    assert load_dataset(other, tmp_path, OPTIONS).replies.ends.size != dataset.replies.ends.size


def test_a_full_disk_leaves_no_tokenizer_that_is_cut_short(tmp_path):
    data = write_data(tmp_path / "data")
    (tmp_path / "tokenizer.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match=r"room for the tokenizer.*Make room"):
        load_dataset(data, tmp_path, OPTIONS)
    assert load_dataset(data, tmp_path, OPTIONS).tokens.size <= 400


def test_a_model_that_knows_its_language_reads_nothing_but_replies(dataset, tmp_path):
    data = tmp_path / "data"
    shutil.rmtree(data / "text")
    given = load_dataset(data, tmp_path, replace(OPTIONS, given="x"))
    assert given.streams == {}
    assert np.array_equal(given.replies.ids, dataset.replies.ids)


def test_ids_that_sixteen_bits_do_not_hold_are_refused(tmp_path):
    many = train(["Hello."], 420)
    many._tokenizer.add_tokens([f"<{number}>" for number in range(1 << 16)])
    many.save(tmp_path / "tokenizer.json")
    with pytest.raises(ValueError, match=r"expected at most 65,536 ids.*got 65,"):
        load_dataset(write_data(tmp_path / "data"), tmp_path, OPTIONS)


def test_nobody_who_is_held_out_is_learnt_from(dataset):
    learnt = dataset.tokens.decode(dataset.replies.ids.tolist())
    assert dataset.replies.ends.size == 2 * dataset.streams["felt"].starts.size < 2 * 40
    assert learnt.count("</response>") == dataset.replies.ends.size


def test_batches_follow_from_the_seed(dataset):
    def batch(*seed):
        return pretraining_batch(dataset.streams, SHARES, 8, 32, seed)

    assert batch(1, 5).shape == (8, 32)
    assert np.array_equal(batch(1, 5), batch(1, 5))
    assert not np.array_equal(batch(1, 5), batch(1, 6))
    assert not np.array_equal(batch(1, 5), batch(2, 5))


def test_a_row_is_a_piece_of_its_source_and_a_short_source_is_repeated():
    long = Stream(np.arange(100, 400, dtype=np.uint16), np.array([0, 50, 295]))
    short = Stream(np.array([1, 2, 3], np.uint16), np.array([0]))
    rows = pretraining_batch(
        {"books": long, "felt": short}, {"books": 0.5, "felt": 0.5}, 64, 8, (1, 1)
    )
    begins = set()
    for row in rows:
        if row[0] == 1:
            assert row.tolist() == [1, 2, 3, 1, 2, 3, 1, 2]
        else:
            assert (np.diff(row) == 1).all()
            begins.add(int(row[0]))
    assert begins == {100, 150, 392}  # the last document is cut from its front


def test_no_source_is_read_more_often_than_is_worth_it():
    def stream(length):
        return Stream(np.zeros(length, np.uint16), np.array([0]))

    streams = {"felt": stream(1000), "open": stream(4000), "books": stream(20_000)}
    assert shares_of(streams, 10_000) == pytest.approx(SHARES)  # a short course
    longer = shares_of(streams, 100_000)
    assert longer["felt"] * 100_000 == pytest.approx(EPOCHS["felt"] * 1000)
    assert longer["open"] / longer["books"] == pytest.approx(SHARES["open"] / SHARES["books"])
    tokens = 400_000
    found = shares_of(streams, tokens)
    assert sum(found.values()) == pytest.approx(1.0)
    for name, one in streams.items():
        assert found[name] * tokens <= 1.001 * EPOCHS[name] * len(one.ids)
    # A course that is too long for all of them reads each more often in proportion.
    often = {
        name: share * 10_000_000 / len(streams[name].ids) / EPOCHS[name]
        for name, share in shares_of(streams, 10_000_000).items()
    }
    assert max(often.values()) == pytest.approx(min(often.values()))


def test_an_epoch_has_each_example_once(dataset):
    lengths = dataset.replies.lengths
    batches = reply_batches(lengths, 512, (1, 0))
    assert sorted(np.concatenate(batches)) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * lengths[batch].max() <= 512
    assert len(reply_batches(lengths, 1, (1, 0))) == len(lengths)
    ids, counts = dataset.replies.rows(batches[0])
    assert ids.shape == counts.shape == (len(batches[0]), lengths[batches[0]].max())
    assert not ids[~np.isin(ids, dataset.replies.ids)].any()  # nothing but padding beside
