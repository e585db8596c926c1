"""Scripted engines: a whole session runs on them in virtual time, deterministically.

The microphone is "loud" or silent; the recogniser hears the next line of a script in each loud
passage; the voice says each clause as a tone, 100 ms a word; the face is a number.
"""

import asyncio
from dataclasses import dataclass, field

import numpy as np

from rt_avatar.engines.echo import EchoDetector
from rt_avatar.engines.motion.space import ARKIT52
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.recognition import Hypothesis
from rt_avatar.engines.silero import SpeechWindow
from rt_avatar.engines.types import (
    CHUNK_SAMPLES,
    MOTION_SIZE,
    FaceStyle,
    SpeechChunk,
    VoiceStyle,
    Word,
)
from rt_avatar.errors import EngineError
from rt_avatar.messages import Chain, Clause, Plan
from rt_avatar.queues import END, End
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.services.worker import EngineWorker
from rt_avatar.telemetry.metrics import Metrics

WINDOW = 512
WORD_SAMPLES = 7_200  # 300 ms: the scripted voice's length of a word


class LoudnessVad:
    """Speech is whatever is louder than −40 dBFS."""

    def open(self):
        return self

    def push(self, pcm):
        self._rest = np.concatenate([getattr(self, "_rest", np.zeros(0, np.float32)), pcm])
        self._pts = getattr(self, "_pts", 0)
        windows = []
        while len(self._rest) >= WINDOW:
            window, self._rest = self._rest[:WINDOW], self._rest[WINDOW:]
            is_loud = np.sqrt(np.mean(window**2)) > 0.01
            windows.append(SpeechWindow(self._pts, 0.97 if is_loud else 0.01))
            self._pts += WINDOW
        return windows

    def close(self):
        pass


class ScriptedRecogniser:
    """Hears the next line of the script in each utterance; partial after the first sound."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self._current = ""

    def open(self):
        return self

    def push(self, pcm):
        if self._current or not self.lines or np.abs(pcm).max() < 0.01:
            return []
        self._current = self.lines.pop(0)
        return [Hypothesis(self._current, is_final=False, confidence=0.9)]

    def heard(self):
        return Hypothesis(self._current, is_final=False, confidence=0.9)

    def flush(self):
        text, self._current = self._current, ""
        return [Hypothesis(text, is_final=True, confidence=0.9)]

    def close(self):
        pass


class ToneSpeech:
    """Says each clause as a tone; can be told to fail."""

    def __init__(self) -> None:
        self.fails = False

    async def prepare(self) -> None:
        pass

    async def aclose(self) -> None:
        pass

    async def speak(self, voice, style, clauses, chunks, clock=None) -> None:
        words: list[Word] = []
        start = 0
        index = 0
        while not isinstance(clause := await clauses.get(), End):
            if self.fails:
                raise EngineError("voice", "scripted failure", retryable=True)
            for text in clause.text.split():
                words.append(Word(text, start, start + WORD_SAMPLES))
                start += WORD_SAMPLES
            while (index + 1) * CHUNK_SAMPLES <= start:
                await chunks.put(self._chunk(index, words))
                index += 1
        while index * CHUNK_SAMPLES < start:
            await chunks.put(self._chunk(index, words))
            index += 1
        await chunks.put(END)

    @staticmethod
    def _chunk(index: int, words: list[Word]) -> SpeechChunk:
        begin = index * CHUNK_SAMPLES
        own = tuple(w for w in words if begin <= w.start < begin + CHUNK_SAMPLES)
        tone = 0.3 * np.sin(np.arange(begin, begin + CHUNK_SAMPLES) * 2 * np.pi * 220 / 24_000)
        return SpeechChunk(begin, tone.astype(np.float32), (), own, 0)


class StillMotion:
    """Articulator, presence and rig in one: frame 1 while speaking, 0 while not."""

    def open(self, *_):
        return self

    def push(self, item):
        if hasattr(item, "chunk"):
            return [np.ones((5, MOTION_SIZE), np.float32)]
        if hasattr(item, "speech"):
            return [np.zeros(MOTION_SIZE, np.float32) if item.speech is None else item.speech]
        return [np.full((6, 4), int(item[0]), np.uint8)]

    def close(self):
        pass


class NoFace:
    def open(self):
        return self

    def push(self, image):
        return []

    def close(self):
        pass


class ScriptedEngines:
    """Stands where ``rt_avatar.services.engines.Engines`` stands."""

    def __init__(self, *heard: str) -> None:
        for name in ("audio", "recogniser", "vision", "voice", "face"):
            setattr(self, f"{name}_worker", EngineWorker(name))
        self.vad = LoudnessVad()
        self.end_of_turn = None  # rules decide: scripts say by words and pauses when turns end
        self.voice_emotion = None  # scripts say what is felt by words
        self.prosody = ProsodyEngine()
        self.recogniser = ScriptedRecogniser(*heard)
        self.face_cues = NoFace()
        self.motion_space = ARKIT52
        self.articulator = self.lipsync = self.presence = self.rig = StillMotion()
        self.speech = ToneSpeech()
        self.echo = EchoDetector
        self.metrics = Metrics()

    def close(self) -> None:
        for name in ("audio", "recogniser", "vision", "voice", "face"):
            getattr(self, f"{name}_worker").close()


@dataclass
class ScriptedReasoner:
    """Answers with the next of its replies; notes every request."""

    replies: list[str]
    thinks_s: float = 0.05
    error: Exception | None = None
    requests: list[ReplyRequest] = field(default_factory=list)
    cancelled: int = 0
    name: str = "scripted"
    persona: str = ""  # whom its plans name

    def open(self):
        return self

    async def listen(self, so_far) -> None:
        pass

    async def reply(self, request):
        self.requests.append(request)
        try:
            await asyncio.sleep(self.thinks_s)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error is not None:
            raise self.error
        text = self.replies[min(len(self.requests), len(self.replies)) - 1]
        face = FaceStyle("sad", 0.4)
        yield Plan(request.turn, 0, Chain(), "sad", VoiceStyle(), face, self.persona)
        for index, clause in enumerate(text.split("|")):
            yield Clause(request.turn, 0, index, clause.strip())

    async def aclose(self) -> None:
        pass
