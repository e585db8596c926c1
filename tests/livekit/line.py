"""A line between a client and the real server that a test can cut: signalling and media.

Clients use ``url`` instead of the server's. Signalling goes through a proxy that puts the line's
own UDP port for the server's into the candidates the server tells; the server tells no other way
(``server.py``), so media goes through the line, too.
"""

import asyncio
from typing import Any, Self

import aiohttp
from aiohttp import web

from tests.livekit.server import LiveKitServer

_DROPPED_HEADERS = {"host", "connection", "upgrade", "content-length", "transfer-encoding"}


class Line:
    """An async context manager. Several clients may use one line; they are cut together.

    Attributes:
        url: Where clients connect to.
        datagrams: How many media packets have passed, both ways.
    """

    def __init__(self, livekit: LiveKitServer) -> None:
        self.url = ""
        self.datagrams = 0
        self._server = livekit
        self._is_up = asyncio.Event()
        self._is_up.set()
        self._clients: set[asyncio.Transport] = set()
        self._flows: dict[tuple[str, int], _Upstream] = {}

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        while True:  # a port of as many digits as the server's, so that messages keep their length
            self._udp, _ = await loop.create_datagram_endpoint(
                lambda: _Downstream(self), local_addr=("127.0.0.1", 0)
            )
            self._port = self._udp.get_extra_info("sockname")[1]
            if len(str(self._port)) == len(str(self._server.udp_port)):
                break
            self._udp.close()
        self._http = aiohttp.ClientSession()
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"ws://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_problem: object) -> None:
        self.mend()
        for client in tuple(self._clients):
            client.abort()
        await self._runner.cleanup()
        await self._http.close()
        for flow in self._flows.values():
            flow.transport.close()
        self._udp.close()

    # --- control ------------------------------------------------------------------------------
    def cut(self, *, resets: bool = True) -> None:
        """Let nothing through from now on.

        Args:
            resets: Connections of the client break, and new ones are refused, as when its network
                goes away. Otherwise it notices nothing: packets vanish on the way.
        """
        self._is_up.clear()
        if resets:
            for client in tuple(self._clients):
                client.abort()

    def mend(self) -> None:
        """Let everything through again."""
        self._is_up.set()

    async def cut_for(self, seconds: float, *, resets: bool = True) -> None:
        """Cut the line for a while."""
        self.cut(resets=resets)
        await asyncio.sleep(seconds)  # the network is away for so long: not a wait for something
        self.mend()

    @property
    def is_up(self) -> bool:
        """Whether anything comes through."""
        return self._is_up.is_set()

    # --- signalling ---------------------------------------------------------------------------
    async def _serve(self, request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        if not self.is_up:
            request.transport.abort()
            raise ConnectionResetError
        url = self._server.url.replace("ws", "http", 1) + request.path_qs
        headers = {
            name: value
            for name, value in request.headers.items()
            if name.lower() not in _DROPPED_HEADERS and not name.lower().startswith("sec-websocket")
        }
        if request.headers.get("Upgrade", "").lower() == "websocket":
            return await self._serve_socket(request, url, headers)
        async with self._http.request(
            request.method, url, headers=headers, data=await request.read()
        ) as answer:
            body = await answer.read()
            kept = {"Content-Type": answer.headers.get("Content-Type", "text/plain")}
            kept |= {
                name: value
                for name, value in answer.headers.items()
                if name.lower().startswith("access-control")
            }
            return web.Response(status=answer.status, body=body, headers=kept)

    async def _serve_socket(
        self, request: web.Request, url: str, headers: dict[str, str]
    ) -> web.StreamResponse:
        try:
            above = await self._http.ws_connect(url, headers=headers, max_msg_size=0)
        except aiohttp.WSServerHandshakeError as error:
            return web.Response(status=error.status, text=error.message)
        below = web.WebSocketResponse(compress=False, max_msg_size=0)
        await below.prepare(request)
        client = request.transport
        assert client is not None
        self._clients.add(client)
        try:
            async with asyncio.TaskGroup() as group:
                down = group.create_task(self._pump(above, below))
                await self._pump(below, above)
                down.cancel()
        except* (ConnectionError, aiohttp.ClientError):
            pass  # it was cut
        finally:
            self._clients.discard(client)
            await self._is_up.wait()  # the server does not notice before
            await above.close()
        return below

    async def _pump(self, source: Any, sink: Any) -> None:
        old, new = (f"127.0.0.1 {port} ".encode() for port in (self._server.udp_port, self._port))
        async for message in source:
            await self._is_up.wait()
            if message.type == aiohttp.WSMsgType.BINARY:
                await sink.send_bytes(message.data.replace(old, new))
            elif message.type == aiohttp.WSMsgType.TEXT:
                await sink.send_str(message.data.replace(old.decode(), new.decode()))
        await sink.close()

    # --- media --------------------------------------------------------------------------------
    async def _open_flow(self, address: tuple[str, int], first: bytes) -> None:
        loop = asyncio.get_running_loop()
        _, flow = await loop.create_datagram_endpoint(
            lambda: _Upstream(self, address),
            remote_addr=("127.0.0.1", self._server.udp_port),
        )
        self._flows[address] = flow
        flow.transport.sendto(first)


class _Downstream(asyncio.DatagramProtocol):
    """The line's end at the clients."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._opening: set[asyncio.Task[None]] = set()

    def datagram_received(self, data: bytes, address: Any) -> None:
        line = self._line
        if not line.is_up:
            return
        line.datagrams += 1
        if flow := line._flows.get(address):
            flow.transport.sendto(data)
        elif not self._opening:  # others are lost meanwhile; connectivity checks are repeated
            task = asyncio.create_task(line._open_flow(address, data))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)


class _Upstream(asyncio.DatagramProtocol):
    """The line's end at the server, one for each client's address."""

    def __init__(self, line: Line, client: tuple[str, int]) -> None:
        self._line = line
        self._client = client
        self.transport: asyncio.DatagramTransport

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def datagram_received(self, data: bytes, _address: Any) -> None:
        if self._line.is_up:
            self._line.datagrams += 1
            self._line._udp.sendto(data, self._client)
