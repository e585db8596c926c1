"""One call in which something is played over the avatar's replies: an event → its timeline.

A reply is made by typing; so it is long, and its length does not depend on the recogniser. The
moments are those of ``audio_meter`` and ``video_meter``: sound when it crosses the air, pictures
when decoded.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.bargein.verdict import Timeline
from rt_avatar.benchmarks.peer.audio_meter import AudioMeter, spoken_at_s
from rt_avatar.benchmarks.peer.caller import Caller
from rt_avatar.benchmarks.peer.media import EchoPath
from rt_avatar.benchmarks.peer.unbuffered import remove_buffers
from rt_avatar.benchmarks.peer.video_meter import QUIET_S, VideoMeter

HISS_DB: Final = -70.0  # a quiet room; microphones do not give digital silence
FLIGHT_S: Final = 0.1  # sound that had left when the server told the end comes within this
# A voice begins while the reply is heard: its last audible sample is not older than two packets.
HEARD_S: Final = 0.04
PAUSE_LIMIT_S: Final = 1.0  # no pause inside a reply is longer
CALM_S: Final = 0.3  # between two replies, before silence is waited for
# The longest wait for the end of a turn (`turn_detection.max_endpointing_delay_ms`), for words and
# for a reply.
ANSWER_S: Final = 2.2


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that happens over a reply.

    Attributes:
        condition: Its row of the table.
        name: What exactly it was.
        pcm: (samples,) int16 at 48 kHz, its onset at 0; empty: nothing.
        after_s: After the reply's first sound.
        watch_s: For so long after its end it is watched what happens.
    """

    condition: str
    name: str
    pcm: NDArray[np.int16]
    after_s: float
    watch_s: float


class Talk:
    """A call that goes from reply to reply. One task only."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._audio_meter = AudioMeter(caller)
        self._video_meter = VideoMeter(caller)

    async def play_over(self, text: str, event: Event) -> Timeline | None:
        """Let the avatar reply to ``text`` and the event happen.

        Returns:
            What happened when; None if no reply was heard, or nothing more from the server.
        """
        try:
            timeline = await self._play_over(text, event)
        except TimeoutError:
            timeline = None
        if timeline is None:
            await self._settle(ANSWER_S)
        return timeline

    async def _play_over(self, text: str, event: Event) -> Timeline | None:
        loop = asyncio.get_running_loop()
        caller, audio_meter, video_meter = self._caller, self._audio_meter, self._video_meter
        audio_meter.forget()
        video_meter.forget()
        caller.messages.clear()
        sent_s = loop.time()
        caller.send({"type": "text", "text": text})
        first_s = await audio_meter.hears_after(sent_s)
        if first_s is None:
            return None
        turn = (await caller.wait_for("state", state="speaking"))["turn"]
        onset_s = asked_s = None
        end_s = first_s + event.after_s
        if not await self._is_over(turn, end_s) and len(event.pcm):
            await self._until_heard(loop.time() + PAUSE_LIMIT_S)
            start_s, end_s = caller.microphone.play(event.pcm)
            onset_s = spoken_at_s(start_s, 0)
        if not await self._is_over(turn, end_s + event.watch_s):
            asked_s = loop.time()
            caller.send({"type": "interrupt"})
            await self._is_over(turn, asked_s + ANSWER_S)
        reported_s = loop.time()
        trace = self._trace(turn)
        was_cut = trace is None or trace["interrupted_at_ms"] is not None
        await asyncio.sleep(max(FLIGHT_S, QUIET_S + FLIGHT_S if onset_s is not None else 0))
        pictures = deque(video_meter.pictures)
        audio_meter.listen()
        until_s = reported_s + FLIGHT_S
        last_s = max(one.end_s for one in audio_meter.soundings if one.begin_s < until_s)
        # The voice goes on over the silence; what it says is answered, which is not our business.
        await asyncio.sleep(max(0.0, end_s - loop.time()))
        mouth_s = None
        if onset_s is not None and asked_s is None:
            video_meter.pictures = pictures
            mouth_s = video_meter.closed_after(onset_s)
        await self._settle(ANSWER_S if asked_s is None and was_cut else CALM_S)
        return Timeline(
            first_s=first_s, onset_s=onset_s, last_s=last_s, reported_s=reported_s, asked_s=asked_s,
            was_cut=was_cut, mouth_s=mouth_s, played_s=_played_s(trace),
        )  # fmt: skip

    # --- what the server tells ----------------------------------------------------------------
    def _trace(self, turn: int) -> dict[str, Any] | None:
        return next(
            (m for m in self._caller.messages if m["type"] == "trace" and m["turn"] == turn), None
        )

    @property
    def _is_listening(self) -> bool:
        states = [m["state"] for m in self._caller.messages if m["type"] == "state"]
        return not states or states[-1] == "listening"

    async def _is_over(self, turn: int, until_s: float) -> bool:
        """Wait for the end of a reply, at most until a loop time; return whether it came.

        A reply that was cut within its first words is discarded: it has no trace.
        """
        left_s = max(0.001, until_s - asyncio.get_running_loop().time())
        try:
            await self._caller.until(
                lambda: self._trace(turn) is not None or self._is_listening, left_s
            )
        except TimeoutError:
            return False
        return True

    async def _until_heard(self, limit_s: float) -> None:
        """Wait until the reply sounds."""
        loop = asyncio.get_running_loop()

        def is_heard() -> bool:
            self._audio_meter.listen()
            return (
                loop.time() > limit_s
                or self._audio_meter.soundings[-1].end_s > loop.time() - HEARD_S
            )

        await self._caller.until(is_heard)  # packets of silence wake it

    async def _settle(self, wait_s: float) -> None:
        """Wait that long for a reply to what was played, stop it, and wait until all is calm."""
        loop = asyncio.get_running_loop()
        calm_s = loop.time() + wait_s
        while loop.time() < calm_s:
            try:
                await self._caller.until(lambda: not self._is_listening, calm_s - loop.time())
            except TimeoutError:
                break
            self._caller.send({"type": "interrupt"})
            await self._caller.until(lambda: self._is_listening)
            calm_s = loop.time() + CALM_S
        await self._audio_meter.falls_silent(QUIET_S)


def _played_s(trace: dict[str, Any] | None) -> float | None:
    if trace is None or trace["interrupted_at_ms"] is None:
        return None
    return float(trace["interrupted_at_ms"]) / 1000


@asynccontextmanager
async def talking(address: str, path: EchoPath | None = None) -> AsyncIterator[Talk]:
    """Call a server from a quiet room; with ``path`` from one with a loudspeaker."""
    async with aiohttp.ClientSession() as http, Caller(address, http) as caller:
        caller.microphone.hiss_db = HISS_DB
        if path is not None:
            caller.microphone.add_echo(path)
        await caller.call()
        remove_buffers(caller)
        yield Talk(caller)
        caller.send({"type": "hang_up"})
