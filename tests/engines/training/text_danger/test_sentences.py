"""What the networks that hear danger learn from: lines of files."""

from importlib import resources

import pytest

from rt_avatar.engines.text_danger import DANGERS
from rt_avatar.engines.training.text_danger.everyday import PARTS, compose_everyday, read_clauses
from rt_avatar.engines.training.text_danger.sentences import NONE, read_sentences

pytestmark = pytest.mark.unit

FILES = resources.files("rt_avatar.engines.training.text_danger")

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


def test_the_package_holds_sentences_of_every_kind():
    found = read_sentences(FILES / "sentences.tsv")
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
    clauses = read_clauses(FILES / "everyday.txt")
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
