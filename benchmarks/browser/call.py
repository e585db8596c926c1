"""A call from the page of the product in a real browser, with a meter inside."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page

from benchmarks.browser.readings import Readings


class BrowserCall:
    """One page, from before its call to after it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def start(self) -> None:
        """Press the page's button; return when connected, with pictures, and the meter running."""
        raise NotImplementedError

    async def drain(self) -> Readings:
        """Return what was seen and heard since the last time; at least once in ten minutes."""
        raise NotImplementedError

    async def send(self, message: dict[str, Any]) -> None:
        """Say something on the page's own data channel (docs/protocol.md)."""
        raise NotImplementedError

    async def stats(self) -> dict[str, float]:
        """Return the browser's own counters of the two tracks that it receives."""
        raise NotImplementedError

    async def end(self) -> None:
        """Press the page's button to hang up and wait until the call is over."""
        raise NotImplementedError


@asynccontextmanager
async def opened_call(browser: Browser, address: str) -> AsyncIterator[BrowserCall]:
    """Open the page in a fresh context, without calling yet; close it afterwards.

    Args:
        browser: From ``running_chromium``.
        address: Of the server, http://…
    """
    raise NotImplementedError
    yield BrowserCall(await browser.new_page())
