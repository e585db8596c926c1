"""What the empathy benchmark says of a file, and of one that is none."""

import argparse
import gzip
import json
import math

import pytest

from rt_avatar.benchmarks.bench import last_lines
from rt_avatar.benchmarks.empathy.benchmark import measure
from rt_avatar.errors import BadInputError, SetupError

pytestmark = pytest.mark.unit

STORIES = (
    ("lonely", "I feel so lonely here.", "I am sorry.", "Nobody ever calls me."),
    ("annoyed", "My noisy neighbors are so annoying!", "Why is that?"),
    ("lonely", "I am so lonely, I have no friends at all.", "Oh no."),
)


@pytest.fixture
def stories(tmp_path):
    path = tmp_path / "stories.jsonl.gz"
    with gzip.open(path, "wt") as lines:
        for emotion, *texts in STORIES:
            roles = ("speaker", "listener", "speaker")
            turns = [{"role": role, "text": text} for role, text in zip(roles, texts, strict=False)]
            lines.write(json.dumps({"emotion": emotion, "situation": "", "turns": turns}) + "\n")
    return path


def bench(path, **options):
    given = {"limit": None, "replies": None, "answered": 0, "people": None, "spoken": 2} | options
    return measure(argparse.Namespace(data=path, quick=False, **given))


def test_it_ends_with_the_figures_that_scripts_read(stories):
    *_, last = last_lines(bench(stories))
    assert last.startswith("bench empathy acc32=")
    for key in (
        "acc7",
        "dist2",
        "ppl",
        "recall10",
        "majority_acc32",
        "linear_acc32",
        "lexicon_acc32",
    ):
        assert f" {key}=" in last


def test_emotions_are_compared_with_the_labels(stories):
    figures = bench(stories).figures
    assert figures["majority_acc32"] == pytest.approx(200 / 3)
    assert figures["acc32"] == pytest.approx(100)
    assert figures["dialogues"] == 3
    assert figures["replies"] == 3  # where people replied, too
    assert figures["reasoner_unsafe"] == 0


def test_chosen_replies_are_measured(stories, tmp_path):
    figures = bench(stories).figures
    assert figures["nano_unsafe"] == 0
    assert figures["dist2"] > 0
    with pytest.raises(SetupError, match=r"--replies: .*got no file"):
        bench(stories, replies=tmp_path / "none.txt")


def test_what_was_not_measured_is_no_figure(stories):
    result = bench(stories)
    *_, last = last_lines(result)
    assert " recall10=nan " in last  # three replies are not 100
    assert 1 < result.figures["ppl"] < math.inf


def test_a_limit_is_spread_over_the_file(stories):
    assert bench(stories, limit=1).figures["dialogues"] == 1


@pytest.mark.parametrize("limit", [0, -3])
def test_a_limit_below_one_is_refused(stories, limit):
    with pytest.raises(SetupError, match="--limit: expected 1"):
        bench(stories, limit=limit)


def test_of_a_folder_the_part_to_measure_on_is_taken(stories):
    part = stories.with_name("valid.jsonl.gz")
    stories.rename(part)
    stories.with_name("train.jsonl").write_text("not looked at")
    assert bench(part.parent).figures["dialogues"] == 3


def test_votes_and_ablations_stand_beside(stories):
    *_, last = last_lines(bench(stories))
    for key in ("voted_acc32", "equal_votes_acc32", "no_chain_dist2", "no_chain_misplaced_percent"):
        assert f" {key}=" in last


def test_no_file_is_asked_for():
    with pytest.raises(SetupError, match="--data: expected a file or folder"):
        bench(None)


def test_a_file_that_was_cut_is_told_of(stories):
    stories.write_bytes(stories.read_bytes()[:-20])
    with pytest.raises(BadInputError, match=r"stories\.jsonl\.gz: cannot be read"):
        bench(stories)
