"""The page of one call with the meter in it, for tests that press its buttons."""

import json
import time
from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page, expect

from benchmarks.browser.analysis import AUDIBLE
from benchmarks.browser.meter import WORKERS, Reader, Stats, meter_script, read_stats, worker_script
from benchmarks.browser.readings import Pictures, Readings, Sound, between, join


class CallPage:
    """Times are seconds on the page's clock."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self._reader = Reader()
        self._parts: list[Readings] = []
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

    def now_s(self) -> float:
        return self.page.evaluate("performance.now()") / 1000

    def heard(self, since_s: float = 0) -> Sound:
        return between(self._readings().remote, since_s, np.inf)

    def seen(self) -> Pictures:
        return self._readings().pictures

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
