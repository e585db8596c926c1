import asyncio
from fractions import Fraction

import numpy as np
import pytest
from aiortc.codecs.vpx import Vp8Encoder
from aiortc.mediastreams import MediaStreamError
from aiortc.rtp import RtcpRtpfbPacket
from av import AudioFrame, VideoFrame

from rt_avatar.signaling.aiortc_private import ignore_goodbyes, limit_gaps
from rt_avatar.signaling.incoming import (
    MAX_FILL_S,
    SILENCE_S,
    STALL_S,
    GapFiller,
    Shrinker,
    receive_audio,
    to_mono,
)
from rt_avatar.signaling.mic_buffer import install_mic_buffer
from rt_avatar.signaling.opus import OpusEncoder
from tests.fakes.rtp_receiver import FedReceiver, receiving
from tests.fakes.virtual_time import run_virtual

pytestmark = pytest.mark.unit


def sound(samples: np.ndarray, layout: str, format: str = "s16", rate: int = 48_000) -> AudioFrame:
    frame = AudioFrame.from_ndarray(np.ascontiguousarray(samples), format=format, layout=layout)
    frame.sample_rate = rate
    return frame


def test_mono_passes_unchanged():
    pcm = np.arange(960, dtype=np.int16)
    np.testing.assert_array_equal(to_mono(sound(pcm[None], "mono")), pcm)


@pytest.mark.parametrize("format", ["s16", "s16p"])
def test_two_loud_channels_do_not_overflow(format):
    left, right = np.full(960, 32_000), np.full(960, 30_000)
    planar = np.stack([left, right]).astype(np.int16)
    samples = planar if format == "s16p" else planar.T.reshape(1, -1)
    np.testing.assert_array_equal(to_mono(sound(samples, "stereo", format)), np.full(960, 31_000))


def test_five_channels_are_mixed():
    pcm = np.tile(np.int16([10, 20, 30, 40, 50, 60]), 480)[None]
    np.testing.assert_array_equal(to_mono(sound(pcm, "5.1")), np.full(480, 35))


def test_other_formats_are_refused():
    with pytest.raises(TypeError, match="16 bits"):
        to_mono(sound(np.zeros((1, 960), np.float32), "mono", "flt"))


def test_sound_without_holes_is_left_alone():
    filler = GapFiller()
    block = np.ones(960, np.int16)
    assert all(filler.fill(n * 960, block, 48_000).size == 0 for n in range(10))


def test_a_hole_becomes_as_long_as_it_was_and_fades_from_the_last_sound():
    filler = GapFiller()
    block = np.full(960, 1000, np.int16)
    filler.fill(0, block, 48_000)
    hole = filler.fill(3 * 960, block, 48_000)
    assert hole.size == 2 * 960
    assert hole[0] == 1000
    assert hole[950] < 20
    assert not hole[960:].any()


def test_a_line_that_was_away_for_long_does_not_flood_the_ears():
    filler = GapFiller()
    block = np.ones(960, np.int16)
    filler.fill(0, block, 48_000)
    assert filler.fill(60 * 48_000, block, 48_000).size == MAX_FILL_S * 48_000


class ScriptedTrack:
    """Gives what the test puts into it; None ends it."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[AudioFrame | None] = asyncio.Queue()

    async def recv(self) -> AudioFrame:
        frame = await self.frames.get()
        if frame is None:
            raise MediaStreamError
        return frame

    def give(self, pts: int) -> None:
        frame = sound(np.full((1, 960), 1000, np.int16), "mono")
        frame.pts = pts
        self.frames.put_nowait(frame)


class AudioRecognition:
    """Keeps what was heard, and when."""

    def __init__(self) -> None:
        self.heard: list[tuple[float, np.ndarray]] = []

    def push_audio_nowait(self, pcm: np.ndarray, rate_hz: int) -> None:
        assert rate_hz == 48_000
        self.heard.append((asyncio.get_running_loop().time(), pcm))

    def silence_s(self) -> float:
        return sum(len(pcm) for _, pcm in self.heard if not pcm.any()) / 48_000


def test_a_microphone_that_stalls_in_mid_sentence_is_heard_to_fall_silent():
    async def call(loop) -> None:
        track, recognition = ScriptedTrack(), AudioRecognition()
        hearing = asyncio.create_task(receive_audio(track, recognition, lambda _: None))
        await asyncio.sleep(10)
        assert not recognition.heard  # before the first sound there is nothing to fall silent
        track.give(0)
        last_s = loop.time()
        await asyncio.sleep(60)
        at_s, silence = recognition.heard[1]
        assert at_s - last_s == pytest.approx(STALL_S)
        assert not silence.any()
        assert recognition.silence_s() == pytest.approx(SILENCE_S)  # and then nothing for a minute
        track.give(60 * 48_000)
        await asyncio.sleep(0)
        track.frames.put_nowait(None)
        await hearing
        assert recognition.heard[-1][1].all()  # what was silence is no hole to fill
        assert recognition.silence_s() == pytest.approx(SILENCE_S)

    run_virtual(call)


def test_a_microphone_that_is_lost_falls_silent_and_is_heard_again_when_it_is_back():
    """A sender without a microphone may say goodbye (RTCP BYE): the end, as the library takes it.

    Who then opened another one was heard no more, and the sentence before was never answered.
    """

    def adapt(receiver) -> None:
        ignore_goodbyes(receiver)
        install_mic_buffer(receiver)

    async def call(_loop) -> None:
        recognition, encoder = AudioRecognition(), OpusEncoder()
        loud = np.random.default_rng(1).normal(0, 3000, (100, 960)).astype(np.int16)
        async with receiving("audio", adapt) as microphone:
            hearing = asyncio.create_task(
                receive_audio(microphone.track, recognition, lambda _: None)
            )
            for begin in (0, 50):
                for number in range(begin, begin + 50):
                    await microphone.give([encoder.encode(loud[number])], number * 960)
                await microphone.say_goodbye()
                await asyncio.sleep(10)
                assert recognition.silence_s() == pytest.approx(SILENCE_S * (1 + begin // 50))
            heard = sum(len(pcm) for _, pcm in recognition.heard if pcm.any())
            assert heard == 100 * 960
        await hearing  # with the line the track ends

    run_virtual(call)


async def test_a_camera_that_is_switched_off_and_on_is_seen_again():
    async with receiving("video", ignore_goodbyes) as camera:
        encoder = Vp8Encoder()
        for at in range(6):
            picture = VideoFrame.from_ndarray(np.full((48, 32), 40 * at, np.uint8), "gray")
            picture.pts, picture.time_base = 9000 * at, Fraction(1, 90_000)
            payloads, timestamp = encoder.encode(picture, force_keyframe=at == 3)
            await camera.give(payloads, timestamp)
            if at == 2:
                await camera.say_goodbye()
        async with asyncio.timeout(60):
            # The last picture waits for the beginning of the next.
            seen = [(await camera.track.recv()).pts for _ in range(5)]
        assert seen == [0, 9000, 18_000, 27_000, 36_000]


@pytest.mark.parametrize("leap", [600, 30_000])
async def test_a_camera_that_leaps_over_numbers_is_not_asked_for_them(leap):
    """30 packets a second, each 30,000 numbers on, took all the time of the loop."""

    def missing(camera: FedReceiver) -> list[int]:
        reports = [one for one in camera.transport.reports if isinstance(one, RtcpRtpfbPacket)]
        return [number for one in reports for number in one.lost]

    async with receiving("video", lambda receiver: limit_gaps(receiver, 512)) as camera:
        for at in range(20):
            await camera.give([b"\x10\x00"], at)
            camera.sequence += leap
        assert missing(camera) == []
        camera.sequence -= leap
        lost = [(camera.sequence + number) % 65_536 for number in range(3)]
        camera.sequence += 3
        await camera.give([b"\x10\x00"], 20)
        assert missing(camera) == lost


def test_a_sender_that_saves_packets_in_silence_is_no_stall():
    async def call(_loop) -> None:
        track, recognition = ScriptedTrack(), AudioRecognition()
        hearing = asyncio.create_task(receive_audio(track, recognition, lambda _: None))
        for number in range(5):
            track.give(number * 19_200)
            await asyncio.sleep(0.4)
        track.frames.put_nowait(None)
        await hearing
        heard = sum(len(pcm) for _, pcm in recognition.heard)
        assert heard == 4 * 19_200 + 960  # the holes were filled, and nothing besides

    run_virtual(call)


def test_time_that_runs_back_is_no_hole():
    filler = GapFiller()
    block = np.ones(960, np.int16)
    filler.fill(9600, block, 48_000)
    assert filler.fill(0, block, 48_000).size == 0


@pytest.mark.parametrize(
    ("size", "shape"),
    [
        ((1280, 720), (180, 320, 3)),
        ((640, 480), (240, 320, 3)),
        ((160, 120), (120, 160, 3)),
        ((480, 640), (426, 320, 3)),
    ],
)
def test_pictures_shrink_to_320_and_keep_shape_and_colour(size, shape):
    rgb = np.full((size[1], size[0], 3), (200, 60, 20), np.uint8)
    frame = VideoFrame.from_ndarray(rgb, format="rgb24").reformat(format="yuv420p")
    image = Shrinker().shrink(frame)
    assert image.shape == shape
    assert np.abs(image[10, 10].astype(int) - (200, 60, 20)).max() < 8


def test_one_camera_may_change_its_size():
    shrinker = Shrinker()
    for side in (640, 320, 1280):
        frame = VideoFrame.from_ndarray(np.zeros((side, side, 3), np.uint8), format="rgb24")
        assert shrinker.shrink(frame).shape == (320, 320, 3)
