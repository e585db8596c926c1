"""Requests that another worker has to answer: whose call it is, or who has the fewest callers.

The port is shared, so any worker may accept a request. The session's id begins with the number of
the worker that its call is at; a worker passes on what is not its own by a socket in a folder that
only this user may enter.
"""

import asyncio
import errno
import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import aiohttp
from aiohttp import hdrs, web

from rt_avatar.errors import AdmissionError
from rt_avatar.signaling.refusals import Handler
from rt_avatar.signaling.workers.board import Board

_log = logging.getLogger(__name__)

SESSIONS: Final = "/api/sessions"
_OWNER: Final = re.compile(rf"{SESSIONS}/w(\d{{1,4}})-")
# Whom a passed request is from; believed of the workers' own sockets alone.
_CLIENT: Final = "X-Worker-Client"
_TIMEOUT_S: Final = 20.0  # an answer to an offer takes a second; on a busy machine some
# Of its metrics: whoever watches waits for all workers' (Prometheus 10 s), also where one hangs.
METRICS_TIMEOUT_S: Final = 3.0
# Who asks for a session takes the place about so much later; counted twice for the rest of it.
PROMISE_S: Final = 5.0
_NEVER: Final = 1_000_000  # callers that are expected where nobody is let in any more
# What a worker that has died, or whose successor loads, leaves of its socket.
_GONE: Final = frozenset({errno.ECONNREFUSED, errno.ENOENT})
# Of one connection (RFC 9110 §7.6.1), or made anew by whoever answers.
_OWN_HEADERS: Final = frozenset(
    {"connection", "keep-alive", "transfer-encoding", "content-length", "x-forwarded-for", "date",
     "server", "content-encoding", _CLIENT.lower()}
)  # fmt: skip


class Siblings:
    """The workers of a port as one of them sees them; an async context manager.

    Args:
        number: This worker's.
        board: What all of them know.
        folder: Where their sockets are.
    """

    def __init__(self, number: int, board: Board, folder: Path) -> None:
        self.number = number
        self.board = board
        self._folder = folder
        self._callers = self._promised = 0
        self._http: dict[int, aiohttp.ClientSession] = {}

    @property
    def socket(self) -> Path:
        """Where this worker answers the others."""
        return self._socket(self.number)

    def promise(self) -> str:
        """Count a caller who is expected in a moment; return what the session's id begins with."""
        self._promised += 1
        self._tell()
        asyncio.get_running_loop().call_later(PROMISE_S, self._forget)
        return f"w{self.number}-"

    async def __aenter__(self) -> "Siblings":
        """Do nothing: connections are made when they are needed."""
        return self

    async def __aexit__(self, *_problem: object) -> None:
        """Close the connections to the others."""
        await asyncio.gather(*(session.close() for session in self._http.values()))

    def note_callers(self, clients: Sequence[str]) -> None:
        """Tell the others whose calls are here now."""
        self._callers = len(clients)
        self.board.set_clients(self.number, clients)
        self._tell()

    def count_elsewhere(self, client: str) -> int:
        """Return how many calls of a client the others have."""
        return self.board.calls_of(client, without=self.number)

    def calls_elsewhere(self) -> int:
        """Return how many calls the others have."""
        return self.board.total - self._callers

    def send_callers_elsewhere(self) -> None:
        """Tell the others that nobody is let in here any more; the calls here go on."""
        self._promised += _NEVER
        self._tell()

    def _forget(self) -> None:
        self._promised -= 1
        self._tell()

    def _tell(self) -> None:
        self.board.set(self.number, self._callers, self._promised)

    @web.middleware
    async def receive(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Take a request that another worker passed on as its client's own."""
        if self.is_from_sibling(request):
            request = request.clone(remote=request.headers.get(_CLIENT, ""))
        return await handler(request)

    @web.middleware
    async def pass_on(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let the worker answer that has to; this one where a new session can be made here.

        Raises:
            AdmissionError: The call is gone with its worker, or that one does not answer.
        """
        worker = self._whose(request)
        if worker == self.number or self.is_from_sibling(request):
            return await handler(request)
        await request.read()  # where that fails the caller is at fault, not the other worker
        try:
            return await self._ask(worker, request)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            if _OWNER.match(request.path):
                if isinstance(error, OSError) and error.errno in _GONE:
                    # A new call of that number would not be found once its successor is there.
                    raise AdmissionError(
                        f"session: expected a call that is going on, got one of worker {worker}, "
                        "which has ended; ask for a new session",
                        reason="ended",
                    ) from error
                # The call may have begun there: here it would begin a second time.
                raise AdmissionError(
                    f"worker {worker} does not answer ({error!r})", reason="overloaded"
                ) from error
            _log.info("worker %d does not answer (%r); its session is made here", worker, error)
            return await handler(request)

    async def exposition(self, worker: int) -> bytes:
        """Return another worker's metrics.

        Raises:
            aiohttp.ClientError: It does not answer.
            TimeoutError: It does not answer in time.
        """
        timeout = aiohttp.ClientTimeout(total=METRICS_TIMEOUT_S)
        async with self._session(worker).get("http://worker/metrics", timeout=timeout) as response:
            return await response.read()

    def _whose(self, request: web.Request) -> int:
        if owner := _OWNER.match(request.path):
            return int(owner[1]) if int(owner[1]) < len(self.board.callers) else self.number
        is_new = request.method == "POST" and request.path == SESSIONS
        return self.board.freest(self.number) if is_new else self.number

    def is_from_sibling(self, request: web.Request) -> bool:
        """Return whether another worker asks, for itself or for a client."""
        transport = request.transport
        at = None if transport is None else transport.get_extra_info("sockname")
        return at == str(self.socket)

    async def _ask(self, worker: int, request: web.Request) -> web.Response:
        headers = {
            name: value for name, value in request.headers.items()
            if name.lower() not in _OWN_HEADERS
        }  # fmt: skip
        headers[_CLIENT] = request.remote or ""
        async with self._session(worker).request(
            request.method, f"http://worker{request.rel_url}", headers=headers,
            data=await request.read(), allow_redirects=False,
        ) as response:  # fmt: skip
            kept = {
                name: value for name, value in response.headers.items()
                if name.lower() not in _OWN_HEADERS
            }  # fmt: skip
            return web.Response(status=response.status, body=await response.read(), headers=kept)

    def _session(self, worker: int) -> aiohttp.ClientSession:
        if worker not in self._http:
            self._http[worker] = aiohttp.ClientSession(
                connector=aiohttp.UnixConnector(str(self._socket(worker))),
                timeout=aiohttp.ClientTimeout(total=_TIMEOUT_S),
                skip_auto_headers=(hdrs.USER_AGENT, hdrs.CONTENT_TYPE),
            )
        return self._http[worker]

    def _socket(self, worker: int) -> Path:
        return self._folder / f"{worker}.sock"
