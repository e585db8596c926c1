"""A person on the page: a real browser, a recording as its microphone, a real server.

One call, step by step, as a person would do it; each test is a step and needs the ones before.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.browser.chromium import chromium_flags, chromium_path
from benchmarks.browser.tape import MicTape
from tests.calls.conftest import Server, probe_script, recording

pytestmark = pytest.mark.network

AUDIBLE = 0.004


class CallPage:
    """The page of one call with its probe."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def start(self) -> None:
        self.page.locator("#start-call").click()
        expect(self.page.locator("html")).to_have_attribute(
            "data-call-state", "connected", timeout=20_000
        )
        self.wait_for(
            lambda: self.page.evaluate("document.querySelector('#avatar').videoWidth > 0")
        )
        self.page.evaluate("probe.start(document.querySelector('#avatar'))")

    def now_ms(self) -> float:
        return self.page.evaluate("performance.now()")

    def sound(self, since_ms: float = 0) -> np.ndarray:
        """(n, 2): time in ms, loudness."""
        rows = self.page.evaluate("probe.sound")
        return np.array([row for row in rows if row[0] >= since_ms]).reshape(-1, 2)

    def pictures(self, since_ms: float = 0) -> np.ndarray:
        """(n, 3): time in ms, change of the mouth, change of the background."""
        rows = self.page.evaluate("probe.pictures")
        return np.array([row for row in rows if row[0] >= since_ms]).reshape(-1, 3)

    def wait_for(self, is_true: Callable[[], bool], timeout_s: float = 25) -> None:
        end = time.monotonic() + timeout_s
        while not is_true():
            assert time.monotonic() < end, self.state()
            self.page.wait_for_timeout(50)

    def wait_for_sound(self, since_ms: float, timeout_s: float = 25) -> None:
        self.wait_for(lambda: bool((self.sound(since_ms)[:, 1] > AUDIBLE).any()), timeout_s)

    def wait_for_quiet(self, for_ms: float = 600, timeout_s: float = 25) -> None:
        self.wait_for(
            lambda: not (self.sound(self.now_ms() - for_ms)[:, 1] > AUDIBLE).any(), timeout_s
        )

    def captions(self, role: str) -> list[str]:
        return self.page.locator(f"#captions [data-role={role}] .caption-words").all_inner_texts()

    def state(self) -> str:
        return json.dumps(
            {
                "state": self.page.locator("#state").inner_text(),
                "captions": self.page.locator("#captions").inner_text()[-300:],
            }
        )


@pytest.fixture(scope="module")
def server(start_server) -> Server:
    return start_server()


@pytest.fixture(scope="module")
def mic_file(tmp_path_factory) -> Path:
    """Silence for greeting and frame rate, one sentence, silence for the rest of the call."""
    tape = MicTape().silence(28).speak(recording("librivox-0880"), "question").silence(120)
    return tape.write(tmp_path_factory.mktemp("mic") / "mic.wav")


@pytest.fixture(scope="module")
def call(server, mic_file, camera_file) -> Iterator[CallPage]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=chromium_flags(mic_file, camera_file)
        )
        context = browser.new_context(
            permissions=["microphone", "camera"], viewport={"width": 1280, "height": 800}
        )
        page = context.new_page()
        page.add_init_script(probe_script())
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(server.address)
        call = CallPage(page)
        call.start()
        yield call
        browser.close()
        assert problems == []


def test_the_avatar_greets_with_sound_and_captions(call):
    call.wait_for_sound(0)
    call.wait_for(lambda: bool(call.captions("avatar")))
    call.wait_for_quiet()
    assert len(" ".join(call.captions("avatar")).split()) >= 3


def test_the_picture_comes_at_25_frames_a_second(call):
    # Decoded, not painted: without a GPU the browser paints fewer than it decodes.
    begin_ms, before = call.now_ms(), call.page.evaluate("probe.decoded()")
    call.page.wait_for_timeout(10_000)
    end_ms, after = call.now_ms(), call.page.evaluate("probe.decoded()")
    rate = (after["frames"] - before["frames"]) / (end_ms - begin_ms) * 1000
    assert 24 <= rate <= 26


def test_a_spoken_sentence_is_heard_and_answered(call):
    heard_before = len(call.captions("avatar"))
    assert not call.captions("caller"), "the tape should still be silent here"
    call.wait_for(lambda: bool(call.captions("caller")))
    spoken_ms = call.now_ms()
    call.wait_for_sound(spoken_ms)
    call.wait_for(lambda: len(call.captions("avatar")) > heard_before)
    call.wait_for_quiet()
    sound = call.sound(spoken_ms)
    audible_s = 0.02 * np.count_nonzero(sound[:, 1] > AUDIBLE)
    words = len(call.captions("avatar")[-1].split())
    assert 0.12 * words < audible_s < 1.2 * words + 1, (words, audible_s)
    assert sound[:, 1].max() > 0.02


def test_the_mouth_moves_with_the_sound_and_rests_without(call):
    sound, pictures = call.sound(), call.pictures()
    loudness = np.array(
        [sound[np.abs(sound[:, 0] - at) < 120, 1].max(initial=0) for at in pictures[:, 0]]
    )
    moving = pictures[loudness > AUDIBLE, 1]
    resting = pictures[loudness <= AUDIBLE / 4, 1]
    assert len(moving) > 25
    assert len(resting) > 100
    assert np.median(moving) > 2.5 * np.median(resting)


def test_typed_text_is_answered(call):
    before = len(call.captions("avatar"))
    typed_ms = call.now_ms()
    call.page.locator("#text").fill("I am so happy, my sister had a baby!")
    call.page.keyboard.press("Enter")
    call.wait_for_sound(typed_ms)
    call.wait_for(lambda: len(call.captions("avatar")) > before)
    assert "I am so happy, my sister had a baby!" in call.captions("caller")
    call.wait_for_quiet()


def test_the_panel_shows_chain_affect_and_waterfall(call):
    call.page.locator("#toggle-panel").click()
    expect(call.page.locator("#chain")).to_contain_text(re.compile("joy|happ", re.I))
    expect(call.page.locator("#waterfall")).not_to_be_empty()
    expect(call.page.locator("#affect")).not_to_be_empty()
    call.page.locator("#panel-close").click()


def test_the_stop_button_silences_the_avatar(call):
    typed_ms = call.now_ms()
    call.page.locator("#text").fill("Please tell me who you are and what you can do.")
    call.page.keyboard.press("Enter")
    call.wait_for_sound(typed_ms)
    call.page.wait_for_timeout(300)
    stopped_ms = call.now_ms()
    call.page.locator("#interrupt").click()
    call.page.wait_for_timeout(1500)
    late = call.sound(stopped_ms + 600)
    assert not (late[:, 1] > AUDIBLE).any()


def test_another_profile_takes_over_with_another_face(call):
    before = call.page.locator("#avatar").screenshot()
    changed_ms = call.now_ms()
    call.page.locator("#open-people").click()
    call.page.locator("#call-profiles input[value=sam]").check(force=True)
    call.page.keyboard.press("Escape")
    expect(call.page.locator("#avatar-name")).to_have_text("Sam")
    call.wait_for_sound(changed_ms)
    assert call.page.locator("#avatar").screenshot() != before


def test_hanging_up_ends_the_call_on_both_sides(call, server):
    call.page.locator("#hang-up").click()
    expect(call.page.locator("html")).to_have_attribute("data-call-state", "ended")
    call.wait_for(
        lambda: call.page.evaluate("fetch('/healthz').then((r) => r.json())")["sessions"] == 0
    )
    assert "Traceback" not in server.log.read_text()
