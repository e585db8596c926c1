"""What a caller without a browser sends: a microphone that plays recordings, a coloured camera.

The microphone stands in a room: with an ``EchoPath`` it also hears what the caller's loudspeaker
plays, and with ``hiss_db`` a little noise of its own.
"""

import asyncio
import fractions
from typing import Final

import numpy as np
from aiortc import MediaStreamTrack
from av import AudioFrame, VideoFrame
from numpy.typing import NDArray

from rt_avatar.engines.types import WIRE_RATE_HZ

BLOCK: Final = 960  # 20 ms at 48 kHz
BLOCK_S: Final = 0.02

# A loudspeaker evens out so much irregularity of arrival, either way; beyond, it breaks off or
# skips. Browsers' buffers hold 20 to 100 ms.
JITTER_SAMPLES: Final = WIRE_RATE_HZ * 40 // 1000
PLAYED_SAMPLES: Final = 2 * WIRE_RATE_HZ  # what is kept: longer than any path
# A furnished living room: 60 dB of decay in 0.3 s (ISO 3382-2 lists 0.3–0.5 s), and half as much
# power on the walls' detour as on the straight way, as half a metre from a laptop.
_DECAY_S: Final = 0.3
_DETOUR_POWER: Final = 0.5
# The decay is cut at 30 dB; with a block's 960 samples it fits a Fourier transform of 8,192.
_ROOM_SAMPLES: Final = WIRE_RATE_HZ * 150 // 1000


def small_room(seed: int) -> NDArray[np.float64]:
    """Return an impulse response (samples,) at 48 kHz: the straight way, then a decaying tail.

    It has energy 1, so that it changes the colour of noise and not its level.
    """
    time_s = np.arange(_ROOM_SAMPLES) / WIRE_RATE_HZ
    tail = np.random.default_rng(seed).normal(size=_ROOM_SAMPLES) * 10 ** (-3 * time_s / _DECAY_S)
    tail[0] = 0.0
    tail *= np.sqrt(_DETOUR_POWER / np.sum(tail**2))
    tail[0] = 1.0
    return np.asarray(tail / np.sqrt(np.sum(tail**2)))


class EchoPath:
    """The way from a caller's loudspeaker back into its microphone. One loop; no tasks.

    ``hear`` takes what the caller is sent, when it comes; ``take`` gives what arrives at the
    microphone of it. What comes too late for the moment at which it is due is not heard.

    Args:
        level_db: Level of the echo against what was sent, below 0.
        delay_s: From the arrival of a packet's first sample to that sample at the microphone:
            buffers, loudspeaker, air.
        room: Impulse response from there on, as ``small_room`` makes it; None is no room.
    """

    def __init__(
        self, level_db: float, delay_s: float, room: NDArray[np.float64] | None = None
    ) -> None:
        self._delay_s = delay_s
        response = np.ones(1) if room is None else room
        self._reach = len(response) - 1
        self._size = 1 << (self._reach + BLOCK - 1).bit_length()
        self._response = np.fft.rfft(response * 10 ** (level_db / 20), self._size)
        self._origin_s: float | None = None  # loop time of sample 0 at the loudspeaker
        self._played = np.zeros(0)
        self._begin = 0  # index of the first sample that is kept

    def hear(self, pcm: NDArray[np.int16], at_s: float) -> None:
        """Play (samples,) at 48 kHz that have come at that loop time behind what came before."""
        if self._origin_s is None:
            self._origin_s = at_s
        end = self._begin + len(self._played)
        late = round((at_s - self._origin_s) * WIRE_RATE_HZ) - end
        if late > JITTER_SAMPLES:  # it broke off
            self._played = np.concatenate([self._played, np.zeros(late)])
        elif late < -JITTER_SAMPLES:  # it skips what there is too much of
            self._played = self._played[: max(0, len(self._played) + late)]
        self._played = np.concatenate([self._played, pcm.astype(np.float64)])
        surplus = max(0, len(self._played) - PLAYED_SAMPLES)
        self._played = self._played[surplus:]
        self._begin += surplus

    def take(self, begin_s: float) -> NDArray[np.float64]:
        """Return the 20 ms (960,) of echo that reach the microphone from that loop time on."""
        if self._origin_s is None:
            return np.zeros(BLOCK)
        first = round((begin_s - self._delay_s - self._origin_s) * WIRE_RATE_HZ)
        wanted = np.zeros(self._reach + BLOCK)
        low = first - self._reach
        begin, end = max(low, self._begin), min(first + BLOCK, self._begin + len(self._played))
        if begin < end:
            wanted[begin - low : end - low] = self._played[begin - self._begin : end - self._begin]
        echo = np.fft.irfft(np.fft.rfft(wanted, self._size) * self._response, self._size)
        return np.asarray(echo[self._reach : self._reach + BLOCK])


class Microphone(MediaStreamTrack):  # type: ignore[misc]
    """Plays 48 kHz int16 sound once, then silence, 20 ms each 20 ms.

    A packet is handed over when its last sample has been spoken: what is mixed in is what is in the
    air during the 20 ms before.

    Attributes:
        hiss_db: Level of the microphone's own noise, dB of full scale; None is none.
    """

    kind = "audio"

    def __init__(self, pcm: NDArray[np.int16] | None = None) -> None:
        super().__init__()
        self.pcm = np.zeros(0, np.int16) if pcm is None else pcm
        self.hiss_db: float | None = None
        self._echo: EchoPath | None = None
        self._random = np.random.default_rng(0)
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

    def add_echo(self, path: EchoPath) -> None:
        """Hear the loudspeaker from now on."""
        self._echo = path

    def hear(self, pcm: NDArray[np.int16], at_s: float) -> None:
        """Let the loudspeaker play (samples,) at 48 kHz that have just come."""
        if self._echo is not None:
            self._echo.hear(pcm, at_s)

    async def recv(self) -> AudioFrame:
        """Wait until the next 20 ms are due and return them."""
        loop = asyncio.get_running_loop()
        if self._origin_s is None:
            self._origin_s = loop.time()
        due_s = self._origin_s + self._index * BLOCK_S
        await asyncio.sleep(max(0.0, due_s - loop.time()))
        block = self._record(due_s - BLOCK_S)
        frame = AudioFrame(format="s16", layout="mono", samples=BLOCK)
        frame.planes[0].update(block.tobytes())
        frame.sample_rate = WIRE_RATE_HZ
        frame.time_base = fractions.Fraction(1, WIRE_RATE_HZ)
        frame.pts = self._index * BLOCK
        self._index += 1
        return frame

    def _record(self, begin_s: float) -> NDArray[np.int16]:
        """Return the (960,) samples of the air from that loop time on."""
        start = (self._index - self._begin) * BLOCK
        said = self.pcm[start : start + BLOCK]
        said = np.pad(said, (0, BLOCK - len(said))).astype(np.int16)
        if self._echo is None and self.hiss_db is None:
            return said
        air = said.astype(np.float64)
        if self._echo is not None:
            air += self._echo.take(begin_s)
        if self.hiss_db is not None:
            air += self._random.normal(0, 32768 * 10 ** (self.hiss_db / 20), BLOCK)
        return np.clip(np.round(air), -32768, 32767).astype(np.int16)


class Camera(MediaStreamTrack):  # type: ignore[misc]
    """A picture of one colour, 320 × 240, ten times a second."""

    kind = "video"

    def __init__(self) -> None:
        super().__init__()
        self.picture = np.full((240, 320, 3), (200, 60, 20), np.uint8)
        self._index = 0

    async def recv(self) -> VideoFrame:
        """Wait a tenth of a second and return the picture."""
        await asyncio.sleep(0.1)
        frame = VideoFrame.from_ndarray(self.picture, format="rgb24")
        frame.time_base = fractions.Fraction(1, 90_000)
        frame.pts = self._index * 9_000
        self._index += 1
        return frame
