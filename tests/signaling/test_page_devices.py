"""The page and the caller's devices in a real Chromium: what is open, what is said of it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect

from tests.fakes.page_browser import expect_state, in_call, opened
from tests.fakes.page_server import PageServer, running_page_server

pytestmark = [pytest.mark.network, pytest.mark.asyncio(loop_scope="session")]

# What the page has opened.
OPENED = """
window.streams = [];
const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices);
devices.getUserMedia = async (wanted) => {
  const stream = await open(wanted);
  streams.push(stream);
  return stream;
};
"""
HEARD = "streams[0].getAudioTracks()[0].enabled"


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[PageServer]:
    async with running_page_server() as server:
        yield server


async def test_typed_call_shows_microphone_and_camera_as_off(browser, server):
    async with opened(browser, server.url) as page:
        await page.get_by_role("button", name="Type instead").click()
        await expect_state(page, "connected")
        await expect(page.get_by_role("button", name="Use microphone")).to_be_visible()
        await expect(page.get_by_role("button", name="Switch camera on")).to_be_visible()
        await expect(page.get_by_placeholder("Type your words here")).to_be_visible()


async def test_recording_at_an_insecure_address_is_refused_in_words(browser, server):
    server.limits["recording_bytes"] = 6_000_000
    url = server.url.replace("127.0.0.1", "avatar.test")
    async with opened(browser, url, permissions=[]) as page:
        await page.get_by_role("button", name="Use your voice").click()
        dialog = page.get_by_role("dialog", name="Use your voice")
        await dialog.get_by_role("button", name="Record", exact=True).click()
        await expect(dialog.get_by_role("alert")).to_contain_text("may not use the microphone")
        await expect(dialog.get_by_role("alert")).to_contain_text("choose a recording instead")
        await expect(dialog.get_by_role("button", name="Record", exact=True)).to_be_enabled()


async def test_what_is_recorded_for_the_own_voice_is_not_said_to_the_avatar(browser, server):
    server.limits["recording_bytes"] = 6_000_000
    async with in_call(browser, server, script=OPENED) as page:
        await page.get_by_role("button", name="Change avatar").click()
        people = page.get_by_role("dialog", name="Who answers")
        await people.get_by_role("button", name="Use your voice").click()
        assert await page.evaluate(HEARD)
        dialog = page.get_by_role("dialog", name="Use your voice")
        await dialog.get_by_role("button", name="Record", exact=True).click()
        await expect(dialog.get_by_role("status")).to_contain_text("1 s recorded")
        assert not await page.evaluate(HEARD)
        await server.wait_message("interrupt")
        await dialog.get_by_role("button", name="Stop").click()
        await expect(dialog.locator("audio")).to_be_visible()
        assert await page.evaluate(HEARD)


# Another program holds the camera that was not opened first.
OTHER_IS_BUSY = """
let first;
const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices);
devices.getUserMedia = async (wanted) => {
  const named = wanted.video?.deviceId?.exact;
  if (named && named !== first) throw new DOMException("busy", "NotReadableError");
  const stream = await open(wanted);
  first ??= stream.getVideoTracks()[0]?.getSettings().deviceId;
  return stream;
};
"""


async def test_problem_with_a_device_is_seen_and_closed_over_the_settings(browser, server):
    async with in_call(browser, server, script=OTHER_IS_BUSY) as page:
        await page.locator("#call [data-open=settings]").click()
        dialog = page.get_by_role("dialog", name="Settings")
        await expect(dialog.get_by_label("Camera").locator("option")).not_to_have_count(1)
        await dialog.get_by_label("Camera").select_option(index=2)
        alert = page.get_by_role("alert").filter(has_text="The camera is in use")
        await alert.get_by_role("button", name="Close this message").click()
        await expect(alert).to_have_count(0)
        await expect(page.locator("#self")).to_be_visible()  # the one before goes on
        await dialog.get_by_label("Camera").select_option(index=0)
        await dialog.get_by_label("Camera").select_option(index=2)
        await expect(alert).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(alert).to_be_visible()


async def test_devices_stay_closed_while_the_page_waits_for_a_place(browser, server):
    async with opened(browser, server.url, script=OPENED) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        server.refusal = (503, "full", {"Retry-After": "1"})
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("All places are taken")
        for _ in range(2):  # tries that nobody has asked for
            async with page.expect_response(lambda response: response.status == 503):
                pass
        server.refusal = None
        await expect_state(page, "connected")
        assert await page.evaluate("streams.length") == 2


async def test_wait_for_a_place_that_is_given_up_during_a_try_stays_so(browser, server):
    async with opened(browser, server.url) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        server.refusal = (503, "full", {"Retry-After": "1"})
        await page.get_by_role("button", name="Call Ava").click()
        stop = page.get_by_role("button", name="Stop trying")
        await expect(stop).to_be_visible()
        server.refusal = None
        tried, given_up = asyncio.Event(), asyncio.Event()

        async def hold(route: Route) -> None:
            tried.set()
            await given_up.wait()
            await route.continue_()

        await page.route("**/api/sessions", hold)
        await tried.wait()
        await stop.click()
        async with page.expect_response("**/api/sessions"):
            given_up.set()
        await expect(page.get_by_role("alert")).to_have_count(0)
        await expect_state(page, "idle")


async def test_call_after_one_that_was_muted_hears_its_caller(browser, server):
    async with in_call(browser, server, script=OPENED) as page:
        await page.get_by_role("button", name="Mute microphone").click()
        assert not await page.evaluate(HEARD)
        await page.get_by_role("button", name="Hang up").click()
        await page.get_by_role("button", name="Call Ava again").click()
        await expect_state(page, "connected")
        await expect(page.get_by_role("button", name="Mute microphone")).to_be_visible()
        assert await page.evaluate(HEARD.replace("[0]", "[1]", 1))


async def test_caller_whose_address_has_calls_enough_is_not_told_of_others(browser, server):
    async with opened(browser, server.url) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        server.refusal = (429, "too_many_calls", {"Retry-After": "30"})
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("from your address already")
        await expect(page.get_by_role("alert")).to_contain_text("another tab")


# A phone: it opens one camera at a time.
ONE_CAMERA = """
window.held = null;
const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices);
devices.getUserMedia = async (wanted) => {
  if (wanted.video && held?.readyState === "live") throw new DOMException("", "NotReadableError");
  const stream = await open(wanted);
  held = stream.getVideoTracks()[0] ?? held;
  return stream;
};
"""


async def test_another_camera_can_be_chosen_on_a_phone_that_opens_one_at_a_time(browser, server):
    async with in_call(browser, server, script=ONE_CAMERA) as page:
        before = await page.evaluate("held.id")
        await page.locator("#call [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label("Camera")
        await expect(picker.locator("option")).not_to_have_count(1)
        await picker.select_option(index=1)
        await page.wait_for_function(
            "(before) => held.id !== before && held.readyState === 'live'", arg=before
        )
        await expect(page.locator("#self")).to_be_visible()
        own = await page.locator("#self-video").evaluate(
            "(self) => self.srcObject.getTracks()[0].id"
        )
        assert own == await page.evaluate("held.id")
        await expect(page.get_by_role("alert")).to_have_count(0)


# The devices that are open, by kind.
OPEN_IDS = """() => Object.fromEntries(streams.flatMap((one) => one.getTracks())
  .filter((track) => track.readyState === "live")
  .map((track) => [track.kind, track.getSettings().deviceId]))"""
IS_OPEN = f"([kind, id]) => ({OPEN_IDS})()[kind] === id"


@pytest.mark.parametrize(("label", "kind"), [("Microphone", "audio"), ("Camera", "video")])
async def test_device_that_is_chosen_in_the_settings_is_the_one_that_is_used(
    browser, server, label, kind
):
    async with in_call(browser, server, script=OPENED) as page:
        before = await page.evaluate(OPEN_IDS)
        await page.locator("#call [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label(label)
        await expect(picker.locator("option")).not_to_have_count(1)
        options = picker.locator("option")
        names = [await one.get_attribute("value") for one in await options.all()]
        chosen = next(name for name in names[::-1] if name not in ("", before[kind]))
        await picker.select_option(chosen)
        await page.wait_for_function(IS_OPEN, arg=[kind, chosen])


async def test_chosen_camera_that_is_not_plugged_in_keeps_no_other_chosen_device_from_the_call(
    browser, server
):
    unplugged = "localStorage.setItem('rt-avatar.videoinput', 'unplugged');"
    async with in_call(browser, server, script=OPENED + unplugged) as page:
        await page.locator("#call [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label("Microphone")
        await expect(picker.locator("option")).not_to_have_count(1)
        await picker.select_option(index=2)
        chosen = await picker.input_value()
        await page.reload()
        await page.get_by_role("button", name="Call Ava").click()
        await expect_state(page, "connected")
        opened_now = await page.evaluate(OPEN_IDS)
        assert opened_now["audio"] == chosen
        assert opened_now["video"]
        await expect(page.get_by_role("alert")).to_have_count(0)


async def test_chosen_microphone_that_is_not_plugged_in_stops_neither_call_nor_camera(
    browser, server
):
    unplugged = "localStorage.setItem('rt-avatar.audioinput', 'unplugged');"
    async with in_call(browser, server, script=OPENED + unplugged) as page:
        await expect(page.get_by_role("button", name="Mute microphone")).to_be_visible()
        await expect(page.locator("#self")).to_be_visible()
        await expect(page.locator(".notice")).to_have_count(0)


UNPLUG = """
for (const track of streams.flatMap((one) => one.getTracks())) {
  track.stop();
  track.dispatchEvent(new Event("ended")); // as the browser tells of one that is gone
}
"""


async def test_webcam_with_a_microphone_that_is_unplugged_is_told_for_both(browser, server):
    async with in_call(browser, server, script=OPENED) as page:
        await page.evaluate(UNPLUG)
        for source in ("microphone", "camera"):
            alert = page.get_by_role("alert").filter(has_text=f"The {source} went away")
            await expect(alert).to_be_visible()


@pytest.mark.parametrize(
    ("label", "kind", "source"),
    [("Microphone", "audio", "microphone"), ("Camera", "video", "camera")],
)
async def test_device_that_went_away_is_replaced_by_one_that_is_chosen_in_the_settings(
    browser, server, label, kind, source
):
    async with in_call(browser, server, script=OPENED) as page:
        await page.evaluate(UNPLUG)
        alert = page.get_by_role("alert").filter(has_text=f"The {source} went away")
        await expect(alert).to_be_visible()
        await page.locator("#call [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label(label)
        await expect(picker.locator("option")).not_to_have_count(1)
        await picker.select_option(index=2)
        await page.wait_for_function(IS_OPEN, arg=[kind, await picker.input_value()])
        await expect(alert).to_have_count(0)


async def test_microphone_that_was_plugged_in_again_is_opened_by_its_button_as_is_said(
    browser, server
):
    async with in_call(browser, server, script=OPENED) as page:
        await page.evaluate(UNPLUG)
        alert = page.get_by_role("alert").filter(has_text="The microphone went away")
        await expect(alert).to_contain_text("Plug it in again and press the microphone's button")
        await page.get_by_role("button", name="Use microphone").click()
        await expect(page.get_by_role("button", name="Mute microphone")).to_be_visible()
        await expect(alert).to_have_count(0)


# The browser opens no device while there is a problem.
PROBLEM = """
window.problem = "";
const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices);
devices.getUserMedia = async (wanted) => {
  if (problem) throw new DOMException("", problem);
  return open(wanted);
};
"""


async def test_problem_with_a_microphone_is_mended_by_choosing_another_and_told_no_longer(
    browser, server
):
    async with opened(browser, server.url, script=PROBLEM) as page:
        await page.get_by_role("button", name="Type instead").click()
        await expect_state(page, "connected")
        await page.evaluate("void (problem = 'InvalidStateError')")
        await page.get_by_role("button", name="Use microphone").click()
        alert = page.get_by_role("alert").filter(has_text="Choose another one in the settings")
        await expect(alert).to_be_visible()
        await page.evaluate("void (problem = '')")
        await page.locator("#call [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label("Microphone")
        await expect(picker.locator("option")).not_to_have_count(1)
        await picker.select_option(index=1)
        await expect(alert).to_have_count(0)
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("button", name="Mute microphone")).to_be_visible()


# A headset among the loudspeakers, which a browser goes on playing through when it has gone.
HEADSET = """
window.headsets = [{ kind: "audiooutput", deviceId: "headset", label: "Headset", groupId: "1" }];
const devices = navigator.mediaDevices, list = devices.enumerateDevices.bind(devices);
devices.enumerateDevices = async () => [
  ...(await list()).filter((device) => device.kind !== "audiooutput"), ...headsets];
Object.defineProperty(HTMLMediaElement.prototype, "sinkId", { get() { return this.sink ?? ""; } });
HTMLMediaElement.prototype.setSinkId = async function (id) { this.sink = id; };
window.plug = (...plugged) => {
  headsets = plugged;
  devices.dispatchEvent(new Event("devicechange"));
};
"""
PLAYS_THROUGH = "(id) => document.querySelector('#avatar').sinkId === id"


async def test_avatar_is_heard_through_the_systems_loudspeaker_while_the_chosen_one_is_away(
    browser, server
):
    async with in_call(browser, server, script=HEADSET) as page:
        await page.locator("#call [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label("Loudspeaker")
        await expect(picker.locator("option")).to_have_count(2)
        await picker.select_option("headset")
        await page.wait_for_function(PLAYS_THROUGH, arg="headset")
        headset = await page.evaluate_handle("headsets[0]")
        await page.evaluate("plug()")
        await page.wait_for_function(PLAYS_THROUGH, arg="")
        await page.evaluate("(headset) => plug(headset)", headset)
        await page.wait_for_function(PLAYS_THROUGH, arg="headset")


async def record(page: Page) -> None:
    """Record for the own voice, in a call."""
    await page.get_by_role("button", name="Change avatar").click()
    people = page.get_by_role("dialog", name="Who answers")
    await people.get_by_role("button", name="Use your voice").click()
    dialog = page.get_by_role("dialog", name="Use your voice")
    await dialog.get_by_role("button", name="Record", exact=True).click()
    await expect(dialog.get_by_role("status")).to_contain_text("s recorded")


async def test_own_voice_is_recorded_by_the_microphone_chosen_in_the_settings(browser, server):
    server.limits["recording_bytes"] = 6_000_000
    async with in_call(browser, server, script=OPENED) as page:
        await page.locator("#call [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label("Microphone")
        await expect(picker.locator("option")).not_to_have_count(1)
        await picker.select_option(index=2)
        chosen = await picker.input_value()
        await page.wait_for_function(IS_OPEN, arg=["audio", chosen])
        await page.keyboard.press("Escape")
        await record(page)
        recorded = "streams.at(-1).getTracks()[0].getSettings()"
        assert await page.evaluate(f"{recorded}.deviceId") == chosen
        assert not await page.evaluate(f"{recorded}.noiseSuppression")  # beside the call's own


async def test_own_voice_is_recorded_also_where_the_chosen_microphone_is_not_plugged_in(
    browser, server
):
    server.limits["recording_bytes"] = 6_000_000
    unplugged = "localStorage.setItem('rt-avatar.audioinput', 'unplugged');"
    async with in_call(browser, server, script=unplugged) as page:
        await record(page)


async def test_buttons_of_microphone_and_camera_tell_their_state_by_name_and_colour_alone(
    browser, server
):
    colour = "(button) => getComputedStyle(button).color"
    async with in_call(browser, server) as page:
        for on, off in (
            ("Mute microphone", "Unmute microphone"),
            ("Switch camera off", "Switch camera on"),
        ):
            button = page.get_by_role("button", name=on)
            lit = await button.evaluate(colour)
            await button.click()
            button = page.get_by_role("button", name=off)
            # "Unmute, pressed" would say two things at once.
            assert await button.get_attribute("aria-pressed") is None
            assert await button.evaluate(colour) != lit
