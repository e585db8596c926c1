"""What is measured and what comes out: ``Case`` → ``Cost``, with the work it asks for."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from rt_avatar.engines.contract import Engine, EngineSpec, Stream

# What a case is made of differs from engine to engine: these three are its own business.
Item = Any
Out = Any
AnyEngine = Engine[Any, Any]
AnyStream = Stream[Any, Any]
Kind = Literal["idle", "heard", "spoken"]  # nobody speaks, the caller does, the avatar does
KINDS: Final[tuple[Kind, ...]] = ("idle", "heard", "spoken")
AT_REST: Final[tuple[Kind, ...]] = ("idle", "heard")  # of the avatar


class Flush:
    """Stands among a case's items for "here the utterance, or the turn, ends"."""


@dataclass(frozen=True, slots=True)
class Work:
    """What an item asks of the machine, whoever computes it.

    Attributes:
        parameters: Numbers in the weights that are used; 0 where it is no network.
        flops: Multiplications and additions an item.
        moved_bytes: Bytes that must be read or written at least once an item.
    """

    parameters: int = 0
    flops: float = 0.0
    moved_bytes: float = 0.0


@dataclass(frozen=True, slots=True)
class Case:
    """An engine (or a step beside the engines) with an input like that of a call.

    Attributes:
        name: Its row.
        worker: Whose time it takes: the thread of the runtime, or ``wire``.
        item: What one item is, in words.
        make: Makes the engine: weights are loaded, nothing is warmed up.
        items: Makes the input, with ``Flush`` where something ends.
        seconds_per_item: Media an item stands for; 0 where ``seconds_of`` tells it.
        seconds_of: Media that one output holds, for input without a length (text).
        open: How a stream is opened; None is ``engine.open()``.
        warmup: How the engine is warmed up for it; None is ``engine.warmup()``.
        outputs_in: How many outputs one of the stream's holds; None is 1.
        split: Cuts an item into items of the finest step, to measure the look-ahead; None where
            the chunk is the finest.
        work: What an item asks of the machine; None where no floor makes sense.
        weights_bytes: Size of the weights as shipped; 0 where there are none.
        clock: Seconds that count as cost.
        kinds: In which kinds of seconds it runs all the time.
    """

    name: str
    worker: str
    item: str
    make: Callable[[], AnyEngine]
    items: Callable[[], Sequence[Item]]
    seconds_per_item: float = 0.0
    seconds_of: Callable[[Out], float] | None = None
    open: Callable[[AnyEngine], AnyStream] | None = None
    warmup: Callable[[AnyEngine], None] | None = None
    outputs_in: Callable[[Out], int] | None = None
    split: Callable[[Item], Sequence[Item]] | None = None
    work: Callable[[], Work] | None = None
    weights_bytes: Callable[[], int] | None = None
    clock: Callable[[], float] = time.process_time
    kinds: Sequence[Kind] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """What a case cost. Times in milliseconds, memory in MiB, NaN where it was not measured.

    Attributes:
        spec: Rates, chunk and look-ahead as declared.
        lookahead: As measured, in input items; None where outputs follow the content.
        item_ms: Each item, in order, at most ``meter.MOST_VALUES``.
        flush_ms: Each end of an utterance or turn.
        real_time_factor: Busy seconds a second of media by the case's clock, ends included.
        processor_factor: Processor seconds a second of media, those of child processes included.
        load_ms: To make the engine.
        cold_ms: To open the first stream and push the first item, before any warm-up.
        warm_ms: The same of another stream, after the warm-up.
        engine_mib: What the engine holds without a stream: weights, tables, processes.
        first_mib: What the first stream adds.
        further_mib: What each further one adds.
        threads: Processor time of the process against that of the calling thread; 1 is one thread.
        work: As the case says.
        weights_bytes: As the case says.
    """

    spec: EngineSpec
    lookahead: int | None
    item_ms: Sequence[float]
    flush_ms: Sequence[float]
    real_time_factor: float
    processor_factor: float
    load_ms: float
    cold_ms: float
    warm_ms: float
    engine_mib: float
    first_mib: float
    further_mib: float
    threads: float
    work: Work = field(default_factory=Work)
    weights_bytes: int = 0
