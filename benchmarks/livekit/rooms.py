"""More and more rooms at once, all talking: what they cost, and how many keep the promise.

The promise is the web door's: at most one picture in a hundred is late or never comes, of all
callers together. A number of rooms that breaks it is measured twice and judged by both; after the
first that breaks it no more rooms are added, but two are always measured: they tell a room's price.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Final

import numpy as np
import psutil

from rt_avatar.benchmarks.livekit.analysis import late_share, rate_hz
from rt_avatar.benchmarks.livekit.measured import Costs
from rt_avatar.benchmarks.livekit.room import RoomCaller
from rt_avatar.benchmarks.livekit.server import LiveKitServer
from rt_avatar.benchmarks.server import Family, Server

SETTLE_S: Final = 2.0  # first key frames, a connection that finds its rate
LEAST: Final = 2

# Somebody in a room with an avatar, and what keeps the avatar talking until cancelled.
Talk = tuple[RoomCaller, Callable[[], Awaitable[None]]]


async def fill(
    livekit: LiveKitServer,
    worker: Server,
    most: int,
    window_s: float,
    enter: Callable[[int], AbstractAsyncContextManager[Talk]],
) -> list[Costs]:
    """Measure 1, 2, … rooms.

    Args:
        livekit: Counted apart from the worker.
        worker: Whose cost is asked for.
        most: At most so many rooms.
        window_s: Each number of rooms is measured for so long.
        enter: Makes the room of a number, counted from 0.
    """
    server = Family(psutil.Process(livekit.pid))
    costs: list[Costs] = []
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        callers: list[RoomCaller] = []
        talking: list[asyncio.Task[None]] = []
        while len(callers) < most:
            caller, talk = await stack.enter_async_context(enter(len(callers)))
            callers.append(caller)
            talking.append(group.create_task(_await(talk)))
            await asyncio.sleep(SETTLE_S)
            measured = await _window(worker, server, callers, window_s)
            if not measured.keeps:
                measured = _mean(measured, await _window(worker, server, callers, window_s))
            costs.append(measured)
            if not measured.keeps and len(callers) >= LEAST:
                break
        for task in talking:
            task.cancel()
    return costs


async def _await(talk: Callable[[], Awaitable[None]]) -> None:
    await talk()


async def _window(
    worker: Server, server: Family, callers: Sequence[RoomCaller], seconds: float
) -> Costs:
    """Measure all for so long."""
    loop = asyncio.get_running_loop()
    for caller in callers:
        caller.forget()
    begin_s, worker_s, server_s = loop.time(), worker.family.cpu_s(), server.cpu_s()
    await asyncio.sleep(seconds)
    end_s = loop.time()
    return Costs(
        rooms=len(callers),
        worker_cores=(worker.family.cpu_s() - worker_s) / (end_s - begin_s),
        server_cores=(server.cpu_s() - server_s) / (end_s - begin_s),
        memory_mib=worker.memory_mib(),
        fps=[rate_hz(caller.video.came_s, begin_s, end_s) for caller in callers],
        late=[late_share(caller.video.came_s, begin_s, end_s) for caller in callers],
    )


def _mean(one: Costs, other: Costs) -> Costs:
    """Return both windows, of the same rooms and length, as one."""
    return Costs(
        rooms=one.rooms,
        worker_cores=(one.worker_cores + other.worker_cores) / 2,
        server_cores=(one.server_cores + other.server_cores) / 2,
        memory_mib=max(one.memory_mib, other.memory_mib),
        fps=np.mean([one.fps, other.fps], axis=0).tolist(),
        late=np.mean([one.late, other.late], axis=0).tolist(),
    )
