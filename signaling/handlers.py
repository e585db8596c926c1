"""HTTP handlers, one for each address of ``docs/protocol.md``.

Origin and rate have been checked before (``app``); here come the token and the body. What is
decided about calls is the registry's.
"""

import asyncio
import time
from pathlib import Path
from typing import Final

from aiohttp import web

from rt_avatar.errors import AdmissionError, BadInputError, SetupError
from rt_avatar.personas import PERSONAS, find_persona
from rt_avatar.signaling.access_tokens import AccessTokens
from rt_avatar.signaling.client_address import client_key
from rt_avatar.signaling.protocol import (
    PROTOCOL_VERSION,
    parse_offer_request,
    parse_session_request,
)
from rt_avatar.signaling.registry import Registry
from rt_avatar.signaling.server_context import ServerContext
from rt_avatar.signaling.tokens import MAX_TOKEN_CHARS, Ticket, TokenSigner, new_session_id
from rt_avatar.signaling.workers.siblings import Siblings
from rt_avatar.telemetry.metrics import CONTENT_TYPE

CLIENT: Final = Path(__file__).parent / "client"
ACCESS: Final = web.AppKey("access", AccessTokens)
CONTEXT: Final = web.AppKey("edge", ServerContext)
REGISTRY: Final = web.AppKey("registry", Registry)
SIGNER: Final = web.AppKey("signer", TokenSigner)
SIBLINGS: Final = web.AppKey("siblings", Siblings)


# --- reading ------------------------------------------------------------------------------------
async def index(request: web.Request) -> web.StreamResponse:
    """Return the page."""
    return web.FileResponse(CLIENT / "index.html", headers={"Cache-Control": "no-cache"})


async def portrait(request: web.Request) -> web.Response:
    """Return a persona's picture."""
    name = request.match_info["name"]
    if name not in PERSONAS:
        raise web.HTTPNotFound
    png = await asyncio.to_thread(request.app[CONTEXT].engines.portrait_png, name)
    # A photograph is somebody's: no copy of it stays behind when it is deleted.
    is_photograph = request.app[CONTEXT].is_photograph(name)
    headers = {"Cache-Control": "private, no-store" if is_photograph else "public, max-age=86400"}
    return web.Response(body=png, content_type="image/png", headers=headers)


async def health(request: web.Request) -> web.Response:
    """Say whether the process is well, for a load balancer."""
    registry = request.app[REGISTRY]
    meter = registry.load_meter
    siblings = request.app.get(SIBLINGS)
    server = request.app[CONTEXT].settings.server
    body = {
        "status": "draining" if registry.is_draining else "ok",
        "sessions": registry.sessions if siblings is None else siblings.board.total,
        "max_sessions": server.max_sessions * server.workers,
        "load": round(meter.load, 3),
        "loop_lag_ms": round(meter.lag_s * 1000, 2),
    }
    return web.json_response(body, status=503 if registry.is_draining else 200)


async def worker_metrics(request: web.Request) -> web.Response:
    """Return this process's metrics to another worker, which tells those of all."""
    if not request.app[SIBLINGS].is_from_sibling(request):
        raise web.HTTPNotFound
    body = request.app[CONTEXT].metrics.exposition()
    return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE})


# --- calls --------------------------------------------------------------------------------------
async def create_session(request: web.Request) -> web.Response:
    """Give out an id and a token; nothing is kept here, so it cannot be used to fill memory."""
    context = request.app[CONTEXT]
    is_authenticated = request.app[ACCESS].check(bearer(request))
    body = parse_session_request(await _json_body(request))
    try:
        persona = find_persona(body.persona or context.settings.avatar.persona)
    except SetupError as error:
        raise BadInputError(str(error), reason="unknown_persona") from error
    if body.portrait:
        context.portraits.find(body.portrait, body.key)
    if body.voice:
        context.own_voices.find(body.voice, body.voice_key)
    request.app[REGISTRY].check_room(client_of(request))
    siblings = request.app.get(SIBLINGS)
    ttl_s = int(context.settings.server.token_ttl_s)
    # Wall-clock time: a token outlives this process when its secret does.
    ticket = Ticket(
        new_session_id("" if siblings is None else siblings.promise()),
        persona.name,
        int(time.time()) + ttl_s,
        is_authenticated=is_authenticated,
        portrait=body.portrait,
        voice=body.voice,
    )
    return web.json_response(
        {
            "id": ticket.session_id,
            "token": request.app[SIGNER].sign(ticket),
            "expires_s": ttl_s,
            "ice_servers": _ice_servers(context, ticket),
            "personas": [card.model_dump() for card in context.personas()],
            "persona": persona.name,
            "portrait": body.portrait,
            "portraits": [card.model_dump() for card in context.portrait_cards()],
            "voice": body.voice,
            "protocol": PROTOCOL_VERSION,
            "limits": context.limits(),
            "recogniser": context.recogniser().model_dump(),
            "reasoner": context.reasoner.name,
        },
        status=201,
        headers={"Cache-Control": "no-store"},
    )


async def answer_offer(request: web.Request) -> web.Response:
    """Connect a caller, or connect one again."""
    registry = request.app[REGISTRY]
    ticket = _ticket_in_time(request)
    body = parse_offer_request(await _json_body(request))
    answer = await registry.answer(ticket, client_of(request), body.sdp)
    return web.json_response(
        {"type": "answer", "sdp": answer}, headers={"Cache-Control": "no-store"}
    )


async def ice_servers(request: web.Request) -> web.Response:
    """Return servers with fresh credentials, for a caller who comes back after minutes."""
    ticket = _ticket_in_time(request)
    body = {"ice_servers": _ice_servers(request.app[CONTEXT], ticket)}
    return web.json_response(body, headers={"Cache-Control": "no-store"})


async def end_session(request: web.Request) -> web.Response:
    """End a call."""
    call = request.app[REGISTRY].find(_ticket(request).session_id)
    if call is None:
        raise AdmissionError(
            "session: expected a call that is going on, got none of that id", reason="no_session"
        )
    call.end("hang_up")
    return web.Response(status=204)


def _ice_servers(context: ServerContext, ticket: Ticket) -> list[dict[str, object]]:
    """Return what a caller's connection is made with; a relay is for authenticated callers only."""
    servers = context.ice_servers(ticket.session_id, with_turn=ticket.is_authenticated)
    return [server.as_json() for server in servers]


def bearer(request: web.Request) -> str:
    """Return the token that a request bears, "" for none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _ticket_in_time(request: web.Request) -> Ticket:
    """Return what the caller's token says, if it is still good: in time, or its call goes on."""
    ticket = _ticket(request)
    registry = request.app[REGISTRY]
    if registry.find(ticket.session_id) is None and ticket.expires_at_s < time.time():
        raise AdmissionError(
            "token: expected one that is used in time, got one that has expired; ask for a new "
            "session",
            reason="token_expired",
        )
    return ticket


def _ticket(request: web.Request) -> Ticket:
    """Return what the caller's token says, if it is for the call in the address."""
    token = bearer(request)
    if not token or len(token) > MAX_TOKEN_CHARS:
        raise AdmissionError(
            "Authorization: expected Bearer and the token of POST /api/sessions, got none",
            reason="token_missing",
        )
    ticket = request.app[SIGNER].check(token)
    if ticket.session_id != request.match_info["id"]:
        raise AdmissionError(
            "token: expected the one of this session, got another session's",
            reason="token_other_session",
        )
    return ticket


async def _json_body(request: web.Request) -> bytes:
    body = await request.read()
    if body:
        check_is_json(request)
    return body


def check_is_json(request: web.Request) -> None:
    """Refuse another type. Asking for it also makes browsers ask first for a foreign page.

    Raises:
        BadInputError: The body is said to be something else.
    """
    if request.content_type != "application/json":
        raise BadInputError(
            f"Content-Type: expected application/json, got {request.content_type}",
            reason="not_json",
        )


def client_of(request: web.Request) -> str:
    """Return who asks: what limits are counted under."""
    return client_key(request.remote or "")
