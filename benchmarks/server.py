"""A server process to measure: started with given flags, watched from outside."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psutil


@dataclass(frozen=True, slots=True)
class Server:
    """A running ``rt-avatar serve``.

    Attributes:
        address: Its URL.
        process: To read CPU and memory from; children (the recogniser) count.
        cold_start_s: From the start of the process to "ready".
    """

    address: str
    process: psutil.Process
    cold_start_s: float

    def memory_mib(self) -> float:
        """Return resident memory, MiB, shared pages counted once (PSS where the system tells)."""
        total = 0
        for process in self._family():
            info = process.memory_full_info()
            total += getattr(info, "pss", info.rss)
        return total / 2**20

    def _family(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]


@contextmanager
def running_server(*flags: str) -> Iterator[Server]:
    """Start a server on a free port; stop it in the end."""
    begin = time.perf_counter()
    command = [sys.executable, "-m", "rt_avatar.cli", "serve", "--server.port", "0", *flags]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"},
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if match := re.search(r"http://\S+", line):
                cold_start_s = time.perf_counter() - begin
                yield Server(match.group(0), psutil.Process(process.pid), cold_start_s)
                return
        raise RuntimeError("the server did not start; run `rt-avatar doctor`")
    finally:
        process.terminate()
        process.wait(timeout=40)
