"""The page in a real Chromium, against a scripted other end of the wire."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Route, expect

from tests.fakes.page_browser import expect_state, in_call, opened
from tests.fakes.page_server import PageServer, running_page_server

pytestmark = [pytest.mark.network, pytest.mark.asyncio(loop_scope="session")]

PLAN = {
    "turn": 1,
    "chain": {
        "scenario": "A new job in another city.",
        "emotion": "Sad.",
        "cause": "Friends stay behind.",
        "goal": "To be heard.",
        "rationale": "Name the loss.",
    },
    "user_emotion": "sad",
    "shown_emotion": "neutral",
    "intensity": 0.5,
}
# Every number of a countdown as it is shown, however late the test looks.
COUNTED = """
window.counted = [];
new MutationObserver(() => {
  const alert = document.querySelector("[role=alert]")?.textContent;
  const left = alert?.match(/again in (.+)\\./)?.[1];
  if (left && left !== counted.at(-1)) counted.push(left);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
# What every connection was made with.
PEERS = """
window.peers = [];
window.RTCPeerConnection = class extends RTCPeerConnection {
  constructor(configuration) { super(configuration); peers.push(configuration); }
};
"""
TRACE = {
    "turn": 1,
    "marks_ms": {
        "end_of_turn": 262,
        "transcript_final": 205,
        "plan": 214,
        "first_clause": 221,
        "first_chunk": 268,
        "first_frame": 276,
        "audio_released": 296,
        "video_released": 303,
    },
    "preemptive_used": True,
    "interrupted_at_ms": 1500,
    "degradation_steps": ["short clause"],
}
AFFECT = {
    "valence": -0.5,
    "arousal": 0.25,
    "emotion": "sad",
    "confidences": {"sad": 0.6, "neutral": 0.4},
    "face": True,
    "smiling": False,
}


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[PageServer]:
    async with running_page_server() as server:
        yield server


# --- before the call ----------------------------------------------------------------------------
async def test_start_screen_says_what_will_happen_before_anything_is_asked(browser, server):
    async with opened(browser, server.url) as page:
        start = page.locator("#start")
        for words in (
            "microphone and camera",
            "Nothing is stored",
            "voice is synthetic",
            "medical",
        ):
            await expect(start).to_contain_text(words)
        await expect(page.get_by_role("radio")).to_have_count(8)
        await expect(page.get_by_role("radio", name="Ava")).to_be_checked()
        await expect_state(page, "idle")
        assert await page.evaluate("document.querySelector('#self-video').srcObject") is None
        assert server.offers == []


async def test_choosing_somebody_else_calls_them(browser, server):
    async with opened(browser, server.url) as page:
        await page.locator("#start label.persona", has_text="Rose").click()
        await page.get_by_role("button", name="Call Rose").click()
        await expect_state(page, "connected")
        await expect(page.locator("#avatar-name")).to_have_text("Rose")


async def test_refused_microphone_is_explained_and_typing_still_works(browser, server):
    async with opened(browser, server.url, permissions=[]) as page:
        await page.get_by_role("button", name="Call Ava").click()
        alert = page.get_by_role("alert")
        await expect(alert).to_contain_text("The microphone is blocked")
        await expect(alert).to_contain_text("allow it there, and try again")
        await alert.get_by_role("button", name="Call and type").click()
        await expect_state(page, "connected")
        await page.get_by_label("Type instead of talking").fill("Hello there")
        await page.keyboard.press("Enter")
        assert (await server.wait_message("text"))["text"] == "Hello there"
        await expect(page.get_by_label("Type instead of talking")).to_have_value("")


async def test_refused_camera_does_not_stop_the_call(browser, server):
    async with opened(browser, server.url, permissions=["microphone"]) as page:
        await page.get_by_role("button", name="Call Ava").click()
        await expect_state(page, "connected")
        await expect(page.locator(".notice")).to_contain_text("The camera is blocked")
        await expect(page.locator("#self")).to_be_hidden()


async def test_insecure_address_is_named_as_the_reason(browser, server):
    url = server.url.replace("127.0.0.1", "avatar.test")
    async with opened(browser, url, permissions=[]) as page:
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("https")
        await page.get_by_role("button", name="Call and type").click()
        await expect_state(page, "connected")


async def test_missing_microphone_is_told_from_a_refused_one(browser, server):
    script = """navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException("none", "NotFoundError"); };"""
    async with opened(browser, server.url, script=script) as page:
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("No microphone was found")


async def test_browser_without_webrtc_is_told_so(browser, server):
    async with opened(browser, server.url, script="delete window.RTCPeerConnection;") as page:
        await expect(page.get_by_role("alert")).to_contain_text("cannot make calls")
        await expect(page.get_by_role("button", name="Call Ava")).to_be_disabled()


async def test_full_server_counts_down_and_calls_again_by_itself(browser, server):
    async with opened(browser, server.url, script=COUNTED) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        server.refusal = (503, "full", {"Retry-After": "3"})
        await page.get_by_role("button", name="Call Ava").click()
        alert = page.get_by_role("alert")
        await expect(alert).to_contain_text("All places are taken")
        server.refusal = None
        await expect_state(page, "connected")
        assert await page.evaluate("counted") == ["3 seconds", "2 seconds", "1 second"]


async def test_waiting_for_a_place_can_be_given_up(browser, server):
    async with opened(browser, server.url) as page:
        server.refusal = (503, "full", {"Retry-After": "1"})
        await page.get_by_role("button", name="Call Ava").click()
        await page.get_by_role("button", name="Stop trying").click()
        await expect(page.get_by_role("alert")).to_have_count(0)
        await expect_state(page, "idle")


async def test_unreachable_server_is_told_in_plain_words(browser, server):
    async with opened(browser, server.url) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        server.is_away = True
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
        server.is_away = False
        await page.get_by_role("button", name="Try again").click()
        await expect_state(page, "connected")


async def test_page_of_a_network_in_the_servers_place_is_told_as_no_server(browser, server):
    async def sign_in(route: Route) -> None:
        await route.fulfill(content_type="text/html", body="<title>Guest network</title>")

    async with opened(browser, server.url) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        await page.route("**/api/sessions", sign_in)
        await page.get_by_role("button", name="Call Ava").click()
        await expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
        await expect_state(page, "idle")


async def test_access_token_of_the_pages_address_goes_along_with_the_call(browser, server):
    async with opened(browser, f"{server.url}/#access_token=of.the.site") as page:
        await page.get_by_role("button", name="Call Ava").click()
        await expect_state(page, "connected")
        assert set(server.access_tokens) == {"of.the.site"}


async def test_visitor_without_access_is_told_where_to_get_it(browser, server):
    server.refusal = (401, "access_token_missing", {})
    async with opened(browser, server.url) as page:
        await expect(page.get_by_role("alert")).to_contain_text("come from the site that offers")
        server.refusal = (401, "access_token_expired", {})
        await page.get_by_role("button", name="Call").first.click()
        await expect(page.get_by_role("alert")).to_contain_text("go there again")
        await expect_state(page, "idle")


# --- in the call --------------------------------------------------------------------------------
async def test_call_shows_both_sides_and_what_the_avatar_does(browser, server):
    async with in_call(browser, server) as page:
        await expect(page.locator("#stage")).to_have_attribute("data-picture", "true")
        assert await page.evaluate("document.querySelector('#avatar').videoWidth") == 128
        await expect(page.locator("#self")).to_be_visible()
        await expect(page.get_by_role("status").filter(has_text="Listening")).to_be_visible()
        server.send("state", turn=1, state="speaking")
        await expect(page.get_by_role("status").filter(has_text="Speaking")).to_be_visible()


async def test_later_caption_replaces_the_earlier_of_its_turn_and_role_or_takes_it_away(
    browser, server
):
    async with in_call(browser, server) as page:
        server.send("caption", turn=1, role="caller", text="I got", final=False)
        server.send("caption", turn=1, role="caller", text="I got the job", final=True)
        server.send("caption", turn=1, role="avatar", text="That is", final=False)
        server.send("caption", turn=2, role="caller", text="Yes", final=True)
        words = page.locator(".caption-words")
        await expect(words).to_have_text(["I got the job", "That is", "Yes"])
        server.send("caption", turn=1, role="avatar", text="That is wonderful", final=True)
        await expect(words).to_have_text(["I got the job", "That is wonderful", "Yes"])
        await expect(page.locator("#live")).to_have_text("Ava: That is wonderful")
        server.send("caption", turn=2, role="avatar", text="I", final=False)
        server.send("caption", turn=2, role="avatar", text="", final=True)  # nothing was heard
        server.send("caption", turn=3, role="avatar", text="Yes?", final=True)
        await expect(words).to_have_text(["I got the job", "That is wonderful", "Yes", "Yes?"])


async def test_hostile_words_stay_words_and_unknown_messages_are_ignored(browser, server):
    hostile = '<img src=x onerror="document.title=1"><b>bold</b>'
    async with in_call(browser, server) as page:
        title = await page.title()
        server.send("from_the_future", what=[1, 2])
        server.send("trace", turn=1)
        server.send("plan", turn=1, more=1)
        server.send("caption", turn=1, role="avatar", text=hostile, final=True, more={})
        server.send("notice", code="hint", text=hostile)
        server.send("plan", **{**PLAN, "chain": {"cause": hostile}, "user_emotion": hostile})
        await expect(page.locator(".caption-words")).to_have_text(hostile)
        await expect(page.locator(".notice-title")).to_have_text(hostile)
        await expect(page.locator("#chain .step-words")).to_have_text(hostile)
        assert await page.locator("#call b, #notices img").count() == 0
        assert await page.title() == title


async def test_panel_is_off_at_first_and_then_shows_why_what_and_when(browser, server):
    async with in_call(browser, server) as page:
        panel = page.get_by_role("complementary", name="Behind the reply")
        await expect(panel).to_be_hidden()
        server.send("plan", **PLAN)
        server.send("trace", **TRACE)
        await page.get_by_role("button", name="Behind the reply").click()
        for words in PLAN["chain"].values():
            await expect(panel).to_contain_text(words)
        await expect(panel.locator(".pair-value")).to_have_text(["sad", "neutral"])
        await expect(panel).to_contain_text("296 ms to first sound")
        for tag in ("preemptive", "interrupted at 1.5 s", "short clause"):
            await expect(panel.locator(".tag", has_text=tag)).to_be_visible()
        await expect(panel.locator(".waterfall .bar")).to_have_count(8)
        server.send("affect", **AFFECT)
        await expect(panel).to_contain_text("You seem sad")
        await expect(panel.locator(".shares li[data-top]")).to_contain_text("60 %")
        await expect(panel.locator(".dot")).to_have_attribute("cx", "28")


async def test_everything_of_a_call_works_by_keyboard(browser, server):
    async with opened(browser, server.url) as page:
        await expect(page.get_by_role("radio")).to_have_count(8)
        await page.get_by_role("radio", name="Ava").focus()
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("button", name="Call Leo")).to_be_focused()
        await page.keyboard.press("Enter")
        await expect_state(page, "connected")
        await page.keyboard.press("m")
        await expect(page.get_by_role("button", name="Unmute microphone")).to_be_visible()
        await page.keyboard.press("v")
        await expect(page.get_by_role("button", name="Switch camera on")).to_be_visible()
        await expect(page.locator("#self")).to_be_hidden()
        await page.keyboard.press("Escape")
        await server.wait_message("interrupt")
        await page.keyboard.press("t")
        await page.keyboard.type("my vivid dream")
        await page.keyboard.press("Enter")
        assert (await server.wait_message("text"))["text"] == "my vivid dream"
        await expect(page.get_by_role("button", name="Unmute microphone")).to_be_visible()
        await page.locator("#hang-up").focus()
        await page.keyboard.press("?")
        await expect(page.get_by_role("dialog", name="Help")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await page.keyboard.press("Enter")
        await expect_state(page, "ended")


async def test_single_keys_can_be_switched_off(browser, server):
    async with in_call(browser, server) as page:
        await page.locator("#call [data-open=settings]").click()
        await page.get_by_role("switch", name="Single-key shortcuts").set_checked(False, force=True)
        await page.keyboard.press("Escape")
        await page.keyboard.press("m")
        await page.keyboard.press("Escape")
        await server.wait_message("interrupt")
        await expect(page.get_by_role("button", name="Mute microphone")).to_be_visible()


async def test_changing_the_avatar_goes_to_the_server_and_onto_the_stage(browser, server):
    async with in_call(browser, server) as page:
        await page.get_by_role("button", name="Change avatar").click()
        await page.locator("#people label.persona", has_text="Mei").click()
        assert (await server.wait_message("persona"))["name"] == "mei"
        await expect(page.locator("#avatar-name")).to_have_text("Mei")


async def test_start_screen_names_who_answered_last_in_the_call(browser, server):
    async with in_call(browser, server) as page:
        await page.get_by_role("button", name="Change avatar").click()
        await page.get_by_role("dialog").get_by_role("radio", name="Leo").check(force=True)
        await server.wait_message("persona", name="leo")
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Hang up").click()
        await expect(page.get_by_role("button", name="Call Leo again")).to_be_visible()
        await expect(page.locator("#start").get_by_role("radio", name="Leo")).to_be_checked()


async def test_an_avatar_that_the_server_refuses_for_its_rate_is_not_shown(browser, server):
    async with in_call(browser, server) as page:
        server.allows_changes = False
        await page.get_by_role("button", name="Change avatar").click()
        await page.locator("#people label.persona", has_text="Mei").click()
        await server.wait_message("persona")
        await expect(page.get_by_text("at most 30 people a minute")).to_be_visible()
        await expect(page.locator("#avatar-name")).to_have_text("Ava")
        await expect(page.locator("#people input[value=ava]")).to_be_checked()


async def test_settings_list_devices_and_say_who_listens(browser, server):
    async with in_call(browser, server) as page:
        await page.locator("#call [data-open=settings]").click()
        dialog = page.get_by_role("dialog", name="Settings")
        await expect(dialog).to_contain_text("pocketsphinx")
        await expect(dialog).to_contain_text("long sentences less so")
        for name in ("Microphone", "Camera", "Loudspeaker"):
            picker = dialog.get_by_label(name)
            await expect(picker.locator("option")).not_to_have_count(1)
            await picker.select_option(index=1)
        await expect(page.locator("#self")).to_be_visible()


async def test_blocked_sound_asks_for_one_tap(browser, server):
    script = """const play = HTMLMediaElement.prototype.play;
        HTMLMediaElement.prototype.play = function () {
          return window.tapped || this.id !== "avatar" ? play.call(this)
            : Promise.reject(new DOMException("no", "NotAllowedError")); };"""
    async with in_call(browser, server, script=script) as page:
        await page.evaluate("window.tapped = true")
        await page.get_by_role("button", name="Tap to hear").click()
        await expect(page.get_by_text("Tap to hear")).to_have_count(0)


# --- losing the network, and the end ------------------------------------------------------------
async def test_lost_network_is_told_and_the_same_session_goes_on(browser, server):
    async with in_call(browser, server) as page:
        await expect(page.locator("#stage")).to_have_attribute("data-picture", "true")
        server.send("caption", turn=1, role="caller", text="Before the gap", final=True)
        await expect(page.locator(".caption-words")).to_have_text("Before the gap")
        server.is_away = True
        await server.lose_peers()
        await expect_state(page, "reconnecting")
        await expect(page.get_by_role("alert")).to_contain_text("The connection was lost")
        await expect(page.locator("#still")).to_be_visible()
        await expect(page.locator("#avatar")).to_be_hidden()
        await page.get_by_label("Type instead of talking").fill("kept")
        await page.keyboard.press("Enter")
        await expect(page.get_by_label("Type instead of talking")).to_have_value("kept")
        try_now = await page.get_by_role("button", name="Try now").element_handle()
        server.is_away = False
        # At once: the page tries by itself as well, and takes the button away when it succeeds.
        await try_now.dispatch_event("click")
        await expect_state(page, "connected")
        await expect(page.get_by_role("alert")).to_have_count(0)
        await expect(page.locator("#avatar")).to_be_visible()
        assert len(server.offers) == 2
        assert server.offers[0] == server.offers[1]
        await server.wait_called()
        server.send("caption", turn=2, role="avatar", text="After it", final=True)
        await expect(page.locator(".caption-words")).to_have_text(["Before the gap", "After it"])


async def test_page_that_slept_keeps_a_healthy_link(browser, server):
    async with opened(browser, server.url) as page:
        await page.clock.install()
        await page.get_by_role("button", name="Call Ava").click()
        await expect_state(page, "connected")
        await server.wait_called()
        pings = server.count("ping")
        await page.clock.fast_forward("01:00")  # the lid was closed; every timer fires once, late
        for number in range(1, 6):
            await server.wait(lambda number=number: server.count("ping") == pings + number)
            await page.clock.run_for(2000)
        await expect_state(page, "connected")
        assert len(server.offers) == 1


async def test_link_without_an_answer_to_three_pings_is_lost_and_called_anew(browser, server):
    async with opened(browser, server.url) as page:
        await page.clock.install()
        await page.get_by_role("button", name="Call Ava").click()
        await expect_state(page, "connected")
        await server.wait_called()
        server.is_mute = True
        pings = server.count("ping")
        for number in range(1, 4):
            await page.clock.run_for(2000)
            await server.wait(lambda number=number: server.count("ping") == pings + number)
        await page.clock.run_for(2000)
        server.is_mute = False
        await page.clock.run_for(1000)
        await server.wait(lambda: len(server.offers) == 2)
        assert server.offers[0] == server.offers[1]


async def test_page_that_comes_back_brings_fresh_credentials_for_the_relay(browser, server):
    server.ice_servers = [{"urls": ["turn:127.0.0.1:9"], "username": "1", "credential": "old"}]
    async with in_call(browser, server, script=PEERS) as page:
        server.ice_servers = [{**server.ice_servers[0], "credential": "new"}]
        await server.lose_peers()
        await server.wait(lambda: len(server.offers) == 2)
        assert await page.evaluate("peers.map((one) => one.iceServers[0].credential)") == [
            "old",
            "new",
        ]
        assert server.renewals == 1


async def test_forgotten_session_becomes_a_new_call_and_says_so(browser, server):
    async with in_call(browser, server) as page:
        server.offer_refusal = (410, "ended")
        await server.lose_peers()
        await server.wait(lambda: len(server.offers) == 2)
        server.offer_refusal = None
        await expect_state(page, "connected")
        await expect(page.locator(".notice")).to_contain_text("what was said before is forgotten")
        assert server.offers[-1] != server.offers[0]


async def test_hanging_up_ends_the_session_and_gives_the_devices_back(browser, server):
    async with in_call(browser, server) as page:
        await page.evaluate(
            "window.track = document.querySelector('#self-video').srcObject.getTracks()[0]"
        )
        await page.get_by_role("button", name="Hang up").click()
        await expect_state(page, "ended")
        await expect(page.get_by_role("status").filter(has_text="Call ended")).to_be_visible()
        assert await page.evaluate("window.track.readyState") == "ended"
        await server.wait(lambda: server.ended == [server.offers[0][0]])
        await page.get_by_role("button", name="Call Ava again").click()
        await expect_state(page, "connected")


async def test_leaving_the_page_ends_the_session(browser, server):
    async with in_call(browser, server) as page:
        # Not to about:blank: Chromium may ask for this page's icon from there, and logs a refusal.
        await page.reload()
        await server.wait(lambda: server.ended == [server.offers[0][0]])


async def test_server_that_says_bye_is_not_called_again(browser, server):
    async with in_call(browser, server) as page:
        server.send("bye", reason="draining", text="closing")
        await expect_state(page, "ended")
        await expect(page.locator("#start-ended")).to_contain_text("The server is closing")
        await asyncio.gather(server.lose_peers(), expect_state(page, "ended"))
        assert len(server.offers) == 1
