"""The run of the soak: two callers, a server, a reading every few seconds."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import aiohttp
from rich.console import Console
from rich.progress import Progress

from rt_avatar.benchmarks.callers.callers import (
    CallerProcess,
    caller_process,
    job_for,
    with_impairment,
)
from rt_avatar.benchmarks.callers.record import Record, merged
from rt_avatar.benchmarks.load.metrics import SESSIONS, TASKS, scrape
from rt_avatar.benchmarks.server import Census, Server
from rt_avatar.errors import SetupError

LOSS: Final = 0.03  # a poor mobile network; Opus conceals it, speech stays intelligible
JITTER_S: Final = 0.030
SPOKEN_EVERY: Final = 10
# A typed turn takes half a second, a spoken one up to eight; the typist keeps to its times in the
# mean, but may be behind at the end.
OVERTIME: Final = 1.2
READINGS: Final = 180  # one in ten seconds of half an hour
LEAST_PERIOD_S: Final = 2.0
WARM_TURNS: Final = 50  # the promise: flat after so many
WARM_SHARE: Final = 3  # of a short run at most a third is warming up
WARM_S: Final = 9.0  # the calls before: a spoken turn, some typed ones
TYPING_S: Final = 1.5  # between typed turns of the calls before
GONE_S: Final = 60.0  # so long after the last call a server must have put everything away
SETTLE_S: Final = 3.0  # the server counts its tasks once a second; forks end, encoders close


@dataclass(frozen=True, slots=True)
class Length:
    """How long a run is: the call, and the turns of the typist in it."""

    seconds: float
    turns: int

    @property
    def warm_turns(self) -> int:
        """How many turns are warming up."""
        return min(WARM_TURNS, self.turns // WARM_SHARE)


@dataclass(frozen=True, slots=True)
class Reading:
    """The server at one moment of a run, and the turns since the reading before."""

    at_s: float  # since the calls began
    turns: int  # made so far, by both
    tasks: float
    census: Census
    spoken_ms: Sequence[float] = ()
    typed_ms: Sequence[float] = ()


@dataclass(slots=True)
class Soak:
    """All that was measured.

    Attributes:
        length: What was wanted.
        before: Nobody on the line; both have called once.
        readings: Both on the line.
        after: Both have hung up.
        talker: What the caller who speaks noticed.
        typist: What the caller who types noticed.
        callers_mib: Memory of both callers' processes, at the first and at the last reading.
        problems: Warnings and errors of the server's log.
    """

    length: Length
    before: Reading
    readings: list[Reading] = field(default_factory=list)
    after: Reading | None = None
    talker: Record = field(default_factory=Record)
    typist: Record = field(default_factory=Record)
    callers_mib: tuple[float, float] = (0.0, 0.0)
    problems: Sequence[str] = ()


async def run(server: Server, speech: Path | None, length: Length) -> Soak:
    """Let two callers call for that long; read the server meanwhile."""
    talks = with_impairment(job_for(server.address, 1, speech, None), LOSS, JITTER_S)
    types = job_for(server.address, 2, speech, None)
    async with (
        aiohttp.ClientSession() as http,
        caller_process(talks) as talker,
        caller_process(types) as typist,
    ):
        reader = _Reader(server, http, (talker, typist))
        await _call_briefly(talker, typist)
        await reader.gone()
        soak = Soak(length, before=await reader.read())
        await talker.call()
        await typist.call()
        await talker.talk()
        await typist.type(length.seconds / length.turns, SPOKEN_EVERY)
        await _watch(reader, soak)
        await talker.hang_up()
        await typist.hang_up()
        await reader.gone()
        soak.after = await reader.read()
        soak.problems = server.problems()
        return soak


async def _call_briefly(talker: CallerProcess, typist: CallerProcess) -> None:
    """Let the server load what it loads once."""
    await talker.call()
    await typist.call()
    await talker.talk()
    await typist.type(TYPING_S, 3)
    await asyncio.sleep(WARM_S)
    await talker.hang_up()
    await typist.hang_up()


async def _watch(reader: "_Reader", soak: Soak) -> None:
    """Read until the time is over and the turns are made; no longer than the overtime."""
    seconds, turns = soak.length.seconds, soak.length.turns
    period_s = max(LEAST_PERIOD_S, seconds / READINGS)
    reader.begin()
    first_mib = reader.callers_mib()
    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task("soak", total=seconds)
        due_s = time.perf_counter()
        while True:
            due_s += period_s
            await asyncio.sleep(max(0.0, due_s - time.perf_counter()))
            reading = await reader.read()
            soak.readings.append(reading)
            progress.update(bar, completed=reading.at_s)
            is_done = reading.at_s >= seconds and reader.typist.turns >= turns
            if is_done or reading.at_s >= OVERTIME * seconds:
                break
    soak.talker, soak.typist = reader.talker, reader.typist
    soak.callers_mib = (first_mib, reader.callers_mib())


class _Reader:
    """Reads the server and collects what the callers report."""

    def __init__(
        self, server: Server, http: aiohttp.ClientSession,
        callers: tuple[CallerProcess, CallerProcess],
    ) -> None:  # fmt: skip
        self.talker = Record()
        self.typist = Record()
        self._server = server
        self._http = http
        self._callers = callers
        self._begin_s = time.perf_counter()

    def begin(self) -> None:
        """Count time and turns from now on."""
        self.talker, self.typist = Record(), Record()
        self._begin_s = time.perf_counter()

    async def read(self) -> Reading:
        """Take one reading."""
        said, typed = [await caller.report() for caller in self._callers]
        self.talker.add(said)
        self.typist.add(typed)
        now = merged([said, typed])
        # Thousands of these would be kept for nothing.
        self.talker.lag_ms.clear()
        self.typist.lag_ms.clear()
        metrics = await scrape(self._http, self._server.metrics)
        return Reading(
            at_s=time.perf_counter() - self._begin_s,
            turns=self.talker.turns + self.typist.turns,
            tasks=metrics.get(TASKS),
            census=self._server.family.census(),
            spoken_ms=now.spoken_ms,
            typed_ms=now.typed_ms,
        )

    async def gone(self) -> None:
        """Wait until no call is left and the server had time to put it away.

        Raises:
            SetupError: A call does not end.
        """
        deadline_s = time.perf_counter() + GONE_S
        while (await scrape(self._http, self._server.metrics)).get(SESSIONS):
            if time.perf_counter() > deadline_s:
                raise SetupError(f"a call did not end within {GONE_S:.0f} s after hanging up")
            await asyncio.sleep(0.5)
        await asyncio.sleep(SETTLE_S)

    def callers_mib(self) -> float:
        """Return the memory of both callers' processes."""
        return sum(caller.family.memory_mib() for caller in self._callers)
