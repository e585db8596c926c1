"""A result survives its file, and a file that is none is told apart in one clear sentence."""

import json
import math
import subprocess
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from rt_avatar.benchmarks import result as result_module
from rt_avatar.benchmarks.bench import last_lines
from rt_avatar.benchmarks.result import Plot, Result, Run, load, newest, percentile, record, save
from rt_avatar.errors import BadInputError

pytestmark = pytest.mark.unit

WHEN = datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC)


def rich_result(name: str = "turn", **changes: object) -> Result:
    result = Result(
        name=name,
        columns=("what", "p50", "p95"),
        rows=[("end of speech → first sound", "449", "nan")],
        figures={"p50_ms": np.float32(449.5), "turns": 20},
        higher_is_better=("fps",),
        neutral=("turns",),
        samples={"first sound": np.array([440.0, 449.5, 460.25]), "[odd]": [1, 2]},
        waterfall={"plan": (0, 182.5)},
        plots=[Plot("a < b", "x, s", "y, ms", {"n = 3": [(0, 1), (1, 2)]}, "points", 500)],
        notes=["over loopback: [ 1,\n 2 ]"],
    )
    return replace(result, **changes)


def recorded(result: Result | None = None) -> Run:
    return record(result or rich_result(), WHEN, 61.26, {"turns": 20, "server.port": "0"}, 3.21)


def test_what_is_kept_is_what_is_read_back(tmp_path):
    run = recorded()
    assert load(save(run, tmp_path)) == run
    assert run.duration_s == 61.3
    assert run.machine["busy_before_percent"] == 3.2


def test_a_figure_that_could_not_be_measured_stays_so_and_the_file_stays_json(tmp_path):
    path = save(recorded(rich_result(figures={"p50_ms": math.nan}, samples={})), tmp_path)
    assert "NaN" not in path.read_text(encoding="utf-8")
    assert math.isnan(load(path).result.figures["p50_ms"])


def test_samples_take_one_line_of_the_file(tmp_path):
    text = save(recorded(), tmp_path).read_text(encoding="utf-8")
    assert "[ 440.0, 449.5, 460.25 ]" in text


def test_the_newest_of_each_benchmark_comes_last(tmp_path):
    times = [WHEN.replace(minute=minute) for minute in (40, 20, 30)]
    kept = [save(record(rich_result(), at, 1, {}), tmp_path) for at in times]
    other = save(record(rich_result("sync"), WHEN, 1, {}), tmp_path)
    (tmp_path / "notes.json").write_text("{}")
    found = newest(tmp_path)
    assert found == {"turn": [kept[1], kept[2], kept[0]], "sync": [other]}
    assert newest(tmp_path / "nothing") == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "something else"),
        ("{", "something else"),
        ("[]", "something else"),
        ("3", "something else"),
        ("{}", "no 'schema'"),
        ('{"schema": 0}', "expected a result of schema 1, got 0"),
        ('{"schema": 1}', "no 'result'"),
        ('{"schema": 1, "result": {}}', "no 'plots'"),
        ('{"schema": 1, "result": {"plots": [], "name": "x"}}', "missing"),
        ('{"schema": 1, "result": {"plots": [{"title": 1}]}}', "missing"),
        ("[" * 100_000, "something else"),
    ],
)
def test_a_file_that_is_no_result_is_told_so_in_one_sentence(text, says, tmp_path):
    path = tmp_path / "turn.json"
    path.write_text(text)
    with pytest.raises(BadInputError, match=says) as raised:
        load(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("key", "value"),
    [("figures", []), ("figures", {"a": "x"}), ("samples", {"a": 3}), ("rows", 7), ("more", 1)],
)
def test_a_result_with_a_wrong_part_is_refused(key, value, tmp_path):
    path = save(recorded(), tmp_path)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["result"][key] = value
    path.write_text(json.dumps(data))
    with pytest.raises(BadInputError, match="expected a result that"):
        load(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [("machine", []), ("arguments", 1), ("started", "today"), ("started", 3), ("duration_s", "x")],
)
def test_a_run_with_a_wrong_part_is_refused(key, value, tmp_path):
    path = save(recorded(), tmp_path)
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, key: value}))
    with pytest.raises(BadInputError, match="expected a result that"):
        load(path)


def test_a_file_that_cannot_be_read_is_told_so(tmp_path):
    with pytest.raises(BadInputError, match="cannot be read"):
        load(tmp_path / "none.json")
    with pytest.raises(BadInputError, match="cannot be read"):
        load(tmp_path)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInputError, match="something else"):
        load(tmp_path / "bytes.json")


def test_without_git_a_result_is_kept_all_the_same(monkeypatch):
    def no_git(*arguments: object, **options: object) -> None:
        raise FileNotFoundError("git")

    monkeypatch.setattr(subprocess, "run", no_git)
    assert recorded().commit == ""


def test_the_commit_of_somebody_elses_repository_is_not_taken(monkeypatch, tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    inside = tmp_path / "site-packages" / "result.py"
    inside.parent.mkdir()
    inside.write_text("")
    monkeypatch.setattr(result_module, "__file__", str(inside))
    assert recorded().commit == ""


def test_percentiles_are_interpolated_and_nan_of_nothing():
    assert percentile([0, 10], 50) == 5
    assert math.isnan(percentile([], 50))


def test_what_a_benchmark_keeps_is_named_after_it_and_its_time(tmp_path):
    path = save(recorded(), tmp_path / "a" / "b")
    assert path == Path(tmp_path, "a", "b", "turn-20260301T123005.json")
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_group_of_figures_has_a_last_line_of_its_own():
    figures = {"a_r": 0.5, "a_ms": 40.0, "b_r": 0.25, "clips": 3.0}
    result = Result(name="x", columns=(), rows=(), figures=figures, groups=("a", "b"))
    assert last_lines(result) == [
        "bench x clips=3",
        "bench x r=0.5 ms=40 of=a",
        "bench x r=0.25 of=b",
    ]
