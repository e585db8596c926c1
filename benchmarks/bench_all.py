"""All benchmarks, one after the other, each in a process of its own: none measures another's rest.

A benchmark that fails does not stop the others. Ctrl-C ends the one that runs and with it its
server, then everything.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.table import Table

STOP_S: Final = 60.0  # a server is given 40 s to end, and its benchmark must outlive it
INTERRUPTED: Final = 130
ENDINGS: Final = {0: "measured", 2: "could not start"}


@dataclass(frozen=True, slots=True)
class Ending:
    """How one benchmark ended."""

    name: str
    status: int
    took_s: float


def run_all(words: Mapping[str, Sequence[str]], start: Callable[[Sequence[str]], int]) -> int:
    """Run benchmarks, tell how each ended (on stderr), and return the exit status.

    Args:
        words: Name → what follows it in ``rt-avatar bench NAME``.
        start: Runs ``rt-avatar bench`` with words and returns its status.

    Returns:
        0 if all were measured, else 1.

    Raises:
        KeyboardInterrupt: Ctrl-C; the one that ran has ended.
    """
    console = Console(stderr=True)
    endings: list[Ending] = []
    for number, (name, rest) in enumerate(words.items(), 1):
        console.rule(f"{number} of {len(words)} · {name}", align="left")
        begin = time.perf_counter()
        status = start([name, *rest])
        endings.append(Ending(name, status, time.perf_counter() - begin))
        if status == INTERRUPTED:
            raise KeyboardInterrupt
    table = Table("benchmark", "", "took")
    for ending in endings:
        table.add_row(
            ending.name, ENDINGS.get(ending.status, "failed"), f"{ending.took_s / 60:.1f} min"
        )
    console.rule("all", align="left")
    console.print(table)
    failed = [ending.name for ending in endings if ending.status]
    if failed:
        console.print(f"failed: {', '.join(failed)}", style="red")
    return 1 if failed else 0


def spawn(words: Sequence[str]) -> int:
    """Run ``rt-avatar bench`` in a process of its own and return its status.

    The process is in a group of its own, so that a Ctrl-C reaches it once, from here, and it has
    the time to stop its server.
    """
    command = [sys.executable, "-m", "rt_avatar.benchmarks", *words]
    process = subprocess.Popen(command, process_group=0)
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)
        raise
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
