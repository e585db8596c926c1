"""A person on the page: a real browser that shows and says something, a real server.

One call, step by step, as a person would do it; each test is a step and needs the ones before.
"""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from rt_avatar.benchmarks.browser.analysis import AUDIBLE, OPEN
from rt_avatar.benchmarks.browser.readings import WINDOW_S
from rt_avatar.benchmarks.server import Server
from rt_avatar.engines.types import FPS
from rt_avatar.signaling.media_tracks import VIDEO_RATE_HZ
from tests.calls.call_page import CallPage, running_browser
from tests.media import Speaker, spoken

pytestmark = pytest.mark.realtime


@pytest.fixture(scope="module")
def server(start_server) -> Server:
    return start_server("--server.max_sessions", "2")


@pytest.fixture(scope="module")
def browser(camera_file) -> Iterator[Browser]:
    with running_browser(camera_file) as browser:
        yield browser


def visit(browser: Browser, server: Server) -> CallPage:
    context = browser.new_context(
        permissions=["microphone", "camera"], viewport={"width": 1280, "height": 800}
    )
    return CallPage(context.new_page(), server.address)


@pytest.fixture(scope="module")
def call(browser, server) -> Iterator[CallPage]:
    call = visit(browser, server)
    call.start()
    yield call
    assert call.problems == []


def test_the_avatar_greets_with_sound_and_captions(call):
    call.wait_for_sound(0)
    call.wait_for(lambda: bool(call.captions("avatar")))
    call.wait_for_quiet()
    assert len(" ".join(call.captions("avatar")).split()) >= 3


def test_the_picture_comes_at_25_frames_a_second(call):
    # As it is stamped: on a busy machine pictures come late, and single ones are left out.
    before = len(call.stamps())
    call.wait_for(lambda: len(call.stamps()) > before + 50)
    steps = np.diff(call.stamps()[before:]) % 2**32
    assert np.median(steps) == VIDEO_RATE_HZ / FPS
    assert not (steps % (VIDEO_RATE_HZ / FPS)).any()


def test_a_spoken_sentence_is_heard_and_answered(call, speaker: Speaker):
    heard_before = len(call.captions("avatar"))
    assert not call.captions("caller")
    spoken_s = call.speak(spoken(speaker.question).pcm)
    call.wait_for(lambda: bool(call.captions("caller")))
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

    def loudest(at_s: float, within_s: float) -> float:
        return heard.peak[np.abs(heard.at_s - at_s) < within_s].max(initial=0)

    moving = seen.mouth[[loudest(at_s, 0.12) > 4 * AUDIBLE for at_s in seen.at_s]]
    resting = seen.mouth[[loudest(at_s, 0.3) < AUDIBLE / 4 for at_s in seen.at_s]]
    assert len(moving) > 25
    assert len(resting) > 25
    assert np.mean(moving > OPEN) > 0.4
    assert np.mean(resting > OPEN) < 0.05


def test_typed_text_is_answered(call):
    before = len(call.captions("avatar"))
    typed_s = call.now_s()
    call.type("Please tell me who you are and what you can do.")
    call.wait_for_sound(typed_s)
    call.wait_for(lambda: len(" ".join(call.captions("avatar")[before:]).split()) >= 4)
    assert "Please tell me who you are and what you can do." in call.captions("caller")


def test_the_stop_button_silences_the_avatar(call):
    stopped_s = call.now_s()
    call.page.locator("#interrupt").click()
    call.wait_until_heard(stopped_s + 2.5)
    after = call.heard(stopped_s)
    # Without the button it would go on for all of this time; what was on the way is still heard.
    assert WINDOW_S * np.count_nonzero(after.peak > AUDIBLE) < 1.0
    assert not call.is_audible(after.at_s[-1] - 0.5)


def test_the_panel_shows_chain_affect_and_waterfall(call):
    call.page.locator("#toggle-panel").click()
    call.type("I am so happy, my sister had a baby!")
    expect(call.page.locator("#chain")).to_contain_text(re.compile("joy|happ", re.I))
    expect(call.page.locator("#waterfall")).not_to_be_empty()
    expect(call.page.locator("#affect")).not_to_be_empty()
    call.page.locator("#panel-close").click()


def test_another_persona_takes_over_with_another_face(call):
    before = call.page.locator("#avatar").screenshot()
    changed_s = call.now_s()
    call.page.locator("#open-people").click()
    call.page.locator("#call-personas input[value=sam]").check(force=True)
    call.page.keyboard.press("Escape")
    expect(call.page.locator("#avatar-name")).to_have_text("Sam")
    call.wait_for_sound(changed_s)
    assert call.page.locator("#avatar").screenshot() != before


def test_another_caller_hears_and_reads_nothing_of_it_and_a_third_is_told_it_is_full(
    call, browser, server
):
    other = visit(browser, server)
    other.start()
    other.wait_for_sound(0)
    other.page.locator("#interrupt").click()  # no greeting today
    other.wait_for_quiet()
    greeting, greeted_s = other.captions("avatar"), other.now_s()
    typed_s = call.now_s()
    call.type("Only you can hear this: who are you, and what can you do?")  # no short answer
    call.wait_for_sound(typed_s)
    call.wait_for(lambda: len(call.captions("avatar")[-1].split()) >= 3)
    other.wait_until_heard(other.now_s() + 0.5)
    assert not other.is_audible(greeted_s)
    # What was not heard of the greeting may have been taken back meanwhile; nothing is added.
    assert "\n".join(other.captions("avatar")) in "\n".join(greeting)
    assert other.captions("caller") == []
    third = visit(browser, server)
    third.page.locator("#start-call").click()
    expect(third.page.locator("#notices")).to_contain_text("All places are taken")
    other.page.locator("#hang-up").click()
    assert other.problems == third.problems == []


def test_a_microphone_that_was_lost_is_heard_again_when_it_is_opened_anew(call, speaker: Speaker):
    heard_before = call.captions("caller")
    call.unplug()
    button = call.page.get_by_role("button", name="Use microphone")
    expect(button).to_be_visible()
    button.click()
    expect(button).to_be_hidden()
    call.speak(spoken(speaker.interruption).pcm)
    call.wait_for(lambda: call.captions("caller") != heard_before)


def test_hanging_up_ends_the_call_on_both_sides(call, server):
    call.page.locator("#hang-up").click()
    expect(call.page.locator("html")).to_have_attribute("data-call-state", "ended")
    call.wait_for(
        lambda: call.page.evaluate("fetch('/healthz').then((r) => r.json())")["sessions"] == 0
    )
    assert "Traceback" not in server.log.read_text()
