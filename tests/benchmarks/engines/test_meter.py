"""The meter is right: known costs go in, and come out."""

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from rt_avatar.benchmarks.engines.case import Case, Cost, Flush, Work
from rt_avatar.benchmarks.engines.cases import all_cases
from rt_avatar.benchmarks.engines.floor import (
    CountedGraph,
    MachineRates,
    floor_ms,
    node_flops,
    onnx_work,
    summed,
    tally,
)
from rt_avatar.benchmarks.engines.inputs import Options
from rt_avatar.benchmarks.engines.meter import measure_case, measured_lookahead
from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.silero import WINDOW_SAMPLES, find_model

pytestmark = pytest.mark.unit

CHUNK = 320  # 20 ms at 16 kHz
ITEM_S = 0.002


class Ticker:
    """Takes a known time by a clock of its own: more before it is warm, twice as much at ends."""

    def __init__(self) -> None:
        self.spec = EngineSpec("ticker", 16_000, 50, CHUNK)
        self.now_s = 0.0
        self._is_warm = False

    def clock(self) -> float:
        return self.now_s

    def warmup(self) -> None:
        self._is_warm = True

    def open(self) -> "Ticker":
        return self

    def push(self, item) -> list[int]:
        self._take(ITEM_S if self._is_warm else 10 * ITEM_S)
        return [len(item)]

    def flush(self) -> list[int]:
        self._take(2 * ITEM_S)
        return []

    def close(self) -> None:
        pass

    def _take(self, seconds: float) -> None:
        self.now_s += seconds


class Burner(Ticker):
    """Burns processor time."""

    def _take(self, seconds: float) -> None:
        begin_s = time.thread_time()
        while time.thread_time() - begin_s < seconds:
            pass


class Sleeper(Ticker):
    """Waits instead of computing: processor time must not see it."""

    def _take(self, seconds: float) -> None:
        time.sleep(seconds)


class Hoarder:
    """Its engine holds 30 MiB; each stream takes 20 MiB with the first push, and keeps them."""

    def __init__(self) -> None:
        self.spec = EngineSpec("hoarder", 16_000, 50, CHUNK)
        self._weights = np.ones(30 << 20, np.uint8)

    def warmup(self) -> None:
        pass

    def open(self) -> "HoarderStream":
        return HoarderStream()


class HoarderStream:
    def __init__(self) -> None:
        self._hoard: np.ndarray | None = None

    def push(self, item) -> list[int]:
        np.ones(24 << 20, np.uint8)  # given back at once: it is not held
        if self._hoard is None:
            self._hoard = np.ones(20 << 20, np.uint8)
        return [1]

    def close(self) -> None:
        self._hoard = None


class Waiter:
    """One output a chunk, each only when ``waits`` more samples have come; ``claims`` to wait."""

    def __init__(self, waits: int, claims: int) -> None:
        self.spec = EngineSpec("waiter", 16_000, 50, CHUNK, claims)
        self._waits = waits

    def open(self) -> "Waiter":
        self._pushed = self._given = 0
        return self

    def push(self, item) -> list[int]:
        self._pushed += len(item)
        ready = max(0, self._pushed - self._waits) // CHUNK - self._given
        self._given += ready
        return [0] * ready

    def close(self) -> None:
        pass


def sounds(count: int) -> list[np.ndarray]:
    return [np.zeros(CHUNK, np.float32)] * count


def make_case(make, items=None, **changes) -> Case:
    return Case("fake", "audio", "20 ms", make, lambda: items or sounds(20), 0.02, **changes)


def samples(block: np.ndarray) -> list[np.ndarray]:
    return np.split(block, len(block))


# --- time ---------------------------------------------------------------------------------------
def measure_ticker(items, **changes) -> Cost:
    engine = Ticker()
    case = make_case(lambda: engine, items, clock=engine.clock, **changes)
    return measure_case(case, limit_s=0)


def test_every_item_takes_what_the_clock_says():
    cost = measure_ticker(sounds(20), work=lambda: Work(flops=5.0))
    assert cost.item_ms == pytest.approx([1000 * ITEM_S] * 20)
    assert cost.real_time_factor == pytest.approx(ITEM_S / 0.02)
    assert cost.work.flops == 5


def test_the_first_item_is_measured_before_and_after_the_warm_up():
    cost = measure_ticker(sounds(5))
    assert cost.cold_ms == pytest.approx(10 * 1000 * ITEM_S)
    assert cost.warm_ms == pytest.approx(1000 * ITEM_S)


def test_ends_of_utterances_count_for_the_factor_but_are_no_items():
    cost = measure_ticker([*sounds(8), Flush()])
    assert len(cost.item_ms) == 8
    assert cost.flush_ms == pytest.approx([2 * 1000 * ITEM_S])
    assert cost.real_time_factor == pytest.approx((8 + 2) * ITEM_S / (8 * 0.02))


def test_media_of_text_is_what_comes_out():
    # The fake says a second a letter: eight seconds in two items.
    cost = measure_ticker(["one", "three"], seconds_of=lambda out: out)
    assert cost.real_time_factor == pytest.approx(2 * ITEM_S / 8)


# --- what is in use, in a process whose other threads and garbage are not measured with it -------
@pytest.fixture(scope="module")
def fresh() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        yield process


def measure_burner() -> Cost:
    return measure_case(make_case(Burner, sounds(20)), limit_s=0)


def test_processor_time_is_what_the_engine_itself_counts(fresh):
    cost = fresh.submit(measure_burner).result()
    assert np.median(cost.item_ms) == pytest.approx(1000 * ITEM_S, abs=0.1)
    assert cost.processor_factor == cost.real_time_factor
    assert cost.threads == pytest.approx(1, abs=0.1)


def measure_sleeper() -> tuple[Cost, Cost]:
    items = sounds(100)  # looking for child processes costs some milliseconds once, and counts
    computed = measure_case(make_case(Sleeper, items), limit_s=0)
    return computed, measure_case(make_case(Sleeper, items, clock=time.perf_counter), limit_s=0)


def test_waiting_is_no_processor_time_but_is_wall_time(fresh):
    computed, waited = fresh.submit(measure_sleeper).result()
    assert computed.real_time_factor < 0.3 * ITEM_S / 0.02
    assert waited.real_time_factor >= ITEM_S / 0.02
    assert waited.processor_factor < 0.5 * waited.real_time_factor


def measure_hoarder() -> Cost:
    return measure_case(make_case(Hoarder, sounds(2)), limit_s=0)


def test_memory_is_what_engine_and_streams_hold(fresh):
    cost = fresh.submit(measure_hoarder).result()
    assert cost.engine_mib == pytest.approx(30, abs=2)
    assert cost.first_mib == pytest.approx(20, abs=2)
    assert cost.further_mib == pytest.approx(20, abs=2)


# --- look-ahead ---------------------------------------------------------------------------------
@pytest.mark.parametrize("waits", [0, 1, 160, 700])
def test_the_look_ahead_is_measured_to_the_sample(waits):
    engine = Waiter(waits, claims=waits)
    assert measured_lookahead(make_case(None, split=samples), engine, sounds(20)) == waits


def test_a_false_declaration_is_found_out():
    engine = Waiter(160, claims=0)
    assert measured_lookahead(make_case(None, split=samples), engine, sounds(20)) == 160


class Bundler(Waiter):
    """Five outputs a chunk, all together, when ``waits`` more samples have come: as a bundle."""

    def __init__(self, waits: int) -> None:
        super().__init__(waits, waits)
        self.spec = EngineSpec("bundler", 16_000, 250, CHUNK, waits)

    def push(self, item) -> list[list[int]]:
        return [[0] * 5 for _ in super().push(item)]


@pytest.mark.parametrize("waits", [0, 80])
def test_outputs_that_come_a_chunk_together_are_judged_by_the_last(waits):
    case = make_case(None, split=samples, outputs_in=len)
    assert measured_lookahead(case, Bundler(waits), sounds(20)) == waits


def test_an_engine_that_gave_no_whole_chunk_has_no_look_ahead():
    case = make_case(None, split=samples)  # each bundle counts as one output of five
    assert measured_lookahead(case, Bundler(0), sounds(2)) is None


def test_without_finer_input_the_look_ahead_is_whole_chunks():
    assert measured_lookahead(make_case(None), Waiter(160, claims=160), sounds(20)) == CHUNK


def test_engines_look_ahead_as_far_as_they_declare():
    cases = all_cases(Options(size_px=256, seconds=1.0))
    for name in ("silero", "prosody", "echo", "articulation", "presence", "face cues"):
        engine = cases[name].make()
        measured = measured_lookahead(cases[name], engine, cases[name].items())
        assert measured == engine.spec.lookahead, name


# --- floors -------------------------------------------------------------------------------------
def test_operations_of_a_node_are_counted_as_by_hand():
    assert node_flops("MatMul", [(3, 5), (5, 7)], [(3, 7)]) == 2 * 3 * 5 * 7
    # 4 outputs at 10 places, each of 2 inputs × 3 taps.
    assert node_flops("Conv", [(1, 2, 12), (4, 2, 3), (4,)], [(1, 4, 10)]) == 2 * 4 * 10 * 6
    # 6 steps of 4 gates of 8, from 16 inputs and 8 states.
    lstm = [(6, 1, 16), (1, 32, 16), (1, 32, 8)]
    assert node_flops("LSTM", lstm, [(6, 1, 1, 8)]) == 2 * 6 * 32 * (16 + 8)
    # 12 places of 4 channels, each of which adds to 3 channels at 5 places; what is cut counts.
    assert node_flops("ConvTranspose", [(1, 4, 12), (4, 3, 5)], [(1, 3, 25)]) == 2 * 4 * 12 * 3 * 5
    # 2 of 8 channels in each of 4 groups, and 3 x 3 taps.
    grouped = [(1, 8, 6, 6), (8, 2, 3, 3)]
    assert node_flops("Conv", grouped, [(1, 8, 4, 4)]) == 2 * 8 * 16 * 2 * 9
    # Both directions have weights of their own.
    both = [(6, 1, 16), (2, 32, 16), (2, 32, 8)]
    assert node_flops("LSTM", both, [(6, 2, 1, 8)]) == 2 * 2 * 6 * 32 * (16 + 8)
    assert node_flops("Relu", [(2, 3)], [(2, 3)]) == 6
    assert node_flops("Reshape", [(2, 3)], [(6,)]) == 0


def test_a_profile_is_summed_up_over_the_nodes_that_ran():
    node = {
        "op_name": "MatMul",
        "input_type_shape": [{"float": [1, 10]}, {"float": [10, 20]}],
        "output_type_shape": [{"float": [1, 20]}],
        "parameter_size": "800",
    }
    events = [
        {"cat": "Session", "name": "model_run"},
        {"cat": "Node", "name": "a_kernel_time", "args": node},
        {"cat": "Node", "name": "b_kernel_time", "args": node},
    ]
    assert summed([tally(events, 120)]) == Work(400, 800.0, 1720)


def event(kind: str, inputs, outputs, weights_bytes: int) -> dict:
    args = {
        "op_name": kind,
        "input_type_shape": [{"float": list(shape)} for shape in inputs],
        "output_type_shape": [{"float": list(shape)} for shape in outputs],
        "parameter_size": str(weights_bytes),
    }
    return {"cat": "Node", "name": f"{kind}_kernel_time", "args": args}


def test_of_a_table_only_the_rows_that_are_looked_up_are_moved():
    looked_up = event("Gather", [(100, 8), (1, 2)], [(1, 2, 8)], 3200)
    assert summed([tally([looked_up], 0)]) == Work(800, 0.0, 64)


def test_a_table_that_is_the_head_too_is_counted_once_also_in_another_graph():
    table = tally([event("Gather", [(100, 8), (1, 2)], [(1, 2, 8)], 3200)], 0)
    head = tally([event("MatMul", [(1, 8), (8, 100)], [(1, 100)], 3200)], 0)
    other = tally([event("MatMul", [(1, 8), (8, 50)], [(1, 50)], 1600)], 0)
    assert summed([table, head]).parameters == 800
    assert summed([table, other]).parameters == 1200
    # The same head in 8 bits: (n, blocks, 128) weights of a byte, and a scale for each block.
    rounded = tally([event("MatMulNBits", [(1, 8), (100, 1, 8), (100, 1)], [(1, 100)], 1200)], 0)
    assert summed([table, rounded]).parameters == 800
    assert summed([rounded]) == Work(800, 2 * 8 * 100, 1200)


def test_a_network_that_ran_twice_did_twice_as_much_with_the_same_parameters():
    feeds = {
        "input": np.zeros((1, 64 + WINDOW_SAMPLES), np.float32),
        "state": np.zeros((2, 1, 128), np.float32),
        "sr": np.array(16_000, np.int64),
    }
    once, counted = onnx_work(find_model(), feeds), CountedGraph(find_model())
    for _ in range(2):
        made = counted.run(feeds)
    assert set(made) == {"output", "stateN"}
    twice = summed([counted.finish()])
    assert twice.parameters == once.parameters
    assert twice.flops == 2 * once.flops
    assert twice.moved_bytes == 2 * once.moved_bytes


def test_sileros_parameters_are_those_of_its_published_weights():
    work = all_cases(Options())["silero"].work()
    # silero_vad_16k.safetensors holds 309,633 numbers; some small constants are counted, too.
    assert work.parameters == pytest.approx(309_633, rel=0.001)
    assert 1e6 < work.flops < 2e6


def test_the_floor_is_the_longer_of_arithmetic_and_bytes():
    rates = MachineRates(gemm_flops=1e9, copy_bytes=1e9)
    assert floor_ms(Work(flops=2e6, moved_bytes=1e6), rates) == pytest.approx(2)
    assert floor_ms(Work(flops=1e6, moved_bytes=3e6), rates) == pytest.approx(3)
    assert np.isnan(floor_ms(Work(), rates))
