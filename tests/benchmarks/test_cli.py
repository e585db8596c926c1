"""The command bench: what it lists, takes, refuses and prints, and how it ends."""

import argparse
import subprocess
import sys
import types
from datetime import UTC, datetime
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from rt_avatar.benchmarks import bench, catalogue, cli
from rt_avatar.benchmarks.bench_all import run_all
from rt_avatar.benchmarks.catalogue import BENCHMARKS
from rt_avatar.benchmarks.result import Result, load, newest, record, save
from rt_avatar.commands.cli import main

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]


class Fake(types.ModuleType):
    """A benchmark that measures nothing and remembers what it was asked for."""

    def __init__(self, name: str, option: str = "--turns") -> None:
        super().__init__(f"fake_{name}", f"How fast {name} is.\n\nAt 100 % of [nothing].")
        self.__spec__ = ModuleSpec(self.__name__, None)
        self.option = option
        self.asked: argparse.Namespace | None = None
        self.breaks_by: BaseException | None = None
        self.result = Result(
            name,
            ("what [s]", "p50"),
            [["first [bold]", "nan"]],
            {"p50_ms": 12.3456, "p95_ms": float("nan"), "turns": 7},
            notes=["a [note] of nan"],
        )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(self.option, nargs="*", help="of 100 %%")

    def measure(self, arguments: argparse.Namespace) -> Result:
        self.asked = arguments
        if self.breaks_by is not None:
            raise self.breaks_by
        return self.result


@pytest.fixture
def fakes(monkeypatch, tmp_path):
    """Two benchmarks instead of the real ones, in an empty folder, on a machine at rest."""
    found = {"rest": Fake("rest"), "rush": Fake("rush", "--crowd")}
    for name in list(BENCHMARKS):
        monkeypatch.delitem(BENCHMARKS, name)
    for name, module in found.items():
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(BENCHMARKS, name, module.__name__)
    monkeypatch.setattr(bench.psutil, "cpu_percent", lambda seconds: 1.0)
    monkeypatch.setattr(cli, "spawn", lambda words: main(["bench", *words]))
    monkeypatch.chdir(tmp_path)
    return found


def test_a_folder_that_cannot_be_written_is_told_before_anything_is_measured(fakes, capsys):
    Path("taken").write_text("a file")
    assert main(["bench", "rest", "--results", "taken"]) == 2
    assert fakes["rest"].asked is None
    told = capsys.readouterr().err.strip()
    assert told.startswith("rt-avatar: --results: expected a folder to write to; got taken")
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    "words", [("load", "--speech"), ("load", "--camera"), ("soak", "--speech")]
)
def test_what_callers_cannot_use_is_told_before_a_server_starts(
    words, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bench.psutil, "cpu_percent", lambda seconds: 1.0)
    assert main(["bench", *words, "nowhere"]) == 2
    told = capsys.readouterr().err.strip()
    assert told.startswith("rt-avatar: nowhere: expected ")
    assert len(told.splitlines()) == 1


def test_a_result_that_cannot_be_kept_after_all_is_shown_before_it_is_told(fakes, capsys):
    def measure(arguments):  # meanwhile somebody takes the folder away
        arguments.results.rmdir()
        arguments.results.write_text("a file")
        return fakes["rest"].result

    fakes["rest"].measure = measure
    assert main(["bench", "rest", "--results", "results"]) == 2
    out, err = capsys.readouterr()
    assert "p50_ms=12.35" in out
    assert "kept in" not in out
    assert "rt-avatar: --results: expected room in results; got File exists" in err


# --- one ----------------------------------------------------------------------------------------
def test_the_last_line_is_for_scripts_and_the_file_is_kept(fakes, capsys):
    assert main(["bench", "rest"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "bench rest p50_ms=12.35 p95_ms=nan turns=7"
    [path] = newest(Path("benchmarks/results"))["rest"]
    assert load(path).result.figures["turns"] == 7
    assert str(path) in out


def test_what_could_not_be_measured_is_a_dash_in_the_table(fakes, capsys):
    main(["bench", "rest"])
    table = capsys.readouterr().out.split("·")[0]
    assert "–" in table
    assert "nan" not in table
    assert "first [bold]" in table


def test_settings_reach_the_benchmark_as_words_and_its_own_options_as_declared(fakes):
    words = ["--quick", "--turns", "3", "--server.port=0", "--avatar.greeting", "false"]
    assert main(["bench", "rest", *words]) == 0
    asked = fakes["rest"].asked
    assert asked.flags == ("--server.port", "0", "--avatar.greeting", "false")
    assert asked.quick
    assert asked.turns == ["3"]


def test_what_a_config_file_sets_reaches_the_benchmark_as_flags_do(fakes, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("server: {port: 0, host: 0.0.0.0}\nllm: {api_key: hush}")
    assert main(["bench", "rest", "--config", str(file), "--server.host", "127.0.0.1"]) == 0
    words = fakes["rest"].asked.flags
    flags = dict(zip(words[::2], words[1::2], strict=True))
    assert flags == {
        "--server.port": "0",
        "--server.host": "127.0.0.1",
        "--llm.api_key": "hush",
    }
    [path] = newest(Path("benchmarks/results"))["rest"]
    assert load(path).arguments == {"server.port": "0", "llm.api_key": "***"}


def test_kept_are_the_arguments_and_the_settings_that_differ_but_no_secret(
    fakes, monkeypatch, tmp_path
):
    monkeypatch.setenv("RT_AVATAR_SERVER__MAX_LOAD", "1")
    folder = tmp_path / "here"
    words = ["--quick", "--turns", "3", "--llm.api_key", "hush", "--results", str(folder)]
    main(["bench", "rest", *words])
    [path] = newest(folder)["rest"]
    assert "hush" not in path.read_text(encoding="utf-8")
    assert load(path).arguments == {
        "quick": "True",
        "turns": "['3']",
        "server.max_load": "1.0",
        "llm.api_key": "***",
    }


def test_a_busy_machine_is_told(fakes, monkeypatch, capsys):
    monkeypatch.setattr(bench.psutil, "cpu_percent", lambda seconds: 55.0)
    main(["bench", "rest"])
    assert "55 % busy" in capsys.readouterr().err
    [path] = newest(Path("benchmarks/results"))["rest"]
    assert load(path).machine["busy_before_percent"] == 55


# --- mistakes -----------------------------------------------------------------------------------
def test_a_name_that_does_not_exist_is_answered_with_the_nearest_that_does(fakes, capsys):
    assert main(["bench", "rset"]) == 2
    err = capsys.readouterr().err
    assert "did you mean 'rest'?" in err
    assert err.count("\n") == 1


def test_a_wrong_setting_is_found_before_anything_is_measured(fakes, capsys):
    assert main(["bench", "rest", "--server.prot", "1"]) == 2
    assert "did you mean 'server.port'?" in capsys.readouterr().err
    assert main(["bench", "rest", "--server.port", "x"]) == 2
    assert main(["bench", "all", "--server.prot", "1"]) == 2
    assert fakes["rest"].asked is None


@pytest.mark.parametrize("name", ["rest", "all"])
def test_a_wrong_option_is_answered_with_the_nearest(name, fakes, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["bench", name, "--trns", "3"])
    assert ended.value.code == 2
    assert "did you mean '--turns'?" in capsys.readouterr().err
    assert fakes["rest"].asked is None


def test_a_missing_package_is_one_line_that_names_the_extra(fakes, monkeypatch, capsys):
    fakes["rest"].breaks_by = ModuleNotFoundError("No module", name="playwright.sync_api")
    assert main(["bench", "rest"]) == 2
    err = capsys.readouterr().err
    assert "expected the package playwright" in err
    assert "make install EXTRAS=bench" in err
    assert err.count("\n") == 1


def test_a_missing_module_of_ours_is_not_blamed_on_the_extra(fakes):
    fakes["rest"].breaks_by = ModuleNotFoundError("No module", name="benchmarks.gone")
    with pytest.raises(ModuleNotFoundError):
        main(["bench", "rest"])


# --- lists and manuals --------------------------------------------------------------------------
def test_alone_it_lists_every_benchmark_with_its_help(capsys):
    assert main(["bench"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in (*BENCHMARKS, *cli.OTHERS))
    assert "End of speech" in out


def test_the_list_says_how_long_the_published_result_took(fakes, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(catalogue, "PUBLISHED", tmp_path)
    run = record(fakes["rest"].result, datetime.now(UTC), 1830, {})
    save(run, tmp_path).rename(tmp_path / "rest.json")
    main(["bench"])
    assert "30 min" in capsys.readouterr().out


def test_the_manual_of_a_benchmark_is_its_docstring(fakes, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["bench", "rest", "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "At 100 % of [nothing]." in out
    assert "--turns" in out
    assert "--section.key VALUE" in out


def test_only_the_benchmark_asked_for_is_imported():
    code = (
        "import sys; from rt_avatar.commands.cli import main; main(['bench'])\n"
        "from rt_avatar.benchmarks.catalogue import BENCHMARKS\n"
        "loaded = set(BENCHMARKS.values()) | {'playwright', 'matplotlib', 'jiwer'}\n"
        "assert not loaded & set(sys.modules), loaded & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)


# --- all ----------------------------------------------------------------------------------------
def test_all_measures_each_and_gives_each_the_options_it_has(fakes, capsys):
    words = ["--quick", "--turns", "3", "--crowd=9", "--server.port", "0"]
    assert main(["bench", "all", *words]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("bench ")]
    assert [line.split()[1] for line in lines] == ["rest", "rush"]
    assert fakes["rest"].asked.turns == ["3"]
    assert fakes["rush"].asked.crowd == ["9"]
    assert fakes["rush"].asked.quick
    assert fakes["rush"].asked.flags == ("--server.port", "0")


def test_all_goes_on_when_one_fails_and_says_which(capsys):
    started = []

    def start(words: list[str]) -> int:
        started.append(words)
        return {"b": 1, "c": 2}.get(words[0], 0)

    assert run_all({"a": [], "b": ["--quick"], "c": [], "d": []}, start) == 1
    assert started == [["a"], ["b", "--quick"], ["c"], ["d"]]
    captured = capsys.readouterr()
    assert "failed: b, c" in captured.err
    assert captured.out == ""


def test_all_ends_at_ctrl_c(fakes, capsys):
    fakes["rest"].breaks_by = KeyboardInterrupt()
    assert main(["bench", "all"]) == 130
    assert fakes["rush"].asked is None
