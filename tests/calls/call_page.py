"""The page of one call, with a meter and a microphone of ours, for tests that press its buttons."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, expect, sync_playwright

from rt_avatar.benchmarks.browser.analysis import AUDIBLE
from rt_avatar.benchmarks.browser.chromium import chromium_flags, chromium_path
from rt_avatar.benchmarks.browser.meter import (
    WORKERS,
    Reader,
    Stats,
    meter_script,
    read_stats,
    worker_script,
)
from rt_avatar.benchmarks.browser.readings import Pictures, Readings, Sound, between, join

# Instead of the browser's own fake microphone, which plays a file from beginning to end: a quiet
# room (−70 dBFS; where nothing sounds at all Chromium sends nothing), until the test lets it speak.
MICROPHONE = """
{
  const devices = navigator.mediaDevices;
  const ask = devices.getUserMedia.bind(devices);
  let context, voice, given;
  devices.getUserMedia = async ({ audio, ...others }) => {
    if (!audio) return ask(others);
    context ??= new AudioContext({ sampleRate: 48_000 });
    voice ??= room(context.createMediaStreamDestination());
    const stream = others.video ? await ask(others) : new MediaStream();
    given = voice.stream.getAudioTracks()[0].clone();
    stream.addTrack(given);
    return stream;
  };
  window.unplug = () => {
    given.stop();
    given.dispatchEvent(new Event("ended")); // a page that stops a track itself is told nothing
  };
  const room = (microphone) => {
    const buffer = context.createBuffer(1, 48_000, 48_000);
    // Always the same, as what the recogniser hears should be.
    const noise = Float32Array.from({ length: 48_000 }, (_, i) => ((i * i) % 997) / 1e6 - 5e-4);
    buffer.copyToChannel(noise, 0);
    const source = new AudioBufferSourceNode(context, { buffer, loop: true });
    source.connect(microphone);
    source.start();
    return microphone;
  };
  window.speak = (pcm) => {
    const samples = new Int16Array(Uint8Array.from(atob(pcm), (one) => one.charCodeAt(0)).buffer);
    const buffer = context.createBuffer(1, samples.length, 48_000);
    buffer.getChannelData(0).set(Float32Array.from(samples, (one) => one / 32_768));
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(voice);
    source.start();
    return performance.now() / 1000;
  };
}
"""


class CallPage:
    """Times are seconds on the page's clock."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self._reader = Reader()
        self._parts: list[Readings] = []
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.add_init_script(MICROPHONE)
        page.add_init_script(meter_script())
        page.route(WORKERS, lambda route: route.fulfill(
            body=worker_script(route.request.url), content_type="text/javascript"
        ))  # fmt: skip
        page.goto(address)

    def start(self) -> None:
        self.page.locator("#start-call").click()
        expect(self.page.locator("html")).to_have_attribute(
            "data-call-state", "connected", timeout=20_000
        )
        self.wait_for(
            lambda: self.page.evaluate("document.querySelector('#avatar').videoWidth > 0")
        )
        self.page.evaluate("meter.start('#avatar')")

    def speak(self, pcm: np.ndarray) -> float:
        """Begin to say (samples,) int16 at 48 kHz; return when."""
        text = base64.b64encode(np.asarray(pcm, "<i2").tobytes()).decode()
        return self.page.evaluate("(pcm) => speak(pcm)", text)

    def unplug(self) -> None:
        """Take the microphone away, as if its cable had been pulled."""
        self.page.evaluate("unplug()")

    def type(self, text: str) -> None:
        self.page.locator("#text").fill(text)
        self.page.keyboard.press("Enter")

    def now_s(self) -> float:
        return self.page.evaluate("performance.now()") / 1000

    def heard(self, since_s: float = 0) -> Sound:
        return between(self._readings().remote, since_s, np.inf)

    def seen(self) -> Pictures:
        return self._readings().pictures

    def stamps(self) -> np.ndarray:
        """Return the RTP times of all pictures decoded so far, painted or not, at 90 kHz."""
        return self._readings().decoded.rtp

    def stats(self) -> Stats:
        return read_stats(self.page.evaluate("meter.stats()"))

    def wait_for(self, is_true: Callable[[], bool], timeout_s: float = 25) -> None:
        end = time.monotonic() + timeout_s
        while not is_true():
            assert time.monotonic() < end, self.state()
            self.page.wait_for_timeout(50)

    def is_audible(self, since_s: float) -> bool:
        return bool((self.heard(since_s).peak > AUDIBLE).any())

    def wait_for_sound(self, since_s: float) -> None:
        self.wait_for(lambda: self.is_audible(since_s))

    def wait_until_heard(self, at_s: float) -> None:
        """Wait until it is known what was heard up to a time, be it silence."""
        self.wait_for(lambda: self.heard(at_s).at_s.size > 0)

    def wait_for_quiet(self, for_s: float = 0.6) -> None:
        def is_quiet() -> bool:
            heard = self.heard()
            return len(heard.at_s) > 0 and not self.is_audible(heard.at_s[-1] - for_s)

        self.wait_for(is_quiet)

    def captions(self, role: str) -> list[str]:
        return self.page.locator(f"#captions [data-role={role}] .caption-words").all_inner_texts()

    def state(self) -> str:
        return json.dumps(
            {
                "state": self.page.locator("#state").inner_text(),
                "captions": self.page.locator("#captions").inner_text()[-300:],
            }
        )

    def _readings(self) -> Readings:
        self._parts.append(self._reader.read(self.page.evaluate("meter.drain()")))
        self._parts = [join(self._parts)]
        return self._parts[0]


@contextmanager
def running_browser(camera: Path | None = None) -> Iterator[Browser]:
    """Start Chromium without a window; ``camera`` is an MJPEG file to be seen."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=chromium_flags(camera=camera)
        )
        yield browser
        browser.close()
