"""A caller without a browser: speaks the whole protocol to a real server, over real WebRTC.

It sends a recording (or silence) as its microphone in real time, a coloured picture as its camera,
and keeps what it is sent: sound, pictures, messages. ``bad_line.impair`` makes its line bad.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import numpy as np
from aiortc import (
    MediaStreamTrack,
    RTCConfiguration,
    RTCPeerConnection,
    RTCSessionDescription,
)
from aiortc.mediastreams import MediaStreamError
from av import VideoFrame
from numpy.typing import NDArray

from rt_avatar.benchmarks.peer.media import BLOCK_S, Camera, Microphone

Message = dict[str, Any]  # JSON of docs/protocol.md


class Caller:
    """One person at the other end. An async context manager: on leaving, its connection closes.

    Attributes:
        messages: All that the server has told, in order.
        sound: What was heard, 20 ms each, at 48 kHz; ``sound_at_s`` has the loop times.
        pictures: How many pictures have come; ``picture`` is one of the last second.
        on_picture: Is shown every picture with the loop time of its coming, if set.
        group: Its tasks; they are cancelled on leaving.
    """

    def __init__(
        self, url: str, http: aiohttp.ClientSession, *, pcm: NDArray[np.int16] | None = None,
        has_camera: bool = False,
    ) -> None:  # fmt: skip
        self.url = url.rstrip("/")
        self.http = http
        self.microphone = Microphone(pcm)
        self.has_camera = has_camera
        self.session: Message = {}
        self.messages: list[Message] = []
        self.sound: list[NDArray[np.int16]] = []
        self.sound_at_s: list[float] = []
        self.pictures = 0
        self.picture: NDArray[np.uint8] | None = None
        self.on_picture: Callable[[VideoFrame, float], None] | None = None
        self._news = asyncio.Event()
        self.group = asyncio.TaskGroup()
        self._tasks: set[asyncio.Task[None]] = set()
        self.pc: Any = None  # RTCPeerConnection, from the first offer on

    async def __aenter__(self) -> "Caller":
        await self.group.__aenter__()
        return self

    async def __aexit__(self, *problem: Any) -> None:
        await self.drop()
        await self.group.__aexit__(*problem)

    # --- signaling ----------------------------------------------------------------------------
    async def call(self, persona: str = "") -> None:
        """Ask for a session and connect."""
        body = {"persona": persona} if persona else {}
        async with self.http.post(f"{self.url}/api/sessions", json=body) as response:
            self.session = await response.json()
            assert response.status == 201, self.session
        await self.connect()

    async def connect(self) -> None:
        """Offer, take the answer, wait until the connection is up and hello has come."""
        status, body = await self.offer(await self.make_offer())
        assert status == 200, body
        await self.pc.setRemoteDescription(RTCSessionDescription(body["sdp"], body["type"]))
        greetings = self.count("hello")
        await self.until(lambda: self.count("hello") > greetings)

    async def make_offer(self) -> str:
        """Make a new connection and return its offer."""
        self.pc = pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        pc.addTrack(self.microphone)
        if self.has_camera:
            pc.addTrack(Camera())
        else:
            pc.addTransceiver("video", direction="sendrecv")
        self.channel = pc.createDataChannel("rt-avatar", ordered=True)
        self.channel.on("message", self._on_message)
        pc.on("track", self._on_track)
        pc.on("connectionstatechange", self._news.set)
        await pc.setLocalDescription(await pc.createOffer())
        return str(pc.localDescription.sdp)

    async def offer(self, sdp: str) -> tuple[int, Message]:
        """Post an offer; return status and body."""
        async with self.http.post(
            f"{self.url}/api/sessions/{self.session['id']}/offer",
            json={"type": "offer", "sdp": sdp},
            headers={"Authorization": f"Bearer {self.session['token']}"},
        ) as response:
            return response.status, await response.json()

    async def delete(self) -> int:
        """End the session; return the status."""
        async with self.http.delete(
            f"{self.url}/api/sessions/{self.session['id']}",
            headers={"Authorization": f"Bearer {self.session['token']}"},
        ) as response:
            return response.status

    async def drop(self) -> None:
        """Close the connection without a word, as a page that is shut."""
        if self.pc is not None:
            microphone, self.microphone = self.microphone, Microphone()
            self.microphone.pcm = microphone.pcm[:0]
            await self.pc.close()
        for task in tuple(self._tasks):
            task.cancel()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something go on until the connection is dropped."""
        task = self.group.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- messages -----------------------------------------------------------------------------
    def send(self, message: Message | str | bytes) -> None:
        """Send one message; text and bytes go as they are."""
        self.channel.send(json.dumps(message) if isinstance(message, dict) else message)

    def count(self, kind: str) -> int:
        """Return how many messages of that type have come."""
        return sum(message["type"] == kind for message in self.messages)

    def last(self, kind: str) -> Message:
        """Return the latest message of that type."""
        return next(m for m in reversed(self.messages) if m["type"] == kind)

    async def until(self, is_true: Callable[[], bool], timeout_s: float = 20) -> None:
        """Wait until something holds that messages or media change; not longer than the call."""
        async with asyncio.timeout(timeout_s):
            while not is_true():
                assert not self.messages or self.messages[-1]["type"] != "bye", self.messages[-1]
                assert self.pc.connectionState not in ("failed", "closed")
                self._news.clear()
                await self._news.wait()

    async def wait_for(self, kind: str, timeout_s: float = 20, **fields: object) -> Message:
        """Wait for a message with these fields, also one that has come already."""
        found: list[Message] = []

        def has_come() -> bool:
            found[:] = [
                message
                for message in self.messages
                if message["type"] == kind and fields.items() <= message.items()
            ]
            return bool(found)

        await self.until(has_come, timeout_s)
        return found[-1]

    def loudness(self, seconds: float = 0.2) -> float:
        """RMS of the last sound, 0..1; 0 while there is none."""
        if not self.sound:
            return 0.0
        tail = self.sound[-max(1, round(seconds / BLOCK_S)) :]
        return float(np.sqrt(np.mean(np.concatenate(tail).astype(float) ** 2))) / 32768

    # --- media --------------------------------------------------------------------------------
    def _on_message(self, text: str) -> None:
        self.messages.append(json.loads(text))
        self._news.set()

    def _on_track(self, track: MediaStreamTrack) -> None:
        keep = self._keep_sound if track.kind == "audio" else self._keep_pictures
        self.start(keep(track))

    async def _keep_sound(self, track: MediaStreamTrack) -> None:
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            # Of one channel where our own buffer decodes, of two where the library does.
            channels = frame.to_ndarray().reshape(-1, frame.layout.nb_channels)
            sound, at_s = channels[:, 0].copy(), asyncio.get_running_loop().time()
            self.sound.append(sound)
            self.sound_at_s.append(at_s)
            self.microphone.hear(sound, at_s)  # it stands before the loudspeaker
            self._news.set()

    async def _keep_pictures(self, track: MediaStreamTrack) -> None:
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            if self.on_picture is not None:
                self.on_picture(frame, asyncio.get_running_loop().time())
            self.pictures += 1
            if self.pictures % 25 == 1:
                self.picture = frame.to_ndarray(format="rgb24")
            self._news.set()
