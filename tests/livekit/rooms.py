"""Somebody in a room, on the LiveKit SDK: speaks recordings, shows pictures, keeps what comes."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from livekit import rtc
from livekit.agents.types import (
    ATTRIBUTE_TRANSCRIPTION_FINAL,
    ATTRIBUTE_TRANSCRIPTION_SEGMENT_ID,
    TOPIC_CHAT,
    TOPIC_TRANSCRIPTION,
)

from rt_avatar.signaling.livekit.motion_stream import ROW, unpack
from rt_avatar.signaling.livekit.names import TOPIC_MOTION, TOPIC_NOTICE
from tests.livekit.server import LiveKitServer

RATE_HZ = 48_000
BLOCK_SAMPLES = RATE_HZ // 100  # what the SDK takes at a time without a queue
AUDIBLE = 0.005 * 32768  # −46 dBFS
WAIT_S = 60  # for what comes in a second, and on a busy machine much later


@dataclass(frozen=True, slots=True)
class Heard:
    """10 ms of somebody's sound, (480,) int16 at 48 kHz, and the loop time of its coming."""

    at_s: float
    pcm: np.ndarray


@dataclass(frozen=True, slots=True)
class Seen:
    """A picture's luminance, (height, width) uint8, and the loop time of its coming."""

    at_s: float
    luma: np.ndarray
    timestamp_us: int


@dataclass(slots=True)
class Caption:
    """A text stream of a transcription; ``text`` grows while it goes on."""

    identity: str
    segment: str
    text: str = ""
    is_closed: bool = False
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def is_final(self) -> bool:
        return self.attributes.get(ATTRIBUTE_TRANSCRIPTION_FINAL) == "true"


class Caller:
    """One person in a room. An async context manager: joins, and leaves at the end.

    Attributes:
        room: The SDK's room.
        sounds: What came, by identity of who sent it; ``keep_sound`` bounds it to the last ones.
        pictures: The same of pictures (the last 50 of each).
        captions: Transcriptions, in order of their beginning.
        notices: JSON texts on the notice topic.
        rows: Of the motion stream: time and (73,) motion each.
        attributes: (identity, changed attributes), in order.
        on_picture: Is shown every picture with the identity of who sent it, if set.
    """

    KEPT_PICTURES = 50

    def __init__(
        self, livekit: LiveKitServer, room: str, identity: str = "caller", *,
        url: str | None = None, token: str | None = None, options: rtc.RoomOptions | None = None,
    ) -> None:  # fmt: skip
        self.identity = identity
        self.url = url or livekit.url
        self.token = token or livekit.token(identity, room)
        self.room = rtc.Room()
        self.sounds: dict[str, list[Heard]] = defaultdict(list)
        self.pictures: dict[str, list[Seen]] = defaultdict(list)
        self.captions: list[Caption] = []
        self.notices: list[str] = []
        self.rows: list[tuple[int, np.ndarray]] = []
        self.motion_headers: list[dict[str, str]] = []
        self.attributes: list[tuple[str, dict[str, str]]] = []
        self.states: list[str] = []  # of the connection
        self.on_picture: Callable[[str, Seen], None] | None = None
        self.on_sound: Callable[[str, Heard], None] | None = None
        self._options = options or rtc.RoomOptions()
        self._has_left = False
        self._failed: set[str] = set()  # tracks that came without being announced, by sid
        self._news = asyncio.Event()
        self._group = asyncio.TaskGroup()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._microphone: Microphone | None = None
        self._camera: rtc.VideoSource | None = None

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        try:
            await self.join()
        except BaseException as error:
            await self.leave()
            await self._group.__aexit__(type(error), error, error.__traceback__)
            raise
        return self

    async def __aexit__(self, *problem: Any) -> None:
        await self.leave()
        await self._group.__aexit__(*problem)

    # --- coming and going ---------------------------------------------------------------------
    async def join(self) -> None:
        """Go into the room."""
        room = self.room
        room.on("track_subscribed", self._on_track)
        room.on("track_subscription_failed", self._on_failed)
        room.on("track_published", self._on_published)
        room.on("data_received", self._on_data)
        room.on("participant_attributes_changed", self._on_attributes)
        room.on("participant_connected", self._on_connected)
        for event in ("reconnecting", "reconnected", "disconnected"):
            room.on(event, lambda *_why, state=event: self._on_state(state))
        for event in (
            "participant_disconnected", "participant_name_changed", "track_unsubscribed",
        ):  # fmt: skip
            room.on(event, lambda *_what: self._news.set())
        room.register_text_stream_handler(TOPIC_TRANSCRIPTION, self._on_text)
        room.register_byte_stream_handler(TOPIC_MOTION, self._on_motion)
        await room.connect(self.url, self.token, self._options)

    async def leave(self) -> None:
        """Go out of the room; everything of this person ends."""
        self._has_left = True
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self.room.disconnect()
        if self._microphone is not None:
            await self._microphone.aclose()
        if self._camera is not None:
            await self._camera.aclose()

    def start(self, work: Any) -> asyncio.Task[Any]:
        """Let something go on until the person leaves."""
        task = self._group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self._has_left:  # a track or a text that came while leaving
            task.cancel()
        return task

    # --- sending ------------------------------------------------------------------------------
    async def publish_microphone(self, **options: Any) -> rtc.LocalTrackPublication:
        """Publish a microphone; silence is sent until ``speak``."""
        self._microphone = Microphone()
        track = rtc.LocalAudioTrack.create_audio_track("microphone", self._microphone.source)
        source = rtc.TrackSource.SOURCE_MICROPHONE
        publication = await self.room.local_participant.publish_track(
            track, rtc.TrackPublishOptions(**{"source": source, "dtx": False, **options})
        )
        self.start(self._microphone.run())
        return publication

    async def speak(self, pcm: np.ndarray) -> tuple[float, float]:
        """Say (samples,) int16 at 48 kHz; return the loop times of its begin and end."""
        assert self._microphone is not None, "publish_microphone first"
        return await self._microphone.play(pcm)

    def hush(self) -> None:
        """Stop saying what is being said."""
        assert self._microphone is not None
        self._microphone.hush()

    async def publish_camera(
        self, pictures: Iterable[np.ndarray], fps: float = 25, **options: Any
    ) -> rtc.LocalTrackPublication:
        """Publish a camera that shows (height, width, 3) RGB pictures, over and over."""
        shown = [np.ascontiguousarray(picture) for picture in pictures]
        height, width, _ = shown[0].shape
        self._camera = rtc.VideoSource(width, height)
        track = rtc.LocalVideoTrack.create_video_track("camera", self._camera)
        source = rtc.TrackSource.SOURCE_CAMERA
        publication = await self.room.local_participant.publish_track(
            track, rtc.TrackPublishOptions(**{"source": source, "simulcast": False, **options})
        )
        self.start(self._show(self._camera, shown, fps))
        return publication

    async def unpublish(self, publication: rtc.LocalTrackPublication) -> None:
        """Take a track back."""
        await self.room.local_participant.unpublish_track(publication.sid)

    async def type(self, text: str) -> None:
        """Send a chat message."""
        await self.room.local_participant.send_text(text, topic=TOPIC_CHAT)

    # --- waiting ------------------------------------------------------------------------------
    async def until(self, is_true: Callable[[], bool], timeout_s: float = WAIT_S) -> None:
        """Wait until something holds that can only change when something comes."""
        async with asyncio.timeout(timeout_s):
            while not is_true():
                self._news.clear()
                await self._news.wait()

    async def wait_for_participant(self, identity: str, timeout_s: float = WAIT_S) -> None:
        await self.until(lambda: identity in self.room.remote_participants, timeout_s)

    def heard_s(self, identity: str) -> float:
        """How much of somebody was to be heard so far."""
        return 0.01 * sum(
            bool(np.abs(heard.pcm.astype(np.int32)).max() > AUDIBLE)
            for heard in self.sounds[identity]
        )

    async def wait_for_sound(
        self, identity: str, after_s: float = 0.0, timeout_s: float = WAIT_S
    ) -> float:
        """Wait for audible sound of somebody that came after a loop time; return when it came."""
        begin = 0
        found: list[float] = []

        def is_heard() -> bool:
            nonlocal begin
            heard = self.sounds[identity]
            found.extend(
                one.at_s
                for one in heard[begin:]
                if one.at_s >= after_s and np.abs(one.pcm.astype(np.int32)).max() > AUDIBLE
            )
            begin = len(heard)
            return bool(found)

        await self.until(is_heard, timeout_s)
        return found[0]

    async def wait_for_picture(
        self, identity: str, after_s: float = 0.0, timeout_s: float = WAIT_S
    ) -> Seen:
        """Wait for a picture of somebody that came after a loop time."""

        def last() -> Seen | None:
            return next((one for one in self.pictures[identity] if one.at_s >= after_s), None)

        await self.until(lambda: last() is not None, timeout_s)
        found = last()
        assert found is not None
        return found

    def sound(self, identity: str, begin_s: float = 0.0, end_s: float = float("inf")) -> np.ndarray:
        """Return what came from somebody between two loop times, (samples,) int16 at 48 kHz."""
        parts = [one.pcm for one in self.sounds[identity] if begin_s <= one.at_s < end_s]
        return np.concatenate(parts) if parts else np.zeros(0, np.int16)

    def said(self, identity: str) -> list[str]:
        """Return the latest text of every segment of somebody's transcription, in order."""
        texts: dict[str, str] = {}
        for caption in self.captions:
            if caption.identity == identity:
                texts[caption.segment] = caption.text
        return list(texts.values())

    # --- what comes ---------------------------------------------------------------------------
    def _on_state(self, state: str) -> None:
        self.states.append(state)
        self._news.set()

    def _on_connected(self, participant: rtc.Participant) -> None:
        # What it has set before it was seen here is told as no change.
        self._on_attributes(participant.attributes, participant)

    def _on_attributes(self, changed: dict[str, str], participant: rtc.Participant) -> None:
        self.attributes.append((participant.identity, dict(changed)))
        self._news.set()

    def _on_data(self, packet: rtc.DataPacket) -> None:
        if packet.topic == TOPIC_NOTICE:
            self.notices.append(packet.data.decode())
            self._news.set()

    def _on_track(
        self, track: rtc.Track, _publication: object, participant: rtc.RemoteParticipant
    ) -> None:
        is_sound = track.kind == rtc.TrackKind.KIND_AUDIO
        keep = self._keep_sound if is_sound else self._keep_pictures
        self.start(keep(track, participant.identity))

    def _on_failed(self, participant: rtc.RemoteParticipant, sid: str, _error: str) -> None:
        # The SDK gives up on media whose announcement is seconds late, for good.
        self._failed.add(sid)
        for publication in tuple(participant.track_publications.values()):
            self._on_published(publication, participant)

    def _on_published(
        self, publication: rtc.RemoteTrackPublication, _participant: rtc.RemoteParticipant
    ) -> None:
        if publication.sid in self._failed:
            self._failed.remove(publication.sid)
            self.start(self._subscribe_again(publication))

    @staticmethod
    async def _subscribe_again(publication: rtc.RemoteTrackPublication) -> None:
        while publication.track is None:
            publication.set_subscribed(False)
            await asyncio.sleep(1)  # nothing tells when the server has taken it back
            publication.set_subscribed(True)
            await asyncio.sleep(8)  # the SDK gives up after five seconds

    async def _keep_sound(self, track: rtc.Track, identity: str) -> None:
        loop = asyncio.get_running_loop()
        stream = rtc.AudioStream(track, sample_rate=RATE_HZ)
        try:
            async for event in stream:
                heard = Heard(loop.time(), np.frombuffer(event.frame.data, np.int16))
                self.sounds[identity].append(heard)
                if self.on_sound is not None:
                    self.on_sound(identity, heard)
                self._news.set()
        finally:
            await stream.aclose()

    async def _keep_pictures(self, track: rtc.Track, identity: str) -> None:
        loop = asyncio.get_running_loop()
        stream = rtc.VideoStream(track, format=rtc.VideoBufferType.I420)
        kept = self.pictures[identity]
        try:
            async for event in stream:
                frame = event.frame
                luma = np.frombuffer(frame.data, np.uint8)[: frame.width * frame.height]
                luma = luma.reshape(frame.height, frame.width)
                seen = Seen(loop.time(), luma, event.timestamp_us)
                kept.append(seen)
                del kept[: -self.KEPT_PICTURES]
                if self.on_picture is not None:
                    self.on_picture(identity, seen)
                self._news.set()
        finally:
            await stream.aclose()

    def _on_text(self, reader: rtc.TextStreamReader, identity: str) -> None:
        self.start(self._keep_caption(reader, identity))

    async def _keep_caption(self, reader: rtc.TextStreamReader, identity: str) -> None:
        attributes = reader.info.attributes or {}
        segment = attributes.get(ATTRIBUTE_TRANSCRIPTION_SEGMENT_ID, reader.info.stream_id)
        caption = Caption(identity, segment, attributes=dict(attributes))
        self.captions.append(caption)
        try:
            async for piece in reader:
                caption.text += piece
                self._news.set()
            caption.attributes.update(reader.info.attributes or {})
            caption.is_closed = True
        except rtc.StreamError:
            pass  # whoever spoke has left
        finally:
            reader.close()
            self._news.set()

    def _on_motion(self, reader: rtc.ByteStreamReader, _identity: str) -> None:
        self.start(self._keep_motion(reader))

    async def _keep_motion(self, reader: rtc.ByteStreamReader) -> None:
        self.motion_headers.append(dict(reader.info.attributes or {}))
        rest = b""
        try:
            async for chunk in reader:
                rest += chunk
                whole = len(rest) // ROW.itemsize * ROW.itemsize
                self.rows += unpack(rest[:whole])
                rest = rest[whole:]
                self._news.set()
        except rtc.StreamError:
            pass  # the avatar has left
        finally:
            reader.close()

    async def _show(self, camera: rtc.VideoSource, pictures: list[np.ndarray], fps: float) -> None:
        loop = asyncio.get_running_loop()
        start_s, index = loop.time(), 0
        while True:
            picture = pictures[index % len(pictures)]
            height, width, _ = picture.shape
            kind = rtc.VideoBufferType.RGB24
            camera.capture_frame(rtc.VideoFrame(width, height, kind, picture.tobytes()))
            index += 1
            await asyncio.sleep(max(0.0, start_s + index / fps - loop.time()))


class Microphone:
    """10 ms of sound at a time, in real time: silence, or what is played."""

    def __init__(self) -> None:
        self.source = rtc.AudioSource(RATE_HZ, 1, queue_size_ms=0)
        self._waiting = np.zeros(0, np.int16)
        self._begun_s = 0.0
        self._played = asyncio.Event()

    async def play(self, pcm: np.ndarray) -> tuple[float, float]:
        """Send (samples,) int16; return the loop times of its first block and of its end."""
        assert not self._waiting.size, "one thing at a time"
        self._waiting = np.asarray(pcm, np.int16)
        self._begun_s = 0.0
        self._played.clear()
        await self._played.wait()
        return self._begun_s, asyncio.get_running_loop().time()

    def hush(self) -> None:
        """Be silent from the next block on."""
        self._waiting = self._waiting[:0]
        self._played.set()

    async def run(self) -> None:
        """Send until cancelled; nothing is skipped after a stall, so that all of it arrives."""
        loop = asyncio.get_running_loop()
        start_s, index = loop.time(), 0
        while True:
            block = np.zeros(BLOCK_SAMPLES, np.int16)
            if self._waiting.size:
                self._begun_s = self._begun_s or loop.time()
                part, self._waiting = np.split(self._waiting, [BLOCK_SAMPLES])
                block[: part.size] = part
            elif not self._played.is_set():
                self._played.set()
            await self.source.capture_frame(
                rtc.AudioFrame(block.tobytes(), RATE_HZ, 1, BLOCK_SAMPLES)
            )
            index += 1
            await asyncio.sleep(max(0.0, start_s + index * BLOCK_SAMPLES / RATE_HZ - loop.time()))

    async def aclose(self) -> None:
        await self.source.aclose()
