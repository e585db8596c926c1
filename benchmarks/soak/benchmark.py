"""1,000 turns and a call of 30 minutes on a bad line, at once, on one server: does anything grow?

What is measured. Two callers on one server. One speaks in turns over a line that loses 3 % of all
packets each way and delays what it sends by up to 30 ms, so that packets overtake each other. The
other types, hears the beginning of the reply and interrupts it, again and again; every tenth turn
it speaks. Every ten seconds memory is read (of the server with its recogniser and forks, each page
counted once, whoever else maps it), asyncio tasks (/metrics), threads, open files and processes.

- `memory_growth_percent`: a line fitted by Theil and Sen through all readings after the first 50
  turns; its rise over the rest of the run, of its level at their beginning. Promised: at most 5 %.
- `grown_tasks`, `grown_threads`, `grown_files`: rise of their floor (what is there even when
  nothing goes on) from the first to the last third of these readings. Promised: 0.
- `left_…`: what is there when both have hung up, less what was there before they called. Before
  that both make a short call, so that what is loaded once is loaded. Two or three threads may be
  left: asyncio's pool for short work grows to its bound (cores + 4) as it is needed, and stays.
- latency of the first tenth of the turns and of the last, typed (text sent → first sound) and
  spoken (end of speech → first sound): the server must not get slower.
- turns that stayed unanswered (a note has what the server told in each), connections that broke,
  warnings and errors in the server's log.

What it is not. Latencies here are those of a bad line and of two callers at once: the promise of
the turn is measured by `turn`. Memory is the server's, not the page's: a browser is not part of it.
`quick` (90 s, 60 turns) shows that it runs; so short a run cannot tell growth from warming up.
"""

import argparse
import asyncio
from pathlib import Path
from typing import Final

from rt_avatar.benchmarks.callers.callers import check_sources
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.server import running_server
from rt_avatar.benchmarks.soak.report import report
from rt_avatar.benchmarks.soak.run import Length, run

FLAGS: Final = ("--avatar.greeting", "false", "--server.max_load", "1")
FULL: Final = Length(seconds=30 * 60.0, turns=1000)
QUICK: Final = Length(seconds=90.0, turns=60)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--speech", type=Path, metavar="FOLDER", help="WAV recordings to speak")
    parser.add_argument("--minutes", type=float, help="length of the call [30; quick 1.5]")
    parser.add_argument("--turns", type=int, help="turns of the typist [1000; quick 60]")


def measure(arguments: argparse.Namespace) -> Result:
    """Measure."""
    check_sources(arguments.speech, None)
    usual = QUICK if arguments.quick else FULL
    length = Length(
        seconds=60 * arguments.minutes if arguments.minutes else usual.seconds,
        turns=arguments.turns or usual.turns,
    )
    with running_server(*FLAGS, *arguments.flags) as server:
        return report(asyncio.run(run(server, arguments.speech, length)))
