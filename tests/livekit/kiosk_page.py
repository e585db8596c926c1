"""The kiosk of ``examples/livekit`` in a real browser."""

import asyncio
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Browser

from tests.calls.call_page import CallPage
from tests.livekit.line import Line
from tests.livekit.rooms import Caller
from tests.livekit.server import LiveKitServer

ROOT = Path(__file__).parents[2]
# Keeps what the page says of its line: a state may be over before a test looks.
LINES = """
window.lines = [];
new MutationObserver(() => lines.push(document.documentElement.dataset.callState))
  .observe(document.documentElement, { attributeFilter: ["data-call-state"] });
"""


class KioskPage(CallPage):
    """The kiosk's page. Times are seconds on the page's clock."""

    def __init__(self, browser: Browser, address: str) -> None:
        context = browser.new_context(viewport={"width": 640, "height": 480})
        page = context.new_page()
        page.add_init_script(f"document.addEventListener('DOMContentLoaded', () => {{{LINES}}})")
        super().__init__(page, address)

    def decoded(self) -> float:
        """How many pictures were decoded so far."""
        return self.stats().decoded_pictures

    def lines(self) -> list[str]:
        """The states of the line so far, as the page showed them."""
        return self.page.evaluate("lines")


@contextmanager
def line_in_thread(livekit: LiveKitServer) -> Iterator[tuple[Line, Callable[[float], None]]]:
    """A line that can be cut, for a test that waits for a browser; yields it and ``cut_for``."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def run(work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    line = Line(livekit)
    run(line.__aenter__())
    try:
        yield line, lambda seconds: run(line.cut_for(seconds))
    finally:
        run(line.__aexit__())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@contextmanager
def avatar_in_thread(livekit: LiveKitServer, room: str) -> Iterator[None]:
    """An avatar is in the room: a picture that stands still, and says nothing."""
    token = livekit.token("avatar", room, kind="agent", attributes={"lk.agent.state": "listening"})
    is_there, may_leave = threading.Event(), threading.Event()

    async def stay() -> None:
        async with Caller(livekit, room, "avatar", token=token) as avatar:
            await avatar.publish_camera([np.full((64, 64, 3), 128, np.uint8)])
            is_there.set()
            await asyncio.to_thread(may_leave.wait)

    with ThreadPoolExecutor(1) as thread:  # the browser's driver has this one's event loop
        stays = thread.submit(asyncio.run, stay())
        try:
            assert is_there.wait(60)
            yield
        finally:
            may_leave.set()
            stays.result(60)


def room_address(address: str, url: str, token: str) -> str:
    """Return the page's address with a room in it."""
    return f"{address}#{urlencode({'url': url, 'token': token})}"


@contextmanager
def running_kiosk(livekit: LiveKitServer, url: str, agent_name: str) -> Iterator[str]:
    """Run ``examples/livekit/kiosk.py`` for LiveKit at ``url``; yield the page's address."""
    process = subprocess.Popen(
        [
            sys.executable, str(ROOT / "examples" / "livekit" / "kiosk.py"),
            "--port", "0", "--agent-name", agent_name,
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ, "LIVEKIT_URL": url, "LIVEKIT_API_KEY": livekit.api_key,
            "LIVEKIT_API_SECRET": livekit.api_secret,
        },
    )  # fmt: skip
    try:
        assert process.stdout is not None
        found = (re.search(r"http://[\d.:]+", line) for line in process.stdout)
        address = next((match[0] for match in found if match), "")
        if not address:
            pytest.fail("examples/livekit/kiosk.py did not start; it has said why")
        yield f"{address}/"
    finally:
        process.terminate()
        process.wait(timeout=30)
