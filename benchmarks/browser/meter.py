"""The meter's end in Python: its script for the page, and what it took down as ``Readings``.

In the page (``meter.js``) the microphone's and the avatar's track lead into one AudioContext, where
an AudioWorklet takes the loudness of every 128 samples: both are on one clock to the sample. A
worker gets every decoded picture (MediaStreamTrackProcessor) and looks at its luma;
requestVideoFrameCallback tells which of them were presented, and when. Both bear the same RTP time
stamp, by which they are put together: the page's own thread does not touch pixels, and a picture
shown late is never taken for its successor, as happens with what a page can grab from its video.

What remains, always the same way, of a call on a machine without sound card and GPU:

- Sound is tapped where it enters and leaves the page. Neither the loudspeaker's and the
  microphone's own latency are in it (real ones: 10 to 50 ms each) nor that of the browser's output
  (``Stats.output_latency_s``, 30 ms with no sound card).
- Pictures are on the clock of the output: their time says which sample leaves for the loudspeaker
  when they are on the screen. So picture minus sound is the skew that a person has; but a picture
  minus the microphone lacks that output latency just as sound minus the microphone does.
- The time of a picture is the browser's forecast, two refreshes after it was painted: whole periods
  of 16.7 ms, 8 ms too late in the mean against a screen that needs none.
- Without a GPU about 20 of 25 pictures a second are painted: what happens in one of the others is
  seen 40 ms later. ``Readings.decoded`` has them all.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from playwright.async_api import Page

from benchmarks.browser.clock import AudioClock
from benchmarks.browser.readings import (
    QUANTUM,
    RATE_HZ,
    Floats,
    Message,
    Pictures,
    Readings,
    Sound,
)

HERE: Final = Path(__file__).parent
FIELDS: Final = 4  # of a quantum of sound
# A picture is presented within this many pictures after it was decoded; the other way round, its
# description by the worker comes within as many.
REMEMBERED: Final = 50


def meter_script() -> str:
    """Return the script to run before those of the page.

    The page's security policy refuses scripts that are not the server's: open it in a context with
    ``bypass_csp=True``. The policy that the server sends is tested elsewhere, without it.
    """
    sound, pictures, meter = (
        (HERE / name).read_text(encoding="utf-8")
        for name in ("meter-sound.js", "meter-pictures.js", "meter.js")
    )
    return f"{{const SOUND = {json.dumps(sound)}, PICTURES = {json.dumps(pictures)};\n{meter}}}"


@dataclass(frozen=True, slots=True)
class Stats:
    """The browser's own counters of a call, from its beginning; see the W3C's webrtc-stats.

    Attributes:
        round_trip_s: Of the connection, last known.
        output_latency_s: From the page's sound to the loudspeaker.
        playout_gap_s: Estimated playout time of the picture minus that of the sound, as the browser
            has them from RTCP: near 0 if it holds them in step.
        playout_delay_s: Mean time from where a sample leaves the jitter buffer to the loudspeaker.
        heard_samples: Samples of the avatar that were to be played.
        concealed_samples: Of these, made up because none had come in time (silent ones too).
        inserted_samples: Made up to slow playing down.
        removed_samples: Left out to catch up.
        sound_delay_s: Mean time of a sample in the jitter buffer.
        decoded_pictures: All so far.
        dropped_pictures: Received, but not decoded or too late to be shown.
        freezes: How often a picture stood much longer than it should have.
        picture_delay_s: Mean time of a picture in the jitter buffer.
        lost_packets: Of both tracks.
    """

    round_trip_s: float
    output_latency_s: float
    playout_gap_s: float
    playout_delay_s: float
    heard_samples: float
    concealed_samples: float
    inserted_samples: float
    removed_samples: float
    sound_delay_s: float
    decoded_pictures: float
    dropped_pictures: float
    freezes: float
    picture_delay_s: float
    lost_packets: float


class Meter:
    """Drives the meter of one page and reads what it took down."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._reader = Reader()

    async def install(self) -> None:
        """Add the script; before the page is opened."""
        await self._page.add_init_script(meter_script())

    async def start(self, video: str = "#avatar") -> None:
        """Begin to measure; ``video`` selects the element that shows the avatar."""
        await self._page.evaluate("(video) => meter.start(video)", video)

    async def drain(self) -> Readings:
        """Return what came since the last time; call it at least every ten minutes."""
        return self._reader.read(await self._page.evaluate("meter.drain()"))

    def to_audio(self, at_ms: Sequence[float]) -> Floats:
        """Return moments of ``performance.now()`` since the last drain but one on the audio clock.

        Args:
            at_ms: (n,) in ms.

        Returns:
            (n,) in s; NaN before the first drain.
        """
        return self._reader.to_audio(at_ms)

    async def send(self, message: dict[str, Any]) -> None:
        """Send on the page's own data channel."""
        await self._page.evaluate("(message) => meter.send(message)", message)

    async def stats(self) -> Stats:
        """Ask the browser for its counters."""
        return read_stats(await self._page.evaluate("meter.stats()"))


class Reader:
    """Reads what ``meter.drain()`` returns in the page; keeps what belongs to the next."""

    def __init__(self) -> None:
        self._clock = AudioClock()
        self._decoded = 0
        self._looks: dict[float, Sequence[float]] = {}  # RTP time stamp → what was on the picture
        self._waiting: list[Sequence[float]] = []  # presented, and the worker has not told of it

    def read(self, drained: dict[str, Any]) -> Readings:
        """Turn JSON into arrays on the audio clock."""
        self._clock.learn(np.array(drained["clock"], float).reshape(-1, 2))
        decoded = self._read_decoded(drained["decoded"])
        messages = drained["messages"]
        at_s = self.to_audio([at_ms for at_ms, _ in messages])
        return Readings(
            sound=_read_sound(drained),
            pictures=self._read_shown(drained["shown"]),
            decoded=decoded,
            messages=[
                Message(float(at), json.loads(text))
                for at, (_, text) in zip(at_s, messages, strict=True)
            ],
            lost=drained["lost"],
        )

    def _read_decoded(self, rows: Sequence[Sequence[float]]) -> Pictures:
        at_ms, rtp, brightness, mouth, change = np.array(rows, float).reshape(-1, 5).T
        for row in rows:
            self._looks[row[1]] = row[2:]
        for old in list(self._looks)[: -len(rows) - REMEMBERED]:
            del self._looks[old]
        before = self._decoded
        self._decoded += len(rows)
        count = np.arange(before + 1, self._decoded + 1, dtype=np.float64)
        return Pictures(self.to_audio(at_ms), brightness, mouth, change, rtp, count)

    def _read_shown(self, rows: Sequence[Sequence[float]]) -> Pictures:
        found, waiting = [], []
        for row in [*self._waiting, *rows]:
            if (look := self._looks.get(row[1])) is not None:
                found.append([*row, *look])
            else:
                waiting.append(row)
        self._waiting = waiting[-REMEMBERED:]
        at_ms, rtp, count, brightness, mouth, change = np.array(found, float).reshape(-1, 6).T
        return Pictures(self.to_audio(at_ms), brightness, mouth, change, rtp, count)

    def to_audio(self, at_ms: Sequence[float] | Floats) -> Floats:
        """Return moments of the page, in its ms, on the audio clock; those of the last drain."""
        return self._clock.to_audio(np.asarray(at_ms, float))


def _read_sound(drained: dict[str, Any]) -> Sound:
    values = np.frombuffer(base64.b64decode(drained["sound"]), "<f4").astype(float)
    first = [begin + QUANTUM * np.arange(length // FIELDS) for begin, length in drained["batches"]]
    at_s = np.concatenate([np.zeros(0), *first]) / RATE_HZ
    return Sound(at_s, *values.reshape(-1, FIELDS).T)


def read_stats(found: dict[str, Any]) -> Stats:
    """Read what ``meter.stats()`` returns in the page; what it does not know is 0."""
    audio, video = found["audio"], found["video"]

    def mean(kind: dict[str, Any]) -> float:
        emitted = kind.get("jitterBufferEmittedCount", 0)
        return float(kind.get("jitterBufferDelay", 0) / emitted) if emitted else 0.0

    playout = found["playout"]
    played = playout.get("totalSamplesCount", 0)
    played_ms = [kind.get("estimatedPlayoutTimestamp", 0) for kind in (audio, video)]
    return Stats(
        round_trip_s=found["pair"].get("currentRoundTripTime", 0.0),
        output_latency_s=found["outputLatency"],
        playout_gap_s=(played_ms[1] - played_ms[0]) / 1000 if all(played_ms) else 0.0,
        playout_delay_s=playout["totalPlayoutDelay"] / played if played else 0.0,
        heard_samples=audio.get("totalSamplesReceived", 0),
        concealed_samples=audio.get("concealedSamples", 0),
        inserted_samples=audio.get("insertedSamplesForDeceleration", 0),
        removed_samples=audio.get("removedSamplesForAcceleration", 0),
        sound_delay_s=mean(audio),
        decoded_pictures=video.get("framesDecoded", 0),
        dropped_pictures=video.get("framesDropped", 0),
        freezes=video.get("freezeCount", 0),
        picture_delay_s=mean(video),
        lost_packets=audio.get("packetsLost", 0) + video.get("packetsLost", 0),
    )
