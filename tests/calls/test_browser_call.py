"""A person on the page: a real browser, a recording as its microphone, a real server.

One call, step by step, as a person would do it; each test is a step and needs the ones before.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect, sync_playwright

from benchmarks.browser.analysis import AUDIBLE, OPEN
from benchmarks.browser.chromium import chromium_flags, chromium_path
from benchmarks.browser.readings import WINDOW_S
from benchmarks.browser.tape import MicTape
from tests.calls.call_page import CallPage
from tests.calls.conftest import Server, recording

pytestmark = pytest.mark.network


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
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        call = CallPage(page, server.address)
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
    begin_s, before = call.now_s(), call.stats().decoded_pictures
    call.page.wait_for_timeout(10_000)
    end_s, after = call.now_s(), call.stats().decoded_pictures
    assert 24 <= (after - before) / (end_s - begin_s) <= 26


def test_a_spoken_sentence_is_heard_and_answered(call):
    heard_before = len(call.captions("avatar"))
    assert not call.captions("caller"), "the tape should still be silent here"
    call.wait_for(lambda: bool(call.captions("caller")))
    spoken_s = call.now_s()
    call.wait_for_sound(spoken_s)
    call.wait_for(lambda: len(call.captions("avatar")) > heard_before)
    call.wait_for_quiet()
    heard = call.heard(spoken_s)
    audible_s = WINDOW_S * np.count_nonzero(heard.peak > AUDIBLE)
    words = len(call.captions("avatar")[-1].split())
    assert 0.12 * words < audible_s < 1.2 * words + 1, (words, audible_s)
    assert heard.rms.max() > 0.02


def test_the_mouth_moves_with_the_sound_and_rests_without(call):
    heard, seen = call.heard(), call.seen()
    loudness = np.array(
        [heard.peak[np.abs(heard.at_s - at) < 0.12].max(initial=0) for at in seen.at_s]
    )
    moving = seen.mouth[loudness > 4 * AUDIBLE]
    resting = seen.mouth[loudness < AUDIBLE / 4]
    assert len(moving) > 25
    assert len(resting) > 100
    assert np.mean(moving > OPEN) > 0.4
    assert np.mean(resting > OPEN) < 0.05


def test_typed_text_is_answered(call):
    before = len(call.captions("avatar"))
    typed_s = call.now_s()
    call.page.locator("#text").fill("I am so happy, my sister had a baby!")
    call.page.keyboard.press("Enter")
    call.wait_for_sound(typed_s)
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
    typed_s = call.now_s()
    call.page.locator("#text").fill("Please tell me who you are and what you can do.")
    call.page.keyboard.press("Enter")
    call.wait_for_sound(typed_s)
    call.page.wait_for_timeout(300)
    stopped_s = call.now_s()
    call.page.locator("#interrupt").click()
    call.page.wait_for_timeout(1500)
    assert not call.is_audible(stopped_s + 0.6)


def test_another_profile_takes_over_with_another_face(call):
    before = call.page.locator("#avatar").screenshot()
    changed_s = call.now_s()
    call.page.locator("#open-people").click()
    call.page.locator("#call-profiles input[value=sam]").check(force=True)
    call.page.keyboard.press("Escape")
    expect(call.page.locator("#avatar-name")).to_have_text("Sam")
    call.wait_for_sound(changed_s)
    assert call.page.locator("#avatar").screenshot() != before


def test_hanging_up_ends_the_call_on_both_sides(call, server):
    call.page.locator("#hang-up").click()
    expect(call.page.locator("html")).to_have_attribute("data-call-state", "ended")
    call.wait_for(
        lambda: call.page.evaluate("fetch('/healthz').then((r) => r.json())")["sessions"] == 0
    )
    assert "Traceback" not in server.log.read_text()
