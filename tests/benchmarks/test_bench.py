"""A benchmark that is ended from outside leaves nothing running."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.network

ROOT = Path(__file__).parents[2]
REGISTER = """
from rt_avatar.benchmarks.catalogue import BENCHMARKS
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
        pathlib.Path("pids").write_text(f"{server.pid} {os.getpid()}")
        server.wait()
    finally:
        server.terminate()
        server.wait()
'''


@pytest.mark.parametrize(("name", "number"), [("long", signal.SIGTERM), ("all", signal.SIGINT)])
def test_whoever_ends_it_ends_its_server_too(name, number, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(REGISTER)  # runs at the start of every Python
    (tmp_path / "long_benchmark.py").write_text(LONG)
    os.mkfifo(tmp_path / "pids")
    pids = os.open(tmp_path / "pids", os.O_RDONLY | os.O_NONBLOCK)
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks", name],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        process_group=0,
        # A shell that was told to run the tests in its background has them ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert select.select([pids], [], [], 60)[0], "it never began"
    process.send_signal(number)
    assert process.wait(30) == 130
    told = os.read(pids, 64)
    os.close(pids)
    for pid in told.split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
