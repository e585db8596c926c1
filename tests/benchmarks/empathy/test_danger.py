"""What is heard of danger is told for each file and kind, and what is missed by name."""

import gzip
import json
import sys

import pytest

from rt_avatar.benchmarks.empathy import danger

pytestmark = pytest.mark.unit


def test_heard_asked_and_missed_are_told_for_each_kind(tmp_path, monkeypatch, capsys):
    told = tmp_path / "told.tsv"
    told.write_text(
        "# a remark\nsuicide\ti want to die\nunclear\tdont bother renewing my bus pass\n"
        "fear\tthe sky was blue today\nnone\twe had soup today\nnone_near\tthe soup is to die for\n"
    )
    lines = tmp_path / "harmless.txt"
    lines.write_text("# a remark\nwe baked a cake today\n")
    stories = tmp_path / "stories.jsonl.gz"
    with gzip.open(stories, "wt") as file:
        turns = [("speaker", "we went to the park"), ("listener", "i want to die")]
        file.write(json.dumps({"turns": [{"role": role, "text": text} for role, text in turns]}))
    monkeypatch.setattr(sys, "argv", ["danger", *map(str, (told, lines, stories)), "--missed"])
    danger.main()
    head, *rest = capsys.readouterr().out.splitlines()
    assert head.split() == ["turns", "heard", "asked", "by", "lists"]
    rows = [" ".join(line.split()) for line in rest]
    assert rows == [
        "3 33.33% 33.33% 33.33% told.tsv, danger",
        "None: the sky was blue today",
        "1 0.00% 0.00% 0.00% told.tsv, none",
        "1 0.00% 0.00% 0.00% told.tsv, none_near",
        "1 0.00% 0.00% 0.00% harmless.txt, none",
        "1 0.00% 0.00% 0.00% stories.jsonl.gz, none",
    ]
