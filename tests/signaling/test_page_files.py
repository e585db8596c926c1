"""Files that a caller hands in, in a real Chromium: whatever is wrong with them is told."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Route, expect

from tests.fakes.page_browser import opened
from tests.fakes.page_server import PageServer, png, running_page_server, sample_picture

pytestmark = [pytest.mark.network, pytest.mark.asyncio(loop_scope="session")]

CANNOT_READ = "This file cannot be read"


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[PageServer]:
    async with running_page_server() as server:
        server.limits |= {"picture_bytes": 1_000_000, "recording_bytes": 1_000_000}
        yield server


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    path = tmp_path / "me.wav"
    path.write_bytes(b"RIFF" + bytes(2000))
    return path


async def test_recording_that_was_deleted_after_it_was_chosen_is_told(browser, server, recording):
    async with opened(browser, server.url) as page:
        await page.get_by_role("button", name="Use your voice").click()
        dialog = page.get_by_role("dialog", name="Use your voice")
        await dialog.get_by_label("Choose a recording").set_input_files(recording)
        await expect(dialog.locator("audio")).to_be_visible()
        await asyncio.to_thread(recording.unlink)
        await dialog.get_by_role("checkbox", name="This is my voice").check()
        await dialog.get_by_role("button", name="Use this voice").click()
        await expect(dialog.get_by_role("alert")).to_contain_text(CANNOT_READ)
        await expect(dialog.get_by_role("button", name="Use this voice")).to_be_enabled()


async def test_picture_that_the_browser_does_not_know_is_told(browser, server):
    async def find(route: Route) -> None:
        await route.fulfill(json={"width": 64, "height": 64, "points": {}})

    async with opened(browser, server.url) as page:
        await page.route(re.compile("/api/portraits/points"), find)
        await page.get_by_role("button", name="Use a photograph").click()
        dialog = page.get_by_role("dialog", name="Use a photograph")
        file = {"name": "me.webp", "mimeType": "image/webp", "buffer": b"of the future"}
        await dialog.get_by_label("Choose a picture").set_input_files(file)
        await expect(dialog.get_by_role("alert")).to_contain_text(CANNOT_READ)


@pytest.mark.parametrize(
    ("button", "label"),
    [("Use a photograph", "Choose a picture"), ("Use your voice", "Choose a recording")],
)
async def test_file_that_was_too_large_can_be_chosen_again_when_it_is_smaller(
    browser, server, button, label
):
    async with opened(browser, server.url) as page:
        await page.get_by_role("button", name=button).click()
        chooser = page.get_by_role("dialog", name=button).get_by_label(label)
        file = {"name": "me", "mimeType": "image/jpeg", "buffer": bytes(1_000_001)}
        await chooser.set_input_files(file)
        await expect(page.get_by_role("alert")).to_contain_text("at most 1 MB")
        # Of a file that is still chosen a browser tells no second time.
        assert await chooser.evaluate("(chooser) => chooser.files.length") == 0


async def test_of_two_pictures_chosen_the_later_is_the_one_that_is_used(browser, server):
    first_asked, later_shown = asyncio.Event(), asyncio.Event()
    sizes = iter((64, 32))

    async def find(route: Route) -> None:
        size = next(sizes)
        if size == 64:
            first_asked.set()
            await later_shown.wait()
        await route.fulfill(json={"width": size, "height": size, "points": {}})

    async def preview(route: Route) -> None:
        await route.fulfill(json={"error": {"reason": "bad_portrait", "text": "x"}}, status=400)

    file = {"name": "me.png", "mimeType": "image/png", "buffer": png(sample_picture())}
    async with opened(browser, server.url) as page:
        await page.route(re.compile("/api/portraits/points"), find)
        await page.route(re.compile("/api/portraits/preview"), preview)
        await page.get_by_role("button", name="Use a photograph").click()
        chooser = page.locator("#photograph-file")
        await chooser.set_input_files(file)
        await first_asked.wait()
        await chooser.set_input_files(file)
        picture = page.locator("#photograph-points image")
        await expect(picture).to_have_attribute("width", "32")
        later = await picture.get_attribute("href")
        async with page.expect_request_finished(lambda request: "/points" in request.url):
            later_shown.set()
        await page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        assert await picture.get_attribute("href") == later


# The answer to what is `broken` ends behind its headers, as where a phone leaves its network.
BROKEN_OFF = """
const ask = window.fetch;
window.fetch = async (path, options) => {
  if (!path.endsWith(broken.path)) return ask(path, options);
  const body = new ReadableStream({ pull: (to) => to.error(new TypeError("network error")) });
  return new Response(body, { headers: { "Content-Type": broken.type } });
};
"""


@pytest.mark.parametrize(
    ("path", "kind"), [("/points", "application/json"), ("/preview", "image/jpeg")]
)
async def test_answer_about_a_photograph_that_breaks_off_is_told(browser, server, path, kind):
    async def find(route: Route) -> None:
        await route.fulfill(json={"width": 64, "height": 64, "points": {}})

    script = f"{BROKEN_OFF} window.broken = {{ path: '{path}', type: '{kind}' }};"
    file = {"name": "me.png", "mimeType": "image/png", "buffer": png(sample_picture())}
    async with opened(browser, server.url, script=script) as page:
        await page.route(re.compile("/api/portraits/points"), find)
        await page.get_by_role("button", name="Use a photograph").click()
        dialog = page.get_by_role("dialog", name="Use a photograph")
        await dialog.get_by_label("Choose a picture").set_input_files(file)
        await expect(dialog.get_by_role("alert")).to_contain_text("The server cannot be reached")
