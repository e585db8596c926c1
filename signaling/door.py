"""Both doors of a session that may not exist yet: ``Inlet`` and ``Outlet`` for connections.

A session costs streams in every engine, so it is made only when a caller's connection is up. Until
then sound and pictures that come in are dropped, and who wants to send waits.
"""

import asyncio

import numpy as np
from numpy.typing import NDArray

from engines.types import Image
from rt_avatar.doors import AudioBlock, Inlet, Outlet, VideoPicture


class Door:
    """Implements ``rt_avatar.doors.Inlet`` and ``Outlet``. One event loop only."""

    def __init__(self) -> None:
        self._inlet: Inlet | None = None
        self._outlet: Outlet | None = None
        self._is_open = asyncio.Event()

    def open(self, inlet: Inlet, outlet: Outlet) -> None:
        """Connect a session; once."""
        self._inlet, self._outlet = inlet, outlet
        self._is_open.set()

    def hear_nowait(self, pcm: NDArray[np.int16], rate_hz: int) -> None:
        """As ``Inlet``."""
        if self._inlet is not None:
            self._inlet.hear_nowait(pcm, rate_hz)

    def see_nowait(self, image: Image) -> None:
        """As ``Inlet``."""
        if self._inlet is not None:
            self._inlet.see_nowait(image)

    async def next_audio(self) -> AudioBlock:
        """As ``Outlet``."""
        return await (await self._opened()).next_audio()

    async def next_video(self) -> VideoPicture:
        """As ``Outlet``."""
        return await (await self._opened()).next_video()

    async def _opened(self) -> Outlet:
        await self._is_open.wait()
        assert self._outlet is not None
        return self._outlet
