"""The page after a lost connection, in a real Chromium: it comes back as it was asked to be."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Route, expect

from tests.fakes.page_browser import expect_state, in_call
from tests.fakes.page_server import PageServer, running_page_server

pytestmark = [pytest.mark.network, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[PageServer]:
    async with running_page_server() as server:
        yield server


async def test_network_lost_again_while_a_new_session_is_asked_for_does_not_strand_the_call(
    browser, server
):
    lost = []

    async def lose_first(route: Route) -> None:
        if lost:
            return await route.continue_()
        lost.append(route.request.url)
        server.offer_refusal = None
        await route.abort()

    async with in_call(browser, server) as page:
        await page.route("**/api/sessions", lose_first)
        server.offer_refusal = (410, "ended")
        await server.lose_peers()
        await expect_state(page, "reconnecting")
        await server.wait(lambda: len(server.offers) == 3)
        await expect_state(page, "connected")
        assert lost
        assert server.offers[2] != server.offers[0]


async def test_server_that_is_full_when_a_call_comes_back_is_asked_again(browser, server):
    async with in_call(browser, server) as page:
        server.offer_refusal = (410, "ended")
        server.refusal = (503, "overloaded", {"Retry-After": "1"})
        async with page.expect_response(lambda response: response.status == 503):
            await server.lose_peers()
        server.offer_refusal = server.refusal = None
        await server.wait(lambda: len(server.offers) == 3)
        await expect_state(page, "connected")
        await expect(page.locator(".notice")).to_contain_text("This is a new call")


async def test_somebody_chosen_while_the_connection_is_lost_answers_when_it_is_back(
    browser, server
):
    async with in_call(browser, server) as page:
        server.is_away = True
        await server.lose_peers()
        await expect_state(page, "reconnecting")
        await page.get_by_role("button", name="Change avatar").click()
        await page.locator("#people label.persona", has_text="Mei").click()
        server.is_away = False
        assert (await server.wait_message("persona"))["name"] == "mei"
        await expect_state(page, "connected")
        await expect(page.locator("#avatar-name")).to_have_text("Mei")


async def test_typed_words_that_may_have_been_lost_with_the_connection_are_back_in_the_box(
    browser, server
):
    async with in_call(browser, server) as page:
        box = page.get_by_label("Type instead of talking")
        server.is_mute = True  # the network has just gone, and no browser knows it yet
        for words in ("My first words", "and my second"):
            await box.fill(words)
            await box.press("Enter")
            await expect(box).to_have_value("")
        await box.fill("while I type on")
        server.is_mute = False
        await server.lose_peers()
        await expect(box).to_have_value("My first words and my second while I type on")
        await expect(page.locator(".notice", has_text="Perhaps not sent")).to_be_visible()
        await expect_state(page, "connected")


async def test_typed_words_that_arrived_do_not_come_back_with_the_connection(browser, server):
    async with in_call(browser, server) as page:
        box = page.get_by_label("Type instead of talking")
        await box.fill("my words")
        await box.press("Enter")
        await server.wait_message("text")
        kinds = [message["type"] for message in server.received]
        behind = kinds.index("text")
        await server.wait(
            lambda: any(message["type"] == "ping" for message in server.received[behind:])
        )
        server.send("caption", turn=1, role="avatar", text="I see", final=True)
        await expect(page.locator(".caption-words")).to_be_visible()  # and so is what was before
        await server.lose_peers()
        await server.wait(lambda: len(server.offers) == 2)
        await expect_state(page, "connected")
        await expect(box).to_have_value("")
        await expect(page.locator(".notice", has_text="Perhaps not sent")).to_have_count(0)
