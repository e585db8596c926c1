"""Somebody else's livekit-agents program: upstream's own session, on scripted STT, LLM and TTS.

The voice is one of this package's engines, far faster than it is spoken; espeak's words have their
lengths. The ears hear the next line of a script in each loud passage, and the mind answers with the
next of its replies. All else is livekit-agents' and the plug-in's.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from livekit import rtc
from livekit.agents import Agent, AgentSession, TurnHandlingOptions, llm, stt, tts
from livekit.agents.language import LanguageCode
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS
from livekit.agents.voice import room_io
from livekit.plugins import rt_avatar  # type: ignore[import-untyped]  # a namespace
from numpy.typing import NDArray

from rt_avatar.benchmarks.livekit.server import LiveKitAccess
from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.sync_test import SyncTestVoice
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import SPEECH_RATE_HZ, VoiceStyle

LOUD: Final = 0.02  # of full scale
END_S: Final = 0.3  # silence after which an utterance has ended
VOICE: Final = "young_female"
TURN_HANDLING: Final[TurnHandlingOptions] = {
    "turn_detection": "stt",
    "interruption": {"resume_false_interruption": False, "min_duration": 0.0},
    "endpointing": {"min_delay": 0.1, "max_delay": 0.2},
}


class ScriptedLlm(llm.LLM[str]):
    """Answers with the next of its replies; the last again and again."""

    def __init__(self, *replies: str, thinks_s: float = 0.0) -> None:
        super().__init__()
        self.replies = list(replies)
        self.thinks_s = thinks_s
        self.asked = 0

    def chat(
        self,
        *,
        chat_ctx: llm.ChatContext,
        tools: list[llm.Tool] | None = None,
        conn_options: Any = DEFAULT_API_CONNECT_OPTIONS,
        **_options: Any,
    ) -> llm.LLMStream:
        """Answer."""
        self.asked += 1
        return _Answer(self, chat_ctx=chat_ctx, tools=tools or [], conn_options=conn_options)


class _Answer(llm.LLMStream):
    async def _run(self) -> None:
        scripted = self._llm
        assert isinstance(scripted, ScriptedLlm)
        await asyncio.sleep(scripted.thinks_s)
        text = scripted.replies[min(scripted.asked, len(scripted.replies)) - 1]
        for word in text.split():
            delta = llm.ChoiceDelta(role="assistant", content=f"{word} ")
            self._event_ch.send_nowait(llm.ChatChunk(id="scripted", delta=delta))


class EngineTts(tts.TTS[str]):
    """Our voice as a foreign one: says a sentence at a time, far faster than it is spoken."""

    def __init__(self, engine: EspeakEngine | SyncTestVoice) -> None:
        capabilities = tts.TTSCapabilities(streaming=False)
        super().__init__(capabilities=capabilities, sample_rate=SPEECH_RATE_HZ, num_channels=1)
        self.engine = engine

    def synthesize(
        self, text: str, *, conn_options: Any = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        """Say a sentence."""
        return _Saying(tts=self, input_text=text, conn_options=conn_options)


class _Saying(tts.ChunkedStream):
    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        voice = self._tts
        assert isinstance(voice, EngineTts)
        output_emitter.initialize(
            request_id="scripted", sample_rate=SPEECH_RATE_HZ, num_channels=1,
            mime_type="audio/pcm",
        )  # fmt: skip
        pcm = await asyncio.to_thread(speak, voice.engine, self.input_text)
        output_emitter.push(pcm.tobytes())
        output_emitter.flush()


def speak(engine: EspeakEngine | SyncTestVoice, text: str) -> NDArray[np.int16]:
    """Return a text as (samples,) at 24 kHz."""
    stream = engine.open(VOICE)
    chunks = [*stream.push(SpeechRequest(text, VoiceStyle(), 0)), *stream.flush()]
    stream.close()
    pcm: NDArray[np.int16] = (np.concatenate([one.pcm for one in chunks]) * 32767).astype(np.int16)
    return pcm


class LoudnessStt(stt.STT[str]):
    """Hears the next line of its script in every loud passage."""

    def __init__(self, *lines: str) -> None:
        super().__init__(
            capabilities=stt.STTCapabilities(
                streaming=True, interim_results=True, offline_recognize=False
            )
        )
        self.lines = list(lines)
        self.on_heard: Callable[[float], None] = lambda _at_s: None  # loop time of a beginning

    def stream(
        self, *, language: Any = None, conn_options: Any = DEFAULT_API_CONNECT_OPTIONS
    ) -> stt.RecognizeStream:
        """Begin to listen."""
        return _Hearing(stt=self, conn_options=conn_options)

    async def _recognize_impl(
        self, buffer: Any, *, language: Any = None, conn_options: Any = None
    ) -> stt.SpeechEvent:
        raise NotImplementedError


class _Hearing(stt.RecognizeStream):
    async def _run(self) -> None:
        lines = self._stt
        assert isinstance(lines, LoudnessStt)
        silent_s, words = END_S, ""
        async for frame in self._input_ch:
            if not isinstance(frame, rtc.AudioFrame):
                continue
            is_loud = np.abs(np.frombuffer(frame.data, np.int16)).max() > LOUD * 32768
            silent_s = 0.0 if is_loud else silent_s + frame.duration
            if is_loud and not words and lines.lines:
                words = lines.lines.pop(0)
                lines.on_heard(asyncio.get_running_loop().time())
                self._tell(stt.SpeechEventType.START_OF_SPEECH, "")
                self._tell(stt.SpeechEventType.INTERIM_TRANSCRIPT, words)
            elif words and silent_s >= END_S:
                self._tell(stt.SpeechEventType.FINAL_TRANSCRIPT, words)
                self._tell(stt.SpeechEventType.END_OF_SPEECH, "")
                words = ""

    def _tell(self, kind: stt.SpeechEventType, text: str) -> None:
        alternatives = [stt.SpeechData(LanguageCode("en"), text, confidence=1.0)] if text else []
        self._event_ch.send_nowait(stt.SpeechEvent(kind, alternatives=alternatives))


@dataclass
class AgentProgram:
    """A running agent with its avatar.

    Attributes:
        room: Its room, which it has joined.
        session: Upstream's session.
        avatar: The plug-in's.
        stt: What it hears with.
        asked_s: Loop time when the program began to ask for the avatar.
    """

    room: rtc.Room
    session: AgentSession[None]
    avatar: rt_avatar.AvatarSession
    stt: LoudnessStt
    asked_s: float = 0.0

    def history(self) -> list[tuple[str, str, bool]]:
        """Return what the agent believes was said: role, words, interrupted."""
        return [
            (item.role, (item.text_content or "").strip(), item.interrupted)
            for item in self.session.history.items
            if item.type == "message"
        ]


@asynccontextmanager
async def agent_program(
    livekit: LiveKitAccess,
    room_name: str,
    agent_name: str,
    *replies: str,
    hears: tuple[str, ...] = (),
    identity: str = "agent",
    voice: EspeakEngine | SyncTestVoice | None = None,
    thinks_s: float = 0.0,
    **options: Any,
) -> AsyncIterator[AgentProgram]:
    """Run an agent in a room, with an avatar; ``options`` are the avatar session's."""
    loop = asyncio.get_running_loop()
    room = rtc.Room()
    await room.connect(livekit.url, livekit.token(identity, room_name, kind="agent"))
    stt = LoudnessStt(*hears)
    session: AgentSession[None] = AgentSession(
        vad=None,
        stt=stt, llm=ScriptedLlm(*replies, thinks_s=thinks_s),
        tts=EngineTts(voice or EspeakEngine()),
        turn_handling=TURN_HANDLING,
        aec_warmup_duration=None,
    )  # fmt: skip
    avatar = rt_avatar.AvatarSession(agent_name=agent_name, **options)
    program = AgentProgram(room, session, avatar, stt, asked_s=loop.time())
    try:
        await avatar.start(
            session, room, livekit_url=livekit.url, livekit_api_key=livekit.api_key,
            livekit_api_secret=livekit.api_secret,
        )  # fmt: skip
        await session.start(
            agent=Agent(instructions="scripted"), room=room,
            room_options=room_io.RoomOptions(close_on_disconnect=False), record=False,
        )  # fmt: skip
        yield program
    finally:
        await session.aclose()
        await avatar.aclose()
        await room.disconnect()
