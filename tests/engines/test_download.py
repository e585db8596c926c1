"""Fetching a file from a real server that breaks off, changes, or has something else."""

import asyncio
import hashlib
import threading

import numpy as np
import pytest
from aiohttp import web

from engines.download import ATTEMPTS, DownloadError, download

pytestmark = pytest.mark.network
CONTENT = np.random.default_rng(1).bytes(3_000_000)


class Server:
    """One file; answers end early after as many bytes as ``breaks`` says, one after the other."""

    def __init__(self):
        self.content, self.etag, self.ranges = CONTENT, '"one"', True
        self.breaks, self.asked = [], []
        self.url = ""

    async def answer(self, request):
        self.asked.append(request.headers.get("Range", ""))
        start = 0
        if self.ranges and self.asked[-1] and request.headers.get("If-Range") == self.etag:
            start = int(self.asked[-1].removeprefix("bytes=").rstrip("-"))
        size = len(self.content)
        if start >= size:
            return web.Response(status=416, headers={"Content-Range": f"bytes */{size}"})
        headers = {"Content-Length": str(size - start)} | ({"ETag": self.etag} if self.etag else {})
        if start:
            headers["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
        response = web.StreamResponse(status=206 if start else 200, headers=headers)
        await response.prepare(request)
        if self.breaks:
            await response.write(self.content[start : start + self.breaks.pop(0)])
            request.transport.close()
        else:
            await response.write(self.content[start:])
        return response


@pytest.fixture
def server():
    made, loop, ready = Server(), asyncio.new_event_loop(), threading.Event()

    async def start():
        app = web.Application()
        app.router.add_get("/file.pth", made.answer)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        made.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/file.pth"
        ready.set()
        return runner

    def serve():
        runner = loop.run_until_complete(start())
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=serve)
    thread.start()
    ready.wait()
    yield made
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_comes_whole_and_its_progress_is_told(server, tmp_path):
    told = []
    path = download(server.url, tmp_path / "new" / "a.pth", lambda *each: told.append(each))
    assert path.read_bytes() == CONTENT
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert left(path.parent) == ["a.pth"]


def test_a_download_that_breaks_off_goes_on_where_it_stopped(server, tmp_path):
    server.breaks = [1_000_000, 1_000_000]
    path = download(server.url, tmp_path / "a.pth")
    assert path.read_bytes() == CONTENT
    assert server.asked == ["", "bytes=1000000-", "bytes=2000000-"]


def test_a_server_that_gives_nothing_more_ends_it_until_the_next_try(server, tmp_path):
    server.breaks = [1_000_000] + [0] * ATTEMPTS
    with pytest.raises(DownloadError, match=f"broke off {ATTEMPTS} times after 1000000 bytes"):
        download(server.url, tmp_path / "a.pth")
    assert left(tmp_path) == ["a.pth.part", "a.pth.part.json"]
    server.asked.clear()
    assert download(server.url, tmp_path / "a.pth").read_bytes() == CONTENT
    assert server.asked == ["bytes=1000000-"]


def test_what_was_left_by_an_earlier_try_is_used(server, tmp_path):
    path = tmp_path / "a.pth"
    (tmp_path / "a.pth.part").write_bytes(CONTENT[:1234])
    (tmp_path / "a.pth.part.json").write_text(f'{{"url": "{server.url}", "mark": "\\"one\\""}}')
    assert download(server.url, path).read_bytes() == CONTENT
    assert server.asked == ["bytes=1234-"]
    assert left(tmp_path) == ["a.pth"]


@pytest.mark.parametrize("why", ["changed", "unknown", "no ranges", "other url", "too long"])
def test_what_cannot_be_continued_begins_anew(server, tmp_path, why):
    part = tmp_path / "a.pth.part"
    part.write_bytes(b"old" * (10**6 + 7 if why == "too long" else 100))
    url = "http://elsewhere/file.pth" if why == "other url" else server.url
    if why != "unknown":
        (tmp_path / "a.pth.part.json").write_text(f'{{"url": "{url}", "mark": "\\"one\\""}}')
    if why == "changed":
        server.etag = '"two"'
    server.ranges = why != "no ranges"
    assert download(server.url, tmp_path / "a.pth").read_bytes() == CONTENT
    assert left(tmp_path) == ["a.pth"]


def test_a_file_that_is_whole_already_is_taken(server, tmp_path):
    (tmp_path / "a.pth.part").write_bytes(CONTENT)
    (tmp_path / "a.pth.part.json").write_text(f'{{"url": "{server.url}", "mark": "\\"one\\""}}')
    assert download(server.url, tmp_path / "a.pth").read_bytes() == CONTENT


def test_another_file_than_expected_does_not_stay(server, tmp_path):
    digest = hashlib.sha256(CONTENT).hexdigest()
    download(server.url, tmp_path / "a.pth", expected_sha256=digest.upper())
    with pytest.raises(DownloadError, match=f"expected sha256 {'0' * 64}, got {digest}"):
        download(server.url, tmp_path / "b.pth", expected_sha256="0" * 64)
    assert "b.pth" not in left(tmp_path)
    assert "b.pth.part" not in left(tmp_path)


def test_what_is_not_there_is_told(server, tmp_path):
    with pytest.raises(DownloadError, match="expected the file, got status 404 Not Found"):
        download(server.url.replace("file", "other"), tmp_path / "a.pth")
    with pytest.raises(DownloadError, match=r"expected a web address|broke off"):
        download("nothing", tmp_path / "a.pth")
