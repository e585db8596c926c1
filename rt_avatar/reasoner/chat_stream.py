"""One streamed answer of an OpenAI-compatible endpoint: messages → text deltas, or a clear error.

``ChatClient`` owns the connections of one process; ``stream`` is one answer. Leaving the iterator
(cancelled, closed) closes the connection, so that the server stops decoding. No error text ever
holds the key. Knows nothing of emotions or replies.
"""

import asyncio
import ipaddress
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import httpx

from rt_avatar.config import ReasonerSettings
from rt_avatar.errors import ReasonerError

# A voice call has pauses longer than httpx's 5 s; a minute keeps the connection over most of them.
_KEEPALIVE_S: Final = 60.0
_WARM_UP_S: Final = 1.0  # a warm connection is a favor, never worth waiting long for
_DETAIL_CHARS: Final = 200  # of a server's own error text
_MAX_ERROR_BYTES: Final = 20_000
_RETRYABLE: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


class ChatClient:
    """Connections to one endpoint, shared by all callers."""

    def __init__(self, settings: ReasonerSettings) -> None:
        self._settings = settings
        self._base = httpx.URL(settings.base_url.rstrip("/"))
        headers = {"Authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}
        self._client = httpx.AsyncClient(
            headers=headers,
            # Silence between two deltas is bounded like the wait for the first one.
            timeout=httpx.Timeout(settings.timeout_s),
            limits=httpx.Limits(keepalive_expiry=_KEEPALIVE_S),
            # A proxy of the environment is for the outside, never for this machine.
            trust_env=not _is_loopback(self._base.host),
        )

    async def warm_up(self) -> None:
        """Open a connection if there is none to reuse; failing does not matter here."""
        try:
            async with asyncio.timeout(_WARM_UP_S):
                await self._client.get(f"{self._base}/models")
        except (httpx.HTTPError, TimeoutError):
            pass  # the reply will say what is wrong

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def stream(self, messages: list[dict[str, str]]) -> AsyncGenerator[str, None]:
        """Yield the pieces of one answer as they are decoded.

        Raises:
            ReasonerError: No connection, refused, too late, cut off or malformed. What was yielded
                before stays valid.
        """
        request = self._client.build_request(
            "POST",
            f"{self._base}/chat/completions",
            json={
                "model": self._settings.model,
                "messages": messages,
                "stream": True,
                "temperature": self._settings.temperature,
                "max_tokens": self._settings.max_tokens,
            },
            headers={"Accept": "text/event-stream"},
        )
        try:
            response = await self._client.send(request, stream=True)
            try:
                if response.status_code != httpx.codes.OK:
                    raise await self._refusal(response)
                async with aclosing(self._deltas(response)) as deltas:
                    async for delta in deltas:
                        yield delta
            finally:
                await response.aclose()
        except httpx.TimeoutException:
            raise self.too_late() from None
        except httpx.ConnectError as error:
            raise self._error(
                f"expected a connection to {self._where}; got {self._redact(str(error))}. "
                "Start the endpoint, or mend reasoner.base_url",
                retryable=True,
            ) from None
        except httpx.HTTPError as error:
            raise self._error(
                f"expected the whole answer of {self._where}; the connection was cut "
                f"({self._redact(str(error)) or type(error).__name__}). Look at that server's log",
                retryable=True,
            ) from None

    def too_late(self) -> ReasonerError:
        """Return the error for an answer that did not come in time."""
        return self._error(
            f"expected words of {self._where} within {self._settings.timeout_s:g} s; got none. "
            "Use a faster model, or raise reasoner.timeout_s",
            retryable=True,
        )

    async def _deltas(self, response: httpx.Response) -> AsyncGenerator[str, None]:
        """Yield the text of the server-sent events; ends only at a proper end."""
        if "json" in response.headers.get("content-type", "").split(";")[0]:
            yield self._text_of(await response.aread())  # a server that does not stream
            return
        is_finished = False
        async for line in response.aiter_lines():
            name, _, value = line.partition(":")
            if name != "data":  # comments that keep the line open, event names, blanks
                continue
            if value.strip() == "[DONE]":
                return
            delta, ends = self._event(value.strip())
            is_finished = is_finished or ends
            if delta:
                yield delta
        if not is_finished:
            raise self._error(
                f"expected the end of the answer of {self._where}; the stream stopped before it. "
                "Look at that server's log",
                retryable=True,
            )

    def _event(self, data: str) -> tuple[str, bool]:
        """Return the text of one event and whether it says that the answer is finished."""
        event = self._parse(data)
        if "error" in event:
            raise self._error(
                f"{self._where} failed while answering: {self._message(event)}", retryable=True
            )
        choices = event.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else {}
        if not isinstance(first, dict):
            raise self._malformed(data)
        delta = first.get("delta")
        text = delta.get("content") if isinstance(delta, dict) else None
        return (text if isinstance(text, str) else ""), bool(first.get("finish_reason"))

    def _text_of(self, body: bytes) -> str:
        event = self._parse(body.decode("utf-8", "replace"))
        try:
            text = event["choices"][0]["message"]["content"]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            text = None
        if not isinstance(text, str):
            raise self._malformed(str(event))
        return text

    def _parse(self, data: str) -> dict[str, object]:
        try:
            event = json.loads(data)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise self._malformed(data)
        return event

    # --- errors -------------------------------------------------------------------------------
    async def _refusal(self, response: httpx.Response) -> ReasonerError:
        """Return the error for a status other than 200, with what the server says about it."""
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
        detail = self._message(event) if isinstance(event, dict) else self._redact(text)
        status = response.status_code
        mend = {
            401: "Mend reasoner.api_key",
            403: "Mend reasoner.api_key, or let that key use this model",
            404: f"Mend reasoner.base_url (it mostly ends in /v1) or reasoner.model "
            f"({self._settings.model!r}); {self._where}/models lists the models",
            429: "Wait, or raise the limit of that key",
        }.get(
            status, "Look at that server's log" if status >= 500 else "Mend the reasoner settings"
        )
        return self._error(
            f"expected 200 of {self._where}; got {status}: {detail or 'no reason'}. {mend}",
            retryable=status in _RETRYABLE,
        )

    def _malformed(self, data: str) -> ReasonerError:
        return self._error(
            f"expected chat-completion events of {self._where}; got {self._redact(data)!r}. "
            "Is reasoner.base_url an OpenAI-compatible endpoint?"
        )

    def _message(self, event: dict[str, object]) -> str:
        error = event.get("error", event.get("message", event.get("detail", "")))
        if isinstance(error, dict):
            error = error.get("message", error)
        return self._redact(str(error))

    def _error(self, message: str, *, retryable: bool = False) -> ReasonerError:
        return ReasonerError(f"language model: {message}.", retryable=retryable)

    def _redact(self, text: str) -> str:
        key = self._settings.api_key
        text = text.replace(key, "***") if key else text
        if self._base.password:
            text = text.replace(self._base.password, "***")
        return " ".join(text.split())[:_DETAIL_CHARS].rstrip(".")

    @property
    def _where(self) -> str:
        """The endpoint without user, password or query."""
        port = f":{self._base.port}" if self._base.port else ""
        return f"{self._base.scheme}://{self._base.host}{port}{self._base.path}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
