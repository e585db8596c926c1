"""Connections that take long to close: nobody waits for them, and they are closed all the same."""

import asyncio

import psutil
import pytest
from aiortc import RTCPeerConnection

from rt_avatar.signaling import closing
from rt_avatar.signaling.closing import Closing
from tests.fakes.in_process_server import in_process_server

pytestmark = pytest.mark.realtime


def sockets() -> int:
    """Return how many UDP sockets this process has."""
    return len(psutil.Process().net_connections("udp"))


async def test_a_transport_that_closes_late_is_closed_behind_its_calls_back(monkeypatch):
    monkeypatch.setattr(closing, "WAIT_S", 0.2)
    answers, close = asyncio.Event(), RTCPeerConnection.close

    async def close_late(self: RTCPeerConnection) -> None:
        if self in servers:  # its relay has gone silent
            await answers.wait()
        await close(self)

    servers: list[RTCPeerConnection] = []
    monkeypatch.setattr(RTCPeerConnection, "close", close_late)
    async with in_process_server() as context:
        before = sockets()
        async with context.caller() as caller:
            await caller.call()
            call = context.registry.find(caller.session["id"])
            servers.append(call._connection._pc)
            caller.send({"type": "hang_up"})
            async with asyncio.timeout(15):
                await context.registry.idle()  # the place is free again
        assert sockets() > before
        (late,) = context.registry._closing._tasks
        answers.set()
        await asyncio.wait({late}, timeout=15)
        assert sockets() == before


async def test_leaving_gives_up_what_never_closes(monkeypatch):
    monkeypatch.setattr(closing, "WAIT_S", 0.05)
    async with asyncio.timeout(10), Closing() as process:
        await process.close(asyncio.Event().wait)
        (late,) = process._tasks
    assert late.cancelled()


async def test_one_that_fails_to_close_is_told_and_stops_no_other(caplog):
    async def fail() -> None:
        raise OSError("no such transport")

    closed = []

    async def close() -> None:
        closed.append(1)

    async with Closing() as process:
        await process.close(fail)
        await process.close(close)
    assert "no such transport" in caplog.text
    assert closed


async def test_whoever_is_cancelled_while_it_closes_leaves_nothing_open(monkeypatch):
    monkeypatch.setattr(closing, "WAIT_S", 60)
    asked, answers, closed = asyncio.Event(), asyncio.Event(), []

    async def close() -> None:
        asked.set()
        await answers.wait()
        closed.append(1)

    async with Closing() as process, asyncio.TaskGroup() as group:
        caller = group.create_task(process.close(close))
        await asked.wait()
        caller.cancel()
        await asyncio.wait({caller})
        answers.set()
    assert closed
