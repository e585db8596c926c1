"""Whoever leaves much unfinished on a data channel is not listened to any more."""

import random
from collections.abc import Iterator

import pytest
from aiortc.rtcsctptransport import (
    SCTP_DATA_FIRST_FRAG,
    SCTP_DATA_LAST_FRAG,
    SCTP_DATA_UNORDERED,
    WEBRTC_BINARY,
    Chunk,
    DataChunk,
    ForwardTsnChunk,
    RTCSctpTransport,
    SackChunk,
)

from rt_avatar.signaling.aiortc_private import unfinished
from rt_avatar.signaling.data_limit import (
    ACKNOWLEDGED_HZ,
    MAX_ACKNOWLEDGED,
    MAX_UNFINISHED,
    install_data_limit,
)
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit

FIRST, LAST, UNORDERED = SCTP_DATA_FIRST_FRAG, SCTP_DATA_LAST_FRAG, SCTP_DATA_UNORDERED
MANY = 20 * MAX_UNFINISHED


class ScriptedTransport:
    """Stands for the DTLS transport; nothing arrives."""

    state = "connected"

    async def _send_data(self, _data: bytes) -> None:
        pass


class Line:
    """A limited transport, what it has received, and how often it was told of an excess."""

    def __init__(self) -> None:
        self.sctp = RTCSctpTransport(ScriptedTransport())
        self.sctp._last_received_tsn = -1 % 2**32
        self.sctp._ssthresh = 1 << 20
        self.sctp._receive = self._receive
        self.messages: list[bytes] = []
        self.excesses = 0
        install_data_limit(self.sctp, self._on_excess)

    async def _receive(self, _stream: int, _kind: int, data: bytes) -> None:
        self.messages.append(data)

    def _on_excess(self) -> None:
        self.excesses += 1

    async def take(self, chunks: Iterator[Chunk]) -> None:
        for chunk in chunks:
            await self.sctp._receive_chunk(chunk)


def piece(number: int, flags: int = 0, stream: int = 1, order: int = 0) -> DataChunk:
    made = DataChunk(flags=flags)
    made.tsn, made.stream_id, made.stream_seq, made.protocol = number, stream, order, WEBRTC_BINARY
    made.user_data = b"x"
    return made


def forgotten(number: int) -> ForwardTsnChunk:
    """Say that nothing more comes on streams that were never used."""
    made = ForwardTsnChunk()
    made.cumulative_tsn = number
    made.streams = [(100 * number + count, 0) for count in range(100)]
    return made


WAYS = {
    "a message without an end": (piece(n, 0 if n else FIRST) for n in range(MANY)),
    "one without order and end": (
        piece(n, UNORDERED | (0 if n else FIRST)) for n in range(MANY)
    ),
    "one without a beginning": (piece(n, UNORDERED) for n in range(MANY)),
    "the beginnings of messages": (piece(n, FIRST, order=n % 65_536) for n in range(MANY)),
    "a beginning on each stream": (piece(n, FIRST, stream=n) for n in range(MANY)),
    "a message on each stream": (piece(n, FIRST | LAST, stream=n) for n in range(MANY)),
    "messages behind a missing one": (
        piece(n, FIRST | LAST, order=n % 65_536) for n in range(1, MANY)
    ),
    "messages without order behind a missing piece": (
        piece(n, FIRST | LAST | UNORDERED) for n in range(1, MANY)
    ),
    "streams that are never used": (forgotten(n) for n in range(MANY // 100)),
}  # fmt: skip


@pytest.mark.parametrize("chunks", WAYS.values(), ids=WAYS)
async def test_what_is_left_unfinished_is_bounded_and_told_of_once(chunks):
    line = Line()
    await line.take(chunks)
    assert line.excesses == 1
    kept, handled = unfinished(line.sctp), len(line.messages)
    assert kept <= MAX_UNFINISHED + 100  # what the last chunk may bring
    await line.take([piece(2 * MANY, FIRST | LAST)])
    assert (unfinished(line.sctp), len(line.messages), line.excesses) == (kept, handled, 1)


@pytest.mark.parametrize("seed", range(3))
async def test_the_largest_message_passes_in_any_order_of_its_pieces(seed):
    last = 256 * 1024 // 1100
    pieces = [
        piece(n, (FIRST if n == 0 else 0) | (LAST if n == last else 0)) for n in range(last + 1)
    ]
    random.Random(seed).shuffle(pieces)
    line = Line()
    await line.take(pieces)
    assert line.messages == [b"x" * (last + 1)]
    assert line.excesses == 0


async def test_a_long_call_with_losses_is_no_excess():
    numbers = list(range(MANY))
    for at in range(0, MANY - 200, 200):  # each is sent again when 100 others have come
        numbers.insert(at + 100, numbers.pop(at))
    line = Line()
    await line.take(piece(n, FIRST | LAST, order=n % 65_536) for n in numbers)
    assert len(line.messages) == MANY
    assert line.excesses == 0


def receipt(*gaps: tuple[int, int], behind: int) -> SackChunk:
    made = SackChunk()
    made.cumulative_tsn, made.advertised_rwnd, made.gaps = behind, 1 << 20, list(gaps)
    return made


async def test_a_receipt_for_what_was_never_sent_is_not_looked_at():
    """One packet of 1,136 bytes that named 280 times all numbers there are took 1.3 s."""
    line = Line()
    sent = line.sctp._last_sacked_tsn
    await line.take([receipt(*[(1, 65_535)] * 280, behind=sent + 1)])
    assert (line.sctp._last_sacked_tsn, line.excesses) == (sent, 0)
    await line.take([receipt((2, 3), (5, 100), behind=sent + 2)])
    assert line.sctp._last_sacked_tsn == sent + 2


async def test_what_a_receipt_names_backwards_makes_up_for_nothing():
    """Each pair of these was counted as two: 1,148 bytes took 1.5 s."""
    line = Line()
    sent = line.sctp._last_sacked_tsn
    await line.take([receipt(*[(1, 65_535), (65_535, 1)] * 140, behind=sent + 1)])
    assert line.sctp._last_sacked_tsn == sent


def test_many_receipts_at_once_are_looked_at_no_longer_than_one():
    """A packet has room for 58 of these, and took 46 ms."""

    async def call(loop) -> None:
        line = Line()
        before = line.sctp._last_sacked_tsn
        largest = (receipt((1, MAX_ACKNOWLEDGED), behind=before + n) for n in range(1, 59))
        await line.take(largest)
        assert line.sctp._last_sacked_tsn == before + 1
        await line.take([receipt(behind=before + 60)])  # names nothing
        loop.stall(MAX_ACKNOWLEDGED / ACKNOWLEDGED_HZ)
        await line.take([receipt((2, MAX_ACKNOWLEDGED), behind=before + 61)])
        assert line.sctp._last_sacked_tsn == before + 61

    run_virtual(call)


def test_receipts_of_a_caller_who_loses_much_are_all_looked_at():
    """Each of 50 messages a second, ten times as many as there are, names half a second's."""

    async def call(loop) -> None:
        line = Line()
        for at in range(1, 1000):
            number = (line.sctp._last_sacked_tsn + 1) % 2**32
            await line.take([receipt((2, 25), (27, 50), behind=number)])
            assert line.sctp._last_sacked_tsn == number, at
            loop.stall(0.02)

    run_virtual(call)
