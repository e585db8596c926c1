"""Flashes of the sync test signal for sound from elsewhere: at a clap the frame turns white.

``SyncTestArticulator`` is told where words begin; a foreign voice (an agent of LiveKit's) tells
nothing, so here the claps are found in its sound, a chunk late as every mouth that follows sound
(``engines.lipsync``). Sound in which anything but claps is loud flashes where it is loud.
"""

from typing import Final

import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.types import (
    BLENDSHAPE,
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    FRAME_SAMPLES,
    MOTION_SIZE,
    SPEECH_RATE_HZ,
    Motion,
)

_JAW: Final = BLENDSHAPE["jawOpen"]
# Of a frame; a clap that fills it has 0.35, one that fills half of it 0.25. So a clap that does not
# begin with a frame flashes in the one that has most of it, at most 20 ms beside.
LOUD_RMS: Final = 0.25

_SPEC: Final = EngineSpec(
    name="sync test lipsync",
    input_rate_hz=SPEECH_RATE_HZ // CHUNK_SAMPLES,
    output_rate_hz=SPEECH_RATE_HZ // CHUNK_SAMPLES,
    chunk=1,
    lookahead=1,
)


class SyncTestLipsyncStream:
    """One voice's flashes: the jaw is open in the frames that are loud, else shut."""

    def __init__(self) -> None:
        self._waiting: Motion | None = None

    def push(self, item: ArticulationInput) -> list[Motion]:
        """Return the (5, 73) motion of the chunk before; only ``jawOpen`` moves, 0 or 1."""
        moved = self.flush()
        rms = np.sqrt((item.chunk.pcm.reshape(CHUNK_FRAMES, FRAME_SAMPLES) ** 2).mean(axis=1))
        self._waiting = np.zeros((CHUNK_FRAMES, MOTION_SIZE), np.float32)
        self._waiting[:, _JAW] = rms > LOUD_RMS
        return moved

    def flush(self) -> list[Motion]:
        """Return the motion of the last chunk."""
        waiting, self._waiting = self._waiting, None
        return [] if waiting is None else [waiting]

    def reset(self) -> None:
        """Forget the voice."""
        self._waiting = None

    def close(self) -> None:
        """Forget the voice."""
        self._waiting = None


class SyncTestLipsync:
    """Instead of lip sync: claps open the jaw for one frame."""

    @property
    def spec(self) -> EngineSpec:
        """Chunks in, chunks out, one chunk of look-ahead."""
        return _SPEC

    def warmup(self) -> None:
        """Do nothing: there is no slow first step."""

    def open(self) -> SyncTestLipsyncStream:
        """Start to follow one voice."""
        return SyncTestLipsyncStream()
