"""What a caller without a browser sends: a microphone that plays recordings, a coloured camera."""

import asyncio
import fractions
import wave
from pathlib import Path
from typing import Final

import numpy as np
import soxr
from aiortc import MediaStreamTrack
from av import AudioFrame, VideoFrame
from numpy.typing import NDArray

from engines.types import WIRE_RATE_HZ

BLOCK: Final = 960  # 20 ms at 48 kHz
BLOCK_S: Final = 0.02


class Microphone(MediaStreamTrack):  # type: ignore[misc]
    """Plays 48 kHz int16 sound once, then silence, 20 ms each 20 ms."""

    kind = "audio"

    def __init__(self, pcm: NDArray[np.int16] | None = None) -> None:
        super().__init__()
        self.pcm = np.zeros(0, np.int16) if pcm is None else pcm
        self._index = 0  # block that is due
        self._begin = 0  # block at which ``pcm`` begins
        self._origin_s: float | None = None

    @property
    def has_finished(self) -> bool:
        """Whether everything was sent."""
        return (self._index - self._begin) * BLOCK >= len(self.pcm)

    def play(self, pcm: NDArray[np.int16]) -> tuple[float, float]:
        """Say something from now on; return when its first and last packet go, in loop time."""
        self.pcm, self._begin = pcm, self._index
        packets = -(-len(pcm) // BLOCK)
        start_s = (self._origin_s or 0.0) + self._index * BLOCK_S
        return start_s, start_s + (packets - 1) * BLOCK_S

    async def recv(self) -> AudioFrame:
        """Wait until the next 20 ms are due and return them."""
        loop = asyncio.get_running_loop()
        if self._origin_s is None:
            self._origin_s = loop.time()
        await asyncio.sleep(max(0.0, self._origin_s + self._index * BLOCK_S - loop.time()))
        start = (self._index - self._begin) * BLOCK
        block = self.pcm[start : start + BLOCK]
        block = np.pad(block, (0, BLOCK - len(block)))
        frame = AudioFrame(format="s16", layout="mono", samples=BLOCK)
        frame.planes[0].update(block.astype(np.int16).tobytes())
        frame.sample_rate = WIRE_RATE_HZ
        frame.time_base = fractions.Fraction(1, WIRE_RATE_HZ)
        frame.pts = self._index * BLOCK
        self._index += 1
        return frame


class Camera(MediaStreamTrack):  # type: ignore[misc]
    """A picture of one colour, 320 × 240, ten times a second."""

    kind = "video"

    def __init__(self, rgb: tuple[int, int, int] = (200, 60, 20)) -> None:
        super().__init__()
        self.picture = np.full((240, 320, 3), rgb, np.uint8)
        self._index = 0

    async def recv(self) -> VideoFrame:
        """Wait a tenth of a second and return the picture."""
        await asyncio.sleep(0.1)
        frame = VideoFrame.from_ndarray(self.picture, format="rgb24")
        frame.time_base = fractions.Fraction(1, 90_000)
        frame.pts = self._index * 9_000
        self._index += 1
        return frame


def read_wav(path: Path) -> NDArray[np.int16]:
    """Return a 16-bit mono recording at 48 kHz."""
    with wave.open(str(path)) as file:
        pcm = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        if file.getnchannels() == 2:
            pcm = pcm.reshape(-1, 2)[:, 0]
        wide: NDArray[np.int16] = soxr.resample(pcm, file.getframerate(), WIRE_RATE_HZ)
        return wide.astype(np.int16)
