"""What one engine costs: ``Case`` → ``Cost``, in the process that calls it.

Knows nothing of which engines there are (``cases``) nor that each gets a process of its own
(``child``). Times are of the case's own clock; the usual one is the processor time of the
whole process, so that a busy machine spoils little and no thread of an engine is forgotten.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import psutil

from rt_avatar.benchmarks.engines.case import (
    AnyEngine,
    AnyStream,
    Case,
    Cost,
    Flush,
    Item,
    Out,
    Work,
)
from rt_avatar.benchmarks.memory import held_mib
from rt_avatar.memory import give_back

FURTHER_STREAMS: Final = 3  # over whose memory the mean is taken
MEMORY_S: Final = 2.0  # of media is pushed into each of them, so that it holds what it will hold
MOST_VALUES: Final = 1000  # enough for a 95th percentile; the file stays small
_WARM_ITEMS: Final = 5  # before timing: caches, branch predictors
_LOOKAHEAD_CHUNKS: Final = 4  # beyond the declared look-ahead that are pushed to measure it
_FORKS_END_S: Final = 0.3  # a fork whose caller is gone ends within some milliseconds


def measure_case(case: Case, limit_s: float) -> Cost:
    """Measure one case; the process should be fresh, or ``load_ms`` and ``cold_ms`` are not.

    Args:
        case: What to measure.
        limit_s: About how long its items are pushed again and again; once at least.
    """
    items = list(case.items())
    before_mib = memory_mib()
    load_ms, engine = _timed(case, case.make)
    cold_ms = _first_item(case, engine, items)
    if case.warmup is None:
        engine.warmup()
    else:
        case.warmup(engine)
    warm_ms = _first_item(case, engine, items)
    engine_mib, first_mib, further_mib = _memory(case, engine, items, before_mib)
    times = _times(case, engine, items, limit_s)
    return Cost(
        spec=engine.spec,
        lookahead=measured_lookahead(case, engine, items),
        item_ms=times.item_ms,
        flush_ms=times.flush_ms,
        real_time_factor=times.busy_s / times.media_s,
        processor_factor=times.processor_s / times.media_s,
        load_ms=load_ms,
        cold_ms=cold_ms,
        warm_ms=warm_ms,
        engine_mib=engine_mib,
        first_mib=first_mib,
        further_mib=further_mib,
        threads=times.process_s / times.thread_s,
        work=case.work() if case.work is not None else Work(),
        weights_bytes=case.weights_bytes() if case.weights_bytes is not None else 0,
    )


# --- time ---------------------------------------------------------------------------------------
@dataclass(slots=True)
class _Times:
    """Sums over all passes; ``item_ms``, ``flush_ms`` and ``busy_s`` are of the case's clock."""

    item_ms: list[float] = field(default_factory=list)
    flush_ms: list[float] = field(default_factory=list)
    busy_s: float = 0.0
    media_s: float = 0.0
    processor_s: float = 0.0
    process_s: float = 0.0
    thread_s: float = 0.0


def _times(case: Case, engine: AnyEngine, items: Sequence[Item], limit_s: float) -> _Times:
    """Push all items through fresh streams, one after the other, until the time is over."""
    warm = _open(case, engine)
    for item in items[:_WARM_ITEMS]:
        _step(warm, item)
    warm.close()
    times = _Times()
    before_s = _family_s()
    end_s = time.perf_counter() + limit_s
    while not times.item_ms or (time.perf_counter() < end_s and len(times.item_ms) < MOST_VALUES):
        stream = _open(case, engine)
        process_s, thread_s = time.process_time(), time.thread_time()
        for item in items:
            begin_s = case.clock()
            outs = _step(stream, item)
            taken_s = case.clock() - begin_s
            times.busy_s += taken_s
            (times.flush_ms if isinstance(item, Flush) else times.item_ms).append(taken_s * 1000)
            times.media_s += _media_s(case, item, outs)
        times.process_s += time.process_time() - process_s
        times.thread_s += time.thread_time() - thread_s
        stream.close()
    # The system counts other processes in steps of 10 ms: too coarse where it is not needed.
    is_alone = case.clock is time.process_time
    times.processor_s = times.busy_s if is_alone else _family_s() - before_s
    del times.item_ms[MOST_VALUES:], times.flush_ms[MOST_VALUES:]
    return times


def _media_s(case: Case, item: Item, outs: Sequence[Out]) -> float:
    if case.seconds_of is not None:
        return sum(case.seconds_of(out) for out in outs)
    return 0.0 if isinstance(item, Flush) else case.seconds_per_item


def _first_item(case: Case, engine: AnyEngine, items: Sequence[Item]) -> float:
    """Return the milliseconds to open a stream and push one item."""

    def first() -> AnyStream:
        stream = _open(case, engine)
        _step(stream, items[0])
        return stream

    taken_ms, stream = _timed(case, first)
    stream.close()
    return taken_ms


def _timed(case: Case, function: Callable[[], Any]) -> tuple[float, Any]:
    begin_s = case.clock()
    result = function()
    return (case.clock() - begin_s) * 1000, result


def _open(case: Case, engine: AnyEngine) -> AnyStream:
    return engine.open() if case.open is None else case.open(engine)


def _step(stream: AnyStream, item: Item) -> list[Out]:
    return stream.flush() if isinstance(item, Flush) else stream.push(item)


def _family_s() -> float:
    """Return the processor time of this process and its children, ended ones included."""
    own_s = time.process_time()
    _let_forks_end()
    process = psutil.Process()
    others_s = sum(process.cpu_times()[2:4])  # of its children that have ended
    for child in process.children(recursive=True):
        others_s += sum(child.cpu_times()[:4])  # its own, and of those of its own that have
    return own_s + others_s


def _let_forks_end() -> None:
    if psutil.Process().children(recursive=True):
        time.sleep(_FORKS_END_S)


# --- look-ahead ---------------------------------------------------------------------------------
def measured_lookahead(case: Case, engine: AnyEngine, items: Sequence[Item]) -> int | None:
    """Return how many input items beyond an output's own time were needed until it came out.

    Output *n* ends with input ``(n + 1) · period``; the most that any output waited for more is
    returned, of outputs that come a chunk together that of the last. It is as fine as the case's
    ``split``.

    Returns:
        None where outputs follow the content, or no chunk's came.
    """
    spec = engine.spec
    if not spec.input_rate_hz or not spec.output_rate_hz:
        return None
    # Rates are whole numbers, which 31.25 windows a second is not: the chunk tells the period.
    outputs_a_chunk = max(1, round(spec.output_rate_hz * spec.chunk / spec.input_rate_hz))
    period = spec.chunk / outputs_a_chunk
    enough = spec.lookahead + _LOOKAHEAD_CHUNKS * spec.chunk
    size = spec.chunk if case.split is None else 1
    stream = _open(case, engine)
    pushed = came = 0
    waited = -math.inf
    for item in items:
        if isinstance(item, Flush) or pushed >= enough:
            break
        for piece in (item,) if case.split is None else case.split(item):
            outs = stream.push(piece)
            pushed += size
            for out in outs:
                came += 1 if case.outputs_in is None else case.outputs_in(out)
                if came % outputs_a_chunk == 0:
                    waited = max(waited, pushed - came * period)
    stream.close()
    return max(0, math.ceil(waited)) if waited > -math.inf else None


# --- memory -------------------------------------------------------------------------------------
def memory_mib() -> float:
    """Return the memory that this process and its children hold for themselves, in MiB.

    Anonymous memory, pages that several of them share counted once (``Pss_Anon``). Not counted are
    pages of files, which are libraries: whether another program runs that uses them would decide.
    Where the system does not tell, resident memory.
    """
    give_back()  # or a stream would be given what is free, and seem to be small
    process = psutil.Process()
    return sum(held_mib(one) for one in (process, *process.children(recursive=True)))


def _memory(
    case: Case, engine: AnyEngine, items: Sequence[Item], before_mib: float
) -> tuple[float, float, float]:
    """Return what the engine holds, the first stream adds, and each further one adds."""
    _let_forks_end()
    engine_mib = memory_mib()
    count = len(items)
    if case.seconds_per_item:
        count = math.ceil(MEMORY_S / case.seconds_per_item)
    fill = [item for item in items[:count] if not isinstance(item, Flush)]
    streams: list[AnyStream] = []
    held: list[float] = []
    for _ in range(1 + FURTHER_STREAMS):
        stream = _open(case, engine)
        for item in fill:
            stream.push(item)
        streams.append(stream)
        held.append(memory_mib())
    for stream in streams:
        stream.close()
    further_mib = (held[-1] - held[0]) / FURTHER_STREAMS
    return engine_mib - before_mib, held[0] - engine_mib, further_mib
