"""The painting stage as a whole, and the codecs of the wire, as cases.

The stage is the runtime's own with its thread; the codecs are those of the WebRTC library, tuned as
the server tunes them.
"""

import asyncio
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np
from aiortc.codecs.opus import OpusDecoder, OpusEncoder
from aiortc.codecs.vpx import Vp8Decoder, Vp8Encoder, vp8_depayload
from aiortc.jitterbuffer import JitterFrame
from av import AudioFrame, VideoFrame
from numpy.typing import NDArray

from rt_avatar.benchmarks.engines import inputs
from rt_avatar.benchmarks.engines.case import AT_REST, KINDS, Case, Out
from rt_avatar.benchmarks.engines.inputs import LOOK, Options
from rt_avatar.benchmarks.engines.steps import BLOCK_S, Function, Step, wire_blocks
from rt_avatar.budget import Budget
from rt_avatar.config.settings import BudgetSettings
from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.motion.presence import PresenceEngine
from rt_avatar.engines.rig import RigEngine
from rt_avatar.engines.types import FPS, I420, WIRE_RATE_HZ, MotionFrame
from rt_avatar.media_io import BLOCK_SAMPLES
from rt_avatar.playout.upsampler import Upsampler
from rt_avatar.services.worker import EngineWorker
from rt_avatar.signaling.incoming import to_mono
from rt_avatar.signaling.media_tracks import VIDEO_RATE_HZ
from rt_avatar.signaling.tuning import tune_encoders
from rt_avatar.signaling.vp8_encoder import RenderedVp8Encoder
from rt_avatar.talking_head.face import Face

PICTURE_S: Final = 1 / FPS
CAMERA_FPS: Final = 10  # what the page asks the camera for
CODED_S: Final = 4.0  # of pictures for the codecs: 100 of 512 × 512 are 40 MB


class FaceStage:
    """The stage that paints: life, what nobody could see left out, drawing, on its thread."""

    def __init__(self, size_px: int) -> None:
        self._presence = PresenceEngine()
        self._rig = RigEngine(size_px)

    @property
    def spec(self) -> EngineSpec:
        """One moment in, one picture out."""
        return EngineSpec("face", FPS, FPS, 1)

    def warmup(self) -> None:
        """Live and draw once."""
        self._presence.warmup()
        self._rig.warmup(LOOK)

    def open(self) -> "FaceStageStream":
        """Open a caller's portrait."""
        return FaceStageStream(self._presence, self._rig)


class FaceStageStream:
    """One caller's portrait and an event loop to paint it in."""

    def __init__(self, presence: PresenceEngine, rig: RigEngine) -> None:
        self._loop = asyncio.new_event_loop()
        self._worker = EngineWorker("face")
        # A budget that gives nothing up: as many pictures as an idle machine would paint.
        budget = Budget(BudgetSettings(enabled=False), 0.0)
        self._face = Face(presence, rig, self._worker, budget, LOOK, 0)

    def push(self, item: MotionFrame | None) -> list[I420]:
        """Paint a tick; ``item`` is what the reply moves, None when it is silent."""
        self._face.mood.state = "listening" if item is None else "speaking"
        return [self._loop.run_until_complete(self._face.render(item)).planes]

    def flush(self) -> list[I420]:
        """Return nothing: every picture came out when it was asked for."""
        return []

    def reset(self) -> None:
        """Do nothing: life goes on."""

    def close(self) -> None:
        """Give back textures, thread and loop. Calling it again does nothing."""
        if not self._loop.is_closed():
            self._loop.run_until_complete(self._face.aclose())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._worker.close()
            self._loop.close()


def face_cases(options: Options) -> list[Case]:
    """Return the painting stage's cases."""

    def make() -> FaceStage:
        return FaceStage(options.size_px)

    return [
        Case(
            "face, at rest", "face", "picture", make, lambda: _silence(options.seconds),
            PICTURE_S, kinds=AT_REST,
        ),
        Case(
            "face, in speech", "face", "picture", make,
            lambda: inputs.articulated()[: round(options.seconds * FPS)],
            PICTURE_S, kinds=("spoken",),
        ),
    ]  # fmt: skip


def _silence(seconds: float) -> list[None]:
    return [None] * round(seconds * FPS)


# --- the wire -----------------------------------------------------------------------------------
def wire_cases(options: Options) -> list[Case]:
    """Return the codecs' cases; packets, encryption and sockets are not in them."""

    def vp8_out() -> Step:
        return Step("vp8", FPS, lambda: _vp8_out(options.size_px))

    def opus_out() -> Step:
        return Step("opus", round(1 / BLOCK_S), _opus_out)

    return [
        Case(
            "VP8 out, at rest", "wire", "picture", vp8_out,
            lambda: _painted(_silence(CODED_S), options.size_px), PICTURE_S, kinds=AT_REST,
        ),
        Case(
            "VP8 out, in speech", "wire", "picture", vp8_out,
            lambda: _painted(inputs.articulated(), options.size_px), PICTURE_S, kinds=("spoken",),
        ),
        Case(
            "Opus out, at rest", "wire", "20 ms", opus_out,
            lambda: [np.zeros(BLOCK_SAMPLES, np.int16)] * round(options.seconds / BLOCK_S),
            BLOCK_S, kinds=AT_REST,
        ),
        Case(
            "Opus out, in speech", "wire", "20 ms", opus_out,
            _spoken_blocks, BLOCK_S, kinds=("spoken",),
        ),
        Case(
            "Opus in", "wire", "20 ms",
            lambda: Step("opus in", round(1 / BLOCK_S), _opus_in),
            lambda: _sound_packets(options), BLOCK_S, kinds=KINDS,
        ),
        Case(
            "VP8 in", "wire", "image", lambda: Step("vp8 in", CAMERA_FPS, _vp8_in),
            lambda: _camera_packets(options), 1 / CAMERA_FPS, kinds=KINDS,
        ),
    ]  # fmt: skip


def _vp8_out(size_px: int) -> Function:
    tune_encoders(size_px)
    encoder, index = RenderedVp8Encoder(), 0

    def step(planes: I420) -> list[Out]:
        nonlocal index
        frame = VideoFrame.from_ndarray(planes, format="yuv420p")
        index += 1
        return [encoder.encode(_timed_picture(frame, index, FPS))]

    return step


def _opus_out() -> Function:
    encoder, index = OpusEncoder(), 0

    def step(block: NDArray[np.int16]) -> list[Out]:
        nonlocal index
        payloads, _ = encoder.encode(_sound_frame(block, index))
        index += 1
        return list(payloads)

    return step


def _opus_in() -> Function:
    decoder = OpusDecoder()
    return lambda packet: [to_mono(frame) for frame in decoder.decode(packet)]


def _vp8_in() -> Function:
    decoder = Vp8Decoder()
    return lambda packet: list(decoder.decode(packet))


# --- what is coded ------------------------------------------------------------------------------
def _painted(moments: Sequence[MotionFrame | None], size_px: int) -> list[I420]:
    """Return the first pictures that the stage paints of these moments."""
    stream = FaceStage(size_px).open()
    count = round(CODED_S * FPS)
    pictures = [picture for moment in moments[:count] for picture in stream.push(moment)]
    stream.close()
    return pictures


def _spoken_blocks() -> list[NDArray[np.int16]]:
    pcm = Upsampler().push(inputs.spoken_pcm())
    return list(pcm.reshape(-1, BLOCK_SAMPLES))


def _sound_packets(options: Options) -> list[JitterFrame]:
    encoder = OpusEncoder()
    packets = []
    for index, block in enumerate(wire_blocks(options)):
        payloads, timestamp = encoder.encode(_sound_frame(block, index))
        packets += [JitterFrame(data=payload, timestamp=timestamp) for payload in payloads]
    return packets


def _camera_packets(options: Options) -> list[JitterFrame]:
    images = inputs.camera(options.clip, round(FPS / CAMERA_FPS), round(CODED_S * CAMERA_FPS))
    encoder = Vp8Encoder()
    packets = []
    for index, image in enumerate(images):
        frame = VideoFrame.from_ndarray(image, format="rgb24").reformat(format="yuv420p")
        payloads, timestamp = encoder.encode(_timed_picture(frame, index, CAMERA_FPS))
        data = b"".join(vp8_depayload(payload) for payload in payloads)
        packets.append(JitterFrame(data=data, timestamp=timestamp))
    return packets


def _timed_picture(frame: VideoFrame, index: int, fps: int) -> VideoFrame:
    frame.time_base = Fraction(1, VIDEO_RATE_HZ)
    frame.pts = index * VIDEO_RATE_HZ // fps
    return frame


def _sound_frame(block: NDArray[np.int16], index: int) -> AudioFrame:
    frame = AudioFrame(format="s16", layout="mono", samples=BLOCK_SAMPLES)
    frame.planes[0].update(block.tobytes())
    frame.sample_rate = WIRE_RATE_HZ
    frame.time_base = Fraction(1, WIRE_RATE_HZ)
    frame.pts = index * BLOCK_SAMPLES
    return frame
