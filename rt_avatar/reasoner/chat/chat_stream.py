"""Stream one answer of an OpenAI-compatible endpoint: messages → text deltas or an error.

``ChatClient`` owns the connections of one process; ``stream`` is one answer. Leaving the iterator
(cancelled, closed) closes the connection, so that the server stops decoding. No error text ever
holds the key. Knows nothing of emotions or replies.
"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Literal, TypeVar, cast

import openai
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

from rt_avatar.config.settings import LlmSettings
from rt_avatar.errors import ReasonerError, TurnError
from rt_avatar.services.openai_endpoint import Endpoint, endpoint_of
from rt_avatar.telemetry.metrics import Metrics

_log = logging.getLogger(__name__)

Given = TypeVar("Given")


class ChatClient:
    """Connections to one endpoint, shared by all callers.

    Attributes:
        opening: What every answer begins with although the endpoint leaves it out; set by whoever
            finds that out.

    Raises:
        SetupError: Its address or key cannot be one.
    """

    def __init__(self, settings: LlmSettings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self.opening = ""
        self._endpoint = Endpoint(endpoint_of(settings), _error)

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
        outcome: Literal["answered", "failed", "cancelled"] = "cancelled"
        try:
            if self.opening:
                yield self.opening
            async with aclosing(self._answer(messages)) as deltas:
                async for delta in deltas:
                    yield delta
            outcome = "answered"
        except TurnError:
            outcome = "failed"
            raise
        finally:
            self._metrics.count_llm_request(outcome)

    async def gather(
        self, messages: list[dict[str, str]], is_enough: Callable[[str], bool]
    ) -> str | None:
        """Return the text of one answer that nobody waits for; None where it failed or is too late.

        Args:
            messages: What the model is asked.
            is_enough: Whether no more is wanted than the text so far.
        """
        text = ""
        try:
            async with (
                asyncio.timeout(self._settings.timeout_s),
                aclosing(self.stream(messages)) as deltas,
            ):
                async for delta in deltas:
                    text += delta
                    if is_enough(text):
                        break
        except (ReasonerError, TimeoutError) as error:
            _log.info("a thought is missing: %s", error)  # the reply will tell the caller
            return None
        return text

    async def _answer(self, messages: list[dict[str, str]]) -> AsyncGenerator[str, None]:
        settings, finish = self._settings, ""
        usage: CompletionUsage | None = None
        async with self._endpoint.asking() as client:
            answer = await client.chat.completions.create(
                model=settings.model,
                messages=cast("list[ChatCompletionMessageParam]", messages),
                stream=True,
                stream_options={"include_usage": True} if settings.stream_usage else openai.omit,
                temperature=_if_set(settings.temperature),
                max_tokens=_if_set(settings.max_tokens),
                extra_body=dict(settings.extra_body) or None,
            )
            try:
                async with answer:
                    kind = answer.response.headers.get("content-type", "").split(";")[0]
                    if "json" in kind:
                        yield self._whole_text(await answer.response.aread())  # no stream
                        return
                    if "html" in kind:
                        raise ValueError("a page for people")
                    async for chunk in answer:
                        usage = chunk.usage or usage  # the newest: some send the sum so far
                        text, reason = _delta(chunk)
                        finish = reason or finish
                        if text:
                            yield text
                    if usage:
                        self._metrics.count_llm_tokens(
                            usage.prompt_tokens or 0, usage.completion_tokens or 0
                        )
            # The client does not check what it parses.
            except (ValueError, LookupError, TypeError, AttributeError) as error:
                raise self._malformed(error) from None
        if finish == "content_filter":  # it would withhold the same again
            raise self._endpoint.error(
                f"expected an answer of {self._endpoint.where}; its content filter withheld it, or "
                "the rest. Loosen the filter there, or take another model"
            )
        if not finish:
            raise self._endpoint.error(
                f"expected the end of the answer of {self._endpoint.where}; the stream stopped "
                "before it. Look at that server's log",
                retryable=True,
            )

    def too_late(self) -> TurnError:
        """Return the error for an answer that did not come in time."""
        return self._endpoint.too_late()

    def _whole_text(self, body: bytes) -> str:
        """Return the text of an answer in one piece; "" where it has none but thoughts."""
        answer = json.loads(body)
        if answer.get("error") and not answer.get("choices"):  # with 200, as LM Studio does
            raise ValueError(self._endpoint.message(answer))
        text = answer["choices"][0]["message"]["content"]
        if not isinstance(text, str | None):
            raise TypeError(f"content: expected text; got {type(text).__name__}")
        return text or ""

    def _malformed(self, error: Exception) -> TurnError:
        return self._endpoint.error(
            f"expected chat-completion events of {self._endpoint.where}; "
            f"got others ({self._endpoint.redact(str(error))}). "
            "Is llm.base_url an OpenAI-compatible endpoint (it mostly ends in /v1)?"
        )


def _delta(chunk: ChatCompletionChunk) -> tuple[str, str]:
    """Return the text of one event and why the answer is finished, if it is."""
    if not chunk.choices:
        return "", ""
    first = chunk.choices[0]
    text = first.delta.content if first.delta else None
    return (text if isinstance(text, str) else ""), first.finish_reason or ""


def _if_set(value: Given | None) -> Given | openai.Omit:
    return openai.omit if value is None else value


def _error(message: str, retryable: bool) -> TurnError:
    return ReasonerError(f"language model: {message}", retryable=retryable)
