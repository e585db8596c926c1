"""``MediaInput`` and ``MediaOutput`` for connections whose session may not exist yet.

A session costs streams in every engine, so it is made only when a caller's connection is up. Until
then sound and pictures that come in are dropped, and who wants to send waits.
"""

import asyncio

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Image
from rt_avatar.media_io import AudioBlock, MediaInput, MediaOutput, VideoPicture


class DeferredMedia:
    """Implements ``rt_avatar.media_io.MediaInput`` and ``MediaOutput``. One event loop only."""

    def __init__(self) -> None:
        self._media_input: MediaInput | None = None
        self._media_output: MediaOutput | None = None
        self._is_open = asyncio.Event()

    def open(self, media_input: MediaInput, media_output: MediaOutput) -> None:
        """Connect a session; once."""
        self._media_input, self._media_output = media_input, media_output
        self._is_open.set()

    def push_audio_nowait(self, pcm: NDArray[np.int16], rate_hz: int) -> None:
        """As ``MediaInput``."""
        if self._media_input is not None:
            self._media_input.push_audio_nowait(pcm, rate_hz)

    def push_image_nowait(self, image: Image) -> None:
        """As ``MediaInput``."""
        if self._media_input is not None:
            self._media_input.push_image_nowait(image)

    async def next_audio(self) -> AudioBlock:
        """As ``MediaOutput``."""
        return await (await self._opened()).next_audio()

    async def next_video(self) -> VideoPicture:
        """As ``MediaOutput``."""
        return await (await self._opened()).next_video()

    async def _opened(self) -> MediaOutput:
        await self._is_open.wait()
        assert self._media_output is not None
        return self._media_output
