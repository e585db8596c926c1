"""Receive a connection's tracks: RTP frames → a session's ``MediaInput``.

Sound becomes mono, and lost packets are concealed so that the caller's time line has no holes.
Camera pictures are looked at a few times a second; all others are dropped without being touched.
"""

import asyncio
from collections.abc import Callable
from typing import Final

import numpy as np
from aiortc import MediaStreamTrack
from aiortc.mediastreams import MediaStreamError
from av import AudioFrame, VideoFrame
from av.video.reformatter import Interpolation, VideoReformatter
from numpy.typing import NDArray

from rt_avatar.engines.types import Image
from rt_avatar.media_io import MediaInput

MAX_IMAGE_WIDTH_PX: Final = 320  # what face cues need; more only costs time
# Longest hole that is filled; after a longer one (the network was away) time simply goes on.
MAX_FILL_S: Final = 0.5
BLOCK_S: Final = 0.020
# Without packets for so long (a device that stalls, a track that was taken away, a network that
# is away) silence is heard: longer than the 0.4 s between a sender's packets in silence (DTX, RFC
# 7587 §3.1.3) and than what is filled; and as much in all as any decision of the ears takes.
STALL_S: Final = 0.6
SILENCE_S: Final = 3.0

OnLost = Callable[[int], None]


async def receive_audio(track: MediaStreamTrack, media_input: MediaInput, on_lost: OnLost) -> None:
    """Pass a caller's sound on until the track ends; silence, where none comes in mid-sentence."""
    filler, rate_hz, silent_s = GapFiller(), 0, SILENCE_S
    while True:
        try:
            async with asyncio.timeout(STALL_S if silent_s < SILENCE_S else None):
                frame = await track.recv()
        except MediaStreamError:
            return
        except TimeoutError:
            filler, silent_s = GapFiller(), silent_s + STALL_S  # the hole is no longer one
            media_input.push_audio_nowait(np.zeros(round(STALL_S * rate_hz), np.int16), rate_hz)
            continue
        rate_hz, silent_s = frame.sample_rate, 0.0
        pcm = to_mono(frame)
        hole = filler.fill(frame.pts, pcm, frame.sample_rate)
        if hole.size:
            on_lost(round(hole.size / (BLOCK_S * frame.sample_rate)))
            media_input.push_audio_nowait(hole, frame.sample_rate)
        media_input.push_audio_nowait(pcm, frame.sample_rate)


async def receive_video(track: MediaStreamTrack, media_input: MediaInput, rate_hz: int) -> None:
    """Pass some of a camera's pictures on until the track ends.

    They come at ``rate_hz`` as a rule (``camera_queue``), unevenly; at most twice as many pass.
    """
    loop = asyncio.get_running_loop()
    shrinker = Shrinker()
    due_s = loop.time()
    while True:
        try:
            frame = await track.recv()
        except MediaStreamError:
            return
        now_s = loop.time()
        if now_s < due_s:
            continue
        due_s = now_s + 0.5 / rate_hz
        # A millisecond or two for a large picture: not on the loop that releases the sound.
        media_input.push_image_nowait(await asyncio.to_thread(shrinker.shrink, frame))


def to_mono(frame: AudioFrame) -> NDArray[np.int16]:
    """Return (samples,) int16 of a frame of any layout; other formats than 16 bits are refused."""
    if frame.format.name not in ("s16", "s16p"):
        raise TypeError(f"expected sound of 16 bits, got {frame.format.name}")
    channels = len(frame.layout.channels)
    if channels == 1:  # the decoder's own memory: nothing is copied
        return np.frombuffer(frame.planes[0], np.int16, frame.samples)
    samples: NDArray[np.int16] = frame.to_ndarray()
    by_channel = samples if frame.format.is_planar else samples.reshape(-1, channels).T
    # Summed in 32 bits: two loud channels do not overflow.
    mono: NDArray[np.int16] = (by_channel.sum(axis=0, dtype=np.int32) // channels).astype(np.int16)
    return mono


class GapFiller:
    """Makes the sound for a hole before a frame: the last 20 ms again, fading out, then silence.

    A hole filled like this is heard as part of the sound around it; one of plain zeros is heard by
    a recogniser as a stop consonant. Source: the idea of ITU-T G.711 Appendix I, much shortened.
    """

    def __init__(self) -> None:
        self._due: int | None = None
        self._last: NDArray[np.int16] = np.zeros(0, np.int16)

    def fill(self, pts: int, pcm: NDArray[np.int16], rate_hz: int) -> NDArray[np.int16]:
        """Return what belongs before ``pcm``, which begins at ``pts``; empty if nothing is lost."""
        missing = 0 if self._due is None else pts - self._due
        hole = np.zeros(max(0, min(missing, int(MAX_FILL_S * rate_hz))), np.int16)
        again = self._last[-hole.size :] if hole.size else self._last[:0]
        if again.size:
            hole[: again.size] = again * np.linspace(1, 0, again.size)
        self._due = pts + pcm.size
        self._last = pcm
        return hole


class Shrinker:
    """Makes small RGB images; scaling and colour in one pass over the small side's pixels."""

    def __init__(self) -> None:
        self._reformatter = VideoReformatter()

    def shrink(self, frame: VideoFrame) -> Image:
        """Return (height, width, 3) RGB, at most 320 pixels wide."""
        width = min(frame.width, MAX_IMAGE_WIDTH_PX) & ~1
        height = max(2, round(frame.height * width / frame.width)) & ~1
        small = self._reformatter.reformat(
            frame, width, height, "rgb24", interpolation=Interpolation.AREA
        )
        return np.asarray(small.to_ndarray(), np.uint8)
