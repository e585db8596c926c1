"""The protocols ``MediaInput`` and ``MediaOutput`` between a transport and a session.

A transport (the web page over aiortc, a LiveKit room) pushes what it receives into the
``MediaInput`` and pulls what it sends from the ``MediaOutput``. Both outlive a connection: after a
reconnect the new connection uses the same pair, and the conversation goes on. The session knows
nothing of any transport.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import I420, Image, MotionFrame

BLOCK_SAMPLES = 960  # 20 ms at 48 kHz: one Opus frame


class MediaEndedError(Exception):
    """The session is over: nothing more will come out of its media output."""


@dataclass(frozen=True, slots=True)
class AudioBlock:
    """20 ms of sound to send: ``pcm`` (960,) int16 mono at 48 kHz, first sample at ``pts``."""

    pts: int
    pcm: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class VideoPicture:
    """One picture to send: I420 planes; ``pts`` at 48 kHz on the same time line as the sound.

    ``motion`` is what its face does, for whoever moves another face with it (a robot, a game).
    """

    pts: int
    planes: I420
    motion: MotionFrame


class MediaInput(Protocol):
    """Where a transport puts what it receives. Neither call ever blocks."""

    def push_audio_nowait(self, pcm: NDArray[np.int16], rate_hz: int) -> None:
        """Take sound: (samples,) mono int16 at any rate. When full, the oldest sound is lost."""
        ...

    def push_image_nowait(self, image: Image) -> None:
        """Take a camera image, (height, width, 3) RGB; only the latest is kept."""
        ...


class MediaOutput(Protocol):
    """Where a transport gets what it sends, each when it is due.

    Both calls raise ``MediaEndedError`` once the session is over.
    """

    async def next_audio(self) -> AudioBlock:
        """Wait until the next 20 ms are due and return them; silence when nothing is said."""
        ...

    async def next_video(self) -> VideoPicture:
        """Wait until the next picture is due; late ones are skipped, never sent in a burst."""
        ...
