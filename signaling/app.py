"""The HTTP application and the process that serves it. Start reading the edge here.

A request passes: security headers → errors become answers → whom a proxy asks for → origin and
rate → its handler (``handlers``). ``docs/protocol.md`` is what a page sees.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web

from rt_avatar.config.settings import Settings
from rt_avatar.errors import AdmissionError
from rt_avatar.reasoner import Reasoner
from rt_avatar.reasoner.factory import check_model, make_reasoner
from rt_avatar.services.engines import Engines, load_engines
from rt_avatar.signaling import handlers, portrait_handlers, voice_handlers
from rt_avatar.signaling.access_tokens import AccessTokens
from rt_avatar.signaling.client_address import forwarded_for
from rt_avatar.signaling.handlers import ACCESS, CLIENT, CONTEXT, REGISTRY, SIBLINGS, SIGNER
from rt_avatar.signaling.ice import check_ice_settings
from rt_avatar.signaling.origin import SECURITY_HEADERS, OriginPolicy
from rt_avatar.signaling.process import (
    check_free,
    keep_loaded,
    listening,
    of_this_process,
    serving_metrics,
    stop_signals,
)
from rt_avatar.signaling.protocol import MAX_BODY_BYTES
from rt_avatar.signaling.rate_limit import AddressLimiter
from rt_avatar.signaling.refusals import METRICS, Handler, answer_errors
from rt_avatar.signaling.registry import Registry
from rt_avatar.signaling.server_context import ServerContext
from rt_avatar.signaling.tokens import TokenSigner
from rt_avatar.signaling.tuning import tune_decoders, tune_encoders
from rt_avatar.signaling.uploads import DESK, UploadDesk
from rt_avatar.signaling.workers.door import SharedDoor
from rt_avatar.signaling.workers.metrics import of_all
from rt_avatar.signaling.workers.siblings import Siblings

_log = logging.getLogger(__name__)

# A page needs two requests for a call, and on a bad line offers again every three seconds. All
# callers behind one proxy or NAT share this.
REQUESTS_PER_S: Final = 2.0
REQUEST_BURST: Final = 20.0

# A service manager or a terminal tells every process of a group; a worker hears it once more from
# the arbiter, within milliseconds. A person's second Ctrl+C comes later.
TOLD_TWICE_S: Final = 1.0

_ORIGINS: Final = web.AppKey("origins", OriginPolicy)
_LIMITER: Final = web.AppKey("limiter", AddressLimiter)


def check_edge(settings: Settings) -> None:
    """Refuse addresses that could never work, before much is loaded.

    Raises:
        SetupError: One is of the wrong kind.
    """
    check_ice_settings(settings.ice)
    forwarded_for(settings.server.trusted_proxies)
    OriginPolicy(settings.server)


def make_app(
    settings: Settings, engines: Engines, reasoner: Reasoner, siblings: Siblings | None = None
) -> web.Application:
    """Return the application. It owns its calls; engines and reasoner stay the caller's to close.

    Args:
        settings: All of them.
        engines: Loaded.
        reasoner: Who answers.
        siblings: The other processes behind the same port, where there are some.

    Raises:
        SetupError: The settings cannot work.
    """
    check_ice_settings(settings.ice)
    access = AccessTokens(settings.auth)
    if settings.ice.turn_urls and not access.are_needed:
        _log.warning(
            "callers get no TURN credentials: they would be a relay for anybody. Set "
            "auth.jwt_secret, and let your site's backend sign access tokens (docs/deployment.md)"
        )
    context = ServerContext(settings, engines, reasoner)
    middlewares = [_guard, answer_errors, forwarded_for(settings.server.trusted_proxies), _limit]
    if siblings is not None:
        middlewares = [siblings.receive, *middlewares[:-1], siblings.pass_on, _limit]
    app = web.Application(middlewares=middlewares, client_max_size=MAX_BODY_BYTES)
    app[ACCESS] = access
    app[CONTEXT] = context
    app[METRICS] = context.metrics
    app[REGISTRY] = Registry(context)
    if siblings is not None:
        app[SIBLINGS] = siblings
        app[REGISTRY].on_change = siblings.note_callers
        app[REGISTRY].count_elsewhere = siblings.count_elsewhere
        app[REGISTRY].calls_elsewhere = siblings.calls_elsewhere
        app.router.add_get("/metrics", handlers.worker_metrics)
    app[SIGNER] = TokenSigner(settings.server.token_secret)
    app[_ORIGINS] = OriginPolicy(settings.server)
    app[_LIMITER] = AddressLimiter(REQUESTS_PER_S, REQUEST_BURST)
    app[DESK] = UploadDesk(settings)
    app.cleanup_ctx.append(_live)
    app.router.add_get("/", handlers.index)
    app.router.add_static("/client/", CLIENT)
    app.router.add_get("/portraits/{name}.png", handlers.portrait)
    app.router.add_post("/api/portraits", portrait_handlers.keep)
    app.router.add_post("/api/portraits/points", portrait_handlers.find_points)
    app.router.add_post("/api/portraits/preview", portrait_handlers.preview)
    app.router.add_get("/api/portraits/{name}", portrait_handlers.picture)
    app.router.add_delete("/api/portraits/{name}", portrait_handlers.delete)
    app.router.add_post("/api/voices", voice_handlers.keep)
    app.router.add_delete("/api/voices/{name}", voice_handlers.delete)
    app.router.add_get("/healthz", handlers.health)
    app.router.add_post("/api/sessions", handlers.create_session)
    app.router.add_post("/api/sessions/{id}/offer", handlers.answer_offer)
    app.router.add_get("/api/sessions/{id}/ice_servers", handlers.ice_servers)
    app.router.add_delete("/api/sessions/{id}", handlers.end_session)
    return app


async def _live(app: web.Application) -> AsyncIterator[None]:
    await asyncio.to_thread(app[CONTEXT].portraits.delete_old)
    await asyncio.to_thread(app[CONTEXT].own_voices.delete_old)
    tune_encoders(app[CONTEXT].settings.avatar.size_px)
    tune_decoders()
    async with app[REGISTRY]:
        yield


# --- middlewares --------------------------------------------------------------------------------
@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Security headers on everything; preflights of allowed foreign pages."""
    origins = request.app[_ORIGINS]
    origin = request.headers.get("Origin", "")
    if request.method == "OPTIONS" and origins.allows_foreign(origin):
        response: web.StreamResponse = web.Response(status=204)
    else:
        response = await handler(request)
    response.headers.update(SECURITY_HEADERS)
    # Files may be kept, but asked for anew: after an upgrade nobody has half an old page.
    response.headers.setdefault("Cache-Control", "no-cache")
    response.headers.update(origins.cors_headers(origin))
    return response


@web.middleware
async def _limit(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Origin and rate, for what changes something. Reading is free here, and so is hanging up."""
    if request.method not in ("GET", "HEAD"):
        request.app[_ORIGINS].check(request.headers)
    if request.method == "POST":
        wait_s = request.app[_LIMITER].take(
            handlers.client_of(request), asyncio.get_running_loop().time()
        )
        if wait_s > 0:
            raise AdmissionError(
                f"expected at most {REQUEST_BURST:.0f} requests at once and {REQUESTS_PER_S:.0f} a "
                f"second from one address, got more; wait {wait_s:.1f} s",
                reason="rate",
            )
    return await handler(request)


# --- process ------------------------------------------------------------------------------------
async def serve(
    settings: Settings, on_ready: Callable[[str], None], door: SharedDoor | None = None
) -> None:
    """Load, listen, call ``on_ready`` with the address; end gently on SIGTERM or SIGINT.

    ``door`` is what one of several workers listens on, instead of ports of its own.

    On the first signal nobody new is let in and calls get ``server.drain_s`` to end; on a second
    (for a worker: a second later or more) they are ended at once.

    Raises:
        SetupError: It cannot start as configured.
    """
    if door is None:
        check_free(settings.metrics.host, settings.metrics.port, "metrics")
        check_free(settings.server.host, settings.server.port, "server")
    check_model(settings.llm)
    check_edge(settings)
    engines = await asyncio.to_thread(load_engines, settings)
    try:
        reasoner = make_reasoner(settings.llm, engines.metrics, engines.network_llm)
        try:
            siblings = None if door is None else door.siblings
            app = make_app(settings, engines, reasoner, siblings)
            async with _reachable(app, settings, door) as url:
                stop = stop_signals(0.0 if door is None else TOLD_TWICE_S)
                keep_loaded()
                on_ready(url)
                await stop.acquire()
                if siblings is not None:
                    siblings.send_callers_elsewhere()
                await _drain(app[REGISTRY], settings.server.drain_s, stop)
        finally:
            await reasoner.aclose()
    finally:
        await engines.speech.aclose()
        engines.close()


@asynccontextmanager
async def _reachable(
    app: web.Application, settings: Settings, door: SharedDoor | None
) -> AsyncIterator[str]:
    """Listen for callers, for whoever watches and for other workers; yields the address."""
    metrics, server = app[METRICS], settings.server
    if door is None:
        async with (
            serving_metrics(settings.metrics, of_this_process(metrics)),
            listening(app, server.host, server.port) as url,
        ):
            yield url
        return
    async with (
        door.siblings,
        serving_metrics(settings.metrics, of_all(metrics.exposition, door.siblings), door.watching),
        listening(
            app, server.host, server.port, shared=door.calls, path=door.siblings.socket
        ) as url,
    ):
        yield url


async def _drain(registry: Registry, seconds: float, stop: asyncio.Semaphore) -> None:
    """Wait for the calls to end, or for a second wish to stop."""
    async with asyncio.TaskGroup() as group:
        draining = group.create_task(registry.drain(seconds))
        hurry = group.create_task(stop.acquire())
        await asyncio.wait({draining, hurry}, return_when=asyncio.FIRST_COMPLETED)
        draining.cancel()
        hurry.cancel()
