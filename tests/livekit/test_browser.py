"""A person at the kiosk: a real browser with LiveKit's own client, a real server, a real worker.

One call, step by step; each test is a step and needs the ones before.
"""

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from livekit import api
from playwright.sync_api import Browser, expect

from rt_avatar.benchmarks.server import Server, running_worker
from tests.calls.call_page import running_browser
from tests.conftest import BUSY
from tests.livekit.kiosk_page import (
    KioskPage,
    avatar_in_thread,
    line_in_thread,
    room_address,
    running_kiosk,
)
from tests.livekit.line import Line
from tests.livekit.server import LiveKitServer
from tests.media import Speaker, spoken

pytestmark = pytest.mark.realtime

AGENT = "browser-test"
TRIES = 3  # of a sentence


@pytest.fixture(scope="module")
def worker(livekit: LiveKitServer) -> Iterator[Server]:
    with running_worker(
        livekit.url, livekit.api_key, livekit.api_secret,
        "--livekit.agent_name", AGENT, *BUSY,
    ) as worker:  # fmt: skip
        yield worker
        assert "Traceback" not in worker.log.read_text()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def line(livekit: LiveKitServer) -> Iterator[tuple[Line, Callable[[float], None]]]:
    with line_in_thread(livekit) as line:
        yield line


@pytest.fixture(scope="module")
def cut_for(line) -> Callable[[float], None]:
    """Cuts the browser's line, signalling and media, for some seconds."""
    return line[1]


@pytest.fixture(scope="module")
def kiosk(livekit: LiveKitServer, line) -> Iterator[str]:
    with running_kiosk(livekit, line[0].url, AGENT) as address:
        yield address


@pytest.fixture(scope="module")
def call(worker: Server, browser: Browser, kiosk: str, speaker: Speaker) -> KioskPage:
    call = KioskPage(browser, kiosk)
    call.start()
    return call


def test_the_avatar_comes_greets_and_is_seen(call):
    call.wait_for_sound(0)
    call.wait_for(lambda: bool(call.captions("avatar")))
    before = call.decoded()
    call.wait_for(lambda: call.decoded() > before + 10)
    expect(call.page.locator("#avatar-name")).to_have_text("Ava")
    call.wait_for_quiet()


def shown(captions: list[str]) -> str:
    return " ".join(captions).lower()


def test_a_spoken_sentence_is_captioned_and_answered(call, speaker: Speaker):
    # A browser on a busy machine makes gaps of sound, in which words are lost: who is misheard says
    # it again, as people do. Of the two sentences it is the one that bears gaps of 30 ms.
    for _ in range(TRIES):
        answers = len(call.captions("avatar"))
        spoken_s = call.speak(spoken(speaker.interruption).pcm)
        call.wait_for_sound(spoken_s)
        call.wait_for(lambda answers=answers: len(call.captions("avatar")) > answers)
        call.wait_for_quiet()
        if speaker.interruption_words in shown(call.captions("caller")):
            return
    pytest.fail(f"expected {speaker.interruption_words!r}, got {call.captions('caller')}")


def test_who_speaks_over_the_answer_silences_it_and_is_answered(call, worker, speaker: Speaker):
    answers = len(call.captions("avatar"))
    interrupted = worker.log.read_text().count("interrupted_at")
    call.type("Please tell me who you are and what you can do.")
    # Who speaks over the first word or two takes their turn back; later it is an interruption.
    call.wait_for(lambda: len(shown(call.captions("avatar")[answers:]).split()) >= 5)
    call.speak(spoken(speaker.question).pcm)
    call.wait_for(lambda: worker.log.read_text().count("interrupted_at") > interrupted)
    answers = len(call.captions("avatar"))
    call.wait_for(lambda: len(call.captions("avatar")) > answers)
    call.wait_for_quiet()


def test_a_line_that_is_cut_for_three_seconds_is_found_again(call, cut_for):
    cut_for(3.0)
    call.wait_for(lambda: call.lines()[-2:] == ["reconnecting", "connected"])
    before, since_s = call.decoded(), call.now_s()
    call.wait_for(lambda: call.decoded() > before + 10)
    expect(call.page.locator("#state")).to_have_text("listens")
    call.type("I am so happy, my sister had a baby!")
    call.wait_for_sound(since_s)


def test_leaving_ends_the_call_on_both_sides(call, worker):
    call.page.locator("#hang-up").click()
    expect(call.page.locator("html")).to_have_attribute("data-call-state", "ended")
    pages = re.search(r"health at (\S+)", worker.log.read_text())
    call.wait_for(lambda: httpx2.get(f"{pages[1]}healthz").json()["sessions"] == 0)
    assert call.problems == []


def test_a_bad_token_is_told_in_plain_words(browser, kiosk, livekit):
    call = KioskPage(browser, room_address(kiosk, livekit.url, "no-token"))
    call.page.locator("#start-call").click()
    expect(call.page.locator("#ended")).to_contain_text("does not accept this token")
    expect(call.page.locator("#start-call")).to_be_visible()
    assert call.problems == []


def test_who_hangs_up_while_the_token_is_on_its_way_is_in_no_room(browser, kiosk):
    call = KioskPage(browser, kiosk)
    asked, sent = [], []
    call.page.route("**/token", lambda route: asked.append(route))
    call.page.on("websocket", lambda socket: sent.append(socket.url))
    call.page.on("request", lambda request: sent.append(request.url))
    call.page.locator("#start-call").click()
    call.wait_for(lambda: len(asked) == 1)
    call.page.locator("#hang-up").click()
    call.page.locator("#start-call").click()
    call.wait_for(lambda: len(asked) == 2)
    for route, token in zip(asked, ("first-token", "second-token"), strict=True):
        route.fulfill(json={"url": "ws://127.0.0.1:9", "token": token})  # nobody is there
    expect(call.page.locator("#ended")).to_contain_text("cannot be reached", timeout=20_000)
    assert [one for one in sent if "second-token" in one]
    assert not [one for one in sent if "first-token" in one]
    assert call.lines() == ["connecting", "ended", "connecting", "ended"]
    call.page.close()


# Keeps which waits for an avatar go on: when one ends, the caller is told that none came.
WAITS = """
window.waits = new Set();
const begin = window.setTimeout, end = window.clearTimeout;
window.setTimeout = (act, ...rest) => {
  const id = begin(act, ...rest);
  if (String(act).includes("No avatar has come")) waits.add(id);
  return id;
};
window.clearTimeout = (id) => (waits.delete(id), end(id));
"""


def test_an_avatar_that_was_in_the_room_before_the_caller_is_not_waited_for(
    browser, kiosk, livekit, room_name
):
    call = KioskPage(browser, room_address(kiosk, livekit.url, livekit.token("me", room_name)))
    call.page.add_init_script(WAITS)
    call.page.reload()
    call.page.locator("#start-call").click()
    call.wait_for(lambda: call.page.evaluate("waits.size") == 1)  # nobody is there
    call.page.locator("#hang-up").click()
    with avatar_in_thread(livekit, room_name):
        call.page.locator("#start-call").click()
        call.wait_for(lambda: call.lines()[-1] == "connected")
        call.wait_for(lambda: call.page.locator("[data-picture]").count() == 1)
        assert call.page.evaluate("waits.size") == 0
    call.wait_for(lambda: call.page.evaluate("waits.size") == 1)  # it has left
    assert call.problems == []
    call.page.close()


def test_a_caption_that_is_taken_away_leaves_the_page(browser, kiosk):
    call = KioskPage(browser, kiosk)
    call.page.evaluate("""async () => {
      const { View } = await import("/view.js");
      const view = new View();
      for (const [id, text] of [["1", "Hm"], ["2", "Hello."], ["1", " "], ["3", " "]])
        view.caption({ id, role: "caller", text, isFinal: true, mood: "" });
    }""")
    expect(call.page.locator("#captions .caption-words")).to_have_text(["Hello."])
    call.page.close()


def dismiss_avatars(livekit: LiveKitServer) -> None:
    """Delete all dispatches of the worker, as an application does that wants no avatar any more."""

    async def dismiss() -> None:
        async with api.LiveKitAPI(livekit.url, livekit.api_key, livekit.api_secret) as server:
            for room in (await server.room.list_rooms(api.ListRoomsRequest())).rooms:
                for dispatch in await server.agent_dispatch.list_dispatch(room.name):
                    await server.agent_dispatch.delete_dispatch(dispatch.id, room.name)

    with ThreadPoolExecutor(1) as thread:  # the browser's driver has this one's event loop
        thread.submit(asyncio.run, dismiss()).result(30)


def test_an_avatar_that_leaves_for_good_ends_the_call_and_an_unattended_page_calls_again(
    worker, browser, kiosk, livekit
):
    call = KioskPage(browser, f"{kiosk}?auto")
    call.wait_for(lambda: call.decoded() > 10)
    dismiss_avatars(livekit)
    expect(call.page.locator("html")).to_have_attribute("data-call-state", "ended", timeout=20_000)
    expect(call.page.locator("#ended")).to_have_text("The call is over.")
    call.wait_for(lambda: call.lines()[-1] == "connected")
    call.wait_for(lambda: call.page.locator("[data-picture]").count() == 1)
    assert call.problems == []
    call.page.close()
