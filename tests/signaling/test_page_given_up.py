"""What a caller has given up stays so, in a real Chromium: no call, no open device, no orphan."""

import asyncio
import re
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect

from tests.fakes.page_browser import expect_state, in_call, opened
from tests.fakes.page_server import PageServer, png, running_page_server, sample_picture

pytestmark = [pytest.mark.network, pytest.mark.asyncio(loop_scope="session")]

# As with a STUN server that does not answer: addresses are gathered until the page waits no more.
SLOW_GATHERING = """
Object.defineProperty(RTCPeerConnection.prototype, "iceGatheringState", { get: () => "gathering" });
"""


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[PageServer]:
    async with running_page_server() as server:
        yield server


async def test_call_that_is_hung_up_before_its_offer_takes_no_place(browser, server):
    async with opened(browser, server.url, script=SLOW_GATHERING) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        async with page.expect_response("**/api/sessions"):
            await page.get_by_role("button", name="Call Ava").click()
        await page.get_by_role("button", name="Hang up").click()
        await expect_state(page, "ended")
        await page.get_by_role("button", name="Call Ava again").click()
        await expect_state(page, "connected")
        assert [session for session, _ in server.offers] == ["s3"]


# The browser asks, and the caller takes their time: grant() says yes to all that was asked.
ASKED = """
window.asked = [];
const refusals = [];
const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices);
devices.getUserMedia = (wanted) => new Promise((resolve, reject) => {
  asked.push(() => open(wanted).then((stream) => (resolve(stream), stream), reject));
  refusals.push(reject);
});
// All that follows of itself has followed.
window.settled = () => new Promise((resolve) => setTimeout(resolve));
// Says no to what was asked last, and tells how much is asked thereupon.
window.refuse = async () => {
  const before = asked.length;
  refusals.at(-1)(new DOMException("busy", "NotReadableError"));
  await settled();
  return asked.length - before;
};
window.grant = async () => {
  const streams = await Promise.all(asked.splice(0).map((one) => one()));
  await settled();
  return streams.flatMap((one) => one.getTracks());
};
"""
OPEN = "async () => (await grant()).filter((track) => track.readyState === 'live').length"


async def test_device_that_is_allowed_after_the_call_was_hung_up_stays_closed(browser, server):
    async with opened(browser, server.url, script=ASKED) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        await page.get_by_role("button", name="Type instead").click()
        await expect_state(page, "connected")
        await page.get_by_role("button", name="Use microphone").click()
        await page.get_by_role("button", name="Switch camera on").click()
        await page.wait_for_function("asked.length === 2")
        await page.get_by_role("button", name="Hang up").click()
        await expect_state(page, "ended")
        assert await page.evaluate(OPEN) == 0


async def test_call_given_up_while_the_browser_asks_leaves_the_next_its_devices(browser, server):
    async with opened(browser, server.url, script=ASKED) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        for number in (1, 2):
            await page.get_by_role("button", name="Call Ava").click()
            await page.wait_for_function(f"asked.length === {number}")
            if number == 1:
                await page.get_by_role("button", name="Hang up").click()
                await expect_state(page, "idle")
        assert await page.evaluate(OPEN) == 2
        await expect_state(page, "connected")
        await expect(page.get_by_role("button", name="Mute microphone")).to_be_visible()
        await expect(page.locator("#self")).to_be_visible()


async def test_devices_that_are_refused_after_the_call_was_given_up_are_not_asked_for_again(
    browser, server
):
    async with opened(browser, server.url, script=ASKED) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        await page.get_by_role("button", name="Call Ava").click()
        await page.wait_for_function("asked.length === 1")
        await page.get_by_role("button", name="Hang up").click()
        await expect_state(page, "idle")
        assert await page.evaluate("refuse()") == 0


async def test_camera_that_is_refused_after_the_call_was_hung_up_does_not_reopen_the_one_before(
    browser, server
):
    async with opened(browser, server.url, script=ASKED) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        await page.get_by_role("button", name="Call Ava").click()
        await page.wait_for_function("asked.length === 1")
        await page.evaluate("async () => void await grant()")
        await expect_state(page, "connected")
        await page.locator("#call [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label("Camera")
        await expect(picker.locator("option")).not_to_have_count(1)
        await picker.select_option(index=1)
        await page.wait_for_function("asked.length === 1")
        assert await page.evaluate("refuse()") == 1  # with the one before closed
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Hang up").click()
        await expect_state(page, "ended")
        assert await page.evaluate("refuse()") == 0
        await expect(page.get_by_role("alert")).to_have_count(0)


async def choose(page: Page, label: str, *indices: int) -> None:
    """Choose one device after the other in the settings of a call."""
    await page.locator("#call [data-open=settings]").click()
    picker = page.get_by_role("dialog", name="Settings").get_by_label(label)
    await expect(picker.locator("option")).not_to_have_count(1)
    for index in indices:
        await picker.select_option(index=index)
    await page.keyboard.press("Escape")


async def begin_with_all_granted(page: Page) -> None:
    """Call, and say yes to microphone and camera."""
    await expect(page.get_by_role("radio")).to_have_count(8)
    await page.get_by_role("button", name="Call Ava").click()
    await page.wait_for_function("asked.length === 1")
    await page.evaluate("async () => void await grant()")
    await expect_state(page, "connected")


async def test_camera_that_was_switched_off_while_another_one_opened_stays_off(browser, server):
    async with opened(browser, server.url, script=ASKED) as page:
        await begin_with_all_granted(page)
        await choose(page, "Camera", 2)
        await page.wait_for_function("asked.length === 1")
        await page.get_by_role("button", name="Switch camera off").click()
        assert await page.evaluate(OPEN) == 0
        await expect(page.get_by_role("button", name="Switch camera on")).to_be_visible()
        await expect(page.locator("#self")).to_be_hidden()


@pytest.mark.parametrize("label", ["Microphone", "Camera"])
async def test_of_two_devices_chosen_quickly_the_later_is_used_whichever_opens_first(
    browser, server, label
):
    async with opened(browser, server.url, script=ASKED) as page:
        await begin_with_all_granted(page)
        await choose(page, label, 2, 1)
        await page.wait_for_function("asked.length === 2")
        states = await page.evaluate(
            """async () => {
              const [first, later] = asked.splice(0);
              const streams = [await later(), await first()];
              await settled();
              return streams.map((stream) => stream.getTracks()[0].readyState);
            }"""
        )
        assert states == ["live", "ended"]


async def test_device_that_is_chosen_after_a_call_without_a_microphone_is_not_opened(
    browser, server
):
    async with opened(browser, server.url, script=ASKED) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        await page.get_by_role("button", name="Call Ava").click()
        await page.wait_for_function("asked.length === 1")
        assert await page.evaluate("refuse()") == 1  # without the camera
        assert await page.evaluate("refuse()") == 0
        await expect_state(page, "idle")
        await page.locator("#start [data-open=settings]").click()
        picker = page.get_by_role("dialog", name="Settings").get_by_label("Microphone")
        await expect(picker.locator("option")).not_to_have_count(1)
        await picker.select_option(index=1)
        assert await page.evaluate("asked.length") == 2


# What is sent is switched slowly once a connection is there: release() says that it is done.
SLOW_SENDERS = """
const replace = RTCRtpSender.prototype.replaceTrack;
let release;
const released = new Promise((resolve) => (release = resolve));
window.isHeld = false;
RTCRtpSender.prototype.replaceTrack = async function (track) {
  if (this.transport) {
    window.isHeld = true;
    await released;
  }
  return replace.call(this, track);
};
window.release = async () => {
  release();
  await new Promise((resolve) => setTimeout(resolve)); // all that follows of itself has followed
};
"""


async def test_call_that_is_hung_up_just_as_it_connects_stays_ended(browser, server):
    async with opened(browser, server.url, script=SLOW_SENDERS) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        await page.get_by_role("button", name="Type instead").click()
        await page.wait_for_function("() => isHeld")
        await page.get_by_role("button", name="Hang up").click()
        await expect_state(page, "ended")
        await page.evaluate("release()")
        assert await page.locator("html").get_attribute("data-call-state") == "ended"
        await expect(page.locator("#call")).to_be_hidden()


async def test_microphone_that_is_allowed_after_the_voice_dialog_was_closed_stays_closed(
    browser, server
):
    server.limits["recording_bytes"] = 6_000_000
    async with opened(browser, server.url, script=ASKED) as page:
        dialog = page.get_by_role("dialog", name="Use your voice")
        for _ in range(2):
            await page.get_by_role("button", name="Use your voice").click()
            await dialog.get_by_role("button", name="Record", exact=True).click()
            await page.keyboard.press("Escape")
        await page.wait_for_function("asked.length === 2")
        assert await page.evaluate(OPEN) == 0


async def test_recording_begun_twice_while_the_browser_asks_is_one_and_can_be_stopped(
    browser, server
):
    server.limits["recording_bytes"] = 6_000_000
    async with opened(browser, server.url, script=ASKED) as page:
        await page.get_by_role("button", name="Use your voice").click()
        dialog = page.get_by_role("dialog", name="Use your voice")
        record = dialog.locator("#voice-record")
        await record.dblclick()
        await record.click()
        await page.wait_for_function("asked.length === 2")
        await page.evaluate("async () => { window.tracks = await grant(); }")
        await expect(dialog.get_by_role("status")).to_contain_text("1 s recorded")
        await dialog.get_by_role("button", name="Stop").click()
        await expect(dialog.locator("audio")).to_be_visible()
        assert await page.evaluate("tracks.filter((one) => one.readyState === 'live')") == []


async def test_photograph_that_is_kept_after_its_dialog_was_closed_can_be_deleted(browser, server):
    server.limits["picture_bytes"] = 15_000_000
    picture = png(sample_picture())
    answers = {
        "/api/portraits/points": {"width": 128, "height": 128, "points": {}},
        "/api/portraits/preview": {"error": {"reason": "bad_portrait", "text": "no face"}},
        "/api/portraits": {"name": "mine", "key": "secret", "days": 30},
    }
    closed, deleted = asyncio.Event(), asyncio.Event()

    async def answer(route: Route) -> None:
        path = urlsplit(route.request.url).path
        if route.request.method == "GET":
            return await route.fulfill(body=picture, content_type="image/png")
        if route.request.method == "DELETE":
            assert route.request.headers["authorization"] == "Bearer secret"
            deleted.set()
            return await route.fulfill(status=204)
        if path == "/api/portraits":
            await closed.wait()
        status = 400 if "error" in answers[path] else 200
        return await route.fulfill(json=answers[path], status=status)

    async with opened(browser, server.url) as page:
        await page.route(re.compile("/api/portraits"), answer)
        await page.get_by_role("button", name="Use a photograph").click()
        dialog = page.get_by_role("dialog", name="Use a photograph")
        file = {"name": "me.png", "mimeType": "image/png", "buffer": picture}
        await dialog.get_by_label("Choose a picture").set_input_files(file)
        await dialog.get_by_role("checkbox", name="This is me").check()
        await dialog.get_by_role("button", name="Use this face").click()
        await expect(dialog.get_by_text("Keeping it…")).to_be_visible()
        await page.keyboard.press("Escape")
        closed.set()
        await page.get_by_role("button", name="Delete my photograph").click()
        await deleted.wait()


async def test_photograph_that_could_not_be_deleted_is_told_and_can_be_deleted_again(
    browser, server
):
    kept = """localStorage.setItem("rt-avatar.portrait", '{"name": "me", "key": "secret"}');"""
    server.portraits["me"] = png(sample_picture())
    async with opened(browser, server.url, script=kept) as page:
        delete = page.get_by_role("button", name="Delete my photograph")
        await expect(delete).to_be_visible()
        server.is_away = True
        await delete.click()
        await expect(page.get_by_role("alert")).to_contain_text("It is not deleted yet")
        server.is_away = False
        await delete.click()
        await expect(delete).to_have_count(0)
        assert server.portraits == {}


async def test_next_call_shows_no_feeling_of_the_one_before(browser, server):
    async with in_call(browser, server) as page:
        await page.get_by_role("button", name="Behind the reply").click()
        affect = {"valence": -0.5, "arousal": 0.25, "confidences": {"sad": 0.6}}
        server.send("affect", **affect, emotion="sad", face=True, smiling=False)
        await expect(page.locator("#affect")).to_contain_text("You seem sad")
        await page.get_by_role("button", name="Hang up").click()
        await page.get_by_role("button", name="Call Ava again").click()
        await expect_state(page, "connected")
        await expect(page.locator("#affect")).to_contain_text("Nothing noticed yet")
        await expect(page.locator("#affect [data-top]")).to_have_count(0)


async def test_dialog_with_work_in_it_is_closed_by_nothing_but_a_wish(browser, server):
    server.limits["recording_bytes"] = 6_000_000
    async with opened(browser, server.url) as page:
        await page.get_by_role("button", name="Use your voice").click()
        dialog = page.get_by_role("dialog", name="Use your voice")
        words = await dialog.locator("blockquote").bounding_box()
        await page.mouse.move(words["x"] + 50, words["y"] + 10)
        await page.mouse.down()
        await page.mouse.move(5, 300)  # words are marked
        await page.mouse.up()
        await expect(dialog).to_be_visible()
        await dialog.get_by_role("checkbox", name="This is my voice").focus()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Space")
        await expect(dialog.get_by_role("checkbox", name="This is my voice")).to_be_checked()
        await page.mouse.click(5, 300)
        await expect(dialog).to_be_hidden()


async def test_photograph_that_another_tab_has_replaced_is_forgotten_without_the_new_ones_key(
    browser, server
):
    kept = """localStorage.getItem("rt-avatar.portrait") ??
        localStorage.setItem("rt-avatar.portrait", '{"name": "old", "key": "1"}');"""
    server.portraits["old"] = png(sample_picture())
    async with opened(browser, server.url, script=kept) as page:
        await page.locator("#start label", has_text="My photograph").click()
        new = """localStorage.setItem("rt-avatar.portrait", '{"name": "new", "key": "2"}')"""
        await page.evaluate(new)  # as another tab does, which deletes the old one
        server.refusal = (404, "no_portrait", {})
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("did not come about")
        await expect(page.get_by_role("radio", name="My photograph")).to_have_count(0)
        assert "new" in await page.evaluate("localStorage.getItem('rt-avatar.portrait')")


async def test_shared_face_that_is_gone_leaves_the_own_photograph_its_key(browser, server):
    kept = """localStorage.setItem("rt-avatar.portrait", '{"name": "me", "key": "secret"}');"""
    server.portraits |= dict.fromkeys(("me", "house"), png(sample_picture()))
    server.shared = [{"name": "house", "picture": "/api/portraits/house"}]
    async with opened(browser, server.url, script=kept) as page:
        await page.locator("#start label", has_text="house").click()
        server.refusal = (404, "no_portrait", {})
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("did not come about")
        await expect(page.get_by_role("radio", name="Own face")).to_be_checked()
        assert "secret" in await page.evaluate("localStorage.getItem('rt-avatar.portrait')")
        await page.get_by_role("button", name="Delete my photograph").click()
        await server.wait(lambda: "me" not in server.portraits)


# --- the keys of what the server keeps ------------------------------------------------------------
PORTRAIT_KEPT = """localStorage.setItem("rt-avatar.portrait", '{"name": "me", "key": "secret"}');"""


async def test_key_of_the_own_photograph_is_forgotten_only_where_the_server_has_lost_it(
    browser, server
):
    answer = {"status": 404, "json": {"error": {"reason": "not_found", "text": "of a proxy"}}}

    async def refuse(route: Route) -> None:
        await route.fulfill(**answer)

    async with opened(browser, server.url) as page:
        await page.evaluate(PORTRAIT_KEPT)
        await page.route("**/api/portraits/me", refuse)
        async with page.expect_request_finished(lambda one: one.url.endswith("portraits/me")):
            await page.reload()
        await page.evaluate("new Promise((resolve) => setTimeout(resolve))")
        assert "secret" in await page.evaluate("localStorage.getItem('rt-avatar.portrait')")
        answer["json"]["error"]["reason"] = "no_portrait"
        await page.reload()
        await page.wait_for_function("() => !localStorage.getItem('rt-avatar.portrait')")


async def test_photograph_that_a_proxy_keeps_from_being_deleted_keeps_its_key(browser, server):
    async def refuse(route: Route) -> None:
        if route.request.method == "DELETE":
            return await route.fulfill(status=403, body="not here")
        return await route.continue_()

    async with opened(browser, server.url, script=PORTRAIT_KEPT) as page:
        await page.route("**/api/portraits/me", refuse)
        await page.get_by_role("button", name="Delete my photograph").click()
        await expect(page.get_by_role("alert")).to_contain_text("It is not deleted yet")
        assert "secret" in await page.evaluate("localStorage.getItem('rt-avatar.portrait')")


async def test_face_and_voice_that_a_server_cannot_use_just_now_keep_their_keys(browser, server):
    server.limits |= {"picture_bytes": 15_000_000, "recording_bytes": 6_000_000}
    async with opened(browser, server.url, script=KEPT) as page:
        await page.locator("#start label", has_text="My photograph").click()
        await page.locator("#start label", has_text="My voice").click()
        server.refusal = (403, "uploads_off", {})  # it was started with another face and voice
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("did not come about")
        await expect(page.get_by_role("radio", name="Own face")).to_be_checked()
        await expect(page.get_by_role("radio", name="Usual voice")).to_be_checked()
        for what in ("portrait", "voice"):
            assert await page.evaluate(f"localStorage.getItem('rt-avatar.{what}')")
        await expect(page.get_by_role("button", name="Delete my")).to_have_count(2)


@pytest.fixture
def answer_looks(server):
    """Answers what the page asks about photographs and voices: each that is kept is another."""
    server.limits |= {"picture_bytes": 15_000_000, "recording_bytes": 6_000_000}
    answers = {
        "points": (200, {"width": 128, "height": 128, "points": {}}),
        "preview": (400, {"error": {"reason": "bad_portrait", "text": "no face"}}),
    }
    deleted: list[str] = []

    async def answer(route: Route) -> None:
        last = urlsplit(route.request.url).path.rpartition("/")[2]
        if route.request.method == "GET":
            return await route.fulfill(body=png(sample_picture()), content_type="image/png")
        if route.request.method == "DELETE":
            deleted.append(f"{last} {route.request.headers['authorization']}")
            return await route.abort()
        status, body = answers.get(last, (200, {"name": "new", "key": "n", "days": 30}))
        return await route.fulfill(json=body, status=status)

    return answer, deleted


async def use_another(page: Page, what: str) -> None:
    """Hand in another photograph or voice, and wait until it is chosen."""
    opener, chooser, consent, use, own = {
        "portraits": (
            "Another photograph", "Choose a picture", "This is me", "Use this face",
            "My photograph",
        ),
        "voices": (
            "Record my voice again", "Choose a recording", "This is my voice", "Use this voice",
            "My voice",
        ),
    }[what]  # fmt: skip
    await page.get_by_role("button", name=opener).click()
    dialog = page.get_by_role("dialog")
    file = {"name": "me.png", "mimeType": "image/png", "buffer": png(sample_picture())}
    await dialog.get_by_label(chooser).set_input_files(file)
    await dialog.get_by_role("checkbox", name=consent).check()
    await dialog.get_by_role("button", name=use).click()
    await expect(page.get_by_role("radio", name=own)).to_be_checked()


@pytest.mark.parametrize("what", ["portraits", "voices"])
async def test_replaced_photograph_or_voice_that_could_not_be_deleted_is_told(
    browser, server, answer_looks, what
):
    answer, deleted = answer_looks
    stored = f"rt-avatar.{what[:-1]}"
    kept = f"""localStorage.setItem("{stored}", '{{"name": "old", "key": "o"}}');"""
    async with opened(browser, server.url, script=kept) as page:
        await page.route(re.compile(f"/api/{what}"), answer)
        await page.reload()
        # As another tab does, which has replaced the old one and deleted it.
        other = f"""localStorage.setItem("{stored}", '{{"name": "other", "key": "t"}}')"""
        await expect(page.get_by_role("button", name="Delete my")).to_be_visible()
        await page.evaluate(other)
        await use_another(page, what)
        await expect(page.get_by_role("alert")).to_contain_text("The one before is not deleted")
        assert deleted == ["other Bearer t"]
        assert "new" in await page.evaluate(f"localStorage.getItem('{stored}')")


async def test_who_made_a_voice_by_keyboard_goes_on_where_it_can_be_chosen(
    browser, server, answer_looks
):
    answer, _ = answer_looks
    async with opened(browser, server.url) as page:
        await page.route(re.compile("/api/voices"), answer)
        await page.get_by_role("button", name="Use your voice").click()
        dialog = page.get_by_role("dialog", name="Use your voice")
        file = {"name": "me.wav", "mimeType": "audio/wav", "buffer": b"sound"}
        await dialog.get_by_label("Choose a recording").set_input_files(file)
        await dialog.get_by_role("checkbox", name="This is my voice").check()
        await dialog.get_by_role("button", name="Use this voice").press("Enter")
        await expect(dialog).to_be_hidden()
        await expect(page.get_by_role("radio", name="My voice")).to_be_focused()


# --- faces and voices that the server refuses -----------------------------------------------------
KEPT = """
    localStorage.setItem("rt-avatar.portrait", '{"name": "me", "key": "1"}');
    localStorage.setItem("rt-avatar.voice", '{"name": "mine", "key": "2"}');"""


@pytest.mark.parametrize(
    ("own", "usual", "kind", "name"),
    [
        ("My photograph", "Own face", "face", {"portrait": "me"}),
        ("My voice", "Usual voice", "voice", {"voice": "mine"}),
    ],
)
async def test_a_face_or_voice_that_the_server_refuses_is_not_shown_as_chosen(
    browser, server, own, usual, kind, name
):
    server.limits |= {"picture_bytes": 15_000_000, "recording_bytes": 6_000_000}
    server.portraits["me"] = png(sample_picture())
    async with in_call(browser, server, script=KEPT) as page:
        await page.get_by_role("button", name="Change avatar").click()
        people = page.get_by_role("dialog", name="Who answers")
        server.allows_changes = False
        await people.get_by_role("radio", name=own).click(force=True)
        await server.wait_message(kind, **name)
        await expect(people.get_by_role("radio", name=usual)).to_be_checked()
        await expect(page.get_by_text("expected one that is kept")).to_be_visible()
        await expect(page.get_by_text("synthetic face")).to_be_hidden()
        assert server.count(kind) == 1  # what is in use is not asked for
        server.allows_changes = True
        await people.get_by_role("radio", name=own).click(force=True)
        await server.wait(lambda: server.count(kind) == 2)
        server.allows_changes = False
        await people.get_by_role("radio", name=usual).click(force=True)
        await expect(people.get_by_role("radio", name=own)).to_be_checked()
        # What is in use is what a new connection has.
        await server.lose_peers()
        await expect_state(page, "connected")
        await server.wait_called()
        await expect(people.get_by_role("radio", name=own)).to_be_checked()
        assert server.count(kind) == 3


async def test_a_face_that_comes_after_something_else_was_refused_is_shown_as_chosen(
    browser, server
):
    server.limits["picture_bytes"] = 15_000_000
    server.portraits["me"] = png(sample_picture())
    async with in_call(browser, server, script=KEPT) as page:
        await page.get_by_role("button", name="Change avatar").click()
        people = page.get_by_role("dialog", name="Who answers")
        server.allows_changes = False
        await people.get_by_role("radio", name="My photograph").click(force=True)
        await expect(people.get_by_role("radio", name="Own face")).to_be_checked()
        server.send("face", portrait="me")
        await expect(people.get_by_role("radio", name="My photograph")).to_be_checked()
        await expect(page.get_by_text("synthetic face")).to_be_visible()
        assert server.count("face") == 1
