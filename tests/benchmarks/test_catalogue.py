"""Every benchmark of the catalogue is there, says what it does, and takes what all take."""

import subprocess
import sys

import pytest

from rt_avatar.benchmarks.catalogue import BENCHMARKS, base, find, manual, summary
from rt_avatar.benchmarks.cli import benchmark_parser

pytestmark = pytest.mark.unit

LONGEST_SUMMARY = 100  # it stands in one line of a list


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_has_a_line_of_help_and_a_manual(name):
    first, _, rest = manual(name).partition("\n")
    assert summary(name) == first
    assert 10 < len(first) <= LONGEST_SUMMARY
    assert rest.startswith("\n")
    assert len(rest) > 200


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_takes_what_all_take_and_its_own_options_have_defaults(name):
    benchmark = find(name)
    assert callable(benchmark.measure)
    arguments = benchmark_parser(name, benchmark).parse_args(["--quick"])
    assert arguments.quick


def test_a_result_of_another_form_belongs_to_its_benchmark():
    assert base("turn-peer") == "turn"
    assert summary("turn-peer") == summary("turn")
    assert manual("nothing") == ""


@pytest.mark.parametrize(
    ("name", "package", "found", "extra"),
    [
        # The name alone is there, by our own plug-in.
        ("livekit", "livekit", "types.ModuleType('livekit')", "livekit"),
        ("bargein", "espeakng_loader", "None", "espeak"),
        ("quality", "jiwer", "None", "bench"),
    ],
)
def test_what_is_not_installed_is_answered_with_how_to_get_it(name, package, found, extra):
    code = (
        f"import sys, types; sys.modules[{package!r}] = {found}\n"
        f"from rt_avatar.commands.cli import main; sys.exit(main(['bench', {name!r}, '--quick']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"make install EXTRAS={extra}" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
