"""Two people at once do not hear or see each other; a third over the limit is told so."""

import pytest
from playwright.sync_api import expect, sync_playwright

from benchmarks.browser.chromium import chromium_flags, chromium_path
from benchmarks.browser.tape import MicTape
from tests.calls.call_page import CallPage

pytestmark = pytest.mark.network


def test_two_callers_are_apart_and_a_third_is_told_it_is_full(start_server, tmp_path):
    server = start_server("--server.max_sessions", "2", "--avatar.greeting", "false")
    mic = MicTape().silence(120).write(tmp_path / "mic.wav")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=chromium_flags(mic)
        )

        def visit() -> CallPage:
            context = browser.new_context(permissions=["microphone", "camera"])
            return CallPage(context.new_page(), server.address)

        first, second, third = visit(), visit(), visit()
        first.start()
        second.start()
        begin_s, other_s = first.now_s(), second.now_s()
        first.page.locator("#text").fill("Only you can hear this.")
        first.page.keyboard.press("Enter")
        first.wait_for_sound(begin_s)
        first.wait_for_quiet()
        assert not second.is_audible(other_s)
        assert second.captions("caller") == second.captions("avatar") == []
        third.page.locator("#start-call").click()
        expect(third.page.locator("#notices")).to_contain_text("All places are taken")
        browser.close()
    assert "Traceback" not in server.log.read_text()
