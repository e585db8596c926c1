"""A client of an OpenAI-compatible endpoint for each event loop, its connections kept open.

It knows where to connect and with which key, not what is asked for.
"""

import asyncio
import ipaddress
import threading
from dataclasses import dataclass
from typing import Final

import httpx2
import openai

# A voice call has pauses longer than the client's 5 s; a minute keeps the connection over most.
_KEEPALIVE_S: Final = 60.0


@dataclass(slots=True)
class LoopClient:
    """Of one event loop."""

    client: openai.AsyncOpenAI
    used_s: float = float("-inf")  # loop time of the last answer


class OpenAiClients:
    """Clients of one endpoint.

    A connection belongs to the event loop that opened it: every loop gets its own, from any thread.
    Those of a loop that has ended are let go when the next loop comes.

    Args:
        base: Address of the endpoint.
        key: Sent as bearer, unless the address has a user and password; "" sends none.
        timeout_s: Longest silence, before the first byte and between two.

    Raises:
        OSError: The certificates that the environment names cannot be read.
        ImportError: Its proxy speaks SOCKS, and what is needed for that is missing.
        httpx2.InvalidURL: Its proxy's address is none.
        ValueError: Its proxy's address is of another kind.
    """

    def __init__(self, base: httpx2.URL, key: str, timeout_s: float) -> None:
        self._base, self._key, self._timeout_s = base, key, timeout_s
        # A proxy of the environment is for the outside, never for this machine.
        self._trusts_env = not _is_loopback(base.host)
        self._tls = httpx2.create_ssl_context(trust_env=self._trusts_env)
        self._lock = threading.Lock()
        self._by_loop: dict[asyncio.AbstractEventLoop, LoopClient] = {}
        self._make_client()  # what is wrong with a proxy is told now, not by a reply

    def mine(self) -> LoopClient:
        """Return the client of this event loop."""
        mine = asyncio.get_running_loop()
        with self._lock:
            for loop in [loop for loop in self._by_loop if loop.is_closed()]:
                del self._by_loop[loop]
            if mine not in self._by_loop:
                self._by_loop[mine] = LoopClient(self._make_client())
            return self._by_loop[mine]

    def _make_client(self) -> openai.AsyncOpenAI:
        # Silence between two pieces is bounded like the wait for the first one.
        timeout = httpx2.Timeout(self._timeout_s)
        return openai.AsyncOpenAI(
            base_url=str(self._base),
            api_key=self._key or "none",  # it wants one; many local servers want none
            max_retries=0,
            timeout=timeout,
            http_client=httpx2.AsyncClient(
                timeout=timeout,
                limits=httpx2.Limits(keepalive_expiry=_KEEPALIVE_S),
                verify=self._tls,
                trust_env=self._trusts_env,
                event_hooks={} if self._key else {"request": [_without_key]},
            ),
        )

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        with self._lock:
            mine = self._by_loop.pop(asyncio.get_running_loop(), None)
        if mine is not None:
            await mine.client.close()


async def _without_key(request: httpx2.Request) -> None:
    if request.headers["Authorization"].startswith("Bearer "):  # not the address's user
        del request.headers["Authorization"]


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
