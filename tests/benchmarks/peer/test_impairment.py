"""A bad line loses what it is asked to lose, delays what it is asked to delay, and counts both."""

import asyncio
from types import SimpleNamespace

import pytest

from rt_avatar.benchmarks.peer.impairment import PacketCounts, impair
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

PACKETS = 10_000


class Wire:
    """A transport that notes what was sent and when, and gives numbered packets."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.sent: dict[int, float] = {}
        self.given = 0
        self._loop = loop

    async def _send(self, data: bytes) -> None:
        self.sent[int(data)] = self._loop.time()

    async def _recv(self) -> bytes:
        self.given += 1
        return str(self.given).encode()


class Peer:
    """What ``impair`` needs of a caller: its transports, and tasks."""

    def __init__(self, wire: Wire, group: asyncio.TaskGroup) -> None:
        sender = SimpleNamespace(
            receiver=SimpleNamespace(transport=SimpleNamespace(transport=wire))
        )
        # Sound and picture share one transport, as in a bundle.
        self.pc = SimpleNamespace(getTransceivers=lambda: [sender, sender])
        self.start = group.create_task


def over(loss: float, jitter_s: float, *, seed: int = 1, packets: int = PACKETS, gap_s: float = 0):
    """Send and receive packets; return (begin → arrival of each sent, received, counts)."""

    async def main(loop) -> tuple[dict[int, float], list[int], PacketCounts]:
        wire = Wire(loop)
        begins = {}
        async with asyncio.TaskGroup() as group:
            counts = impair(Peer(wire, group), loss, jitter_s, seed)
            for number in range(packets):
                begins[number] = loop.time()
                await wire._send(str(number).encode())
                await asyncio.sleep(gap_s)
            received = [int(await wire._recv()) for _ in range(packets)]
        return {n: at - begins[n] for n, at in wire.sent.items()}, received, counts

    return run_virtual(main)


def test_it_loses_the_asked_share_each_way_and_counts_every_packet() -> None:
    sent, received, counts = over(0.03, 0.0)
    assert counts.sent == PACKETS
    assert counts.sent_lost == PACKETS - len(sent)
    # Four standard deviations of 10,000 throws at 3 %: 0.7 %.
    assert counts.sent_lost / counts.sent == pytest.approx(0.03, abs=0.007)
    assert counts.received - counts.received_lost == len(received)
    assert counts.received_lost / counts.received == pytest.approx(0.03, abs=0.007)


def test_the_same_seed_loses_the_same_packets_and_another_seed_others() -> None:
    once, again, other = (over(0.1, 0.0, seed=seed, packets=500) for seed in (7, 7, 8))
    assert once == again
    assert set(once[0]) != set(other[0])


def test_a_good_line_loses_nothing() -> None:
    sent, received, counts = over(0.0, 0.0, packets=500)
    assert len(sent) == 500
    assert received == list(range(1, 501))
    assert counts.sent_lost == counts.received_lost == 0


def test_packets_are_delayed_by_up_to_the_jitter_and_so_overtake_each_other() -> None:
    sent, _, _ = over(0.0, 0.030, packets=2000, gap_s=0.020)
    delays = list(sent.values())
    assert 0 <= min(delays) < 0.001
    assert 0.029 < max(delays) <= 0.0301
    assert sum(delays) / len(delays) == pytest.approx(0.015, abs=0.001)
    assert list(sent) != sorted(sent)
