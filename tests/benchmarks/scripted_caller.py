"""A caller who is sent scripted sound and pictures at scripted moments of virtual time."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
from aiortc.mediastreams import MediaStreamError
from av import AudioFrame, VideoFrame
from numpy.typing import NDArray

from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.peer.media import BLOCK, BLOCK_S

Arrivals = Sequence[tuple[float, AudioFrame | VideoFrame]]


class ScriptedTrack:
    """Gives each frame at its loop time, then ends."""

    def __init__(self, kind: str, arrivals: Arrivals) -> None:
        self.kind = kind
        self._arrivals = iter(arrivals)

    async def recv(self) -> AudioFrame | VideoFrame:
        at_s, frame = next(self._arrivals, (None, None))
        if frame is None:
            raise MediaStreamError
        await asyncio.sleep(at_s - asyncio.get_running_loop().time())
        return frame


def make_caller() -> Caller:
    """Return a caller whose line is up and on which nothing comes."""
    caller = Caller("http://nobody", None)  # type: ignore[arg-type]
    caller.pc = SimpleNamespace(connectionState="connected", close=_close)
    return caller


async def _close() -> None:
    pass


def packets(pcm: NDArray[np.int16], begin_s: float) -> list[tuple[float, AudioFrame]]:
    """Cut sound at 48 kHz into stereo packets of 20 ms that arrive one behind the other."""
    made = []
    for index, start in enumerate(range(0, len(pcm), BLOCK)):
        block = np.zeros(BLOCK, np.int16)
        block[: len(pcm[start : start + BLOCK])] = pcm[start : start + BLOCK]
        frame = AudioFrame(format="s16", layout="stereo", samples=BLOCK)
        frame.planes[0].update(np.repeat(block, 2).tobytes())
        frame.sample_rate = 48_000
        made.append((begin_s + index * BLOCK_S, frame))
    return made
