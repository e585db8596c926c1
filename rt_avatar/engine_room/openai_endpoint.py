"""An OpenAI-compatible endpoint: connections kept open, and errors that say what to mend.

One request is ``post``: settings and a body in, a response of status 200 out whose content streams.
Language model (``reasoner.chat_stream``) and voice (``speech.endpoint_speech``) use the same. No
error text ever holds the key. It does not know what is asked for, nor what an answer looks like.
"""

import asyncio
import ipaddress
import json
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import httpx

from rt_avatar.errors import SetupError, TurnError

# A voice call has pauses longer than httpx's 5 s; a minute keeps the connection over most of them.
_KEEPALIVE_S: Final = 60.0
_WARM_UP_S: Final = 1.0  # a warm connection is a favor, never worth waiting long for
# A connection used so lately is still open: uvicorn, which many local servers run on, closes idle
# ones after 5 s (its default of --timeout-keep-alive).
_FRESH_S: Final = 4.0
_DETAIL_CHARS: Final = 200  # of a server's own error text
_MAX_ERROR_BYTES: Final = 20_000
_GOOD: Final = frozenset({200})
_LISTS: Final = frozenset({200, 404, 405, 501})  # many local servers list no models
_RETRYABLE: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where and what.

    Attributes:
        section: Section of the settings that names it, for advice.
        base_url: ``http(s)://host[:port][/path]``.
        api_key: Sent as bearer; "" sends none.
        model: Model asked for, for advice.
        timeout_s: Longest silence, before the first byte and between two.
        wants: What it is asked for, in the plural or uncountable: ``words``.
    """

    section: str
    base_url: str
    api_key: str
    model: str
    timeout_s: float
    wants: str


@dataclass(slots=True)
class _Connections:
    """Of one event loop."""

    client: httpx.AsyncClient
    used_s: float = float("-inf")  # loop time of the last answer


class Endpoint:
    """Connections to one endpoint, shared by all callers.

    A connection belongs to the event loop that opened it: every loop gets its own, from any thread.
    Those of a loop that has ended are let go when the next loop comes.

    Args:
        settings: Where and what.
        fail: Makes the error of what this is an endpoint for: message, whether to try again.

    Raises:
        SetupError: The address or the key cannot be one.
    """

    def __init__(self, settings: EndpointSettings, fail: Callable[[str, bool], TurnError]) -> None:
        self._settings = settings
        self._fail = fail
        self._base = _address(settings)
        # A proxy of the environment is for the outside, never for this machine.
        self._trusts_env = not _is_loopback(self._base.host)
        self._tls = httpx.create_ssl_context(trust_env=self._trusts_env)
        self._headers = _headers(settings)
        self._lock = threading.Lock()
        self._by_loop: dict[asyncio.AbstractEventLoop, _Connections] = {}

    async def warm_up(self) -> None:
        """Open a connection if there is none to reuse; failing does not matter here."""
        connections = self._connections()
        if asyncio.get_running_loop().time() - connections.used_s < _FRESH_S:
            return
        try:
            async with asyncio.timeout(_WARM_UP_S):
                await connections.client.get(f"{self._base}/models")
            connections.used_s = asyncio.get_running_loop().time()
        except (httpx.HTTPError, TimeoutError):
            pass  # the reply will say what is wrong

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        with self._lock:
            mine = self._by_loop.pop(asyncio.get_running_loop(), None)
        if mine is not None:
            await mine.client.aclose()

    async def models(self) -> list[str] | None:
        """Return the names of the models that it lists; None when it has no list.

        Raises:
            TurnError: As ``post``.
        """
        try:
            async with self._ask("GET", "/models", None, "application/json", _LISTS) as response:
                event = json.loads(await response.aread())
            return [str(model["id"]) for model in event["data"]]
        except (ValueError, KeyError, TypeError):
            return None

    @asynccontextmanager
    async def post(
        self, path: str, body: dict[str, object], accept: str
    ) -> AsyncGenerator[httpx.Response, None]:
        """Ask; the response has status 200 and its content is not read yet.

        Leaving the block (done, cancelled, failed) closes what was not read, so that the server
        stops working on it. What httpx raises within the block becomes the endpoint's error, too.

        Raises:
            TurnError: No connection, refused, too late or cut off; made by ``fail``.
        """
        async with self._ask("POST", path, body, accept, _GOOD) as response:
            yield response

    @asynccontextmanager
    async def _ask(
        self,
        method: str,
        path: str,
        body: dict[str, object] | None,
        accept: str,
        good: frozenset[int],
    ) -> AsyncGenerator[httpx.Response, None]:
        connections = self._connections()
        request = connections.client.build_request(
            method, f"{self._base}{path}", json=body, headers={"Accept": accept}
        )
        try:
            response = await connections.client.send(request, stream=True)
            try:
                if response.status_code not in good:
                    raise await self._refusal(response)
                # Only what was read to its end leaves a connection to reuse.
                connections.used_s = float("-inf")
                yield response
                if response.is_closed:
                    connections.used_s = asyncio.get_running_loop().time()
            finally:
                await response.aclose()
        except httpx.TimeoutException:
            raise self.too_late() from None
        except httpx.ConnectError as error:
            raise self.error(
                f"expected a connection to {self.where}; got {self.redact(str(error))}. "
                f"Start the endpoint, or mend {self._settings.section}.base_url",
                retryable=True,
            ) from None
        except httpx.HTTPError as error:
            raise self.error(
                f"expected the whole answer of {self.where}; the connection was cut "
                f"({self.redact(str(error)) or type(error).__name__}). Look at that server's log",
                retryable=True,
            ) from None

    # --- errors -------------------------------------------------------------------------------
    def error(self, message: str, *, retryable: bool = False) -> TurnError:
        """Return an error of this endpoint; ``message`` is redacted already, without a dot."""
        return self._fail(f"{message}.", retryable)

    def too_late(self) -> TurnError:
        """Return the error for an answer that did not come in time."""
        settings = self._settings
        return self.error(
            f"expected {settings.wants} of {self.where} within {settings.timeout_s:g} s; got none. "
            f"Use a faster model, or raise {settings.section}.timeout_s",
            retryable=True,
        )

    async def reason(self, response: httpx.Response) -> str:
        """Return what an unread response says of an error, short; "" when it says nothing."""
        body = b""
        async for part in response.aiter_bytes():
            body += part
            if len(body) > _MAX_ERROR_BYTES:
                break
        text = body.decode("utf-8", "replace")
        try:
            event = json.loads(text)
        except ValueError:
            event = None
        return self.message(event) if isinstance(event, dict) else self.redact(text)

    def message(self, event: dict[str, object]) -> str:
        """Return what an error object says, redacted and short."""
        error = event.get("error", event.get("message", event.get("detail", "")))
        if isinstance(error, dict):
            error = error.get("message", error)
        return self.redact(str(error))

    def redact(self, text: str) -> str:
        """Return text of a server without key and password, in one line, short."""
        for secret in (self._settings.api_key.strip(), self._base.password):
            text = text.replace(secret, "***") if secret else text
        return " ".join(text.split())[:_DETAIL_CHARS].rstrip(".")

    @property
    def where(self) -> str:
        """The endpoint without user, password or query."""
        port = f":{self._base.port}" if self._base.port else ""
        return f"{self._base.scheme}://{self._base.host}{port}{self._base.path}"

    async def _refusal(self, response: httpx.Response) -> TurnError:
        """Return the error for a status other than 200, with what the server says about it."""
        reason = await self.reason(response)
        status, section = response.status_code, self._settings.section
        mend = {
            401: f"Mend {section}.api_key",
            403: f"Mend {section}.api_key, or let that key use this model",
            404: f"Mend {section}.base_url (it mostly ends in /v1) or {section}.model "
            f"({self._settings.model!r}); {self.where}/models lists the models",
            429: "Wait, or raise the limit of that key",
        }.get(
            status,
            "Look at that server's log" if status >= 500 else f"Mend the {section} settings",
        )
        return self.error(
            f"expected 200 of {self.where}; got {status}: {reason or 'no reason'}. {mend}",
            retryable=status in _RETRYABLE,
        )

    # --- connections --------------------------------------------------------------------------
    def _connections(self) -> _Connections:
        """Return the connections of this event loop."""
        mine = asyncio.get_running_loop()
        with self._lock:
            for loop in [loop for loop in self._by_loop if loop.is_closed()]:
                del self._by_loop[loop]
            if mine not in self._by_loop:
                self._by_loop[mine] = _Connections(self._make_client())
            return self._by_loop[mine]

    def _make_client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            headers=self._headers,
            # Silence between two pieces is bounded like the wait for the first one.
            timeout=httpx.Timeout(self._settings.timeout_s),
            limits=httpx.Limits(keepalive_expiry=_KEEPALIVE_S),
            verify=self._tls,
            trust_env=self._trusts_env,
        )


def _address(settings: EndpointSettings) -> httpx.URL:
    try:
        return httpx.URL(settings.base_url.rstrip("/"))
    except httpx.InvalidURL:
        # Not shown: an address may hold a password.
        raise SetupError(
            f"{settings.section}.base_url: expected an address like http://127.0.0.1:8880/v1; "
            "got something that is none"
        ) from None


def _headers(settings: EndpointSettings) -> dict[str, str]:
    key = settings.api_key.strip()
    if not (key.isascii() and key.isprintable()):
        raise SetupError(
            f"{settings.section}.api_key: expected printable ASCII characters; got others. "
            "Copy the key anew"
        )
    return {"Authorization": f"Bearer {key}"} if key else {}


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
