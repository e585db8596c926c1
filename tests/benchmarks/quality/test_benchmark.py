import argparse
import json

import pytest

from rt_avatar.benchmarks.catalogue import find
from rt_avatar.benchmarks.quality import benchmark as quality
from rt_avatar.errors import SetupError

pytestmark = pytest.mark.unit


def parsed(*words: str, quick: bool = True) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    quality.add_arguments(parser)
    arguments = parser.parse_args(words)
    arguments.quick, arguments.flags = quick, ()
    return arguments


def chosen(*words: str) -> list[str]:
    return quality._chosen(parsed(*words))


def test_it_is_in_the_catalogue_with_a_manual():
    assert find("quality") is quality
    assert "What it does not tell" in quality.__doc__


def test_without_files_the_avatar_itself_is_measured_and_every_file_adds_a_part():
    assert chosen() == list(quality.OWN)
    assert chosen("--clip", "a.mp4") == [*quality.OWN, "clip"]
    assert chosen("--dialogues", "a", "--recordings", "b")[-2:] == ["replies", "recordings"]


def test_only_these_parts_can_be_measured():
    assert chosen("--only", "lips", "words") == ["words", "lips"]
    assert chosen("--only", "replies", "--dialogues", "a.jsonl") == ["replies"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--only", "clip"), "--clip"),
        (("--only", "replies"), "--dialogues"),
        (("--reference", "a.mp4"), "--clip"),
        (("--syncnet", "a.model"), "--clip"),
        (("--dialogues", "a", "--replies", "0"), "1 or more"),
        (("--dialogues", "none.jsonl"), "--dialogues: expected a file; .* none.jsonl"),
        (("--clip", __file__, "--reference", "none.mp4"), "--reference: expected a file"),
        (("--pictures", __file__), "--pictures: expected a folder"),
        (("--only", "words", "--engines", "none"), "--engines: expected a folder"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_starts(words, message):
    with pytest.raises(SetupError, match=message):
        quality.measure(parsed(*words))


def test_a_result_names_its_parts_and_only_figures_it_has(tmp_path):
    path = tmp_path / "dialogues.jsonl"
    turns = [{"role": "speaker", "text": "I am so sad."}, {"role": "listener", "text": "Oh no."}]
    path.write_text(json.dumps({"emotion": "sad", "turns": turns}) + "\n")
    result = quality.measure(parsed("--only", "replies", "--dialogues", str(path)))
    assert result.name == "quality"
    assert [row[0] for row in result.rows if row[0]] == ["replies"]
    assert all(len(row) == len(result.columns) for row in result.rows)
    assert {*result.higher_is_better, *result.neutral} <= {*result.figures}
    assert result.figures["last_acc32_percent"] == 100
