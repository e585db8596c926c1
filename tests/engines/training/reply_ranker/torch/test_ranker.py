"""The ranker learns which reply goes with what was said, and ships as it learnt."""

import gzip
import json

import numpy as np
import pytest
import torch

from rt_avatar.engines.reply_ranker.context import ReplyContext
from rt_avatar.engines.reply_ranker.network import load_weights
from rt_avatar.engines.reply_ranker.ranker import Scorer
from rt_avatar.engines.training.reply_ranker.model import BiEncoder, recall
from rt_avatar.engines.training.reply_ranker.packing import pack
from rt_avatar.engines.training.reply_ranker.pairs import (
    ReplyPair,
    read_open_pairs,
    read_pairs,
)
from rt_avatar.engines.training.reply_ranker.train import Course, train
from rt_avatar.engines.training.reply_ranker.words import count_words
from rt_avatar.engines.training.text_emotion.packing import save

pytestmark = pytest.mark.networks

WORDS = [f"w{number}" for number in range(40)]
COURSE = Course("test", 4, 320, 2e-3, 0)


def pairs_of(count: int, seed: int) -> list[ReplyPair]:
    """Replies repeat two words of what was said."""
    dice = np.random.default_rng(seed)
    said = [[WORDS[at] for at in dice.choice(len(WORDS), 5, replace=False)] for _ in range(count)]
    return [ReplyPair(ReplyContext(words, [], []), [*words[:2], "ok"]) for words in said]


def written(path, rows):
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return path


def test_it_learns_which_reply_goes_with_what_was_said_and_ships_the_same(tmp_path):
    torch.manual_seed(0)
    pairs, others = pairs_of(1280, 0), pairs_of(200, 1)
    statistics = count_words(pairs)
    model = BiEncoder(statistics.words, {})
    encoded = model.encode(others)
    (before,), _ = recall(model, encoded, [10])
    kept = train(model, model.encode(pairs), encoded, COURSE, tmp_path)
    model.load_state_dict(torch.load(kept, weights_only=True))
    (after,), cosines = recall(model, encoded, [10])
    assert after > before + 0.2
    assert after > 0.4  # guessing: 0.1
    save(tmp_path / "weights.npz", pack(model, statistics, (1, 0)))
    order = np.random.default_rng(0).permutation(200)[:100]
    shipped, _ = Scorer(load_weights(tmp_path / "weights.npz")).parts(
        [others[at].context for at in order], [others[at].reply for at in order]
    )
    np.testing.assert_allclose(shipped, cosines[0].numpy(), atol=0.02)  # eight bits


def test_a_course_that_is_through_is_not_done_again(tmp_path):
    torch.manual_seed(0)
    model = BiEncoder(WORDS, {})
    pairs, others = model.encode(pairs_of(320, 0)), model.encode(pairs_of(100, 1))
    kept = train(model, pairs, others, Course("short", 1, 320, 2e-3, 0), tmp_path)
    before = kept.read_bytes()
    assert train(model, pairs, others, Course("short", 1, 320, 2e-3, 0), tmp_path) == kept
    assert kept.read_bytes() == before


def test_fewer_than_a_hundred_replies_cannot_be_ranked():
    model = BiEncoder(["a"], {})
    with pytest.raises(ValueError, match="expected 100 pairs"):
        recall(model, model.encode(pairs_of(99, 0)), [1])


def test_every_turn_stands_with_what_was_said_before_it(tmp_path):
    turns = [("speaker", "I won!"), ("listener", "Nice."), ("speaker", "Yes."), ("listener", "Oh")]
    row = {
        "id": "hit:1_conv:2",
        "emotion": "proud",
        "turns": [{"role": role, "text": text} for role, text in turns],
    }
    one, back, two = read_pairs(written(tmp_path / "train.jsonl.gz", [row]))
    assert (one.context, one.reply) == (ReplyContext(["i", "won"], [], []), ["nice"])
    assert (back.is_listener, back.reply) == (False, ["yes"])
    assert (two.context, two.reply) == (ReplyContext(["yes"], ["i", "won"], ["nice"]), ["oh"])


def test_open_dialogues_alternate(tmp_path):
    pairs = read_open_pairs(written(tmp_path / "open.jsonl.gz", [{"turns": ["a", "b", "c", "d"]}]))
    assert [pair.reply for pair in pairs] == [["b"], ["c"], ["d"]]
    assert pairs[2].context == ReplyContext(["c"], ["a"], ["b"])


def test_a_file_of_another_form_is_told_with_its_line(tmp_path):
    with pytest.raises(ValueError, match="line 1: expected"):
        read_pairs(written(tmp_path / "train.jsonl.gz", [{"id": "x", "turns": 3}]))
    with pytest.raises(FileNotFoundError, match="expected EmpatheticDialogues at"):
        read_pairs(tmp_path / "none.jsonl.gz")
