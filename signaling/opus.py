"""Opus for one voice: (960,) int16 at 48 kHz ⇄ packets of 20 ms, without a thread.

The library encodes and decodes two channels, each block by a call of another thread, which costs
more than the codec. One channel takes 0.08 ms to encode and 0.04 to decode; silence takes nothing.
"""

from fractions import Fraction
from typing import Final

import av
import numpy as np
from av import AudioCodecContext, AudioFrame
from numpy.typing import NDArray

from rt_avatar.engines.types import WIRE_RATE_HZ
from rt_avatar.media_io import BLOCK_SAMPLES

# RFC 7587, §3.1.1: 28 to 40 kbit/s for speech of full band, 48 to 64 for music. One channel.
_BITS_PER_S: Final = 64_000
# What libopus makes of digital silence behind digital silence; a decoder that gets it again stays
# as it is (RFC 6716, §4.3: the silence flag), and so would the encoder.
_SILENCE: Final = b"\xf8\xff\xfe"
_TIME_BASE: Final = Fraction(1, WIRE_RATE_HZ)


def _codec(mode: str) -> AudioCodecContext:
    codec: AudioCodecContext = av.AudioCodecContext.create("libopus", mode)
    codec.format, codec.layout, codec.sample_rate = "s16", "mono", WIRE_RATE_HZ
    return codec


class OpusEncoder:
    """One stream of sound. It delays it by 2.5 ms, the codec's least."""

    def __init__(self) -> None:
        self._codec = _codec("w")
        self._codec.bit_rate, self._codec.time_base = _BITS_PER_S, _TIME_BASE
        self._codec.options = {"application": "lowdelay"}
        self._pts = 0
        self._last = b""

    def encode(self, pcm: NDArray[np.int16]) -> bytes:
        """Return the packet of the next (960,) samples."""
        if self._last == _SILENCE and not pcm.any():
            return _SILENCE
        frame = AudioFrame(format="s16", layout="mono", samples=BLOCK_SAMPLES)
        frame.planes[0].update(pcm.tobytes())
        frame.sample_rate, frame.time_base, frame.pts = WIRE_RATE_HZ, _TIME_BASE, self._pts
        self._pts += BLOCK_SAMPLES
        (packet,) = self._codec.encode(frame)
        self._last = bytes(packet)
        return self._last


class OpusDecoder:
    """One stream of packets."""

    def __init__(self) -> None:
        self._codec = _codec("r")

    def decode(self, data: bytes, pts: int) -> list[AudioFrame]:
        """Return what a packet holds, one channel: one frame, or none where it is broken."""
        packet = av.Packet(data)
        packet.pts, packet.time_base = pts, _TIME_BASE
        try:
            frames: list[AudioFrame] = self._codec.decode(packet)
        except av.FFmpegError:
            return []  # as if it had been lost
        return frames
