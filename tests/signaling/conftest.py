"""What tests of the page share."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

from tests.fakes.page_browser import running_browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A Chromium, one for all: every test opens the page in a profile of its own."""
    async with running_browser() as browser:
        yield browser
