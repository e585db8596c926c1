"""A bad line: packets of a caller's connection are lost, delayed and thereby reordered."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress

from benchmarks.caller import Caller


def impair(caller: Caller, loss: float, jitter_s: float, seed: int = 1) -> None:
    """Lose and delay packets of a connected caller from now on.

    Args:
        caller: Whose line it is.
        loss: Share of packets lost, each way, 0..1.
        jitter_s: Packets sent are delayed by 0 to so many seconds, evenly spread.
        seed: Of the dice.
    """
    dice = random.Random(seed)
    transports = {t.receiver.transport.transport for t in caller.pc.getTransceivers()}
    for transport in transports:
        # aiortc has no hook for this; the two coroutines are looked up anew for every packet.
        transport._send = _lossy_send(caller, transport._send, dice, loss, jitter_s)
        transport._recv = _lossy_receive(transport._recv, dice, loss)


def _lossy_send(
    caller: Caller,
    send: Callable[[bytes], Awaitable[None]],
    dice: random.Random,
    loss: float,
    jitter_s: float,
) -> Callable[[bytes], Awaitable[None]]:
    async def send_late(data: bytes, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        with suppress(ConnectionError):  # the line was closed meanwhile
            await send(data)

    async def lossy_send(data: bytes) -> None:
        if dice.random() >= loss:
            caller.start(send_late(data, dice.random() * jitter_s))

    return lossy_send


def _lossy_receive(
    receive: Callable[[], Awaitable[bytes]], dice: random.Random, loss: float
) -> Callable[[], Awaitable[bytes]]:
    async def lossy_receive() -> bytes:
        while True:
            data = await receive()
            if dice.random() >= loss:
                return data

    return lossy_receive
