"""The encoder for rendered faces: no worse, no more bytes, and the manners of the library's."""

import math
from fractions import Fraction

import numpy as np
import pytest
from aiortc import codecs
from aiortc.codecs import vpx
from aiortc.jitterbuffer import JitterFrame
from aiortc.rtcrtpparameters import RTCRtpCodecParameters
from av import VideoFrame

from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.types import BLENDSHAPE, FPS, MOTION_SIZE, YAW
from rt_avatar.signaling.tuning import BITRATE_BPS, tune_encoders
from rt_avatar.signaling.vp8_encoder import RenderedVp8Encoder
from rt_avatar.signaling.vp8_repetition import repetition

pytestmark = pytest.mark.unit

SIZE = 256


@pytest.fixture(autouse=True)
def tuned(monkeypatch):
    """The rates of a server, and the library as it was in the end."""
    for module in (vpx, codecs.h264):
        for name in ("DEFAULT_BITRATE", "MAX_BITRATE"):
            monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr(codecs, "Vp8Encoder", codecs.Vp8Encoder)
    tune_encoders(SIZE)


@pytest.fixture(scope="module")
def talk():
    """Two seconds of a face that turns and opens its mouth, as I420."""
    stream = RigEngine(SIZE).open("ava")
    pictures = []
    for at in range(50):
        motion = np.zeros(MOTION_SIZE, np.float32)
        motion[BLENDSHAPE["jawOpen"]] = 0.3 + 0.3 * math.sin(at / 2)
        motion[YAW] = 0.05 * math.sin(at / 8)
        pictures += stream.push(motion)
    return pictures


def frame(planes: np.ndarray, at: int) -> VideoFrame:
    made = VideoFrame.from_ndarray(planes, format="yuv420p")
    made.pts, made.time_base = at * 3600, Fraction(1, 90_000)
    return made


def is_key(payloads: list[bytes]) -> bool:
    """RFC 7741 §4.3: the lowest bit of the first byte of a picture is 0."""
    return not vpx.vp8_depayload(payloads[0])[0] & 1


def sent(encoder: vpx.Vp8Encoder, pictures) -> tuple[int, float]:
    """Bytes and mean PSNR (dB) of the luminance that a receiver gets."""
    decoder, size, psnr = vpx.Vp8Decoder(), 0, []
    for at, planes in enumerate(pictures):
        payloads, timestamp = encoder.encode(frame(planes, at))
        size += sum(map(len, payloads))
        data = b"".join(map(vpx.vp8_depayload, payloads))
        (shown,) = decoder.decode(JitterFrame(data=data, timestamp=timestamp))
        error = shown.to_ndarray()[:SIZE].astype(float) - planes[:SIZE]
        psnr.append(10 * math.log10(255**2 / np.mean(error**2)))
    return size, float(np.mean(psnr))


def test_a_rendered_face_comes_no_worse_with_no_more_bytes_than_by_the_library(talk):
    size, psnr = sent(RenderedVp8Encoder(), talk)
    size_before, psnr_before = sent(vpx.Vp8Encoder(), talk)
    assert size <= size_before
    assert psnr >= psnr_before


def test_the_connections_of_a_server_encode_by_it():
    vp8 = RTCRtpCodecParameters(mimeType="video/VP8", clockRate=90_000, payloadType=97)
    encoder = codecs.get_encoder(vp8)
    assert isinstance(encoder, RenderedVp8Encoder)
    assert encoder.target_bitrate == BITRATE_BPS[SIZE]


def test_a_key_frame_comes_first_and_when_it_is_asked_for_and_then_no_more(talk):
    encoder = RenderedVp8Encoder()
    keys = [
        is_key(encoder.encode(frame(planes, at), force_keyframe=at == 4)[0])
        for at, planes in enumerate(talk[:8])
    ]
    assert keys == [True, False, False, False, True, False, False, False]


def test_a_line_that_carries_less_gets_less(talk):
    encoder = RenderedVp8Encoder()
    sent(encoder, talk)
    encoder.target_bitrate = vpx.MIN_BITRATE
    size, psnr = sent(encoder, talk)
    assert size < 1.1 * vpx.MIN_BITRATE / 8 * len(talk) / FPS
    assert psnr > 30


def test_another_size_begins_anew(talk):
    encoder = RenderedVp8Encoder()
    encoder.encode(frame(talk[0], 0))
    half = np.ascontiguousarray(talk[0][: SIZE * 3 // 4, : SIZE // 2])
    payloads, _ = encoder.encode(frame(half, 1))
    assert is_key(payloads)


def passed_on(encoder, planes: np.ndarray, at: int) -> tuple[list[bytes], int]:
    """What a receiver is sent of a picture that may be the last one."""
    made = VideoFrame.from_numpy_buffer(planes, format="yuv420p")
    made.pts, made.time_base = at * 3600, Fraction(1, 90_000)
    again = encoder.again(made)
    return encoder.encode(made) if again is None else encoder.pack(again)


def shown(encoder, pictures, repeated) -> tuple[list[np.ndarray], list[int]]:
    """Luminance a receiver sees and bytes sent, each picture shown ``repeated`` times more."""
    decoder, seen, sizes = vpx.Vp8Decoder(), [], []
    for at, planes in enumerate(pictures):
        for again in range(repeated + 1):
            payloads, timestamp = passed_on(encoder, planes, at * 4 + again)
            assert timestamp == (at * 4 + again) * 3600
            data = b"".join(map(vpx.vp8_depayload, payloads))
            (picture,) = decoder.decode(JitterFrame(data=data, timestamp=timestamp))
            seen.append(picture.to_ndarray())
            sizes.append(len(data))
    return seen, sizes


def test_a_picture_shown_again_takes_few_bytes_and_changes_nothing_that_a_receiver_sees(talk):
    once, _ = shown(RenderedVp8Encoder(), talk, 0)
    thrice, sizes = shown(RenderedVp8Encoder(), talk, 2)
    for at, picture in enumerate(once):
        for seen in thrice[3 * at : 3 * at + 3]:
            np.testing.assert_array_equal(seen, picture)
        assert max(sizes[3 * at + 1 : 3 * at + 3]) < 50


def test_a_picture_that_stays_gets_finer(talk):
    encoder = RenderedVp8Encoder()
    encoder.target_bitrate = vpx.MIN_BITRATE
    seen, _ = shown(encoder, [talk[0]] * 40, 0)
    errors = [np.abs(picture[:SIZE].astype(float) - talk[0][:SIZE]).mean() for picture in seen]
    assert errors[-1] < 0.9 * errors[0]


def test_a_first_picture_is_never_only_said_to_be_the_same(talk):
    encoder = RenderedVp8Encoder()
    made = VideoFrame.from_numpy_buffer(talk[0], format="yuv420p")
    assert encoder.again(made) is None


@pytest.mark.parametrize("size", BITRATE_BPS)
def test_saying_that_nothing_changed_takes_the_same_few_bytes_at_every_size(size):
    assert len(repetition(size, size)) < 50
