"""Pictures are given on at their last packet."""

import pytest
from aiortc.rtp import RtpPacket

from rt_avatar.benchmarks.peer.unbuffered import PictureBuffer

pytestmark = pytest.mark.unit


def packet(sequence: int, timestamp: int, *, is_last: bool = False) -> RtpPacket:
    made = RtpPacket(sequence_number=sequence, timestamp=timestamp, marker=int(is_last))
    made._data = bytes([sequence % 256])
    return made


def test_a_picture_is_given_at_its_last_packet() -> None:
    buffer = PictureBuffer()
    assert buffer.add(packet(65535, 0)) == (False, None)
    _, frame = buffer.add(packet(0, 0, is_last=True))
    assert frame is not None
    assert (frame.data, frame.timestamp) == (b"\xff\x00", 0)
    _, frame = buffer.add(packet(1, 3600, is_last=True))
    assert frame is not None
    assert frame.timestamp == 3600


def test_a_picture_with_a_hole_waits_for_what_is_missing() -> None:
    buffer = PictureBuffer()
    buffer.add(packet(10, 0))
    assert buffer.add(packet(12, 0, is_last=True))[1] is None
    _, frame = buffer.add(packet(11, 0))
    assert frame is not None
    assert frame.data == bytes([10, 11, 12])
    _, frame = buffer.add(packet(13, 3600, is_last=True))
    assert frame is not None
