"""An OpenAI-compatible endpoint that answers by script, on a free loopback port.

Each request takes the next ``Script``, the last one again and again. The server tells what it was
asked, and when a caller went away before the end.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from aiohttp import web


@dataclass
class Script:
    """One answer.

    Attributes:
        pieces: Text deltas; a ``bytes`` goes out raw.
        status: HTTP status; other than 200 sends ``body``.
        body: What is sent with such a status.
        headers: Sent with such a status.
        hold: Waited for before the piece number ``hold_at``.
        keep_alive_s: How often ``keep_alive`` is sent meanwhile; None: never.
        keep_alive: By default a comment.
        cut: Close the connection in the middle instead of ending the answer.
        ends: Whether ``finish_reason`` and ``[DONE]`` are sent.
    """

    pieces: tuple[str | bytes, ...] = ()
    status: int = 200
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    hold: asyncio.Event | None = None
    hold_at: int = 0
    keep_alive_s: float | None = None
    keep_alive: bytes = b": keep-alive\n\n"
    cut: bool = False
    ends: bool = True
    content_type: str = "text/event-stream"


@dataclass
class OpenAiServer:
    scripts: list[Script]
    url: str = ""
    asked: list[dict] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    models_asked: int = 0
    peers: set[tuple[str, int]] = field(default_factory=set)
    was_asked: asyncio.Condition = field(default_factory=asyncio.Condition)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    sent: int = 0

    async def until_asked(self, times: int) -> None:
        async with self.was_asked:
            await self.was_asked.wait_for(lambda: len(self.asked) >= times)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.peers.add(request.transport.get_extra_info("peername"))
        asked = await request.json()
        self.keys.append(request.headers.get("Authorization", ""))
        async with self.was_asked:
            self.asked.append(asked)
            self.was_asked.notify_all()
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        if script.status != 200:
            return web.Response(status=script.status, text=script.body, headers=script.headers)
        response = web.StreamResponse(headers={"Content-Type": script.content_type})
        await response.prepare(request)
        try:
            for at, piece in enumerate(script.pieces):
                if script.hold is not None and at == script.hold_at:
                    await self._hold(script, response)
                await response.write(piece if isinstance(piece, bytes) else event(piece))
                self.sent += 1
            if script.hold is not None and script.hold_at >= len(script.pieces):
                await self._hold(script, response)
        except (asyncio.CancelledError, ConnectionError):
            self.gone.set()
            raise
        if script.cut:
            request.transport.close()
        elif script.ends:
            end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
            await response.write(f"data: {json.dumps(end)}\n\ndata: [DONE]\n\n".encode())
        return response

    async def _hold(self, script: Script, response: web.StreamResponse) -> None:
        while not script.hold.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(script.keep_alive_s):
                    await script.hold.wait()
                    return
            await response.write(script.keep_alive)

    async def models(self, request: web.Request) -> web.Response:
        self.models_asked += 1
        self.peers.add(request.transport.get_extra_info("peername"))
        return web.json_response({"data": []})


def event(text: str) -> bytes:
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n".encode()


@asynccontextmanager
async def openai_server(*scripts: Script) -> AsyncIterator[OpenAiServer]:
    server = OpenAiServer(list(scripts))
    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.answer)
    app.router.add_get("/v1/models", server.models)
    # With cancellation the handler notices at once that the caller is gone.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.2)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    server.url = f"http://{host}:{port}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()
