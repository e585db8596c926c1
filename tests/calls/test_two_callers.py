"""Two people at once do not hear or see each other; a third over the limit is told so."""

import pytest
from playwright.sync_api import expect, sync_playwright

from benchmarks.browser.chromium import chromium_flags, chromium_path
from benchmarks.browser.tape import MicTape
from tests.calls.conftest import probe_script
from tests.calls.test_browser_call import AUDIBLE, CallPage

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
            page = context.new_page()
            page.add_init_script(probe_script())
            page.goto(server.address)
            return CallPage(page)

        first, second, third = visit(), visit(), visit()
        first.start()
        second.start()
        begin_ms, other_ms = first.now_ms(), second.now_ms()
        first.page.locator("#text").fill("Only you can hear this.")
        first.page.keyboard.press("Enter")
        first.wait_for_sound(begin_ms)
        first.wait_for_quiet()
        assert not (second.sound(other_ms)[:, 1] > AUDIBLE).any()
        assert second.captions("caller") == second.captions("avatar") == []
        third.page.locator("#start-call").click()
        expect(third.page.locator("#notices")).to_contain_text("All places are taken")
        browser.close()
    assert "Traceback" not in server.log.read_text()
