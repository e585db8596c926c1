from types import SimpleNamespace

import numpy as np
import pytest
from aiortc.codecs import h264, vpx
from aiortc.mediastreams import MediaStreamError
from av import Packet

from rt_avatar.engines.types import MOTION_SIZE
from rt_avatar.media_io import BLOCK_SAMPLES, AudioBlock, VideoPicture
from rt_avatar.signaling.media_tracks import OutgoingAudio, OutgoingVideo
from rt_avatar.signaling.tuning import BITRATE_BPS, tune_encoders
from rt_avatar.signaling.vp8_encoder import RenderedVp8Encoder

pytestmark = pytest.mark.unit


class ScriptedMediaOutput:
    """Gives what it was given, then fails."""

    def __init__(self, numbers) -> None:
        self._numbers = iter(numbers)

    async def next_audio(self) -> AudioBlock:
        number = next(self._numbers, None)
        if number is None:
            raise RuntimeError("the painter fell off the ladder")
        return AudioBlock(number * BLOCK_SAMPLES, np.full(BLOCK_SAMPLES, number, np.int16))

    async def next_video(self) -> VideoPicture:
        number = next(self._numbers, None)
        if number is None:
            raise RuntimeError("the painter fell off the ladder")
        planes = np.full((96, 64), 100, np.uint8)
        planes[:64] = number
        return VideoPicture(number * 1920, planes, np.zeros(MOTION_SIZE, np.float32))


class Notes:
    def __init__(self) -> None:
        self.skipped: list[tuple[str, int]] = []
        self.failures: list[Exception] = []

    def skip(self, kind: str, number: int) -> None:
        self.skipped.append((kind, number))


async def test_sound_keeps_its_time():
    notes = Notes()
    track = OutgoingAudio(ScriptedMediaOutput([0, 1, 2, 5]), notes.skip, notes.failures.append)
    packets = [await track.recv() for _ in range(4)]
    assert [packet.pts for packet in packets] == [0, 960, 1920, 4800]
    assert [float(packet.time_base) for packet in packets] == [1 / 48_000] * 4
    assert notes.skipped == [("audio", 2)]


async def test_pictures_and_sound_share_one_time_line():
    notes = Notes()
    track = OutgoingVideo(ScriptedMediaOutput([0, 1, 25]), notes.skip, notes.failures.append)
    frames = [await track.recv() for _ in range(3)]
    assert [float(frame.pts * frame.time_base) for frame in frames] == [0, 0.04, 1]
    assert (frames[0].width, frames[0].height) == (64, 64)
    assert frames[2].to_ndarray()[0, 0] == 25
    assert notes.skipped == [("video", 23)]


class StillMediaOutput:
    """Shows one picture again and again."""

    def __init__(self) -> None:
        self._planes = np.full((96, 64), 100, np.uint8)
        self._shown = 0

    async def next_video(self) -> VideoPicture:
        self._shown += 1
        return VideoPicture(self._shown * 1920, self._planes, np.zeros(MOTION_SIZE, np.float32))


async def still(encoder, *, is_key_frame_asked: bool = False) -> list[bool]:
    """Whether pictures that are the same are given to the library ready to be sent."""
    notes = Notes()
    track = OutgoingVideo(StillMediaOutput(), notes.skip, notes.failures.append)
    track.sender = SimpleNamespace(
        _RTCRtpSender__encoder=encoder, _RTCRtpSender__force_keyframe=is_key_frame_asked
    )
    ready = []
    for _ in range(6):
        given = await track.recv()
        ready.append(isinstance(given, Packet))
        if not ready[-1]:
            encoder.encode(given)
    return ready


async def test_a_picture_that_is_shown_again_needs_no_encoder():
    assert await still(RenderedVp8Encoder()) == [False, True, True, True, False, True]


async def test_where_a_key_frame_is_asked_for_or_another_codec_is_chosen_all_are_encoded():
    assert await still(RenderedVp8Encoder(), is_key_frame_asked=True) == [False] * 6
    assert await still(h264.H264Encoder()) == [False] * 6


@pytest.mark.parametrize("kind", [OutgoingAudio, OutgoingVideo])
async def test_a_session_that_fails_is_told_to_the_call_not_only_to_a_log(kind):
    notes = Notes()
    track = kind(ScriptedMediaOutput([]), notes.skip, notes.failures.append)
    with pytest.raises(RuntimeError):
        await track.recv()
    assert [str(error) for error in notes.failures] == ["the painter fell off the ladder"]


@pytest.mark.parametrize("kind", [OutgoingAudio, OutgoingVideo])
async def test_a_track_that_was_stopped_asks_for_nothing_more(kind):
    notes = Notes()
    track = kind(ScriptedMediaOutput([0]), notes.skip, notes.failures.append)
    track.stop()
    with pytest.raises(MediaStreamError):
        await track.recv()


def test_the_encoders_begin_at_the_rate_they_may_have_at_most(monkeypatch):
    for module in (vpx, h264):
        for name in ("DEFAULT_BITRATE", "MAX_BITRATE"):
            monkeypatch.setattr(module, name, getattr(module, name))  # put back afterwards
    tune_encoders(512)
    assert vpx.Vp8Encoder().target_bitrate == BITRATE_BPS[512]
    assert h264.H264Encoder().target_bitrate == BITRATE_BPS[512]
    encoder = vpx.Vp8Encoder()
    encoder.target_bitrate = 10_000_000
    assert encoder.target_bitrate == BITRATE_BPS[512]
