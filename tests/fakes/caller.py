"""A caller without a browser: speaks the whole protocol to a real server, over real WebRTC.

It sends a recording (or silence) as its microphone in real time, a coloured picture as its camera,
and keeps what it is sent: sound, pictures, messages. ``impair`` makes its line bad.
"""

import asyncio
import fractions
import json
import random
import wave
from collections.abc import Callable
from pathlib import Path

import aiohttp
import numpy as np
from aiortc import (
    MediaStreamTrack,
    RTCConfiguration,
    RTCPeerConnection,
    RTCSessionDescription,
)
from aiortc.mediastreams import MediaStreamError
from av import AudioFrame, VideoFrame

BLOCK = 960


class Microphone(MediaStreamTrack):
    """Plays 48 kHz int16 sound once, then silence, 20 ms each 20 ms."""

    kind = "audio"

    def __init__(self, pcm: np.ndarray | None = None) -> None:
        super().__init__()
        self.pcm = np.zeros(0, np.int16) if pcm is None else pcm
        self._index = 0
        self._origin_s: float | None = None

    @property
    def has_finished(self) -> bool:
        return self._index * BLOCK >= len(self.pcm)

    def play(self, pcm: np.ndarray) -> tuple[float, float]:
        """Say something from now on; return when its first and last packet go, in loop time."""
        self.pcm = np.concatenate([np.zeros(self._index * BLOCK, np.int16), pcm])
        packets = -(-len(pcm) // BLOCK)
        start_s = (self._origin_s or 0.0) + self._index * 0.02
        return start_s, start_s + (packets - 1) * 0.02

    async def recv(self) -> AudioFrame:
        loop = asyncio.get_running_loop()
        if self._origin_s is None:
            self._origin_s = loop.time()
        await asyncio.sleep(max(0.0, self._origin_s + self._index * 0.02 - loop.time()))
        block = self.pcm[self._index * BLOCK : (self._index + 1) * BLOCK]
        block = np.pad(block, (0, BLOCK - len(block)))
        frame = AudioFrame(format="s16", layout="mono", samples=BLOCK)
        frame.planes[0].update(block.astype(np.int16).tobytes())
        frame.sample_rate = 48_000
        frame.time_base = fractions.Fraction(1, 48_000)
        frame.pts = self._index * BLOCK
        self._index += 1
        return frame


class Camera(MediaStreamTrack):
    """A picture of one colour, 320 × 240, ten times a second."""

    kind = "video"

    def __init__(self, rgb: tuple[int, int, int] = (200, 60, 20)) -> None:
        super().__init__()
        self.picture = np.full((240, 320, 3), rgb, np.uint8)
        self._index = 0

    async def recv(self) -> VideoFrame:
        await asyncio.sleep(0.1)
        frame = VideoFrame.from_ndarray(self.picture, format="rgb24")
        frame.time_base = fractions.Fraction(1, 90_000)
        frame.pts = self._index * 9_000
        self._index += 1
        return frame


class Caller:
    """One person at the other end. An async context manager: on leaving, its connection closes."""

    def __init__(
        self, url: str, http: aiohttp.ClientSession, *, pcm: np.ndarray | None = None,
        has_camera: bool = False,
    ) -> None:  # fmt: skip
        self.url = url.rstrip("/")
        self.http = http
        self.microphone = Microphone(pcm)
        self.has_camera = has_camera
        self.session: dict = {}
        self.messages: list[dict] = []
        self.sound: list[np.ndarray] = []  # 20 ms each, 48 kHz mono
        self.sound_at_s: list[float] = []
        self.pictures = 0
        self.picture: np.ndarray | None = None
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task] = set()
        self.pc: RTCPeerConnection | None = None

    async def __aenter__(self) -> "Caller":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.drop()

    # --- signaling ----------------------------------------------------------------------------
    async def call(self, profile: str = "") -> None:
        """Ask for a session and connect."""
        body = {"profile": profile} if profile else {}
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
        return pc.localDescription.sdp

    async def offer(self, sdp: str) -> tuple[int, dict]:
        """Post an offer; return status and body."""
        async with self.http.post(
            f"{self.url}/api/sessions/{self.session['id']}/offer",
            json={"type": "offer", "sdp": sdp},
            headers={"Authorization": f"Bearer {self.session['token']}"},
        ) as response:
            return response.status, await response.json()

    async def delete(self) -> int:
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
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()

    # --- messages -----------------------------------------------------------------------------
    def send(self, message: dict | str | bytes) -> None:
        self.channel.send(json.dumps(message) if isinstance(message, dict) else message)

    def count(self, kind: str) -> int:
        return sum(message["type"] == kind for message in self.messages)

    def last(self, kind: str) -> dict:
        return next(m for m in reversed(self.messages) if m["type"] == kind)

    async def until(self, is_true: Callable[[], bool], timeout_s: float = 20) -> None:
        """Wait until something holds that messages or media change; not longer than the call."""
        async with asyncio.timeout(timeout_s):
            while not is_true():
                assert not self.messages or self.messages[-1]["type"] != "bye", self.messages[-1]
                assert self.pc.connectionState not in ("failed", "closed")
                self._news.clear()
                await self._news.wait()

    async def wait_for(self, kind: str, timeout_s: float = 20, **fields: object) -> dict:
        """Wait for a message with these fields, also one that has come already."""
        found: list[dict] = []

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
        tail = self.sound[-max(1, round(seconds / 0.02)) :]
        return float(np.sqrt(np.mean(np.concatenate(tail).astype(float) ** 2))) / 32768

    # --- media --------------------------------------------------------------------------------
    def _on_message(self, text: str) -> None:
        self.messages.append(json.loads(text))
        self._news.set()

    def _on_track(self, track: MediaStreamTrack) -> None:
        keep = self._keep_sound if track.kind == "audio" else self._keep_pictures
        task = asyncio.ensure_future(keep(track))
        self._tasks.add(task)

    async def _keep_sound(self, track: MediaStreamTrack) -> None:
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            stereo = frame.to_ndarray().reshape(-1, 2)
            self.sound.append(stereo[:, 0].copy())
            self.sound_at_s.append(asyncio.get_running_loop().time())
            self._news.set()

    async def _keep_pictures(self, track: MediaStreamTrack) -> None:
        while True:
            try:
                frame = await track.recv()
            except MediaStreamError:
                return
            self.pictures += 1
            if self.pictures % 25 == 1:
                self.picture = frame.to_ndarray(format="rgb24")
            self._news.set()

    # --- a bad line ---------------------------------------------------------------------------
    def impair(self, loss: float, jitter_s: float, seed: int = 1) -> None:
        """Lose and delay packets from now on, both ways; delays reorder them."""
        dice = random.Random(seed)
        transports = {t.receiver.transport.transport for t in self.pc.getTransceivers()}
        for transport in transports:
            send, receive = transport._send, transport._recv

            async def late(data: bytes, send=send) -> None:
                await asyncio.sleep(dice.random() * jitter_s)
                await send(data)

            async def lossy_send(data: bytes, late=late) -> None:
                if dice.random() >= loss:
                    task = asyncio.ensure_future(late(data))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)

            async def lossy_receive(receive=receive) -> bytes:
                while True:
                    data = await receive()
                    if dice.random() >= loss:
                        return data

            transport._send, transport._recv = lossy_send, lossy_receive


def read_wav(path: Path) -> np.ndarray:
    """Return a 16-bit mono recording at 48 kHz."""
    import soxr

    with wave.open(str(path)) as file:
        pcm = np.frombuffer(file.readframes(file.getnframes()), np.int16)
        if file.getnchannels() == 2:
            pcm = pcm.reshape(-1, 2)[:, 0]
        return soxr.resample(pcm, file.getframerate(), 48_000).astype(np.int16)
