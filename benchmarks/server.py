"""A server process to measure: started with given flags, watched from outside.

What it costs is what its family of processes costs: the server, the recogniser's process, and the
fork that listens to each utterance and lives for seconds.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import psutil

from rt_avatar.benchmarks.memory import memory_mib
from rt_avatar.errors import SetupError

Value = TypeVar("Value", int, float)

PROGRAM: Final = (sys.executable, "-m", "rt_avatar.commands.cli")  # `rt-avatar` of this Python
# A fork that ends between two readings would be counted twice or not at all; one ends every few
# seconds and reading takes some milliseconds, so two attempts are nearly always enough.
ATTEMPTS: Final = 5
STOP_S: Final = 40.0  # the server gives calls `server.drain_s` (20 s) to end
# The last line of a traceback, also inside a group.
RAISED: Final = re.compile(r"^(?:[ |]+\| )?((?:\w+\.)*[A-Z]\w*(?:Error|Exception|Full)\b.*)$")
PROBLEM: Final = re.compile(r" (WARNING|ERROR|CRITICAL) |^Traceback ")
# The folders of an absolute path, which say where somebody works; results are made to be published.
FOLDERS: Final = re.compile(r"(?<![\w:/.])/(?:[^\s/\"':]+/)+")
READY_SERVER: Final = re.compile(r"(http://\S+)")  # what it prints when it can be used
READY_WORKER: Final = re.compile(r"waits for rooms of (\S+)")
METRICS_AT: Final = re.compile(r"metrics at (http://\S+)")  # in its log
SHOWN_CHARS: Final = 2000  # of the log, when it does not start


@dataclass(frozen=True, slots=True)
class Census:
    """A family at one moment."""

    memory_mib: float  # resident, each page counted once
    processes: int
    threads: int
    files: int


@dataclass(frozen=True, slots=True)
class Family:
    """A process with all that descend from it."""

    root: psutil.Process

    def cpu_s(self) -> float:
        """Return the processor time of all, also of those that have ended, in seconds.

        Exact when every process waits for its children: the time of an ended child then is its
        parent's ``children_user`` and ``children_system``. Children that the kernel buries
        (SIGCHLD ignored) are forgotten by it.
        """
        total = 0.0
        for _ in range(ATTEMPTS):
            members = self._members()
            total = _sum(members, lambda process: float(sum(process.cpu_times()[:4])))
            if self._members() == members:
                break
        return total

    def loop_s(self) -> float:
        """Return the processor time of the main thread of the root: a server's event loop."""
        return next(
            float(thread.user_time + thread.system_time)
            for thread in self.root.threads()
            if thread.id == self.root.pid
        )

    def memory_mib(self) -> float:
        """Return resident memory in MiB, each page counted once (``memory``)."""
        return memory_mib(self._members())

    def census(self) -> Census:
        """Return memory and counts; who ends meanwhile is left out."""
        members = self._members()
        return Census(
            memory_mib=memory_mib(members),
            processes=len(members),
            threads=_sum(members, lambda process: process.num_threads()),
            files=_sum(members, lambda process: process.num_fds()),
        )

    def _members(self) -> list[psutil.Process]:
        return [self.root, *self.root.children(recursive=True)]


def _sum(members: list[psutil.Process], value: Callable[[psutil.Process], Value]) -> Value:
    """Sum a value of all members that still are there."""
    values: list[Value] = []
    for member in members:
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):  # ended, or about to
            values.append(value(member))
    return sum(values)


@dataclass(frozen=True, slots=True)
class Server:
    """A running ``rt-avatar serve``, or ``rt-avatar livekit``.

    Attributes:
        address: Its URL; of a worker the LiveKit server's.
        process: The server itself.
        cold_start_s: From the start of the process to "ready".
        log: File of its standard error; gone when it has stopped.
        metrics: URL of its metrics.
    """

    address: str
    process: psutil.Process
    cold_start_s: float
    log: Path
    metrics: str = ""

    @property
    def family(self) -> Family:
        """It and its children."""
        return Family(self.process)

    def memory_mib(self) -> float:
        """Return resident memory in MiB, each page counted once (``memory``)."""
        return self.family.memory_mib()

    def problems(self) -> list[str]:
        """Return the lines of its log that are warnings or worse, each with what was raised.

        Of files only the names are kept.
        """
        found: list[str] = []
        raised = ""
        for line in reversed(self.log.read_text(encoding="utf-8", errors="replace").splitlines()):
            if PROBLEM.search(line):
                found.append(f"{line}: {raised}" if raised else line)
                raised = ""
            elif match := RAISED.match(line):
                raised = raised or match[1]
        return [FOLDERS.sub("", line) for line in reversed(found)]


@contextmanager
def running_server(*flags: str, program: Sequence[str] = PROGRAM) -> Iterator[Server]:
    """Start a server on a free port; stop it in the end.

    Args:
        flags: Settings.
        program: How to start ``rt-avatar``; another installation's script, for instance.

    Raises:
        SetupError: It did not start; the message has the end of its log.
    """
    words = [*program, "serve", "--server.port", "0", "--metrics.port", "0", *flags]
    with _running(words, READY_SERVER, {}) as server:
        yield server


@contextmanager
def running_worker(url: str, api_key: str, api_secret: str, *flags: str) -> Iterator[Server]:
    """Start a worker of a LiveKit server; stop it in the end.

    Args:
        url: Of the LiveKit server; ``address`` of what is yielded is the same.
        api_key: Name of one of its keys.
        api_secret: The secret of that key.
        flags: Settings.

    Raises:
        SetupError: It did not start; the message has the end of its log.
    """
    keys = {"LIVEKIT_URL": url, "LIVEKIT_API_KEY": api_key, "LIVEKIT_API_SECRET": api_secret}
    words = [*PROGRAM, "livekit", "--server.port", "0", "--metrics.port", "0", *flags]
    with _running(words, READY_WORKER, keys) as worker:
        yield worker


@contextmanager
def _running(
    command: Sequence[str], ready: re.Pattern[str], environment: Mapping[str, str]
) -> Iterator[Server]:
    """Run a command until the end, from when it has told that it is ready."""
    with tempfile.TemporaryDirectory(prefix="rt-avatar-bench-") as folder:
        log = Path(folder) / "server.log"
        begin = time.perf_counter()
        with log.open("wb") as stderr:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=stderr, text=True,
                env={**os.environ, **environment, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"},
            )  # fmt: skip
        try:
            address = _address(process, ready, log)
            cold_start_s = time.perf_counter() - begin
            metrics = METRICS_AT.search(log.read_text(encoding="utf-8", errors="replace"))
            where = metrics[1] if metrics else ""  # an installation of before, or another log level
            yield Server(address, psutil.Process(process.pid), cold_start_s, log, where)
        finally:
            process.terminate()
            try:
                process.wait(timeout=STOP_S)
            finally:
                process.kill()  # nothing when it has ended


def _address(process: "subprocess.Popen[str]", ready: re.Pattern[str], log: Path) -> str:
    """Wait until it tells its address."""
    assert process.stdout is not None
    for line in process.stdout:
        if match := ready.search(line):
            return match[1]
    said = log.read_text(encoding="utf-8", errors="replace")[-SHOWN_CHARS:].strip()
    raise SetupError(f"the server did not start; run `rt-avatar doctor`. It said: {said}")
