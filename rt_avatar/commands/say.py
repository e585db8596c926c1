"""``rt-avatar say``: text → an MP4 of the avatar saying it, faster than real time.

Without a call: its engines, one after the other in this thread: clauses → voice → articulation
→ presence → renderer → ``ClipWriter``. It knows no reasoner: the words and the feeling are given.
"""

import asyncio
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.config.settings import LlmSettings, Settings, TtsSettings
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.presence import VIEWER, PresenceInput
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    FPS,
    Emotion,
    FaceStyle,
    MotionFrame,
    Pcm,
    SpeechChunk,
    VoiceStyle,
)
from rt_avatar.errors import SetupError
from rt_avatar.files.clip_writer import check_path, open_clip
from rt_avatar.messages import Clause, State, TurnId
from rt_avatar.personas import Persona
from rt_avatar.queues import END, End, Pipe
from rt_avatar.reasoner.sentences import ClauseSplitter
from rt_avatar.services.engine_choice import (
    make_articulator,
    make_presence,
    make_renderer,
    make_speech,
)
from rt_avatar.services.interfaces import Articulator
from rt_avatar.services.network import Network, load_network
from rt_avatar.services.worker import EngineWorker

# Silence before and after the speech: 0.4 s, so that the face arrives and comes to rest.
_IDLE_CHUNKS: Final = 2


@dataclass(frozen=True, slots=True)
class ClipStatistics:
    """What was made: ``duration_s`` of video with ``frames`` pictures, in ``elapsed_s``."""

    duration_s: float
    elapsed_s: float
    frames: int


@dataclass(frozen=True, slots=True)
class _Moment:
    """200 ms of the clip: ``pcm`` (4800,) and five frames; None where the avatar is silent."""

    state: State
    pcm: Pcm
    speech: tuple[MotionFrame | None, ...]


def render_clip(
    text: str,
    persona: Persona,
    emotion: Emotion,
    intensity: float,
    path: Path,
    settings: Settings,
    on_progress: Callable[[float, float], None],
) -> ClipStatistics:
    """Write a clip of ``persona`` saying ``text``. Blocking.

    Args:
        text: What to say; Markdown and emoji are passed over.
        persona: Who says it.
        emotion: How it is said.
        intensity: How strongly, 0 to 1.
        path: File to write, ``.mp4``; it is replaced only when the new one is whole.
        settings: The picture's size, who speaks and who draws are taken from them.
        on_progress: Called with seconds done and seconds in all, after every 200 ms.

    Raises:
        SetupError: There is nothing to say, the file cannot be written, the intensity is out of
            bounds, or the voice or the network is not there.
        EngineError: The voice failed.
    """
    started = time.perf_counter()
    check_path(path)
    if not 0 <= intensity <= 1:  # false for NaN, too
        raise SetupError(f"intensity: expected 0 to 1; got {intensity}")
    voice, face = VoiceStyle(emotion, intensity), FaceStyle(emotion, intensity)
    # The test signal is for calls; a clip is of the avatar, and nobody has to think.
    speech = TtsSettings() if settings.tts.kind == "sync_test" else settings.tts
    avatar = replace(settings.avatar, persona=persona.name)  # who speaks wears the photograph
    settings = replace(settings, tts=speech, llm=LlmSettings(), avatar=avatar)
    network = load_network(settings)
    chunks = asyncio.run(_speak(text, persona, voice, speech, network))
    frames = (len(chunks) + 2 * _IDLE_CHUNKS) * CHUNK_FRAMES
    # The same words always give the same life: a clip can be made again.
    presence = make_presence(settings, network).open(zlib.crc32(text.encode("utf-8", "replace")))
    portrait = make_renderer(settings, network).open(persona.name)
    articulator = make_articulator(settings, network)
    with open_clip(path, settings.avatar.size_px) as writer:
        for index, moment in enumerate(_moments(chunks, face, voice, articulator), 1):
            pictures = [
                picture
                for speech in moment.speech
                for motion in presence.push(PresenceInput(moment.state, speech, face, VIEWER))
                for picture in portrait.push(motion)
            ]
            writer.write(pictures, moment.pcm)
            on_progress(index * CHUNK_FRAMES / FPS, frames / FPS)
    return ClipStatistics(frames / FPS, time.perf_counter() - started, frames)


async def _speak(
    text: str,
    persona: Persona,
    style: VoiceStyle,
    settings: TtsSettings,
    network: Network | None,
) -> list[SpeechChunk]:
    """Return the whole speech; it is made many times faster than the pictures."""
    splitter = ClauseSplitter()
    texts = [*splitter.push(text), *splitter.flush()]
    clauses: Pipe[Clause | End] = asyncio.Queue(maxsize=len(texts) + 1)  # all fit
    for index, clause in enumerate(texts):
        clauses.put_nowait(Clause(TurnId(1), 0, index, clause))
    clauses.put_nowait(END)
    pipe: Pipe[SpeechChunk | End] = asyncio.Queue(maxsize=2)  # full: the voice waits
    worker = EngineWorker("voice")
    speech = make_speech(settings, worker, network)
    try:
        _, chunks = await asyncio.gather(
            speech.speak(persona.voice, style, clauses, pipe), _collect(pipe)
        )
    finally:
        await speech.aclose()
        worker.close()
    if not chunks:
        raise SetupError(f"text: expected words to say; got {text[:40]!r}")
    return chunks


async def _collect(pipe: Pipe[SpeechChunk | End]) -> list[SpeechChunk]:
    chunks: list[SpeechChunk] = []
    while not isinstance(chunk := await pipe.get(), End):
        chunks.append(chunk)
    return chunks


def _moments(
    chunks: list[SpeechChunk], face: FaceStyle, voice: VoiceStyle, articulator: Articulator
) -> Iterator[_Moment]:
    silence = _Moment("listening", np.zeros(CHUNK_SAMPLES, np.float32), (None,) * CHUNK_FRAMES)
    stream = articulator.open()
    waiting = deque(chunks)  # for their motion: an articulator may look ahead
    yield from (silence,) * _IDLE_CHUNKS
    for chunk in chunks:
        for motion in stream.push(ArticulationInput(chunk, face, voice)):
            yield _Moment("speaking", waiting.popleft().pcm, tuple(motion))
    for motion in stream.flush():
        yield _Moment("speaking", waiting.popleft().pcm, tuple(motion))
    yield from (silence,) * _IDLE_CHUNKS
