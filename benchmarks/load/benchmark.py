"""Callers at once until a promise breaks; what a server costs at rest, in a call, in talk.

What is measured. A real server; callers join one after the other and all talk at once: each speaks
recordings (or built-in sentences) in turns, hears the reply (4 s at most), waits 0.8 s and
speaks again, with its camera on, decoding what it is sent. A step of 1, 2, 3 … callers lasts
until its callers have made so many turns together, within bounds of time. A step keeps the promise
when

- from the end of speech to the first sound at the callers it takes 500 ms (p50), 800 ms (p95);
- at most one picture in a hundred is late or skipped;
- no turn stays unanswered.

A step that breaks it is measured once more and judged by both; `callers_kept` is the last that kept
it. Before, the server is measured at rest and with one silent caller. In the end a server with its
own limit (`server.max_load`) takes callers until it refuses one; those on the line must not notice.

Method. Every caller is a process (aiortc, no browser, no jitter buffer), so processor time is known
by process: of the server with its recogniser and every fork that listened to an utterance, of its
event loop's thread, of the callers, of others. Late and skipped pictures are read off the packets:
a hole in the media times is a picture that was skipped; one whose last packet comes 40 ms later
than its time says (against the best of the call) is late; for blocks of sound it is 60 ms. The
event loop's lag, the busy shares of the engines' threads and the wait for them are the server's own
at /metrics. The price of a caller is the slope of a line over callers, through the steps that
kept the promise.

What it is not. Callers on the same machine take cores from the server: on a machine of its own it
keeps more than `callers_kept`, and `sessions_per_core` (of the server's processor time) is the
figure to plan with, as long as the event loop's thread is not full: `sessions_per_loop` bounds one
process however many cores there are. Pictures are not looked at, words not compared. A network is
not part of it: all goes over loopback. `quick` measures two steps, briefly, and proves nothing.
"""

import argparse
import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

import aiohttp
from rich.console import Console
from rich.progress import track

from rt_avatar.benchmarks.callers.callers import (
    CallerProcess,
    CallRefusedError,
    caller_process,
    check_sources,
    job_for,
)
from rt_avatar.benchmarks.callers.person import Job
from rt_avatar.benchmarks.load.busy import Busy, measure_busy
from rt_avatar.benchmarks.load.cost import Rest, installation_mib
from rt_avatar.benchmarks.load.report import report
from rt_avatar.benchmarks.load.step import Plan, Step, Window, kept, measure_step
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.server import Server, running_server

# First all are let in (and 64 lines are never all taken); then a server with its own limit of load.
OPEN: Final = ("--server.max_load", "1")
ALWAYS: Final = ("--avatar.greeting", "false", "--server.max_sessions", "64")
SETTLE_S: Final = 3.0  # after a start or a joining: imports, first pictures, first key frames
FULL: Final = Plan(settle_s=4.0, least_s=25.0, most_s=50.0, turns=12)
QUICK: Final = Plan(settle_s=2.0, least_s=12.0, most_s=18.0, turns=4)
NOTICE_S: Final = (10.0, 6.0)  # twice (about once) the time constant of a server's load; quick
MORE: Final = 3  # callers beyond those served well, until a server must have said that it is full
REST_S: Final = (10.0, 4.0)  # at rest and with a silent caller; quick


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--speech", type=Path, metavar="FOLDER", help="WAV recordings to speak")
    parser.add_argument("--camera", type=Path, metavar="FILE", help="video the callers show")
    parser.add_argument(
        "--callers", type=int, metavar="N", help="callers at once, at most [12; quick 2]"
    )


def measure(arguments: argparse.Namespace) -> Result:
    """Measure."""
    check_sources(arguments.speech, arguments.camera)
    most = arguments.callers or (2 if arguments.quick else 12)
    plan = QUICK if arguments.quick else FULL
    rest_s, notice_s = REST_S[arguments.quick], NOTICE_S[arguments.quick]
    with running_server(*ALWAYS, *OPEN, *arguments.flags) as server:
        first_start_s = server.cold_start_s
        make_job = _jobs(server, arguments)
        rest, steps = asyncio.run(
            _climb(server, make_job, most, plan, rest_s, to_the_end=arguments.quick)
        )
    with running_server(*ALWAYS, *arguments.flags) as server:
        rest = replace(rest, starts_s=[first_start_s, server.cold_start_s])
        busy = asyncio.run(
            _busy(server, _jobs(server, arguments), len(kept(steps)) + MORE, plan, notice_s)
        )
    return report(rest, steps, busy, installation_mib())


def _jobs(server: Server, arguments: argparse.Namespace) -> Callable[[int], Job]:
    return lambda number: job_for(server.address, number, arguments.speech, arguments.camera)


async def _climb(
    server: Server,
    make_job: Callable[[int], Job],
    most: int,
    plan: Plan,
    rest_s: float,
    *,
    to_the_end: bool,
) -> tuple[Rest, list[Step]]:
    """Measure at rest, then step by step until a promise breaks (or to the end)."""
    steps: list[Step] = []
    async with aiohttp.ClientSession() as http, AsyncExitStack() as stack:
        await asyncio.sleep(SETTLE_S)
        alone = await _quiet(server, http, [], rest_s)
        callers: list[CallerProcess] = []
        idle_cores = 0.0
        for number in track(range(most), description="callers", console=Console(stderr=True)):
            caller = await stack.enter_async_context(caller_process(make_job(number)))
            try:
                await caller.call()
            except CallRefusedError:
                break  # so full that a connection cannot be made in time
            callers.append(caller)
            if number == 0:
                await asyncio.sleep(SETTLE_S)
                idle_cores = (await _quiet(server, http, callers, rest_s)).cores.server
            await caller.talk()
            step = await measure_step(server, http, callers, plan)
            if not step.keeps and not to_the_end:
                step = step.with_more(await measure_step(server, http, callers, plan))
            steps.append(step)
            if not step.keeps and not to_the_end:
                break
    return Rest([], alone.memory_mib[0], alone.cores.server, idle_cores), steps


async def _quiet(
    server: Server, http: aiohttp.ClientSession, callers: Sequence[CallerProcess], seconds: float
) -> Step:
    """Measure while nobody talks."""
    window = Window(server, http, callers)
    await window.begin()
    await asyncio.sleep(seconds)
    return await window.end()


async def _busy(
    server: Server, make_job: Callable[[int], Job], most: int, plan: Plan, notice_s: float
) -> Busy:
    async with aiohttp.ClientSession() as http:
        return await measure_busy(server, http, make_job, most, plan, notice_s)
