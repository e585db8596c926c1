"""Receive one participant's microphone and camera → a session's ``MediaInput``.

Only the followed participant's are subscribed to; nobody else's media costs anything, or is heard.
Whatever changes in the room sets one event; one task then compares what there is with what is
wanted (level-triggered: tracks that come, go, are muted or come again need no cases of their own).
"""

import asyncio
import logging
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from av import VideoFrame
from livekit import rtc

from rt_avatar.config.perception_settings import VisionSettings
from rt_avatar.engines.types import WIRE_RATE_HZ, Image
from rt_avatar.media_io import MediaInput
from rt_avatar.signaling.incoming import MAX_IMAGE_WIDTH_PX, Shrinker

_log = logging.getLogger(__name__)

BLOCK_MS: Final = 20
# Sound waiting to be read, as much as a busy event loop may be late; then the oldest is lost.
MAX_WAITING_BLOCKS: Final = 50
# Silence is heard after a microphone that goes away in mid-sentence: longer than any decision of
# the ears takes, so that the turn ends and is answered.
SILENCE_S: Final = 3.0
CLOSE_S: Final = 2.0
_NEWS: Final[tuple[rtc.room.EventTypes, ...]] = (
    "participant_connected", "participant_disconnected",
    "track_published", "track_unpublished", "track_subscribed", "track_unsubscribed",
    "track_muted", "track_unmuted", "reconnected",
)  # fmt: skip
_MICROPHONE: Final = rtc.TrackSource.SOURCE_MICROPHONE
_CAMERA: Final = rtc.TrackSource.SOURCE_CAMERA
# Quarter turns that bring a picture upright; the SDK tells how far clockwise it must be turned.
_QUARTERS: Final[dict[object, int]] = {
    rtc.VideoRotation.VIDEO_ROTATION_0: 0,
    rtc.VideoRotation.VIDEO_ROTATION_90: 3,  # numpy turns anticlockwise
    rtc.VideoRotation.VIDEO_ROTATION_180: 2,
    rtc.VideoRotation.VIDEO_ROTATION_270: 1,
}

Stream: TypeAlias = rtc.AudioStream | rtc.VideoStream


@dataclass(frozen=True, slots=True)
class _Source:
    """A track that is listened to or looked at, and the task that does; None: it has gone."""

    track: rtc.Track | None
    task: asyncio.Task[None]


class RoomListener:
    """One participant's sound and pictures. One event loop only; owned by the call."""

    def __init__(self, room: rtc.Room, media_input: MediaInput, vision: VisionSettings) -> None:
        self._room = room
        self._media_input = media_input
        self._vision = vision
        self._identity = ""
        self._news = asyncio.Event()
        self._asked: dict[str, bool] = {}  # of publications, by sid: whether to subscribe
        self._sources: dict[int, _Source] = {}  # by rtc.TrackSource: one microphone, one camera

    def follow(self, identity: str) -> None:
        """Hear and see this participant, now or as soon as it is there, and nobody else."""
        self._identity = identity
        self._news.set()

    async def run(self) -> None:
        """Listen and look until cancelled."""
        for event in _NEWS:
            self._room.on(event, self._on_news)
        self._room.on("reconnected", self._on_reconnected)
        try:
            async with asyncio.TaskGroup() as group:
                while True:
                    self._news.clear()
                    wanted = self._wanted()
                    self._subscribe(set(wanted.values()))
                    await self._attend(group, wanted)
                    await self._news.wait()
        finally:
            for event in _NEWS:
                self._room.off(event, self._on_news)
            self._room.off("reconnected", self._on_reconnected)
            self._sources.clear()

    # --- what is wanted -----------------------------------------------------------------------
    def _on_news(self, *_what: object) -> None:
        self._news.set()

    def _on_reconnected(self) -> None:
        self._asked.clear()  # the server may have forgotten what it was asked for
        self._news.set()

    def _wanted(self) -> dict[int, str]:
        """Return the sid of the microphone and of the camera to use, by source."""
        participant = self._room.remote_participants.get(self._identity)
        found: dict[int, str] = {}
        for sid, publication in participant.track_publications.items() if participant else ():
            source = publication.source
            if source == _MICROPHONE or (source == _CAMERA and self._vision.enabled):
                found[source] = sid  # of two the one that came later
        return found

    def _subscribe(self, wanted: set[str]) -> None:
        """Ask for the wanted tracks, and against all others as long as they are subscribed to."""
        there: set[str] = set()
        for participant in self._room.remote_participants.values():
            for sid, publication in participant.track_publications.items():
                there.add(sid)
                # The server's own subscription (auto-subscribe) may have come after our wish.
                is_late = publication.subscribed and sid not in wanted
                if is_late or self._asked.get(sid) != (sid in wanted):
                    self._asked[sid] = sid in wanted
                    publication.set_subscribed(sid in wanted)
        for sid in self._asked.keys() - there:
            del self._asked[sid]

    async def _attend(self, group: asyncio.TaskGroup, wanted: dict[int, str]) -> None:
        """Read the tracks that have come; let go of those that have gone."""
        participant = self._room.remote_participants.get(self._identity)
        for source in (_MICROPHONE, _CAMERA):
            sid = wanted.get(source, "")
            publication = participant.track_publications.get(sid) if participant else None
            track = None if publication is None else publication.track
            old = self._sources.get(source)
            if track is (None if old is None else old.track):
                continue
            if old is not None:
                old.task.cancel()
                await asyncio.wait({old.task})
            if source == _MICROPHONE:
                work = self._fall_silent() if track is None else self._hear(track)
            elif track is not None:
                if publication is not None and publication.simulcasted:
                    publication.set_video_quality(quality_for(publication.width))
                work = self._see(track)
            else:
                del self._sources[source]
                continue
            self._sources[source] = _Source(track, group.create_task(work))

    # --- media --------------------------------------------------------------------------------
    async def _hear(self, track: rtc.Track) -> None:
        """Pass sound on until the track ends."""
        stream = rtc.AudioStream(
            track, capacity=MAX_WAITING_BLOCKS, sample_rate=WIRE_RATE_HZ, frame_size_ms=BLOCK_MS
        )
        try:
            async for event in stream:
                pcm = np.frombuffer(event.frame.data, np.int16)
                self._media_input.push_audio_nowait(pcm, event.frame.sample_rate)
        finally:
            await _close(stream)

    async def _fall_silent(self) -> None:
        """Pass silence on where sound was, for a while."""
        loop = asyncio.get_running_loop()
        block = np.zeros(WIRE_RATE_HZ * BLOCK_MS // 1000, np.int16)
        begin_s = loop.time()
        for index in range(round(SILENCE_S * 1000 / BLOCK_MS)):
            await asyncio.sleep(begin_s + index * BLOCK_MS / 1000 - loop.time())
            self._media_input.push_audio_nowait(block, WIRE_RATE_HZ)

    async def _see(self, track: rtc.Track) -> None:
        """Pass some of a camera's pictures on until the track ends."""
        loop = asyncio.get_running_loop()
        stream = rtc.VideoStream(track, capacity=1, format=rtc.VideoBufferType.I420)
        shrinker = Shrinker()
        period_s = 1 / self._vision.rate_hz
        due_s = loop.time()
        try:
            async for event in stream:
                now_s = loop.time()
                if now_s < due_s:
                    continue
                due_s = max(due_s + period_s, now_s + period_s / 2)  # no burst after a gap
                # A millisecond or two for a large picture: not on the loop that sends the sound.
                image = await asyncio.to_thread(upright, shrinker, event.frame, event.rotation)
                self._media_input.push_image_nowait(image)
        finally:
            await _close(stream)


def quality_for(width_px: int) -> rtc.VideoQuality.ValueType:
    """Return the smallest layer of a camera that is wide enough for us.

    LiveKit's clients send a half and a quarter of the width beside the picture itself.
    """
    if width_px >= 4 * MAX_IMAGE_WIDTH_PX:
        return rtc.VideoQuality.VIDEO_QUALITY_LOW
    if width_px >= 2 * MAX_IMAGE_WIDTH_PX:
        return rtc.VideoQuality.VIDEO_QUALITY_MEDIUM
    return rtc.VideoQuality.VIDEO_QUALITY_HIGH


def upright(shrinker: Shrinker, frame: rtc.VideoFrame, rotation: object) -> Image:
    """Return (height, width, 3) RGB, at most 320 pixels wide before it is turned upright."""
    image = shrinker.shrink(to_av(frame))
    return np.ascontiguousarray(np.rot90(image, _QUARTERS[rotation]))


def to_av(frame: rtc.VideoFrame) -> VideoFrame:
    """Return an I420 picture of any size as a frame of the library that scales."""
    picture = VideoFrame(frame.width, frame.height, "yuv420p")
    samples = np.frombuffer(frame.data, np.uint8)
    for plane in picture.planes:
        size = plane.height * plane.width
        rows = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)
        rows[:, : plane.width] = samples[:size].reshape(plane.height, plane.width)
        samples = samples[size:]
    return picture


async def _close(stream: Stream) -> None:
    # Cancelled once more while it closes (the call ends as the track goes), it closes all the same:
    # the library's own task would be cancelled with it, and its queue never be given back.
    await asyncio.shield(_close_in_time(stream))


async def _close_in_time(stream: Stream) -> None:
    try:
        async with asyncio.timeout(CLOSE_S):
            await stream.aclose()
    except TimeoutError:
        _log.warning("a track's stream does not close")
