"""One step of the load: so many callers talk for a while → what they noticed and what it cost.

Processor time is counted by process: the server with its children, each caller, this benchmark;
what is left of the machine's is somebody else's.
"""

import asyncio
import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import aiohttp
import psutil

from rt_avatar.benchmarks.callers.callers import CallerProcess
from rt_avatar.benchmarks.callers.record import Record, merged
from rt_avatar.benchmarks.load.metrics import BUSY, LAG, SKIPPED, WAITING, WORK, Scrape, scrape
from rt_avatar.benchmarks.result import percentile
from rt_avatar.benchmarks.server import Server

P50_LIMIT_MS: Final = 500.0  # the promises of the budget
P95_LIMIT_MS: Final = 800.0
LATE_LIMIT: Final = 0.01
POLL_S: Final = 5.0  # reports are fetched and memory is read so often


@dataclass(frozen=True, slots=True)
class Cores:
    """Who used the processor, in cores, in the mean of a window."""

    server: float  # with its children
    loop: float  # of it the thread of its event loop
    callers: float
    others: float  # neither server, callers nor this benchmark

    @property
    def machine(self) -> float:
        """All but this benchmark."""
        return self.server + self.callers + self.others


@dataclass(frozen=True, slots=True)
class Step:
    """So many callers at once, for some time.

    Attributes:
        callers: How many.
        seconds: For how long.
        record: What all of them noticed, together.
        each: What each of them noticed.
        cores: Who computed how much.
        memory_mib: Of the server, each time it was read.
        scrape: What the server counted at /metrics meanwhile.
    """

    callers: int
    seconds: float
    record: Record
    each: Sequence[Record]
    cores: Cores
    memory_mib: Sequence[float]
    scrape: Scrape

    @property
    def keeps(self) -> bool:
        """Whether everything that is promised to a caller held."""
        return not self.broken()

    def broken(self) -> list[str]:
        """Return what did not hold, in words."""
        p50, p95 = (percentile(self.record.spoken_ms, share) for share in (50, 95))
        found = []
        if self.record.unanswered:
            found.append(f"{self.record.unanswered} turns unanswered")
        elif not self.record.spoken_ms:
            found.append("no turn was made")
        if p50 > P50_LIMIT_MS:
            found.append(f"p50 {p50:.0f} ms")
        if p95 > P95_LIMIT_MS:
            found.append(f"p95 {p95:.0f} ms")
        if self.record.video.bad_share > LATE_LIMIT:
            found.append(f"{self.record.video.bad_share:.1%} of the pictures late or skipped")
        return found

    def lag_p99_ms(self) -> float:
        """Of the server's event loop."""
        return 1000 * self.scrape.quantile(LAG, 0.99)

    def busy(self) -> dict[str, float]:
        """Return each engine thread's share of its time at work, 0..1."""
        return {name: s / self.seconds for name, s in self.scrape.by(BUSY, "worker").items()}

    def waiting_ms(self) -> dict[str, float]:
        """Return how long a piece of work waited for its thread, in the mean."""
        pieces = self.scrape.by(WORK, "worker")
        waited = self.scrape.by(WAITING, "worker")
        return {name: 1000 * waited[name] / n if n else 0.0 for name, n in pieces.items()}

    def skipped_by_server(self) -> dict[str, float]:
        """Return how many blocks (``audio``) and pictures (``video``) it says it skipped."""
        return self.scrape.by(SKIPPED, "kind")

    def with_more(self, again: "Step") -> "Step":
        """Return both measurements of the same callers as one."""
        total = self.seconds + again.seconds

        def mean(one: float, other: float) -> float:
            return (one * self.seconds + other * again.seconds) / total

        a, b = self.cores, again.cores
        samples = {
            key: value + self.scrape.samples.get(key, 0.0)
            for key, value in again.scrape.samples.items()
        }
        return Step(
            callers=self.callers,
            seconds=total,
            record=merged([self.record, again.record]),
            each=[merged(pair) for pair in zip(self.each, again.each, strict=True)],
            cores=Cores(
                mean(a.server, b.server), mean(a.loop, b.loop),
                mean(a.callers, b.callers), mean(a.others, b.others),
            ),
            memory_mib=[*self.memory_mib, *again.memory_mib],
            scrape=Scrape(samples),
        )  # fmt: skip


def kept(steps: Sequence[Step]) -> list[Step]:
    """Return the steps before the first that broke a promise."""
    return list(itertools.takewhile(lambda step: step.keeps, steps))


@dataclass(frozen=True, slots=True)
class _Times:
    """Processor times so far, in seconds, and when they were read."""

    at_s: float
    server_s: float
    loop_s: float
    callers_s: float
    own_s: float
    machine_s: float


class Window:
    """Counts from ``begin`` to ``end``: processor time by process, /metrics, memory."""

    def __init__(
        self, server: Server, http: aiohttp.ClientSession, callers: Sequence[CallerProcess]
    ) -> None:
        self._server = server
        self._http = http
        self._callers = callers
        self._records = [Record() for _ in callers]
        self._memory_mib: list[float] = []
        self._times: _Times | None = None
        self._first_scrape: Scrape | None = None

    async def begin(self) -> None:
        """Begin; what the callers have noticed before does not count."""
        for caller in self._callers:
            await caller.report()
        self._first_scrape = await scrape(self._http, self._server.metrics)
        self._times = self._read()

    async def poll(self) -> Record:
        """Fetch what the callers have noticed and read memory; return the sum so far."""
        for record, caller in zip(self._records, self._callers, strict=True):
            record.add(await caller.report())
        self._memory_mib.append(self._server.memory_mib())
        return merged(self._records)

    async def end(self) -> Step:
        """Return what was counted."""
        assert self._times is not None
        assert self._first_scrape is not None
        record = await self.poll()
        before, now = self._times, self._read()
        last_scrape = await scrape(self._http, self._server.metrics)
        seconds = now.at_s - before.at_s
        server, callers = now.server_s - before.server_s, now.callers_s - before.callers_s
        others = (now.machine_s - before.machine_s) - server - callers - (now.own_s - before.own_s)
        return Step(
            callers=len(self._callers),
            seconds=seconds,
            record=record,
            each=self._records,
            cores=Cores(
                server=server / seconds,
                loop=(now.loop_s - before.loop_s) / seconds,
                callers=callers / seconds,
                others=max(0.0, others) / seconds,
            ),
            memory_mib=self._memory_mib,
            scrape=last_scrape.since(self._first_scrape),
        )

    def _read(self) -> _Times:
        family, times = self._server.family, psutil.cpu_times()
        idle = float(times.idle + getattr(times, "iowait", 0.0))
        return _Times(
            at_s=time.perf_counter(),
            server_s=family.cpu_s(),
            loop_s=family.loop_s(),
            callers_s=sum(caller.family.cpu_s() for caller in self._callers),
            own_s=float(sum(psutil.Process().cpu_times()[:2])),
            # Guest time is part of user time on Linux.
            machine_s=float(sum(times)) - idle - float(getattr(times, "guest", 0.0))
            - float(getattr(times, "guest_nice", 0.0)),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """How long a step is measured.

    Attributes:
        settle_s: Before it is measured.
        least_s: At least so long.
        most_s: At most so long.
        turns: Within these bounds until so many turns were made by all callers together.
    """

    settle_s: float
    least_s: float
    most_s: float
    turns: int


async def measure_step(
    server: Server, http: aiohttp.ClientSession, callers: Sequence[CallerProcess], plan: Plan
) -> Step:
    """Let callers who talk already be measured."""
    await asyncio.sleep(plan.settle_s)
    window = Window(server, http, callers)
    await window.begin()
    begin_s = time.perf_counter()
    while True:
        await asyncio.sleep(min(POLL_S, plan.least_s))
        record, seconds = await window.poll(), time.perf_counter() - begin_s
        if seconds >= plan.most_s or (seconds >= plan.least_s and record.turns >= plan.turns):
            return await window.end()
