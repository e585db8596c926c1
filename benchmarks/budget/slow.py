"""Engines made slow on purpose: each push of a stream takes so much longer, without using the CPU.

The thread sleeps, as if the engine computed, so that one stage is slowed and no other.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from rt_avatar.engines.contract import EngineSpec

In = TypeVar("In")
Out = TypeVar("Out")


class SlowedStream(Generic[In, Out]):
    """A stream that sleeps before each push."""

    def __init__(self, inner: Any, extra_s: Callable[[In], float]) -> None:
        self._inner = inner
        self._extra_s = extra_s

    def push(self, item: In) -> list[Out]:
        """Sleep, then push."""
        time.sleep(self._extra_s(item))
        out: list[Out] = self._inner.push(item)
        return out

    def say(self, item: In) -> Iterator[Out]:
        """Sleep, then give what a push gives."""
        yield from self.push(item)

    def settle(self) -> list[Out]:
        """Settle; only a voice does."""
        left: list[Out] = self._inner.settle()
        return left

    def flush(self) -> list[Out]:
        """Flush."""
        rest: list[Out] = self._inner.flush()
        return rest

    def reset(self) -> None:
        """Reset."""
        self._inner.reset()

    def close(self) -> None:
        """Close."""
        self._inner.close()


class SlowedEngine:
    """An engine whose streams are slowed while ``extra_s`` is more than 0.

    Attributes:
        extra_s: Seconds added to a push, for each unit of its size.
        size: Units in an item; 1 by default.
    """

    def __init__(self, inner: Any, size: Callable[[Any], float] = lambda _: 1.0) -> None:
        self.inner = inner
        self.extra_s = 0.0
        self.size = size

    @property
    def spec(self) -> EngineSpec:
        """As declared by the engine."""
        spec: EngineSpec = self.inner.spec
        return spec

    def warmup(self) -> None:
        """Warm up."""
        self.inner.warmup()

    def portrait_png(self, look: str) -> bytes:
        """As drawn by a renderer."""
        png: bytes = self.inner.portrait_png(look)
        return png

    def open(self, *arguments: Any) -> SlowedStream[Any, Any]:
        """Open a stream."""
        return SlowedStream(
            self.inner.open(*arguments), lambda item: self.extra_s * self.size(item)
        )
