"""A call in a browser in which the avatar is kept talking, and what was seen and heard of it."""

import asyncio
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import aiohttp
import numpy as np

from rt_avatar.benchmarks.browser.call import opened_call
from rt_avatar.benchmarks.browser.chromium import running_chromium
from rt_avatar.benchmarks.browser.meter import Stats
from rt_avatar.benchmarks.browser.readings import WINDOW_S, Readings, join
from rt_avatar.benchmarks.browser.tape import MicTape
from rt_avatar.benchmarks.server import Server
from rt_avatar.benchmarks.sync.analysis import Floats, Pairs, find_claps, find_flashes, pair
from rt_avatar.benchmarks.sync.clock import SenderClock
from rt_avatar.benchmarks.sync.flow import screen_times, without_wraps
from rt_avatar.benchmarks.sync.speech import Curves
from rt_avatar.benchmarks.sync.talk import Prompter, Said
from rt_avatar.signaling.media_tracks import VIDEO_RATE_HZ

LOOK_S: Final = 1.0  # between looks at what came; about the gap between two replies
TAPE_S: Final = 1.0  # the microphone's tape; after it, it is silent
SKIPPED: Final = "rt_avatar_media_skipped"  # on the server's /metrics


@dataclass(frozen=True, slots=True)
class Watched:
    """What one call was like.

    Attributes:
        readings: All of it.
        estimates_ms: (n,) the browser's own estimate of the skew, once a second; + is sound late.
        estimated_at_s: (n,) when, on the clock of the readings.
        stats: The browser's counters in the end.
        skipped: Blocks and pictures that the server left out, by the kind of track.
        exchanges: What was typed and answered.
    """

    readings: Readings
    estimates_ms: Floats
    estimated_at_s: Floats
    stats: Stats
    skipped: dict[str, float]
    exchanges: Sequence[Said]

    def pairs(self) -> Pairs:
        """Return claps as heard before the loudspeaker and flashes as on the screen."""
        claps_s = find_claps(self._heard_at_s(), self.readings.remote.rms, WINDOW_S)
        flashes, stamps = self._flashes()
        flashes_s = screen_times(flashes, stamps, self.readings.pictures.at_s)
        return pair(claps_s, flashes_s[np.isfinite(flashes_s)])

    def unpainted(self) -> int:
        """Return how many flashes the browser left unpainted."""
        return int((~np.isin(*self._flashes())).sum())

    def _flashes(self) -> tuple[Floats, Floats]:
        """Return the RTP time stamps of flashes, and of all pictures on the screen."""
        clock, decoded = SenderClock(VIDEO_RATE_HZ), self.readings.decoded
        stamps = without_wraps(clock, decoded.rtp)
        painted = without_wraps(clock, self.readings.pictures.rtp)
        return find_flashes(stamps, decoded.brightness), painted

    def curves(self) -> Curves:
        """Return loudness as heard and mouth as presented."""
        pictures = self.readings.pictures
        return Curves(self._heard_at_s(), self.readings.remote.rms, pictures.at_s, pictures.mouth)

    def _heard_at_s(self) -> Floats:
        """Return when sound was at the loudspeaker: what the browser knows of the way counts."""
        return self.readings.remote.at_s + self.stats.output_latency_s


async def watch_call(
    server: Server, length_s: float, on_progress: Callable[[float], None] = lambda at_s: None
) -> Watched:
    """Call from a browser, keep the avatar talking for so long, hang up.

    Args:
        server: Whom.
        length_s: How long.
        on_progress: Told now and then how much of it has passed.
    """
    loop = asyncio.get_running_loop()
    prompter = Prompter()
    parts: list[Readings] = []
    estimates: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory(prefix="rt-avatar-bench-") as folder:
        mic = MicTape().silence(TAPE_S).write(Path(folder) / "silence.wav")
        async with (
            running_chromium(mic=mic) as browser,
            opened_call(browser, server.address) as call,
        ):
            await call.start()
            begin_s = loop.time()
            while (now_s := loop.time()) < begin_s + length_s:
                on_progress(now_s - begin_s)
                parts.append(await call.drain())
                for message in parts[-1].messages:
                    prompter.note(message.data, message.at_s)
                if (words := prompter.due(now_s)) is not None:
                    await call.send(words)
                stats = await call.stats()
                if stats.playout_gap_s and len(parts[-1].remote.at_s):
                    at_s = float(parts[-1].remote.at_s[-1])
                    estimates.append((at_s, 1000 * stats.playout_gap_s))
                await asyncio.sleep(LOOK_S)
            parts.append(await call.drain())
            stats = await call.stats()
            skipped = await skipped_so_far(server.metrics)
            await call.end()
    estimated_at_s, estimates_ms = np.array(estimates, np.float64).reshape(-1, 2).T
    return Watched(join(parts), estimates_ms, estimated_at_s, stats, skipped, prompter.exchanges)


async def skipped_so_far(metrics: str) -> dict[str, float]:
    """Return what a server has left out since its start, by the kind of track.

    ``metrics`` is the URL of its metrics.
    """
    found: dict[str, float] = {}
    async with (
        aiohttp.ClientSession() as http,
        http.get(metrics) as response,
    ):
        for line in (await response.text()).splitlines():
            if line.startswith(f"{SKIPPED}_total{{"):
                labels, _, value = line.rpartition(" ")
                found[labels.split('"')[1]] = float(value)
    return found
