"""The network that hears danger is learnt from lines of a file, and refuses lines that are none."""

import gzip
import json
import sys

import pytest

from rt_avatar.engines.text_danger import DANGERS, TextDangerClassifier
from rt_avatar.engines.training.text_danger import __main__ as command
from rt_avatar.engines.training.text_danger.everyday import PARTS, compose_everyday, read_clauses
from rt_avatar.engines.training.text_danger.sentences import NONE, read_sentences

pytestmark = pytest.mark.unit

SENTENCES = """# a remark
suicide\ti want to end my life
suicide\ti will end my life soon
emergency\tshe is not breathing at all
emergency\the is not breathing at all
none\ti want to end my subscription
none\tshe is breathing deeply in her sleep
none\tthe soup was good
none\tthe cake was good
"""
EVERYDAY = """# a remark
[who]
my aunt
[did]
made a pie with {thing}
[own]
had a nap
[lead]
well
[tail]
today
[medicine]
syrup
[thing]
a spade
"""


def test_what_is_learnt_is_heard_and_real_talk_is_not(tmp_path, monkeypatch):
    (tmp_path / "sentences.tsv").write_text(SENTENCES * 4)
    (tmp_path / "text").mkdir()
    with gzip.open(tmp_path / "text" / "self_dialogue.jsonl.gz", "wt") as lines:
        lines.write(json.dumps({"turns": ["the film was good", "i liked the end of it"] * 20}))
    (tmp_path / "everyday.txt").write_text(EVERYDAY)
    monkeypatch.setattr(command, "_HERE", tmp_path)
    monkeypatch.setattr(command, "_EVERYDAY", 4)
    monkeypatch.setattr(command, "_KEPT_OUT", 4)
    monkeypatch.setattr(command, "_MIN_COUNT", 1)
    monkeypatch.setattr(sys, "argv", ["text_danger", "--data", str(tmp_path), "-o", str(tmp_path)])
    command.main()
    classifier = TextDangerClassifier(tmp_path / "weights.npz")
    ends, breathes, talk = (
        classifier.classify(text)
        for text in ("i want to end my life", "he is not breathing", "i liked the end of the film")
    )
    assert (ends.likeliest, breathes.likeliest) == ("suicide", "emergency")
    assert min(ends.probability, breathes.probability) > 0.5 > talk.probability


def test_the_package_holds_sentences_of_every_kind():
    found = read_sentences(command._HERE / "sentences.tsv")
    kinds = [one.kind for one in found]
    assert all(kinds.count(kind) >= 500 for kind in range(len(DANGERS)))
    assert kinds.count(NONE) >= 10_000


@pytest.mark.parametrize("line", ["suicide i said", "boredom\tthis is dull", "none\t…"])
def test_a_line_that_is_none_is_named(tmp_path, line):
    path = tmp_path / "sentences.tsv"
    path.write_text(f"# remark\n{line}\n")
    with pytest.raises(ValueError, match=r"line 2: expected kind<TAB>turn"):
        read_sentences(path)


def test_everyday_life_is_composed_of_every_part_and_the_same_each_time():
    clauses = read_clauses(command._HERE / "everyday.txt")
    assert all(len(clauses[part]) > 10 for part in PARTS)
    turns = list(compose_everyday(clauses, 400, seed=1))
    assert turns == list(compose_everyday(clauses, 400, seed=1))
    assert len(set(turns)) > 300
    assert all(turn == " ".join(turn.split()) and "{" not in turn for turn in turns)


def test_a_part_that_is_missing_is_named(tmp_path):
    path = tmp_path / "everyday.txt"
    path.write_text(EVERYDAY.replace("[own]\nhad a nap\n", ""))
    with pytest.raises(ValueError, match=r"expected who, did, own, lead, .*; got who, did, lead"):
        read_clauses(path)
