"""Impair a caller's network: lose, delay and reorder packets.

Both directions lose; only what the caller sends is delayed, as that is what the server must cope
with. It knows nothing of what the packets carry: media, messages and connectivity checks play_over
alike.
"""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.signaling.aiortc_private import Receive, Send, wrap_transport


@dataclass(slots=True)
class PacketCounts:
    """Packets since the line became bad."""

    sent: int = 0  # handed over by the caller, lost ones included
    sent_lost: int = 0
    received: int = 0  # come from the server, lost ones included
    received_lost: int = 0


def impair(caller: Caller, loss: float, jitter_s: float, seed: int = 1) -> PacketCounts:
    """Lose and delay packets of a connected caller from now on; a new connection is good again.

    Args:
        caller: Whose line it is.
        loss: Share of packets lost, each way, 0..1.
        jitter_s: Packets sent are delayed by 0 to so many seconds, evenly spread.
        seed: Of the dice.

    Returns:
        What is counted from now on.
    """
    dice = random.Random(seed)
    counts = PacketCounts()
    transports = {t.receiver.transport.transport for t in caller.pc.getTransceivers()}
    for transport in transports:
        wrap_transport(
            transport,
            lambda send: _lossy_send(caller, send, dice, (loss, jitter_s), counts),
            lambda receive: _lossy_receive(receive, dice, loss, counts),
        )
    return counts


def _lossy_send(
    caller: Caller,
    send: Send,
    dice: random.Random,
    line: tuple[float, float],
    counts: PacketCounts,
) -> Send:
    loss, jitter_s = line

    async def send_late(data: bytes, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        with suppress(ConnectionError):  # the line was closed meanwhile
            await send(data)

    async def lossy_send(data: bytes) -> None:
        counts.sent += 1
        if dice.random() < loss:
            counts.sent_lost += 1
        else:
            caller.start(send_late(data, dice.random() * jitter_s))

    return lossy_send


def _lossy_receive(
    receive: Receive, dice: random.Random, loss: float, counts: PacketCounts
) -> Receive:
    async def lossy_receive() -> bytes:
        while True:
            data = await receive()
            counts.received += 1
            if dice.random() >= loss:
                return data
            counts.received_lost += 1

    return lossy_receive
