"""Somebody in a room, on LiveKit's own client library: speaks, types, and measures what comes.

Sound and pictures are those that the library hands to an application: after its jitter buffer and
its keeping of both in step, before a loudspeaker and a screen. All times are the event loop's.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np
from livekit import api, rtc
from livekit.agents.types import ATTRIBUTE_AGENT_STATE, TOPIC_CHAT
from numpy.typing import NDArray

from rt_avatar.benchmarks.livekit.server import LiveKitServer
from rt_avatar.benchmarks.peer.video_meter import MAX_PICTURES, Seen, mouth_in
from rt_avatar.engines.types import WIRE_RATE_HZ

Floats = NDArray[np.float64]
BLOCK_SAMPLES: Final = WIRE_RATE_HZ // 100  # what the library takes and gives at a time, 10 ms
BLOCK_S: Final = 0.01
PARTS: Final = 4  # of a block: fine enough for a clap's beginning
LEAVE_S: Final = 5.0
REPORTED_S: Final = 10.0  # the sender's first reports come sooner
LEAD_S: Final = 0.25  # between two questions to the library; it corrects itself once a second


@dataclass(slots=True)
class AudioMeter:
    """What was heard: (time of arrival of a block, RMS of each of its parts, peak), in order."""

    came_s: list[float] = field(default_factory=list)
    rms: list[Floats] = field(default_factory=list)  # (PARTS,) each, 0..1
    peak: list[float] = field(default_factory=list)  # 0..1

    def take(self, at_s: float, pcm: NDArray[np.int16]) -> None:
        """Take a block of (480,) samples."""
        parts = (pcm / 32768).reshape(PARTS, -1)
        self.came_s.append(at_s)
        self.rms.append(np.sqrt((parts**2).mean(axis=1)))
        self.peak.append(float(np.abs(parts).max()))


@dataclass(slots=True)
class VideoMeter:
    """What was seen: when a picture came, how bright (mean luma, 0..255), the mouth in it."""

    came_s: list[float] = field(default_factory=list)
    luma: list[float] = field(default_factory=list)
    mouths: deque[Seen] = field(default_factory=lambda: deque(maxlen=MAX_PICTURES))

    def take(self, at_s: float, luma: NDArray[np.uint8]) -> None:
        """Take the luma of a picture, (side, side)."""
        self.came_s.append(at_s)
        self.luma.append(float(luma.ravel()[::16].mean()))  # one in sixteen tells as much
        self.mouths.append(Seen(at_s, mouth_in(luma)))


@dataclass(slots=True)
class Leads:
    """By how much the library's own buffers show pictures before sound that left with them."""

    at_s: list[float] = field(default_factory=list)
    lead_ms: list[float] = field(default_factory=list)


class RoomCaller:
    """One participant. An async context manager: joins with a silent microphone, and leaves."""

    def __init__(self, livekit: LiveKitServer, room: str, identity: str = "caller") -> None:
        self.audio, self.video, self.leads = AudioMeter(), VideoMeter(), Leads()
        self.identity = identity
        self.name = room
        self._livekit = livekit
        self._room = rtc.Room()
        self._group = asyncio.TaskGroup()
        self._tasks: list[asyncio.Task[None]] = []
        self._news = asyncio.Event()
        self._source = rtc.AudioSource(WIRE_RATE_HZ, 1, queue_size_ms=0)
        self._waiting = np.zeros(0, np.int16)
        self._started: asyncio.Future[float] | None = None

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        livekit, room = self._livekit, self._room
        async with api.LiveKitAPI(livekit.url, livekit.api_key, livekit.api_secret) as server:
            # As docs/livekit.md says: else nobody knows that sound and picture belong together.
            await server.room.create_room(api.CreateRoomRequest(name=self.name, sync_streams=True))
        room.on("track_subscribed", self._on_track)
        room.on("participant_attributes_changed", lambda *_what: self._news.set())
        await room.connect(livekit.url, livekit.token(self.identity, self.name))
        track = rtc.LocalAudioTrack.create_audio_track("microphone", self._source)
        options = rtc.TrackPublishOptions(source=rtc.TrackSource.SOURCE_MICROPHONE, dtx=False)
        await room.local_participant.publish_track(track, options)
        self._tasks.append(self._group.create_task(self._send()))
        return self

    async def __aexit__(self, *problem: Any) -> None:
        for task in self._tasks:
            task.cancel()
        async with asyncio.timeout(LEAVE_S):
            await self._room.disconnect()
            await self._source.aclose()
        await self._group.__aexit__(*problem)

    # --- doing --------------------------------------------------------------------------------
    async def dispatch(self, agent_name: str) -> float:
        """Ask for the avatar; return when it was asked for."""
        livekit = self._livekit
        request = api.CreateAgentDispatchRequest(
            agent_name=agent_name, room=self.name, metadata=json.dumps({"caller": self.identity})
        )
        async with api.LiveKitAPI(livekit.url, livekit.api_key, livekit.api_secret) as server:
            asked_s = asyncio.get_running_loop().time()
            await server.agent_dispatch.create_dispatch(request)
        return asked_s

    async def type(self, text: str) -> None:
        """Say something by typing."""
        await self._room.local_participant.send_text(text, topic=TOPIC_CHAT)

    async def speak(self, pcm: NDArray[np.int16]) -> float:
        """Begin to say (samples,) at 48 kHz; return when its first sample is spoken."""
        self._started = asyncio.get_running_loop().create_future()
        self._waiting = pcm
        return await self._started

    # --- waiting ------------------------------------------------------------------------------
    async def until(self, is_true: Callable[[], bool], timeout_s: float) -> bool:
        """Wait until something holds that changes when something comes; return whether it did."""
        try:
            async with asyncio.timeout(timeout_s):
                while not is_true():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return False
        return True

    def forget(self) -> None:
        """Forget what was heard and seen so far."""
        self.audio, self.video, self.leads = AudioMeter(), VideoMeter(), Leads()

    async def note_leads(self) -> None:
        """From now on note how the library's buffers differ; wait until it is first known."""
        self._tasks.append(self._group.create_task(self._note_leads()))
        await self.until(lambda: bool(self.leads.at_s), REPORTED_S)

    def state(self) -> str:
        """Return what the avatar says that it does; "" before it has come."""
        states = (
            one.attributes.get(ATTRIBUTE_AGENT_STATE, "")
            for one in self._room.remote_participants.values()
        )
        return next((state for state in states if state), "")

    # --- what comes and goes ------------------------------------------------------------------
    def _on_track(self, track: rtc.Track, *_whose: object) -> None:
        take = self._hear if track.kind == rtc.TrackKind.KIND_AUDIO else self._see
        self._tasks.append(self._group.create_task(take(track)))

    async def _hear(self, track: rtc.Track) -> None:
        loop = asyncio.get_running_loop()
        stream = rtc.AudioStream(track, sample_rate=WIRE_RATE_HZ, frame_size_ms=10)
        async for event in stream:
            self.audio.take(loop.time(), np.frombuffer(event.frame.data, np.int16))
            self._news.set()

    async def _see(self, track: rtc.Track) -> None:
        loop = asyncio.get_running_loop()
        async for event in rtc.VideoStream(track, format=rtc.VideoBufferType.I420):
            frame = event.frame
            luma = np.frombuffer(frame.data, np.uint8)[: frame.width * frame.height]
            self.video.take(loop.time(), luma.reshape(frame.height, frame.width))
            self._news.set()

    async def _note_leads(self) -> None:
        """Ask the library, which moment of the sender's it plays and which it shows.

        It knows from the sender's reports (RTCP), the first of which comes after some seconds.
        """
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LEAD_S)
            stats = await self._room.get_rtc_stats()
            played_ms = {
                one.inbound_rtp.stream.kind: one.inbound_rtp.inbound.estimated_playout_timestamp
                for one in (*stats.publisher_stats, *stats.subscriber_stats)
                if one.HasField("inbound_rtp")
            }
            if played_ms.get("audio") and played_ms.get("video"):
                self.leads.at_s.append(loop.time())
                self.leads.lead_ms.append(played_ms["video"] - played_ms["audio"])
                self._news.set()

    async def _send(self) -> None:
        """Send 10 ms at a time: silence, or what is said."""
        loop = asyncio.get_running_loop()
        begin_s, count = loop.time(), 0
        while True:
            block = np.zeros(BLOCK_SAMPLES, np.int16)
            if self._waiting.size:
                part, self._waiting = np.split(self._waiting, [BLOCK_SAMPLES])
                block[: part.size] = part
                if self._started is not None and not self._started.done():
                    # A block is handed over when its last sample has been spoken.
                    self._started.set_result(loop.time() - BLOCK_S)
            await self._source.capture_frame(
                rtc.AudioFrame(block.tobytes(), WIRE_RATE_HZ, 1, BLOCK_SAMPLES)
            )
            count += 1
            await asyncio.sleep(max(0.0, begin_s + count * BLOCK_S - loop.time()))
