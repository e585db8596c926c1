"""Callers' pictures are decoded as by the library, but for those that are too large."""

import av
import numpy as np
import pytest
from aiortc import RTCRtpCodecParameters, codecs
from aiortc.codecs.h264 import H264Decoder, H264Encoder
from aiortc.codecs.vpx import Vp8Decoder, Vp8Encoder
from aiortc.jitterbuffer import JitterFrame
from aiortc.mediastreams import VIDEO_TIME_BASE
from av import VideoFrame

from rt_avatar.signaling.camera_decoders import CameraH264Decoder, CameraVp8Decoder
from rt_avatar.signaling.tuning import tune_decoders

pytestmark = pytest.mark.unit

CODECS = {
    "VP8": (Vp8Encoder, Vp8Decoder, CameraVp8Decoder),
    "H264": (H264Encoder, H264Decoder, CameraH264Decoder),
}


def encoded(name: str, width: int, height: int, pictures: int = 1) -> list[JitterFrame]:
    """A ball that flies over a wall."""
    encoder = CODECS[name][0]()
    codec = RTCRtpCodecParameters(f"video/{name}", 90_000, payloadType=96)
    sent = []
    for at in range(pictures):
        planes = np.full((height * 3 // 2, width), 128, np.uint8)
        planes[:height] = np.arange(width) % 200
        planes[10:30, 10 + 8 * at : 30 + 8 * at] = 250
        frame = VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts, frame.time_base = at * 3000, VIDEO_TIME_BASE
        payloads, timestamp = encoder.encode(frame, at == 0)
        data = b"".join(codecs.depayload(codec, payload) for payload in payloads)
        sent.append(JitterFrame(data, timestamp))
    return sent


@pytest.mark.parametrize("name", CODECS)
def test_pictures_look_as_the_librarys_decoder_shows_them(name):
    _, theirs, ours = CODECS[name]
    sent = encoded(name, 320, 240, 10)
    one, other = theirs(), ours()
    for picture in sent:
        (expected,), (got,) = one.decode(picture), other.decode(picture)
        np.testing.assert_array_equal(got.to_ndarray(), expected.to_ndarray())
        assert (got.pts, got.time_base) == (expected.pts, expected.time_base)


@pytest.mark.parametrize("name", CODECS)
def test_of_pictures_that_are_not_looked_at_only_what_later_ones_need_is_left(name):
    _, theirs, ours = CODECS[name]
    one, other = theirs(), ours()
    for at, picture in enumerate(encoded(name, 320, 240, 10)):
        picture.is_looked_at = at % 3 == 0
        expected, got = one.decode(picture), other.decode(picture)
        assert len(got) == picture.is_looked_at
        for seen, whole in zip(got, expected, strict=bool(got)):
            np.testing.assert_array_equal(seen.to_ndarray(), whole.to_ndarray())


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920)])
@pytest.mark.parametrize("name", CODECS)
def test_full_hd_is_seen_either_way_round(name, size):
    (seen,) = CODECS[name][2]().decode(encoded(name, *size)[0])
    assert (seen.width, seen.height) == size


@pytest.mark.parametrize("size", [(2048, 1088), (1280, 1664), (4096, 2304)])
@pytest.mark.parametrize("name", CODECS)
def test_larger_pictures_are_refused_and_smaller_ones_seen_again(name, size):
    decoder = CODECS[name][2]()
    with pytest.raises(av.FFmpegError):
        decoder.decode(encoded(name, *size)[0])
    (seen,) = decoder.decode(encoded(name, 320, 240)[0])
    assert seen.width == 320


def test_a_server_decodes_by_them(monkeypatch):
    for name in ("Vp8Decoder", "H264Decoder"):
        monkeypatch.setattr(codecs, name, getattr(codecs, name))  # put back in the end
    tune_decoders()
    for name, (_, _, ours) in CODECS.items():
        codec = RTCRtpCodecParameters(f"video/{name}", 90_000, payloadType=96)
        assert type(codecs.get_decoder(codec)) is ours
