"""A real server of files on this machine, that breaks off, changes its files, or has others."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aiohttp import web


class FileServer:
    """Files by name; answers end early after as many bytes as ``breaks`` says, one by one.

    ``asked`` are the ranges asked for; ``wanted`` the names.
    """

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files, self.etag, self.ranges = files, '"one"', True
        self.breaks: list[int] = []
        self.asked: list[str] = []
        self.wanted: list[str] = []
        self.base = ""
        self.meanwhile: Callable[[], object] | None = None  # done once, before a file is sent

    async def answer(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        self.wanted.append(name)
        if name == "round":  # and round, and round
            return web.Response(status=302, headers={"Location": "/round"})
        if name not in self.files:
            return web.Response(status=404)
        self.asked.append(request.headers.get("Range", ""))
        content, start = self.files[name], 0
        if self.ranges and self.asked[-1] and request.headers.get("If-Range") == self.etag:
            start = int(self.asked[-1].removeprefix("bytes=").rstrip("-"))
        size = len(content)
        if start >= size:
            return web.Response(status=416, headers={"Content-Range": f"bytes */{size}"})
        headers = {"Content-Length": str(size - start)} | ({"ETag": self.etag} if self.etag else {})
        if start:
            headers["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            await asyncio.to_thread(meanwhile)
        response = web.StreamResponse(status=206 if start else 200, headers=headers)
        await response.prepare(request)
        if self.breaks:
            await response.write(content[start : start + self.breaks.pop(0)])
            request.transport.close()
        else:
            await response.write(content[start:])
        return response


@contextmanager
def serving(files: dict[str, bytes]) -> Iterator[FileServer]:
    """Serve files from another thread; ``base`` is their address."""
    made, loop, ready = FileServer(files), asyncio.new_event_loop(), threading.Event()

    async def start() -> web.AppRunner:
        app = web.Application()
        app.router.add_get("/{name:.+}", made.answer)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        made.base = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
        return runner

    def serve() -> None:
        runner = loop.run_until_complete(start())
        loop.call_soon(ready.set)  # from here on it can be stopped
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()
    try:
        yield made
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
