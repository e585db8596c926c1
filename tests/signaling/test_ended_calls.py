"""Calls that are over leave nothing behind: real sockets, real WebRTC peers, scripted engines."""

import asyncio
import gc
import itertools
import os
import threading
from collections import Counter

import aiohttp
import pytest

from rt_avatar.benchmarks.peer.caller import Caller
from tests.fakes.in_process_server import InProcessServer, in_process_server

pytestmark = pytest.mark.realtime

CALLS = 100
AT_ONCE = 5
# Before them: what is made once (caches, the loop's pool of threads) is there.
EARLIER = 10
# One address may make but a few connections at once.
ADDRESSES = [f"192.0.2.{number}" for number in range(1, EARLIER + 1)]
CONTAINERS = ("builtins.dict", "builtins.list", "builtins.coroutine", "collections.deque")
OURS = ("rt_avatar.", "aiortc.", "aioice.", "av.", "pylibsrtp", "OpenSSL.")


async def one_call(context: InProcessServer, address: str, others: set[threading.Thread]) -> None:
    """Call, until the avatar is heard and seen, and has looked, then hang up."""
    async with (
        aiohttp.ClientSession(headers={"X-Forwarded-For": address}) as http,
        Caller(context.url, http, has_camera=True) as caller,
    ):
        await caller.call()
        await caller.until(
            lambda: len(caller.sound) > 0 and caller.pictures > 0 and bool(looking() - others)
        )
        caller.send({"type": "hang_up"})
        await caller.wait_for("bye", reason="hang_up")


def looking() -> set[threading.Thread]:
    """The cameras' threads: a server has one, which starts with the first picture of all calls."""
    return {one for one in threading.enumerate() if one.name.startswith("vision")}


async def make_calls(context: InProcessServer, number: int, others: set[threading.Thread]) -> None:
    """Make so many calls, some at once, and wait until all that they began has ended.

    ``others`` are threads of servers that were here before.
    """
    before, addresses = asyncio.all_tasks(), itertools.cycle(ADDRESSES)
    for _ in range(number // AT_ONCE):
        async with asyncio.TaskGroup() as group:
            for address in itertools.islice(addresses, AT_ONCE):
                group.create_task(one_call(context, address, others))
        await context.registry.idle()
    if rest := asyncio.all_tasks() - before:
        await asyncio.wait(rest, timeout=20)


def left() -> dict[str, Counter[str]]:
    """Count what is there now, by kind."""
    gc.collect()
    objects = Counter(f"{type(one).__module__}.{type(one).__name__}" for one in gc.get_objects())
    files = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    return {
        "tasks": Counter(str(task.get_coro()) for task in asyncio.all_tasks()),
        # The loop's own pool grows to its bound when it likes.
        "threads": Counter(
            one.name for one in threading.enumerate() if not one.name.startswith("asyncio_")
        ),
        "files": Counter(os.readlink(file) for file in files if os.path.lexists(file)),
        "ours": Counter({name: n for name, n in objects.items() if name.startswith(OURS)}),
        "containers": Counter({name: objects[name] for name in CONTAINERS}),
    }


async def test_a_hundred_calls_leave_no_task_thread_file_or_object_behind():
    others = looking()
    async with in_process_server(max_sessions=AT_ONCE, trusted_proxies=("127.0.0.1",)) as context:
        await make_calls(context, EARLIER, others)
        before = left()
        await make_calls(context, CALLS, others)
        more = {kind: now - before[kind] for kind, now in left().items()}
    assert not more["tasks"]
    assert not more["threads"]
    assert not more["files"]
    assert not more["ours"]
    assert more["containers"].total() < CALLS / 10
