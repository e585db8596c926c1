"""An OpenAI-compatible speech endpoint on a free loopback port: real speech, scripted failures.

It speaks with espeak-ng. Each request takes the next ``Speech`` of the script, or a plain one. The
server tells what it was asked, in which order, and when a caller went away before the end.
"""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import numpy as np
import soxr
from aiohttp import web

from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import SPEECH_RATE_HZ, VoiceStyle, Word

VOICES = {"nova": "young_female", "onyx": "middle_male", "shimmer": "child_female"}
SILENCE_S = 0.4  # before and after each clause, as many voices leave it


@dataclass
class Speech:
    """One answer.

    Attributes:
        status: HTTP status; other than 200 sends ``body`` as JSON.
        content_type: What the sound is called.
        body: Sent instead of speech, if it is not None.
        head: Sent before the sound.
        tail: Sent after the sound.
        rate_hz: Rate of the sound.
        chunk: Bytes a piece; odd ones cut samples.
        hold: Waited for before the piece number ``hold_at``.
        cut: Close the connection there instead.
        repeats: How often the sound is sent.
    """

    status: int = 200
    content_type: str = "audio/pcm"
    body: bytes | None = None
    head: bytes = b""
    tail: bytes = b""
    rate_hz: int = SPEECH_RATE_HZ
    chunk: int = 4_001
    hold: asyncio.Event | None = None
    hold_at: int = 0
    cut: bool = False
    repeats: int = 1


@dataclass
class SpeechServer:
    script: list[Speech]
    url: str = ""
    asked: list[dict] = field(default_factory=list)
    spoken: list[np.ndarray] = field(default_factory=list)  # at 24 kHz, without the silence
    keys: list[str] = field(default_factory=list)
    models_asked: int = 0
    peers: set[tuple[str, int]] = field(default_factory=set)
    at_work: int = 0  # requests that are being answered
    most_at_work: int = 0
    was_asked: asyncio.Condition = field(default_factory=asyncio.Condition)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def until_asked(self, times: int) -> None:
        async with self.was_asked:
            await self.was_asked.wait_for(lambda: len(self.asked) >= times)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.peers.add(request.transport.get_extra_info("peername"))
        self.keys.append(request.headers.get("Authorization", ""))
        asked = await request.json()
        speech = self.script.pop(0) if self.script else Speech()
        async with self.was_asked:
            self.asked.append(asked)
            self.was_asked.notify_all()
        if speech.status != 200:
            body, kind = speech.body or b"", "application/json"
            return web.Response(status=speech.status, body=body, content_type=kind)
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        try:
            return await self._send(request, asked, speech)
        except (asyncio.CancelledError, ConnectionError):
            self.gone.set()
            raise
        finally:
            self.at_work -= 1

    async def _send(self, request: web.Request, asked: dict, speech: Speech) -> web.StreamResponse:
        pcm, _ = spoken(asked["input"], asked["voice"])
        self.spoken.append(pcm)
        sound = wire(pcm, speech.rate_hz)
        data = speech.head + sound * speech.repeats + speech.tail
        data = data if speech.body is None else speech.body
        response = web.StreamResponse(headers={"Content-Type": speech.content_type})
        await response.prepare(request)
        for number, at in enumerate(range(0, len(data), speech.chunk)):
            if number == speech.hold_at:
                if speech.cut:
                    request.transport.close()
                    return response
                if speech.hold is not None:
                    await speech.hold.wait()
            await response.write(data[at : at + speech.chunk])
        return response

    async def models(self, request: web.Request) -> web.Response:
        self.models_asked += 1
        self.peers.add(request.transport.get_extra_info("peername"))
        return web.json_response({"data": [{"id": "scripted"}]})


def spoken(text: str, voice: str) -> tuple[np.ndarray, list[Word]]:
    """Return what espeak-ng says, without silence, and when it says which word.

    It never says the same twice to the sample, but with the same times to some milliseconds.
    """
    stream = EspeakEngine().open(VOICES.get(voice, "young_female"))
    chunks = [*stream.push(SpeechRequest(text, VoiceStyle(), 0)), *stream.flush()]
    return np.concatenate([a.pcm for a in chunks]), [word for a in chunks for word in a.words]


def wire(pcm: np.ndarray, rate_hz: int) -> bytes:
    """Return speech between two silences, 16 bits."""
    silence = np.zeros(round(SILENCE_S * SPEECH_RATE_HZ), np.float32)
    pcm = np.concatenate([silence, pcm, silence])
    if rate_hz != SPEECH_RATE_HZ:
        pcm = soxr.resample(pcm, SPEECH_RATE_HZ, rate_hz)
    return (np.clip(pcm, -1, 1) * 32_767).astype("<i2").tobytes()


def wav_head(rate_hz: int, *, size: int = 0xFFFFFFFF, channels: int = 1, bits: int = 16) -> bytes:
    """Return a WAV header with a chunk that nobody needs before the sound."""
    frame = channels * bits // 8
    form = struct.pack("<HHIIHH", 1, channels, rate_hz, rate_hz * frame, frame, bits)
    note = b"LIST" + struct.pack("<I", 5) + b"hello\0"
    parts = b"fmt " + struct.pack("<I", len(form)) + form + note
    return b"RIFF" + struct.pack("<I", size) + b"WAVE" + parts + b"data" + struct.pack("<I", size)


@asynccontextmanager
async def speech_server(*script: Speech) -> AsyncIterator[SpeechServer]:
    server = SpeechServer(list(script))
    app = web.Application()
    app.router.add_post("/v1/audio/speech", server.answer)
    app.router.add_get("/v1/models", server.models)
    # With cancellation the handler notices at once that the caller is gone.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.2)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()
