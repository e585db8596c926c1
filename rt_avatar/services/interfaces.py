"""Protocols that a session's engines implement: articulator, presence, renderer.

An engine of a kind is shared by all callers; ``open`` takes what a caller chooses. Of a voice it is
``engines.tts.Voice``.
"""

from typing import Protocol

from rt_avatar.engines.contract import Stream
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.presence import PresenceInput
from rt_avatar.engines.types import I420, Motion, MotionFrame


class Articulator(Protocol):
    """Speech chunks → the motion of 200 ms of speech."""

    def warmup(self) -> None:
        """Do the slow first steps now."""
        ...

    def open(self) -> Stream[ArticulationInput, Motion]:
        """Begin one reply."""
        ...


class Presence(Protocol):
    """Ticks → the motion of a living face."""

    def open(self, seed: int) -> Stream[PresenceInput, MotionFrame]:
        """Begin one caller's face; the same seed lives the same life."""
        ...


class Renderer(Protocol):
    """Motion → pictures."""

    def open(self, look: str) -> Stream[MotionFrame, I420]:
        """Begin to draw that look."""
        ...

    def portrait_png(self, look: str) -> bytes:
        """Return a still portrait of a look."""
        ...
