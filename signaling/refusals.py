"""Errors → HTTP: one status for each reason, one shape for every answer, no stack traces."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final

from aiohttp import web

from rt_avatar.errors import SessionError
from rt_avatar.signaling.caller_texts import TEXTS, text_for
from rt_avatar.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
METRICS: Final = web.AppKey("metrics", Metrics)

STATUS: Final = {
    "bad_body": 400, "bad_json": 400, "bad_sdp": 400, "unknown_persona": 400,
    "bad_portrait": 400, "bad_recording": 400, "no_consent": 400,
    "access_token_missing": 401, "access_token_invalid": 401, "access_token_expired": 401,
    "token_missing": 401, "token_invalid": 401, "token_expired": 401,
    "token_other_session": 403, "foreign_origin": 403, "uploads_off": 403,
    "not_found": 404, "no_session": 404, "no_portrait": 404, "no_voice": 404,
    "method": 405, "offer_in_progress": 409, "ended": 410, "too_large": 413, "not_json": 415,
    "rate": 429, "too_many_calls": 429, "too_many_offers": 429,
    "full": 503, "portraits_full": 503, "voices_full": 503, "overloaded": 503, "draining": 503,
    "internal": 500,
}  # fmt: skip
# Seconds after which trying again makes sense: a call lasts minutes, load settles in seconds, an
# offer that does not connect is gone after 15 s, a new process is up in half a minute.
RETRY_AFTER_S: Final = {
    "full": 30, "overloaded": 5, "draining": 30, "rate": 1, "too_many_calls": 30,
    "too_many_offers": 15,
}  # fmt: skip
_REASON_OF_STATUS: Final = {404: "not_found", 405: "method", 413: "too_large"}
_HTTP_TEXTS: Final = {
    "not_found": "address: expected one of docs/protocol.md, got another",
    "method": "method: expected another for this address, see the Allow header",
    "too_large": "body: expected at most 64 KiB, got more",
}
_BROKEN_BODY: Final = "body: expected all of it, encoded as its headers say; got something else"


def refuse(reason: str, text: str) -> web.Response:
    """Return the answer that refuses a request."""
    headers = {"Cache-Control": "no-store"}
    if reason in RETRY_AFTER_S:
        headers["Retry-After"] = str(RETRY_AFTER_S[reason])
    return web.json_response(
        {"error": {"reason": reason, "text": text}},
        status=STATUS.get(reason, 500),
        headers=headers,
    )


@web.middleware
async def answer_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn every error into its answer, and count it."""
    try:
        return await handler(request)
    except SessionError as error:
        response, reason = refuse(error.reason, text_for(error)), error.reason
        _log.info("refused, %s: %s", reason, error)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        reason = _REASON_OF_STATUS.get(error.status, "bad_body")
        response = refuse(reason, _HTTP_TEXTS.get(reason, error.reason))
        if "Allow" in error.headers:
            response.headers["Allow"] = error.headers["Allow"]
    except web.RequestPayloadError as error:
        reason = "bad_body"
        response = refuse(reason, _BROKEN_BODY)
        _log.info("refused, %s: %s", reason, error)
    except Exception as error:  # the boundary of the process: this request ends, no other
        if isinstance(error, ConnectionError) and request.transport is None:
            _log.info("the caller has gone: %s %s", request.method, request.path)
            return refuse("bad_body", _BROKEN_BODY)  # nobody reads it
        _log.exception("request failed: %s %s", request.method, request.path)
        reason = "internal"
        response = refuse(reason, TEXTS[reason])
    request.app[METRICS].count_rejected(reason)
    return response
