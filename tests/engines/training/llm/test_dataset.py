"""Data is made once, and batches follow from seed and step alone."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

from rt_avatar.engines.llm.tokens import train
from rt_avatar.engines.training.llm.dataset import (
    SHARES,
    DatasetOptions,
    load_dataset,
    pretraining_batch,
    reply_batches,
)
from tests.engines.training.llm.made_up import write_data

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
    first = pretraining_batch(dataset.streams, 8, 32, (1, 5))
    assert first.shape == (8, 32)
    assert np.array_equal(first, pretraining_batch(dataset.streams, 8, 32, (1, 5)))
    assert not np.array_equal(first, pretraining_batch(dataset.streams, 8, 32, (1, 6)))
    assert not np.array_equal(first, pretraining_batch(dataset.streams, 8, 32, (2, 5)))


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
