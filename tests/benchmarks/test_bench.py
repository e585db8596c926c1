"""A benchmark that is ended from outside leaves nothing running."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.network

ROOT = Path(__file__).parents[2]
REGISTER = """
from benchmarks.catalogue import BENCHMARKS
BENCHMARKS.clear()
BENCHMARKS["long"] = "long_benchmark"
"""
LONG = '''"""A benchmark that waits for a server, which ends with the benchmark."""
import os, pathlib, subprocess
def add_arguments(parser):
    pass
def measure(arguments):
    server = subprocess.Popen(["sleep", "60"])
    try:
        unfinished = pathlib.Path("pids.part")
        unfinished.write_text(f"{server.pid} {os.getpid()}")
        unfinished.rename("pids")
        server.wait()
    finally:
        server.terminate()
        server.wait()
'''


@pytest.mark.parametrize(("name", "number"), [("long", signal.SIGTERM), ("all", signal.SIGINT)])
def test_whoever_ends_it_ends_its_server_too(name, number, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(REGISTER)  # runs at the start of every Python
    (tmp_path / "long_benchmark.py").write_text(LONG)
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks", name],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        process_group=0,
    )
    while not (tmp_path / "pids").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    assert process.wait(30) == 130
    for pid in (tmp_path / "pids").read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
