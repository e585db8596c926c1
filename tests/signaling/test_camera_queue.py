"""Pictures that come too fast are dropped, and nothing waits for them in the end."""

import asyncio
import threading
import time

import numpy as np
import pytest
from aiortc import RTCRtpCodecParameters, codecs
from aiortc.codecs.h264 import H264Encoder
from aiortc.codecs.vpx import Vp8Encoder
from aiortc.jitterbuffer import JitterFrame
from aiortc.mediastreams import VIDEO_TIME_BASE
from aiortc.rtp import RTCP_PSFB_PLI, RtcpPsfbPacket
from av import VideoFrame

from rt_avatar.signaling.camera_queue import (
    MAX_WAITING,
    CameraQueue,
    install_camera_queue,
    is_key_frame,
    is_looked_at,
)
from tests.fakes.rtp_receiver import CODECS, FedReceiver, receiving

pytestmark = pytest.mark.unit

KEY, OTHER = b"\x00", b"\x01"  # all that is looked at of VP8
DESCRIPTOR = b"\x10"  # RFC 7741 §4.2: the first packet of a picture


class Line:
    """A queue, and what it has asked of the sender."""

    def __init__(self) -> None:
        self.decoded = self.requests = 0
        self.queue = CameraQueue(lambda: self.decoded, self._ask)

    def _ask(self) -> None:
        self.requests += 1

    def send(self, *pictures: bytes) -> None:
        for picture in pictures:
            self.queue.put((CODECS["video"], JitterFrame(picture, 0)))

    def waiting(self) -> list[bytes]:
        """What the decoder gets before the end."""
        self.queue._tasks.put(None)
        return [picture.data for _, picture in iter(self.queue.get, None)]


def test_pictures_that_are_decoded_as_they_come_all_pass():
    line = Line()
    line.send(KEY)
    for _ in range(100):
        line.send(OTHER)
        line.queue.get()
    assert (line.waiting(), line.requests) == ([OTHER], 0)


def test_what_is_too_fast_for_the_decoder_is_dropped_and_a_full_queue_asks_for_nothing():
    line = Line()
    line.send(KEY, *[OTHER] * 1000, KEY)
    assert len(line.waiting()) == MAX_WAITING
    assert line.requests == 0


def test_pictures_that_nobody_takes_from_the_decoder_count_as_well():
    line = Line()
    line.decoded = MAX_WAITING - 2
    line.send(KEY, OTHER, OTHER, OTHER)
    assert line.waiting() == [KEY, OTHER]


def test_behind_what_was_dropped_a_key_frame_is_asked_for_and_waited_for():
    line = Line()
    line.send(KEY, *[OTHER] * MAX_WAITING)
    assert line.waiting() == [KEY, *[OTHER] * (MAX_WAITING - 1)]
    line.send(OTHER, OTHER)
    assert line.requests == 2
    line.send(KEY, OTHER)
    assert (line.waiting(), line.requests) == ([KEY, OTHER], 2)


def test_in_the_end_nothing_that_waits_is_decoded_any_more():
    line = Line()
    line.send(KEY, OTHER, OTHER)
    line.queue.put(None)
    assert line.queue.get() is None


@pytest.mark.parametrize(("codec", "encoder"), [("VP8", Vp8Encoder()), ("H264", H264Encoder())])
def test_the_key_frames_of_real_encoders_are_known(codec, encoder):
    known = RTCRtpCodecParameters(f"video/{codec}", 90_000, payloadType=96)
    kinds = []
    for at in range(6):
        picture = VideoFrame.from_ndarray(np.full((96, 64), 30 * at, np.uint8), format="yuv420p")
        picture.pts, picture.time_base = at * 3000, VIDEO_TIME_BASE
        payloads, _ = encoder.encode(picture, force_keyframe=at in (0, 4))
        data = b"".join(codecs.depayload(known, payload) for payload in payloads)
        kinds.append(is_key_frame(codec, data))
    assert kinds == [True, False, False, False, True, False]


@pytest.mark.parametrize("codec", ["VP8", "H264"])
def test_a_picture_without_anything_in_it_is_no_key_frame(codec):
    assert not is_key_frame(codec, b"")


@pytest.mark.parametrize("camera_hz", [5, 10, 25, 30])
def test_as_many_pictures_a_second_are_looked_at_as_are_wanted(camera_hz, monkeypatch):
    now_s = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    queue, looked_at = CameraQueue(lambda: 0, lambda: None, rate_hz=4), []
    for at in range(10 * camera_hz):
        now_s = 100 + at / camera_hz
        queue.put((CODECS["video"], JitterFrame(KEY, 0)))
        _, picture = queue.get()
        if is_looked_at(picture):
            looked_at.append(now_s)
    assert len(looked_at) <= 41
    assert max(np.diff(looked_at)) < 0.25 + 1.01 / camera_hz


def test_of_a_queue_of_the_library_every_picture_is_looked_at():
    assert is_looked_at(JitterFrame(KEY, 0))


class StuckDecoder:
    """Decodes nothing before it is let."""

    def __init__(self) -> None:
        self.begun, self.may_go_on, self.pictures = threading.Event(), threading.Event(), 0

    def __call__(self) -> "StuckDecoder":
        return self

    def decode(self, _picture: JitterFrame) -> list[VideoFrame]:
        self.pictures += 1
        self.begun.set()
        assert self.may_go_on.wait(20)
        return []


def key_frame_requests(camera: FedReceiver) -> int:
    return sum(
        isinstance(one, RtcpPsfbPacket) and one.fmt == RTCP_PSFB_PLI
        for one in camera.transport.reports
    )


async def test_a_camera_that_floods_its_receiver_is_cut_and_seen_again(monkeypatch):
    """Pictures of 4,096 px came in 490 bytes each; at hang-up the loop stood still for seconds."""
    decoder = StuckDecoder()
    monkeypatch.setattr(codecs, "Vp8Decoder", decoder)
    async with receiving("video", install_camera_queue) as camera:
        await camera.give([DESCRIPTOR + KEY], 0)
        await camera.give([DESCRIPTOR + OTHER], 1)  # only now is the first one complete
        await asyncio.to_thread(decoder.begun.wait, 20)
        for at in range(2, 500):
            await camera.give([DESCRIPTOR + OTHER], at)
        assert key_frame_requests(camera) == 0
        decoder.may_go_on.set()
        at = 500
        async with asyncio.timeout(20):
            while not key_frame_requests(camera):  # when the decoder has come so far
                await camera.give([DESCRIPTOR + OTHER], at := at + 1)
                await asyncio.sleep(0)
        assert decoder.pictures <= 1 + MAX_WAITING
