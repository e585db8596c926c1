"""A real Chromium with the page in it, watched for anything that it should not do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Page, async_playwright, expect

from rt_avatar.benchmarks.browser.chromium import QUIET_FLAGS, chromium_path
from tests.fakes.page_server import PageServer

ARGS = [
    *QUIET_FLAGS,
    # Unlike in other tests, the browser asks before it opens a device: the page must cope with no.
    "--use-fake-device-for-media-stream=device-count=2",
    # A name that is no loopback: over http it is an insecure context.
    "--host-resolver-rules=MAP avatar.test 127.0.0.1",
]
DEVICES = ["microphone", "camera"]
# Nothing on the page takes a second; the machine may be busy with other tests.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)


@asynccontextmanager
async def running_browser() -> AsyncIterator[Browser]:
    """Start Chromium without a window."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def opened(
    browser: Browser,
    url: str,
    permissions: list[str] = DEVICES,
    script: str = "",
    **options: object,
) -> AsyncIterator[Page]:
    """Open the page; afterwards check that it broke nothing, its own security policy included."""
    context = await browser.new_context(permissions=permissions, **options)
    faults: list[str] = []
    home = url.partition("#")[0]
    try:
        page = await context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: note_fault(faults, message.type, message.text))
        page.on("request", lambda request: note_foreign(faults, home, request.url))
        if script:
            await page.add_init_script(script)
        await page.goto(url)
        yield page
    finally:
        await context.close()
    assert faults == [], f"the page did what it should not: {faults}"


# What the browser logs by itself of things that tests do on purpose: refused requests, plain http.
EXPECTED_LOGS = (
    "Failed to load resource",
    "The Cross-Origin-Opener-Policy header has been ignored",
)


def note_fault(faults: list[str], kind: str, text: str) -> None:
    if kind in ("error", "warning") and not text.startswith(EXPECTED_LOGS):
        faults.append(text)


def note_foreign(faults: list[str], home: str, url: str) -> None:
    if not url.startswith((home, "data:", "blob:")):
        faults.append(f"request to a third party: {url}")


@asynccontextmanager
async def in_call(browser: Browser, server: PageServer, **options: object) -> AsyncIterator[Page]:
    async with opened(browser, server.url, **options) as page:
        await page.get_by_role("button", name="Call Ava").click()
        await expect_state(page, "connected")
        await server.wait_called()
        yield page


async def expect_state(page: Page, state: str) -> None:
    await expect(page.locator("html")).to_have_attribute("data-call-state", state)
