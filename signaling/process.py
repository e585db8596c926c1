"""What every serving process does: listen, tell its metrics, stop in peace when asked to."""

import asyncio
import errno
import gc
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final

from aiohttp import web

from rt_avatar.config.server_settings import MetricsSettings
from rt_avatar.errors import SetupError
from rt_avatar.memory import give_back, keep_little
from rt_avatar.telemetry.metrics import CONTENT_TYPE, Metrics

_log = logging.getLogger(__name__)

KEEPALIVE_S: Final = 15.0
SHUTDOWN_S: Final = 2.0  # for requests that run while the server closes; calls have had drain_s

# Open files and sockets of a process: what is usual (1,024) is gone with as many connections, of
# which anybody may make some. Many systems let a process have a million; a connection takes 20 KiB.
MAX_FILES: Final = 65_536


def run_loop(process: Coroutine[None, None, None]) -> None:
    """Run a serving process to its end, on the quicker loop where there is one."""
    keep_little()
    _allow_many_files()
    try:
        import uvloop
    except ModuleNotFoundError:
        asyncio.run(process)
    else:
        uvloop.run(process)


def _allow_many_files() -> None:
    """Let this process have as many files open as the system allows it, up to ``MAX_FILES``."""
    if sys.platform == "win32":  # no such limit
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(ValueError, OSError):  # macOS allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@contextmanager
def listening_socket(host: str, port: int, section: str) -> Iterator[socket.socket]:
    """Yield a socket that listens, for several processes to share.

    Raises:
        SetupError: The address is taken or is none of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        shared = socket.create_server((host, port), family=family)
    except OSError as error:
        raise _taken(section, host, port, error) from error
    with shared:
        yield shared


def check_free(host: str, port: int, section: str) -> None:
    """Check that an address can be had, for those who listen there when all is loaded.

    Raises:
        SetupError: Somebody else listens there.
    """
    try:
        with listening_socket(host, port, section):
            pass
    except SetupError as error:
        # Anything else is for whoever listens: names, for instance, may have several addresses.
        if isinstance(error.__cause__, OSError) and error.__cause__.errno == errno.EADDRINUSE:
            raise


def _taken(section: str, host: str, port: int, error: OSError | UnicodeError) -> SetupError:
    reason = error.strerror if isinstance(error, OSError) else ""
    return SetupError(
        f"{section}.host, {section}.port: expected a free address, got {host}:{port} "
        f"({reason or error}); choose another"
    )


@asynccontextmanager
async def listening(
    app: web.Application,
    host: str,
    port: int,
    section: str = "server",
    *,
    shared: socket.socket | None = None,
    path: Path | None = None,
) -> AsyncIterator[str]:
    """Serve an application while inside; yields its address.

    Args:
        app: What is served.
        host: Address to listen on.
        port: Port; 0 picks a free one.
        section: Of the settings that ``host`` and ``port`` are from.
        shared: A socket that listens there already, for several processes.
        path: Of a socket to listen on as well.

    Raises:
        SetupError: The address is taken or is none of this machine.
    """
    runner = web.AppRunner(
        app, access_log=None, keepalive_timeout=KEEPALIVE_S, shutdown_timeout=SHUTDOWN_S
    )
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port) if shared is None else web.SockSite(runner, shared)
        try:
            await site.start()
        except (OSError, UnicodeError) as error:  # UnicodeError: no name can be written like this
            raise _taken(section, host, port, error) from error
        if path is not None:
            await web.UnixSite(runner, str(path)).start()
        shown = f"[{host}]" if ":" in host else host
        yield f"http://{shown}:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


def of_this_process(metrics: Metrics) -> Callable[[], Awaitable[bytes]]:
    """Return what ``serving_metrics`` shows of a process that serves alone."""

    async def exposition() -> bytes:
        return metrics.exposition()

    return exposition


@asynccontextmanager
async def serving_metrics(
    settings: MetricsSettings,
    exposition: Callable[[], Awaitable[bytes]],
    shared: socket.socket | None = None,
) -> AsyncIterator[str]:
    """Serve Prometheus' text while inside; yields its address. ``shared`` is as for ``listening``.

    Raises:
        SetupError: The address is taken or is none of this machine.
    """

    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=await exposition(), headers={"Content-Type": CONTENT_TYPE})

    app = web.Application()
    app.router.add_get("/metrics", answer)
    async with listening(app, settings.host, settings.port, "metrics", shared=shared) as url:
        _log.info("metrics at %smetrics", url)
        yield f"{url}metrics"


def keep_loaded() -> None:
    """Take what is loaded out of garbage collections; call when everything is.

    A full one over it stops every thread of the process for 25 to 85 ms, sound and pictures too.
    What loading left free goes back to the system.
    """
    give_back()
    gc.freeze()


def stop_signals(one_wish_s: float = 0.0) -> asyncio.Semaphore:
    """Return a counter of the wishes to stop; what comes so soon after the first is the same."""
    wishes = asyncio.Semaphore(0)
    loop = asyncio.get_running_loop()
    first_s: float | None = None

    def wish() -> None:
        nonlocal first_s
        if first_s is None or loop.time() - first_s >= one_wish_s:
            wishes.release()
        first_s = loop.time() if first_s is None else first_s

    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, wish)
        except NotImplementedError:  # Windows: Ctrl+C cancels the main task instead
            _log.debug("no handler for %s on this system", number)
    return wishes
