"""An OpenAI-compatible endpoint: the official client, and errors that say what to mend.

``asking`` gives the client, with its connections kept open; what it raises becomes the error of
whoever asks. ``retried`` asks again, while nothing of the answer was used. Language model
(``reasoner.chat.chat_stream``) and voice (``tts.openai_tts``) use the same. No error text ever
holds the key. It does not know what is asked for, nor what an answer looks like.
"""

import asyncio
import json
import logging
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, TypeVar

import httpx2
import openai

from rt_avatar.config.secrets import shown_address
from rt_avatar.config.settings import LlmSettings, TtsSettings
from rt_avatar.errors import SetupError, TurnError
from rt_avatar.services.openai_clients import OpenAiClients

_log = logging.getLogger(__name__)

Item = TypeVar("Item")

_WARM_UP_S: Final = 1.0  # a warm connection is a favor, never worth waiting long for
# A connection used so lately is still open: uvicorn, which many local servers run on, closes idle
# ones after 5 s (its default of --timeout-keep-alive).
_FRESH_S: Final = 4.0
_DETAIL_CHARS: Final = 200  # of a server's own error text
_NO_LIST: Final = frozenset({404, 405, 501})  # many local servers list no models
_RETRYABLE: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
# Waits before another try, at most; somebody waits for the answer. Random, so that the callers of
# a server that was overloaded do not come back together.
_PAUSES_S: Final = (0.1, 0.6)


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """Where and what.

    Attributes:
        section: Section of the settings that names it, for advice.
        base_url: ``http(s)://host[:port][/path]``.
        api_key: Sent as bearer, unless ``base_url`` has a user and password; "" sends none.
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


def endpoint_of(settings: LlmSettings | TtsSettings) -> EndpointSettings:
    """Return where the language model, or speech, is asked for."""
    is_llm = isinstance(settings, LlmSettings)
    return EndpointSettings(
        section="llm" if is_llm else "tts",
        base_url=settings.base_url,
        api_key=settings.api_key,
        model=settings.model,
        timeout_s=settings.timeout_s,
        wants="words" if is_llm else "sound",
    )


class Endpoint:
    """Connections to one endpoint, shared by all callers, from any event loop and thread.

    Args:
        settings: Where and what.
        fail: Makes the error of what this is an endpoint for: message, whether to try again.

    Raises:
        SetupError: The address or the key cannot be one, or a proxy or the certificates that the
            environment names cannot be used.
    """

    def __init__(self, settings: EndpointSettings, fail: Callable[[str, bool], TurnError]) -> None:
        self._settings = settings
        self._fail = fail
        self._base = _address(settings)
        self._clients = _clients(settings)

    async def warm_up(self) -> None:
        """Open a connection if there is none to reuse; failing does not matter here."""
        mine = self._clients.mine()
        if asyncio.get_running_loop().time() - mine.used_s < _FRESH_S:
            return
        try:
            async with asyncio.timeout(_WARM_UP_S):
                await mine.client.models.with_raw_response.list()
        except openai.APIStatusError:
            pass  # somebody answered
        except (openai.APIError, TimeoutError):
            return  # the reply will say what is wrong
        mine.used_s = asyncio.get_running_loop().time()

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        await self._clients.aclose()

    async def models(self) -> list[str] | None:
        """Return the names of the models that it lists; None when it has no list.

        Raises:
            TurnError: As ``asking``.
        """
        async with self.asking() as client:
            try:
                answer = await client.models.with_raw_response.list()
                return [str(model["id"]) for model in json.loads(answer.text)["data"]]
            except openai.APIStatusError as error:
                if error.status_code not in _NO_LIST:
                    raise
            except (ValueError, KeyError, TypeError):
                pass
        return None

    @asynccontextmanager
    async def asking(self) -> AsyncGenerator[openai.AsyncOpenAI, None]:
        """Give the client; what it raises within the block becomes the endpoint's error.

        It does not try again by itself (``retried`` does, within the turn's deadline).

        Raises:
            TurnError: No connection, refused, too late or cut off; made by ``fail``.
        """
        mine = self._clients.mine()
        # Only what was read to its end leaves a connection to reuse.
        mine.used_s = float("-inf")
        try:
            yield mine.client
            mine.used_s = asyncio.get_running_loop().time()
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise self.too_late() from None
        except openai.APIStatusError as error:
            raise self._refusal(error.response) from None
        except openai.APIConnectionError as error:
            raise self._cut(error.__cause__ or error) from None
        except httpx2.HTTPError as error:
            raise self._cut(error) from None
        except openai.APIError as error:
            reason = self.message({"error": error.body or error.message})
            raise self.error(
                f"{self.where} failed while answering: {reason}", retryable=True
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

    def reason(self, text: str) -> str:
        """Return what the text of an answer says of an error, short; "" when it says nothing."""
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

    def _cut(self, error: BaseException) -> TurnError:
        """Return the error for a connection that was not made, or ended too early."""
        if isinstance(error, httpx2.ConnectError):
            return self.error(
                f"expected a connection to {self.where}; got {self.redact(str(error))}. "
                f"Start the endpoint, or mend {self._settings.section}.base_url",
                retryable=True,
            )
        return self.error(
            f"expected the whole answer of {self.where}; the connection was cut "
            f"({self.redact(str(error)) or type(error).__name__}). Look at that server's log",
            retryable=True,
        )

    def _refusal(self, response: httpx2.Response) -> TurnError:
        """Return the error for a status other than 200, with what the server says about it."""
        reason = self.reason(response.text)
        if response.has_redirect_location:  # followed, it would take the caller's words elsewhere
            reason = f"a redirection to {self.redact(response.headers['location'])}"
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
        refusal = self.error(
            f"expected 200 of {self.where}; got {status}: {reason or 'no reason'}. {mend}",
            retryable=status in _RETRYABLE,
        )
        with suppress(ValueError):  # a date, or nothing
            refusal.retry_after_s = float(response.headers.get("retry-after", ""))
        return refusal


async def retried(
    ask: Callable[[], AsyncGenerator[Item, None]], deadline_s: float
) -> AsyncGenerator[Item, None]:
    """Yield what ``ask()`` yields; ask again if it fails before it yields anything.

    Args:
        ask: Asks.
        deadline_s: Loop time after which nobody would wait for an answer.

    Raises:
        TurnError: That of the last try: it would not help to try again, or not in time.
    """
    loop = asyncio.get_running_loop()
    for pause_s in (*_PAUSES_S, None):
        has_begun = False
        try:
            async with aclosing(ask()) as items:
                async for item in items:
                    has_begun = True
                    yield item
            return
        except TurnError as error:
            if has_begun or pause_s is None or not error.retryable:
                raise
            wait_s = max(error.retry_after_s, pause_s * random.uniform(0.5, 1.0))
            if loop.time() + wait_s >= deadline_s:
                raise
            _log.warning("%s Trying again in %.1f s.", error, wait_s)
        await asyncio.sleep(wait_s)


def check_address(settings: EndpointSettings) -> None:
    """Check an address and a key, without asking there: for those who make their client later.

    Raises:
        SetupError: As ``Endpoint``.
    """
    _clients(settings)


def _clients(settings: EndpointSettings) -> OpenAiClients:
    base, key = _address(settings), _checked_key(settings)
    try:
        return OpenAiClients(base, key, settings.timeout_s)
    except OSError:
        raise SetupError(
            f"{settings.section}.base_url: expected certificates where SSL_CERT_FILE or "
            "SSL_CERT_DIR of the environment says; got none. Mend or unset them"
        ) from None
    except (ValueError, ImportError, httpx2.InvalidURL):
        # Not shown: a proxy's address may hold a password.
        raise SetupError(
            f"{settings.section}.base_url: expected an address like http://127.0.0.1:3128 in "
            "HTTP_PROXY, HTTPS_PROXY and ALL_PROXY of the environment, or none; got something else "
            "(socks5:// needs the package socksio). Mend or unset them"
        ) from None


def _address(settings: EndpointSettings) -> httpx2.URL:
    try:
        url = httpx2.URL(settings.base_url.rstrip("/"))
        if not url.host or not 0 <= (url.port or 0) <= 65535:
            raise httpx2.InvalidURL("no host, or a port that cannot be")
    except httpx2.InvalidURL:
        # Not shown: an address may hold a password.
        raise SetupError(
            f"{settings.section}.base_url: expected an address like http://127.0.0.1:8880/v1; "
            "got something that is none"
        ) from None
    if "?" in settings.base_url:
        raise SetupError(
            f"{settings.section}.base_url: expected an address without a query; got "
            f"{shown_address(settings.base_url)} with one. Leave out '?' and what follows; "
            f"a key belongs into {settings.section}.api_key"
        )
    return url


def _checked_key(settings: EndpointSettings) -> str:
    key = settings.api_key.strip()
    if not (key.isascii() and key.isprintable()):
        raise SetupError(
            f"{settings.section}.api_key: expected printable ASCII characters; got others. "
            "Copy the key anew"
        )
    return key
