"""What every serving process does: listen, tell its metrics, stop in peace when asked to."""

import asyncio
import gc
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from rt_avatar.config.settings import MetricsSettings
from rt_avatar.errors import SetupError
from rt_avatar.telemetry.metrics import CONTENT_TYPE, Metrics

_log = logging.getLogger(__name__)

KEEPALIVE_S: Final = 15.0
SHUTDOWN_S: Final = 2.0  # for requests that run while the server closes; calls have had drain_s


@asynccontextmanager
async def listening(
    app: web.Application, host: str, port: int, section: str = "server"
) -> AsyncIterator[str]:
    """Serve an application while inside; yields its address.

    ``section`` is that of the settings that ``host`` and ``port`` are from.

    Raises:
        SetupError: The address is taken or is none of this machine.
    """
    runner = web.AppRunner(
        app, access_log=None, keepalive_timeout=KEEPALIVE_S, shutdown_timeout=SHUTDOWN_S
    )
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise SetupError(
                f"{section}.host, {section}.port: expected a free address, got {host}:{port} "
                f"({error.strerror or error}); choose another"
            ) from error
        shown = f"[{host}]" if ":" in host else host
        yield f"http://{shown}:{runner.addresses[0][1]}/"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def serving_metrics(settings: MetricsSettings, metrics: Metrics) -> AsyncIterator[str]:
    """Serve Prometheus' text while inside; yields its address.

    Raises:
        SetupError: The address is taken or is none of this machine.
    """

    async def exposition(_request: web.Request) -> web.Response:
        return web.Response(body=metrics.exposition(), headers={"Content-Type": CONTENT_TYPE})

    app = web.Application()
    app.router.add_get("/metrics", exposition)
    async with listening(app, settings.host, settings.port, "metrics") as url:
        _log.info("metrics at %smetrics", url)
        yield f"{url}metrics"


def keep_loaded() -> None:
    """Take what is loaded out of garbage collections; call when everything is.

    A full one over it stops every thread of the process for 25 to 85 ms, sound and pictures too.
    """
    gc.collect()
    gc.freeze()


def stop_signals() -> asyncio.Semaphore:
    """Return a counter of the wishes to stop."""
    wishes = asyncio.Semaphore(0)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, wishes.release)
        except NotImplementedError:  # Windows: Ctrl+C cancels the main task instead
            _log.debug("no handler for %s on this system", number)
    return wishes
