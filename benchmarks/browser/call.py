"""A call from the page of the product in a real browser, with a meter inside."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from playwright.async_api import Browser, Page

from rt_avatar.benchmarks.browser.meter import Meter, Stats
from rt_avatar.benchmarks.browser.readings import Readings

CONNECT_MS: Final = 20_000
# Small enough that a browser without a GPU paints most pictures: painting costs by the pixel.
VIEWPORT: Final = (640, 480)
HAS_PICTURES: Final = "#stage[data-picture]"


class BrowserCall:
    """One page, from before its call to after it. ``page`` is Playwright's, to press buttons on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._meter = Meter(page)

    async def open(self, address: str) -> None:
        """Open the page."""
        await self._meter.install()
        await self.page.goto(address)

    async def start(self) -> None:
        """Press the page's button; return when connected, with pictures, and measuring.

        Raises:
            playwright.async_api.TimeoutError: No call came about within 20 s.
        """
        await self.page.click("#start-call")
        await self.page.wait_for_selector("html[data-call-state=connected]", timeout=CONNECT_MS)
        await self.page.wait_for_selector(HAS_PICTURES, timeout=CONNECT_MS)
        await self._meter.start()

    async def drain(self) -> Readings:
        """Return what was seen and heard since the last time; at least once in ten minutes."""
        return await self._meter.drain()

    async def send(self, message: dict[str, Any]) -> None:
        """Say something on the page's own data channel (docs/protocol.md)."""
        await self._meter.send(message)

    async def stats(self) -> Stats:
        """Return the browser's own counters of the call."""
        return await self._meter.stats()

    async def end(self) -> None:
        """Press the page's button to hang up and wait until the call is over."""
        await self.page.click("#hang-up")
        await self.page.wait_for_selector("html[data-call-state=ended]")


@asynccontextmanager
async def opened_call(browser: Browser, address: str) -> AsyncIterator[BrowserCall]:
    """Open the page in a context of its own, without calling yet; close it afterwards.

    Args:
        browser: From ``running_chromium``.
        address: Of the server, http://…
    """
    width, height = VIEWPORT
    context = await browser.new_context(
        permissions=["microphone", "camera"],
        viewport={"width": width, "height": height},
    )
    try:
        call = BrowserCall(await context.new_page())
        await call.open(address)
        yield call
    finally:
        await context.close()
