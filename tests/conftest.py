"""Rules for the whole suite: every test says what it needs. And what is shared by all."""

import gc
import logging
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

from rt_avatar.benchmarks.server import Server, running_server
from tests.media import RECORDINGS, SPEAKERS, VARIABLE, Speaker

CATEGORIES = {"unit", "networks", "network", "realtime", "gpu", "bench"}
# What imports torch: seconds of imports alone, which tests of these kinds do without.
WITHOUT_TORCH = {"unit", "realtime", "recordings and not realtime", "recordings and realtime"}
TESTS = Path(__file__).parent
TORCH = (*TESTS.rglob("torch"), TESTS / "engines/networks", TESTS / "trt_builders")

# Calls on real engines or in a browser, which take a core: one process makes them, one after the
# other, with one server. Calls on scripted engines, which mostly wait, are made beside them.
REAL_CALLS = tuple(
    f"tests/{file}.py"
    for file in (
        "calls/test_browser_call",
        "calls/test_network_call",
        "calls/test_voice_call",
        "livekit/test_browser",
        "livekit/test_process",
        "benchmarks/bargein/test_call",
        "benchmarks/browser/test_call",
        "benchmarks/browser/test_meter_in_page",
        "benchmarks/load/test_calls",
        "benchmarks/sync/test_browser",
        "benchmarks/sync/test_peer",
        "benchmarks/turn/test_call",
    )
)

# Files whose tests share what takes a minute to make: the same process runs them.
TOGETHER = {
    f"tests/trt_builders/{file}.py": "tests/trt_builders/test_empatheia.py"
    for file in (
        "test_empatheia_contract",
        "test_infer",
        "test_official_call",
        "test_plans",
        "test_runtime_parity",
    )
} | {
    f"tests/engines/kokoro_tts/torch/{file}.py": "tests/engines/kokoro_tts/torch/test_engine.py"
    for file in ("test_call", "test_fetch")
}
TOGETHER |= dict.fromkeys(REAL_CALLS, REAL_CALLS[0])

# How many objects more there are before garbage is collected: with Python's own 700 it takes some
# twentieth of all processor time, as tests make much and keep little.
GARBAGE = 10_000

# Of a server on a machine that is busy with tests: it lets callers in all the same, gives nothing
# up for time (a face would stand still), and does not wait for calls that a test has left.
BUSY = ("--server.max_load", "1", "--budget.enabled", "false", "--server.drain_s", "0")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_left_out = config.option.markexpr in WITHOUT_TORCH and collection_path in TORCH
    return True if is_left_out else None


def pytest_configure() -> None:
    if RECORDINGS is not None and not (RECORDINGS / "speech").is_dir():
        raise pytest.UsageError(
            f"{VARIABLE}: expected a folder of recordings as described in tests/media.py; "
            f"got {RECORDINGS}"
        )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if RECORDINGS is None:
        terminalreporter.write_line(
            f"Cases on recordings of people were left out: {VARIABLE} names no folder of them."
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if RECORDINGS is None:
        unheard = [item for item in items if item.get_closest_marker("recordings")]
        items[:] = [item for item in items if not item.get_closest_marker("recordings")]
        config.hook.pytest_deselected(items=unheard)
    unmarked = [
        item.nodeid for item in items if not CATEGORIES & {m.name for m in item.iter_markers()}
    ]
    if unmarked:
        raise pytest.UsageError(
            f"every test needs one of the markers {sorted(CATEGORIES)}; none: {unmarked[:5]}"
        )
    misplaced = [
        item.nodeid for item in items if is_about_torch(item) != is_in_torch_folder(item.path)
    ]
    if misplaced:
        raise pytest.UsageError(
            f"expected the marker networks, without unit or network, exactly on the tests below "
            f"{[folder.name for folder in TORCH]}; got {misplaced[:5]}"
        )
    # The long files first: at the end a short one keeps the other cores waiting for less. After the
    # networks and the calls on real engines come those that start servers, browsers or installs.
    starting = {item.path for item in items if item.get_closest_marker("network")}
    items.sort(
        key=lambda item: (
            not (is_in_torch_folder(item.path) or is_real_call(item)),
            item.path not in starting,
        )
    )


class SharingScheduling(LoadFileScheduling):
    """Gives a process whole files, and those together that share what is made for them."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return TOGETHER.get(file, file)


def pytest_xdist_make_scheduler(config: pytest.Config, log) -> SharingScheduling | None:
    return SharingScheduling(config, log) if config.option.dist == "loadfile" else None


def is_about_torch(item: pytest.Item) -> bool:
    names = {mark.name for mark in item.iter_markers()}
    return "networks" in names and not names & {"unit", "network"}


def is_real_call(item: pytest.Item) -> bool:
    return item.nodeid.partition("::")[0] in REAL_CALLS


@cache
def is_in_torch_folder(path: Path) -> bool:
    return any(folder in path.parents for folder in TORCH)


@pytest.fixture(autouse=True)
def no_log_handler_stays() -> Iterator[None]:
    """What a program of this process has set up writes to the standard error of its test alone."""
    root = logging.getLogger()
    before = root.handlers[:]
    yield
    for handler in root.handlers[:]:
        if handler not in before:
            root.removeHandler(handler)


@pytest.fixture(scope="session")
def rig_512():
    """A RigEngine, one for all: it keeps nothing but the looks that it has baked."""
    from rt_avatar.engines.rig import RigEngine  # not needed by the tests of the networks

    return RigEngine(512)


@pytest.fixture(scope="session")
def quiet_server() -> Iterator[Server]:
    """A real `rt-avatar serve` that greets nobody, one for all; hang up, so that it is idle."""
    with running_server("--avatar.greeting", "false", *BUSY) as server:
        yield server
        assert "Traceback" not in server.log.read_text()


@pytest.fixture(scope="module", params=SPEAKERS)
def speaker(request: pytest.FixtureRequest) -> Speaker:
    """Somebody who calls: a voice and a face."""
    return request.param


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What the imports make stays: no collection of garbage need look at it, then or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(GARBAGE)
        gc.enable()


def pytest_unconfigure() -> None:
    """Else Triton counts at the end what it takes for leaks, on a hundred lines."""
    gc.unfreeze()
