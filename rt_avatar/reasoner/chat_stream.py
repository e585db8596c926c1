"""One streamed answer of an OpenAI-compatible endpoint: messages → text deltas, or a clear error.

``ChatClient`` owns the connections of one process; ``stream`` is one answer. Leaving the iterator
(cancelled, closed) closes the connection, so that the server stops decoding. No error text ever
holds the key. Knows nothing of emotions or replies.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing

import httpx

from rt_avatar.config.settings import ReasonerSettings
from rt_avatar.engine_room.openai_endpoint import Endpoint, EndpointSettings
from rt_avatar.errors import ReasonerError, TurnError


class ChatClient:
    """Connections to one endpoint, shared by all callers.

    Raises:
        SetupError: Its address or key cannot be one.
    """

    def __init__(self, settings: ReasonerSettings) -> None:
        self._settings = settings
        self._endpoint = Endpoint(
            EndpointSettings(
                section="reasoner",
                base_url=settings.base_url,
                api_key=settings.api_key,
                model=settings.model,
                timeout_s=settings.timeout_s,
                wants="words",
            ),
            _error,
        )

    async def warm_up(self) -> None:
        """Open a connection if there is none to reuse; failing does not matter here."""
        await self._endpoint.warm_up()

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        await self._endpoint.aclose()

    async def stream(self, messages: list[dict[str, str]]) -> AsyncGenerator[str, None]:
        """Yield the pieces of one answer as they are decoded.

        Raises:
            ReasonerError: No connection, refused, too late, cut off or malformed. What was yielded
                before stays valid.
        """
        body: dict[str, object] = {
            "model": self._settings.model,
            "messages": messages,
            "stream": True,
            "temperature": self._settings.temperature,
            "max_tokens": self._settings.max_tokens,
        }
        async with (
            self._endpoint.post("/chat/completions", body, "text/event-stream") as response,
            aclosing(self._deltas(response)) as deltas,
        ):
            async for delta in deltas:
                yield delta

    def too_late(self) -> TurnError:
        """Return the error for an answer that did not come in time."""
        return self._endpoint.too_late()

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
            raise self._endpoint.error(
                f"expected the end of the answer of {self._endpoint.where}; the stream stopped "
                "before it. Look at that server's log",
                retryable=True,
            )

    def _event(self, data: str) -> tuple[str, bool]:
        """Return the text of one event and whether it says that the answer is finished."""
        event = self._parse(data)
        if "error" in event:
            raise self._endpoint.error(
                f"{self._endpoint.where} failed while answering: {self._endpoint.message(event)}",
                retryable=True,
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

    def _malformed(self, data: str) -> TurnError:
        return self._endpoint.error(
            f"expected chat-completion events of {self._endpoint.where}; "
            f"got {self._endpoint.redact(data)!r}. "
            "Is reasoner.base_url an OpenAI-compatible endpoint?"
        )


def _error(message: str, retryable: bool) -> TurnError:
    return ReasonerError(f"language model: {message}", retryable=retryable)
