"""Whether a full server says so: the next caller is refused, those on the line notice nothing."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

import aiohttp

from rt_avatar.benchmarks.callers.callers import CallerProcess, CallRefusedError, caller_process
from rt_avatar.benchmarks.callers.person import Job
from rt_avatar.benchmarks.load.step import Plan, Step, measure_step
from rt_avatar.benchmarks.server import Server

ASK_AGAIN_S: Final = 2.0  # as a person who taps "call" again and again
BUSY_STATUS: Final = 503


@dataclass(frozen=True, slots=True)
class Answer:
    """What one was told who asked for a call."""

    status: int
    reason: str  # empty when let in
    retry_after_s: int  # 0: not told
    took_ms: float

    @property
    def is_busy(self) -> bool:
        """Whether it is the clean answer of a busy server: try again later."""
        return self.status == BUSY_STATUS and self.reason == "overloaded" and self.retry_after_s > 0


@dataclass(frozen=True, slots=True)
class Busy:
    """A server with its own limit of load (``server.max_load``).

    Attributes:
        admitted: How many callers were on the line when the next was refused.
        refusals: What those were told who asked then.
        let_in: How many of them were told to come in after all, as the load had fallen meanwhile.
        step: How those on the line fared meanwhile.
    """

    admitted: int
    refusals: list[Answer]
    let_in: int
    step: Step | None

    @property
    def was_refused(self) -> bool:
        """Whether anybody was."""
        return bool(self.refusals)


async def ask(http: aiohttp.ClientSession, address: str) -> Answer:
    """Ask for a call; the place is not taken when it is granted."""
    begin = time.perf_counter()
    async with http.post(f"{address.rstrip('/')}/api/sessions") as response:
        body = await response.json()
        took_ms = 1000 * (time.perf_counter() - begin)
        reason = str(body.get("error", {}).get("reason", ""))
        retry_after_s = int(response.headers.get("Retry-After", "0"))
        return Answer(response.status, reason, retry_after_s, took_ms)


async def measure_busy(
    server: Server,
    http: aiohttp.ClientSession,
    make_job: Callable[[int], Job],
    most: int,
    plan: Plan,
    notice_s: float,
) -> Busy:
    """Let callers in, one after the other, until one is refused; measure those on the line then.

    Args:
        server: With its default limit of load.
        http: To ask with.
        make_job: Number of a caller → its job.
        most: Callers at most; if all are let in, nothing is measured.
        plan: How long those on the line are measured.
        notice_s: Between two callers: the server's load is smoothed over 5 s.
    """
    async with AsyncExitStack() as stack:
        callers: list[CallerProcess] = []
        refused: list[Answer] = []
        while len(callers) < most and not refused:
            caller = await stack.enter_async_context(caller_process(make_job(len(callers))))
            answer = await ask(http, server.address)
            if answer.status != BUSY_STATUS:
                try:
                    await caller.call()
                except CallRefusedError:  # the load rose between the two
                    answer = await ask(http, server.address)
            if answer.status == BUSY_STATUS:
                refused.append(answer)
                break
            await caller.talk()
            callers.append(caller)
            await asyncio.sleep(notice_s)
        if not refused or not callers:
            return Busy(len(callers), refused, 0, None)
        answers: list[Answer] = []
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(_ask_again(http, server.address, answers))
            step = await measure_step(server, http, callers, plan)
            asking.cancel()
    refused += [answer for answer in answers if answer.reason]
    return Busy(len(callers), refused, sum(not answer.reason for answer in answers), step)


async def _ask_again(http: aiohttp.ClientSession, address: str, answers: list[Answer]) -> None:
    while True:
        await asyncio.sleep(ASK_AGAIN_S)
        answers.append(await ask(http, address))
