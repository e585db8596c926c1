"""The meter's end in Python: its script for the page, and what it took down as ``Readings``.

In the page (``meter.js``) workers get every block of sound and every decoded picture of the page's
own tracks (MediaStreamTrackProcessor). The browser stamps the blocks itself, with the clock that
``performance.now()`` shows: so microphone, avatar, screen and messages are on one clock, which
cannot drift, and a busy page delays no time. (An AudioContext, the other way to hear a track, keeps
a buffer of its own between track and worklet. On a busy machine it grew beyond 100 ms, and the
context lost 1.5 s in 40.)

Which of the pictures were presented, and when, tells requestVideoFrameCallback; both bear the same
RTP time stamp, by which they are put together. So the page's thread does not touch pixels, and a
picture is never taken for its successor: in 4 of 100 the page could only have grabbed that one.

Times mean:

- ``mic``: a sample is said when it enters the browser, at the end of its block. A fake microphone
  hands 10 ms over at once; they count as said before.
- ``remote``: a sample is heard when the browser takes it out of the jitter buffer to play it.
- ``pictures``: seen when the browser expects them on the screen. ``decoded``: when decoded.

What is not in them, always the same on one machine:

- Loudspeaker and microphone. ``Stats.output_latency_s`` is what the browser knows of the way to
  the loudspeaker (30 ms without a sound card). A person hears so much later; the browser's own
  lip-sync counts it in, so add it to the sound before you judge the skew of sound and picture.
- The echo canceller and noise suppressor of the browser, which the page asks for, are before the
  tap: a few ms that count as part of the microphone.
- The time on the screen is a forecast, two refreshes after painting: steps of 16.7 ms, on average
  half of one later than a screen without steps. A screen's own delay comes on top.
- Without a GPU about 20 of 25 pictures a second are painted; what happens first in one of the
  others is seen 40 ms later. ``decoded`` has them all.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from playwright.async_api import Page, Route

from rt_avatar.benchmarks.browser import mouth
from rt_avatar.benchmarks.browser.readings import Floats, Message, Pictures, Readings, Sound
from rt_avatar.errors import SetupError

HERE: Final = Path(__file__).parent
WORKERS: Final = "**/.meter/*.js"  # addresses of the meter's own workers
PARTS: Final = 4  # of a block of sound, as in meter-sound.js
# A picture is presented within this many pictures after it was decoded; the other way round, its
# description by the worker comes within as many.
KEPT_PICTURES: Final = 50
# So long a block of sound may take to the worker of a browser that stands still now and then.
LATE_MS: Final = 10_000


def meter_script() -> str:
    """Return the script to run before those of the page."""
    return f"{{{(HERE / 'meter.js').read_text(encoding='utf-8')}}}"


def worker_script(address: str) -> str:
    """Return the script of a worker of the meter; ``address`` matches ``WORKERS``.

    Served in the name of the page's own server, as the page's security policy wants it: the policy
    stays what it is for callers.
    """
    name = address.rpartition("/")[2]
    text = (HERE / name).read_text(encoding="utf-8")
    place = {
        "left": mouth.MOUTH_LEFT, "top": mouth.MOUTH_TOP,
        "width": mouth.MOUTH_WIDTH, "height": mouth.MOUTH_HEIGHT,
    }  # fmt: skip
    return f"const MOUTH = {json.dumps(place)}, CAVITY = {mouth.CAVITY_LUMA};\n{text}"


@dataclass(frozen=True, slots=True)
class Stats:
    """The browser's own counters of a call, from its beginning; see the W3C's webrtc-stats.

    Attributes:
        output_latency_s: Mean, from the jitter buffer's end to the loudspeaker.
        playout_gap_s: Estimated playout time of the picture minus that of the sound, as the browser
            has them from RTCP: near 0 if it holds them in step. 0 before the first reports.
        heard_samples: Samples of the avatar that were to be played.
        concealed_samples: Of these, made up because none had come in time (silent ones too).
        sound_delay_s: Mean time of a sample in the jitter buffer.
        decoded_pictures: All so far.
        dropped_pictures: Received, but not decoded or too late to be shown.
        freezes: How often a picture stood much longer than it should have.
        picture_delay_s: Mean time of a picture in the jitter buffer.
    """

    output_latency_s: float
    playout_gap_s: float
    heard_samples: float
    concealed_samples: float
    sound_delay_s: float
    decoded_pictures: float
    dropped_pictures: float
    freezes: float
    picture_delay_s: float


class Meter:
    """Drives the meter of one page and reads what it took down."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._reader = Reader()

    async def install(self) -> None:
        """Add the scripts; before the page is opened."""
        await self._page.route(WORKERS, _serve)
        await self._page.add_init_script(meter_script())

    async def start(self, video: str = "#avatar") -> None:
        """Begin to measure; ``video`` selects the element that shows the avatar."""
        await self._page.evaluate("(video) => meter.start(video)", video)

    async def drain(self) -> Readings:
        """Return what came since the last time; call it at least every ten minutes.

        Raises:
            SetupError: This browser's clocks are not understood.
        """
        return self._reader.read(await self._page.evaluate("meter.drain()"))

    async def send(self, message: dict[str, Any]) -> None:
        """Send on the page's own data channel."""
        await self._page.evaluate("(message) => meter.send(message)", message)

    async def stats(self) -> Stats:
        """Ask the browser for its counters."""
        return read_stats(await self._page.evaluate("meter.stats()"))


async def _serve(route: Route) -> None:
    await route.fulfill(body=worker_script(route.request.url), content_type="text/javascript")


class Reader:
    """Reads what ``meter.drain()`` returns in the page; keeps what belongs to the next."""

    def __init__(self) -> None:
        self._decoded = 0
        self._looks: dict[float, Sequence[float]] = {}  # RTP time stamp → what was on the picture
        self._waiting: list[Sequence[float]] = []  # presented, and the worker has not told of it

    def read(self, drained: dict[str, Any]) -> Readings:
        """Turn JSON into arrays.

        Raises:
            SetupError: The browser stamps sound with a clock that is not the page's.
        """
        decoded = self._read_decoded(drained["decoded"])
        return Readings(
            mic=_read_sound(drained["mic"], is_mic=True),
            remote=_read_sound(drained["remote"], is_mic=False),
            pictures=self._read_shown(drained["shown"]),
            decoded=decoded,
            messages=[
                Message(at_ms / 1000, json.loads(text)) for at_ms, text in drained["messages"]
            ],
            lost=drained["lost"],
        )

    def _read_decoded(self, rows: Sequence[Sequence[float]]) -> Pictures:
        for row in rows:
            self._looks[row[1]] = row[2:]
        for old in list(self._looks)[: -len(rows) - KEPT_PICTURES]:
            del self._looks[old]
        before = self._decoded
        self._decoded += len(rows)
        count = np.arange(before + 1, self._decoded + 1, dtype=np.float64)
        at_ms, rtp, brightness, mouth, change = np.array(rows, float).reshape(-1, 5).T
        return Pictures(at_ms / 1000, brightness, mouth, change, rtp, count)

    def _read_shown(self, rows: Sequence[Sequence[float]]) -> Pictures:
        found, waiting = [], []
        for row in [*self._waiting, *rows]:
            if (look := self._looks.get(row[1])) is not None:
                found.append([*row, *look])
            else:
                waiting.append(row)
        self._waiting = waiting[-KEPT_PICTURES:]
        at_ms, rtp, count, brightness, mouth, change = np.array(found, float).reshape(-1, 6).T
        return Pictures(at_ms / 1000, brightness, mouth, change, rtp, count)


def _read_sound(packed: dict[str, Any], *, is_mic: bool) -> Sound:
    blocks = np.frombuffer(base64.b64decode(packed["blocks"]), "<f8").reshape(-1, 2 + 2 * PARTS)
    at_ms, part_ms = blocks[:, 0], blocks[:, 1]
    if len(blocks):
        late_ms = packed["came"][-1] - at_ms[-1]
        if not -1 <= late_ms <= LATE_MS:
            raise SetupError(
                "browser: expected sound to be stamped with the page's clock, got a difference of "
                f"{late_ms:.0f} ms; use Chromium 140 or newer"
            )
    # What a microphone hands over has been said; what is taken to be played is yet to be heard.
    begin_ms = at_ms - PARTS * part_ms if is_mic else at_ms
    each_ms = begin_ms[:, None] + part_ms[:, None] * np.arange(PARTS)
    at_s: Floats = np.maximum.accumulate(each_ms.ravel() / 1000)
    return Sound(at_s, blocks[:, 2 : 2 + PARTS].ravel(), blocks[:, 2 + PARTS :].ravel())


def read_stats(found: dict[str, Any]) -> Stats:
    """Read what ``meter.stats()`` returns in the page; what the browser does not know is 0."""
    audio, video, playout = found["audio"], found["video"], found["playout"]

    def mean(report: dict[str, Any], total: str, count: str) -> float:
        return float(report.get(total, 0) / report[count]) if report.get(count) else 0.0

    played_ms = [report.get("estimatedPlayoutTimestamp", 0) for report in (audio, video)]
    return Stats(
        output_latency_s=mean(playout, "totalPlayoutDelay", "totalSamplesCount"),
        playout_gap_s=(played_ms[1] - played_ms[0]) / 1000 if all(played_ms) else 0.0,
        heard_samples=audio.get("totalSamplesReceived", 0),
        concealed_samples=audio.get("concealedSamples", 0),
        sound_delay_s=mean(audio, "jitterBufferDelay", "jitterBufferEmittedCount"),
        decoded_pictures=video.get("framesDecoded", 0),
        dropped_pictures=video.get("framesDropped", 0),
        freezes=video.get("freezeCount", 0),
        picture_delay_s=mean(video, "jitterBufferDelay", "jitterBufferEmittedCount"),
    )
