"""How the page looks in a real Chromium: sizes, colours, motion."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from tests.fakes.page_browser import expect_state, in_call, opened
from tests.fakes.page_server import PageServer, running_page_server

pytestmark = [pytest.mark.network, pytest.mark.asyncio(loop_scope="session")]

CHAIN = {"scenario": "A new job in another city.", "rationale": "Name the loss."}
MARKS_MS = {"end_of_turn": 262, "first_chunk": 268, "audio_released": 296}


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[PageServer]:
    async with running_page_server() as server:
        yield server


async def expect_no_sideways_scroll(page: Page) -> None:
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    outside = await page.evaluate(
        """[...document.querySelectorAll("button, input, select, a, img, h1, h2")]
        .filter((one) => one.checkVisibility() && !one.closest(".switch, .persona"))
        .filter((one) => { const box = one.getBoundingClientRect();
                           return box.left < -0.5 || box.right > innerWidth + 0.5; })
        .map((one) => one.id || one.outerHTML)"""
    )
    assert outside == []


async def test_nothing_is_cut_off_on_the_smallest_phone(browser, server):
    size = {"width": 360, "height": 640}
    async with opened(browser, server.url, viewport=size, has_touch=True) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        await expect_no_sideways_scroll(page)
        await page.get_by_role("button", name="Call Ava").click()
        await expect_state(page, "connected")
        await server.wait_called()
        server.send("caption", turn=1, role="avatar", text="Donaudampfschiff" * 9, final=True)
        await expect(page.locator(".caption-words")).to_be_visible()
        await expect_no_sideways_scroll(page)
        server.send("plan", turn=1, chain=CHAIN, user_emotion="sad", shown_emotion="sad")
        server.send("trace", turn=1, marks_ms=MARKS_MS)
        await page.get_by_role("button", name="Behind the reply").click()
        await expect(page.locator(".waterfall")).to_be_attached()
        await expect_no_sideways_scroll(page)
        await page.locator("#panel-close").click()
        await page.locator("#call [data-open=settings]").click()
        await expect_no_sideways_scroll(page)


@pytest.mark.parametrize("width", [360, 1280])
async def test_captions_do_not_hide_the_mouth(browser, server, width):
    size = {"width": width, "height": 640}
    async with in_call(browser, server, viewport=size) as page:
        for turn in range(6):
            server.send("caption", turn=turn, role="avatar", text="Many words. " * 9, final=True)
        await expect(page.locator(".caption")).to_have_count(6)
        video = await page.locator("#avatar").bounding_box()
        captions = await page.locator("#captions").bounding_box()
        # No look's chin is lower in its picture than this.
        assert captions["y"] >= video["y"] + 0.76 * video["height"]


async def test_colours_follow_the_system_and_the_choice_is_kept(browser, server):
    paper = "getComputedStyle(document.body).backgroundColor"
    async with opened(browser, server.url, color_scheme="dark") as page:
        dark = await page.evaluate(paper)
        await page.emulate_media(color_scheme="light")
        light = await page.evaluate(paper)
        assert dark != light
        await page.locator("#start [data-open=settings]").click()
        await page.get_by_label("Colours").select_option("dark")
        assert await page.evaluate(paper) == dark
        await page.reload()
        assert await page.evaluate(paper) == dark


async def test_reduced_motion_stands_still(browser, server):
    async with in_call(browser, server, reduced_motion="reduce") as page:
        server.send("state", turn=1, state="speaking")
        await expect(page.locator("#stage")).to_have_attribute("data-state", "speaking")
        running = await page.evaluate("document.getAnimations().length")
        assert running == 0


async def test_high_contrast_shows_what_is_chosen_and_what_is_on(browser, server):
    border = "(one) => getComputedStyle(one).border"
    knob = """(one) => [getComputedStyle(one).backgroundColor,
                        getComputedStyle(one, "::after").backgroundColor]"""
    async with opened(browser, server.url, forced_colors="active") as page:
        chosen = page.locator("#start .persona", has_text="Ava")
        other = page.locator("#start .persona", has_text="Leo")
        assert await chosen.evaluate(border) != await other.evaluate(border)
        track = page.locator("#start .switch-track")
        on = await track.evaluate(knob)
        await page.get_by_role("switch").set_checked(False, force=True)
        off = await track.evaluate(knob)
        assert on != off
        assert on[0] != on[1]
        assert off[0] != off[1]
