"""The meter in a real browser, at a page whose delays are known: what is put in is what it says."""

from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
import pytest_asyncio
from playwright.async_api import Page

from rt_avatar.benchmarks.browser.analysis import first_sound
from rt_avatar.benchmarks.browser.chromium import running_chromium
from rt_avatar.benchmarks.browser.meter import Meter
from rt_avatar.benchmarks.browser.readings import Floats, Pictures, Readings, Sound

pytestmark = [pytest.mark.realtime, pytest.mark.asyncio(loop_scope="module")]

PAGE = Path(__file__).parent / "known_skew.html"
ADDRESS = "http://localhost/known"  # a secure context; nothing is asked of a network
ECHO_S = 0.137
LATER_S = 0.120
FLASHES = 16
GAP_MS = 60
# The page's microphone hands over 10 ms at once: they count as said before.
BLOCK_S = 0.01
# A browser on a busy machine may slip by a block while it plays: then it plays again.
PLAYS = 3
EXACT_S = 0.005
BRIGHT = 125  # between black and white


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played() -> AsyncIterator[tuple[Readings, Floats]]:
    """Flashes, every second one with its clap 120 ms later; and when they really were, in s."""
    async with running_chromium() as browser:
        context = await browser.new_context()
        page: Page = await context.new_page()
        await page.route(ADDRESS, lambda route: route.fulfill(path=PAGE, content_type="text/html"))
        meter = Meter(page)
        await meter.install()
        await page.goto(ADDRESS)
        await page.evaluate("(echo) => open_(echo)", ECHO_S)
        await page.evaluate("(gap) => play([0, 0, 0], gap)", GAP_MS)  # everything is warm now
        later_s = [0.0, LATER_S] * (FLASHES // 2)
        for _ in range(PLAYS):
            await page.evaluate("pause(500)")
            await meter.drain()
            known_ms = await page.evaluate("([later, gap]) => play(later, gap)", [later_s, GAP_MS])
            await page.evaluate("pause(500)")
            found = await meter.drain(), np.array(known_ms) / 1000
            if abs(moved_by(*found) - LATER_S) < EXACT_S:
                break
        yield found


def begins(sound: Sound) -> Floats:
    """When claps begin."""
    found: list[float] = []
    after_s = 0.0
    while (at_s := first_sound(sound, after_s, above=0.1)) is not None:
        found.append(at_s)
        after_s = at_s + 0.06
    return np.array(found)


def flashes(pictures: Pictures) -> Floats:
    is_white = pictures.brightness > BRIGHT
    return pictures.at_s[1:][is_white[1:] & ~is_white[:-1]]


def skews(flashes_s: Floats, claps_s: Floats, known_s: Floats) -> Floats:
    """Return of each clap by how much its flash is later, less what the page knows of it."""
    nearest = np.abs(flashes_s[None, :] - claps_s[:, None]).argmin(axis=1)
    return flashes_s[nearest] - claps_s - known_s


def moved_by(readings: Readings, known_s: Floats) -> float:
    """Return how much more of every second flash's clap the skew shows, s; NaN where some lack."""
    claps_s = begins(readings.mic)
    if len(claps_s) != FLASHES:
        return float("nan")
    skew_s = skews(flashes(readings.decoded), claps_s, known_s)
    return float(np.median(skew_s[::2] - skew_s[1::2]))


async def test_a_known_echo_is_the_delay_from_mouth_to_ear(played):
    readings, _ = played
    said_s, heard_s = begins(readings.mic), begins(readings.remote)
    assert len(said_s) == len(heard_s) == FLASHES
    # The page's own tracks are stamped to a quantum of WebAudio, 2.7 ms.
    assert np.median(heard_s - said_s) - BLOCK_S == pytest.approx(ECHO_S, abs=0.005)


async def test_sound_delayed_by_120_ms_more_moves_the_skew_by_120_ms(played):
    assert moved_by(*played) == pytest.approx(LATER_S, abs=EXACT_S)


async def test_presented_pictures_are_decoded_ones_at_the_time_they_are_on_the_screen(played):
    pictures, decoded = played[0].pictures, played[0].decoded
    assert len(pictures.at_s) > len(decoded.at_s) / 3
    assert set(pictures.rtp[1:]) <= set(decoded.rtp)
    known = dict(zip(decoded.rtp, zip(decoded.at_s, decoded.brightness, strict=True), strict=True))
    later_s = []
    for at_s, rtp, brightness in zip(pictures.at_s, pictures.rtp, pictures.brightness, strict=True):
        if rtp in known:
            later_s.append(at_s - known[rtp][0])
            assert brightness == known[rtp][1]
    assert 0 < np.median(later_s) < 0.2


async def test_nothing_is_lost_and_time_goes_on_evenly(played):
    readings, _ = played
    assert readings.lost == 0
    for sound in (readings.mic, readings.remote):
        assert (np.diff(sound.at_s) >= 0).all()
    assert (np.diff(readings.decoded.rtp) > 0).all()
    assert (np.diff(readings.decoded.at_s) >= 0).all()
