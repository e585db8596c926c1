"""What training reads: labels, the two parts, and files that are not what they should be."""

import gzip
import json

import numpy as np
import pytest

from rt_avatar.engines.training.text_emotion.calibration import (
    calibrate,
    find_threshold,
    reliability,
    shares_of,
)
from rt_avatar.engines.training.text_emotion.dialogues import read_labelled
from rt_avatar.engines.training.text_emotion.linear import train_linear

pytestmark = pytest.mark.unit


def row(number: int, **changes) -> dict[str, object]:
    turns = [{"role": "speaker", "text": "I won!"}, {"role": "listener", "text": "Nice."}]
    whole = {"id": f"hit:{number // 2}_conv:{number}", "emotion": "proud", "situation": "A prize."}
    return whole | {"turns": turns} | changes


def write(path, rows):
    with gzip.open(path, "wt") as lines:
        lines.writelines(json.dumps(one) + "\n" for one in rows)
    return path


def test_what_one_pair_wrote_is_in_one_part_only(tmp_path):
    path = write(tmp_path / "train.jsonl.gz", [row(number) for number in range(400)])
    parts = [one.is_for_choosing for one in read_labelled(path)]
    assert parts[::2] == parts[1::2]  # each pair wrote two
    assert 0.05 < np.mean(parts) < 0.2


def test_only_the_speakers_words_are_heard(tmp_path):
    (one,) = read_labelled(write(tmp_path / "train.jsonl.gz", [row(1)]))
    assert one.said() == ["i", "won"]
    assert one.answers == (["nice"],)


@pytest.mark.parametrize("changes", [{"emotion": "hangry"}, {"turns": None}, {"turns": [3]}])
def test_a_line_of_another_form_is_named(tmp_path, changes):
    path = write(tmp_path / "train.jsonl.gz", [row(1), row(2, **changes)])
    with pytest.raises(ValueError, match="line 2: expected"):
        read_labelled(path)


def test_files_that_are_none_say_so(tmp_path):
    with pytest.raises(FileNotFoundError, match="got no file"):
        read_labelled(tmp_path / "none.jsonl.gz")
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(b"no gzip")
    with pytest.raises(ValueError, match="gzip"):
        read_labelled(broken)
    with pytest.raises(ValueError, match="got none"):
        read_labelled(write(tmp_path / "empty.jsonl.gz", []))


def test_the_linear_part_learns_which_words_go_with_which_label():
    texts = [["my", "dog", "died"], ["we", "won", "today"]] * 4
    linear = train_linear(texts, [4, 18] * 4)
    assert linear.scores([["the", "dog"], ["we", "won"]]).argmax(1).tolist() == [4, 18]


def test_probabilities_become_believable():
    """Scores that are ten times too sure are weighed down until they are right as often as said."""
    dice = np.random.default_rng(0)
    scores = dice.normal(0, 1, (4000, 4))
    labels = np.array([dice.choice(4, p=shares) for shares in shares_of(scores)])
    before = reliability(shares_of(10 * scores), labels).error
    (weight,) = calibrate([10 * scores], labels)
    shares = shares_of(weight * 10 * scores)
    assert weight == pytest.approx(0.1, abs=0.02)
    assert reliability(shares, labels).error < 0.03 < before
    right = shares.argmax(1) == labels
    assert find_threshold(shares, right) == pytest.approx(0.4, abs=0.08)
