"""The contract of every engine: shared weights once a process, explicit state once a caller.

``Engine.open() -> Stream``; ``Stream.push(item) -> list[Out]``. Everything here is synchronous:
who calls decides on which thread (an ``EngineWorker``). One contract test runs over all engines:
streaming equals offline, any chunk size gives the same output, ``reset`` equals fresh, two streams
do not leak into each other, ``flush`` drains, the declared look-ahead is the measured one.
"""

from dataclasses import dataclass
from typing import Protocol, TypeVar

In_contra = TypeVar("In_contra", contravariant=True)
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """What an engine declares about its time.

    Attributes:
        name: Short name, used in traces, metrics and errors.
        input_rate_hz: Input items (samples, frames, chunks) a second.
        output_rate_hz: Output items a second; 0 where the output follows the content (words).
        chunk: Input items that one natural step takes.
        lookahead: Input items beyond an output's own time that must be pushed before it comes out:
            what n chunks give alone comes when n chunks and so many items more were pushed, and not
            before. Where less is needed for some inputs, the most that any of them needs.
    """

    name: str
    input_rate_hz: int
    output_rate_hz: int
    chunk: int
    lookahead: int = 0


class Stream(Protocol[In_contra, Out]):
    """One caller's state in an engine. Not thread-safe: one thread at a time."""

    def push(self, item: In_contra) -> list[Out]:
        """Take the next input; return what is ready. An empty list means "need more input"."""
        ...

    def flush(self) -> list[Out]:
        """Return all that is still inside, as if the input ended here."""
        ...

    def reset(self) -> None:
        """Forget everything: afterwards the stream equals a fresh one."""
        ...

    def close(self) -> None:
        """Give back what the stream holds. Calling it again does nothing."""
        ...


class Engine(Protocol[In_contra, Out]):
    """Shared weights, made once a process; safe to ``open`` from any thread."""

    @property
    def spec(self) -> EngineSpec:
        """Rates, chunk and look-ahead."""
        ...

    def warmup(self) -> None:
        """Do the slow first steps now, so that the first caller does not wait for them."""
        ...

    def open(self) -> Stream[In_contra, Out]:
        """Create the state of one caller."""
        ...
