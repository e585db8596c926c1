"""Buffer and resample what a transport receives → 16 kHz sound, the latest image.

``Capture`` turns int16 sound of any rate into float32 at 16 kHz. ``MediaInputBuffer`` is the
transport's ``MediaInput`` on one side and perception's source on the other. Neither knows of
transports or turns.
"""

import asyncio
from collections import deque
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.types import INPUT_RATE_HZ, WIRE_RATE_HZ, Image, Pcm
from rt_avatar.errors import BadInputError
from rt_avatar.messages import MicChunk, TurnId
from rt_avatar.perception.decimator import Decimator

# Sound kept while nobody reads. More is no use: an answer to what was said 2 s ago is too late.
BUFFER_SAMPLES: Final = 2 * INPUT_RATE_HZ
# Rates that sound cards and codecs have; anything else is a mistake of the transport.
_RATE_MIN_HZ: Final = 8_000
_RATE_MAX_HZ: Final = 192_000
_FULL_SCALE: Final = np.float32(1 / 32768)


class Capture:
    """Streaming resampler of one microphone. ``rate_hz`` may change at any chunk."""

    def __init__(self, rate_hz: int) -> None:
        self._open(rate_hz)

    def _open(self, rate_hz: int) -> None:
        if not _RATE_MIN_HZ <= rate_hz <= _RATE_MAX_HZ:
            raise BadInputError(
                f"microphone: expected a rate of {_RATE_MIN_HZ}–{_RATE_MAX_HZ} Hz; got {rate_hz}"
            )
        self._rate_hz = rate_hz
        self._decimator = Decimator() if rate_hz == WIRE_RATE_HZ else None
        # For other rates than WebRTC's. LQ: flat to 6 kHz, -3 dB at 6.5, and 110 dB down where it
        # would alias. It holds back 11 ms of sound in the mean and 20 at most; MQ 22 and 38.
        self._resampler = (
            None
            if rate_hz in (INPUT_RATE_HZ, WIRE_RATE_HZ)
            else soxr.ResampleStream(rate_hz, INPUT_RATE_HZ, 1, dtype="float32", quality="LQ")
        )

    def push(self, pcm: NDArray[np.int16], rate_hz: int) -> Pcm:
        """Return the sound at 16 kHz as far as it is ready; a new rate starts a new resampler.

        Args:
            pcm: (samples,) mono.
            rate_hz: Its rate, 8,000 to 192,000.

        Raises:
            BadInputError: The array or the rate cannot be sound; the state is unchanged.
        """
        if pcm.dtype != np.int16 or pcm.ndim != 1:
            raise BadInputError(
                f"microphone: expected (samples,) int16 mono; got {pcm.shape} {pcm.dtype}"
            )
        head = np.empty(0, np.float32)
        if rate_hz != self._rate_hz:
            old = self._resampler
            self._open(rate_hz)
            if old is not None:
                head = old.resample_chunk(head, last=True)  # what the old one still held
        sound: Pcm = pcm.astype(np.float32) * _FULL_SCALE
        if self._decimator is not None:
            sound = self._decimator.push(sound)
        elif self._resampler is not None:
            sound = self._resampler.resample_chunk(sound)
        return np.concatenate((head, sound)) if len(head) else sound


class MediaInputBuffer:
    """An ``MediaInput`` and its reading side. Lives in the session's loop; one reader.

    Sound: at most 2 s. Full: the oldest is dropped, and ``pts`` goes on over the gap, so that media
    time stays right. Camera: only the latest image.
    """

    def __init__(self) -> None:
        self._capture: Capture | None = None
        self._chunks: deque[Pcm] = deque()
        self._buffered = 0
        self._pts = 0  # first sample of the oldest chunk
        self._image: Image | None = None
        self._has_sound = asyncio.Event()
        self._has_image = asyncio.Event()

    def push_audio_nowait(self, pcm: NDArray[np.int16], rate_hz: int) -> None:
        """Take sound: (samples,) mono int16 at any rate. When full, the oldest sound is lost.

        Raises:
            BadInputError: The array or the rate cannot be sound.
        """
        if self._capture is None:
            self._capture = Capture(rate_hz)
        sound = self._capture.push(pcm, rate_hz)
        if not len(sound):
            return
        self._chunks.append(sound)
        self._buffered += len(sound)
        self._drop_oldest()
        self._has_sound.set()

    def _drop_oldest(self) -> None:
        surplus = self._buffered - BUFFER_SAMPLES
        while surplus > 0:
            oldest = self._chunks.popleft()
            lost = min(surplus, len(oldest))
            if lost < len(oldest):
                self._chunks.appendleft(oldest[lost:])
            surplus -= lost
            self._buffered -= lost
            self._pts += lost

    def push_image_nowait(self, image: Image) -> None:
        """Take a camera image, (height, width, 3) RGB; only the latest is kept.

        Raises:
            BadInputError: The array cannot be an image.
        """
        if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
            raise BadInputError(
                f"camera: expected (height, width, 3) uint8 RGB; got {image.shape} {image.dtype}"
            )
        self._image = image
        self._has_image.set()

    async def read_chunk(self, least: int = 1) -> MicChunk:
        """Wait for sound; return all that is there (``turn`` 0: capture knows of no turns).

        Cancelling leaves the sound in the buffer.

        Args:
            least: Samples to wait for.
        """
        while self._buffered < least:
            self._has_sound.clear()
            await self._has_sound.wait()
        pcm = self._chunks[0] if len(self._chunks) == 1 else np.concatenate(self._chunks)
        pts = self._pts
        self._chunks.clear()
        self._buffered = 0
        self._pts += len(pcm)
        return MicChunk(turn=TurnId(0), pts=pts, pcm=pcm)

    async def read_image(self) -> Image:
        """Wait for an image that was not read yet; return the latest."""
        while (image := self._image) is None:
            self._has_image.clear()
            await self._has_image.wait()
        self._image = None
        return image
