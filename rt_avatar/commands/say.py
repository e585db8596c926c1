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

from engines.motion.articulation import ArticulationInput
from engines.motion.presence import CallerCue, PresenceEngine, PresenceInput
from engines.types import (
    ATOM_FRAMES,
    ATOM_SAMPLES,
    FPS,
    Emotion,
    FaceStyle,
    MotionFrame,
    Pcm,
    SpeechAtom,
    VoiceStyle,
)
from rt_avatar.config.settings import ReasonerSettings, Settings, SpeechSettings
from rt_avatar.engine_room.engines import make_articulator, make_renderer, make_speech
from rt_avatar.engine_room.kinds import Articulator
from rt_avatar.engine_room.network import Network, load_network
from rt_avatar.engine_room.worker import EngineWorker
from rt_avatar.errors import SetupError
from rt_avatar.files.clip_writer import check_path, open_clip
from rt_avatar.messages import Clause, State, TurnId
from rt_avatar.profiles import Profile
from rt_avatar.queues import END, End, Pipe
from rt_avatar.reasoner.sentences import ClauseSplitter

# Silence before and after the speech: 0.4 s, so that the face arrives and comes to rest.
_IDLE_ATOMS: Final = 2
# Somebody stands before the avatar and waits: it looks at them and mirrors nothing.
_VIEWER: Final = CallerCue(
    is_speaking=False, has_paused=False, valence=0, arousal=0, is_smiling=False, has_face=True
)


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
    profile: Profile,
    emotion: Emotion,
    intensity: float,
    path: Path,
    settings: Settings,
    on_progress: Callable[[float, float], None],
) -> ClipStatistics:
    """Write a clip of ``profile`` saying ``text``. Blocking.

    Args:
        text: What to say; Markdown and emoji are passed over.
        profile: Who says it.
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
    speech = SpeechSettings() if settings.speech.kind == "clapper" else settings.speech
    settings = replace(settings, speech=speech, reasoner=ReasonerSettings())
    network = load_network(settings)
    atoms = asyncio.run(_speak(text, profile, voice, speech, network))
    frames = (len(atoms) + 2 * _IDLE_ATOMS) * ATOM_FRAMES
    # The same words always give the same life: a clip can be made again.
    presence = PresenceEngine().open(zlib.crc32(text.encode("utf-8", "replace")))
    portrait = make_renderer(settings, network).open(profile.name)
    articulator = make_articulator(speech, network)
    with open_clip(path, settings.avatar.size_px) as writer:
        for index, moment in enumerate(_moments(atoms, face, voice, articulator), 1):
            pictures = [
                picture
                for speech in moment.speech
                for motion in presence.push(PresenceInput(moment.state, speech, face, _VIEWER))
                for picture in portrait.push(motion)
            ]
            writer.write(pictures, moment.pcm)
            on_progress(index * ATOM_FRAMES / FPS, frames / FPS)
    return ClipStatistics(frames / FPS, time.perf_counter() - started, frames)


async def _speak(
    text: str,
    profile: Profile,
    style: VoiceStyle,
    settings: SpeechSettings,
    network: Network | None,
) -> list[SpeechAtom]:
    """Return the whole speech; it is made many times faster than the pictures."""
    splitter = ClauseSplitter()
    texts = [*splitter.push(text), *splitter.flush()]
    clauses: Pipe[Clause | End] = asyncio.Queue(maxsize=len(texts) + 1)  # all fit
    for index, clause in enumerate(texts):
        clauses.put_nowait(Clause(TurnId(1), 0, index, clause))
    clauses.put_nowait(END)
    made: Pipe[SpeechAtom | End] = asyncio.Queue(maxsize=2)  # full: the voice waits
    worker = EngineWorker("voice")
    speech = make_speech(settings, worker, network)
    try:
        _, atoms = await asyncio.gather(
            speech.speak(profile.voice, style, clauses, made), _collect(made)
        )
    finally:
        await speech.aclose()
        worker.close()
    if not atoms:
        raise SetupError(f"text: expected words to say; got {text[:40]!r}")
    return atoms


async def _collect(made: Pipe[SpeechAtom | End]) -> list[SpeechAtom]:
    atoms: list[SpeechAtom] = []
    while not isinstance(atom := await made.get(), End):
        atoms.append(atom)
    return atoms


def _moments(
    atoms: list[SpeechAtom], face: FaceStyle, voice: VoiceStyle, articulator: Articulator
) -> Iterator[_Moment]:
    silence = _Moment("listening", np.zeros(ATOM_SAMPLES, np.float32), (None,) * ATOM_FRAMES)
    stream = articulator.open()
    waiting = deque(atoms)  # for their motion: an articulator may look ahead
    yield from (silence,) * _IDLE_ATOMS
    for atom in atoms:
        for motion in stream.push(ArticulationInput(atom, face, voice)):
            yield _Moment("speaking", waiting.popleft().pcm, tuple(motion))
    for motion in stream.flush():
        yield _Moment("speaking", waiting.popleft().pcm, tuple(motion))
    yield from (silence,) * _IDLE_ATOMS
