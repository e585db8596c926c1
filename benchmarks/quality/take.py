"""The avatar in this process, without a call: a sentence → its sound, its motion, its pictures.

The same engines as in a call, one after the other: voice → articulation → presence → rig.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.motion.articulation import ArticulationInput, ArticulatorEngine
from rt_avatar.engines.motion.presence import CallerCue, PresenceEngine, PresenceInput
from rt_avatar.engines.rig.engine import RigEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    FPS,
    MOTION_SIZE,
    SPEECH_RATE_HZ,
    Emotion,
    FaceStyle,
    Image,
    Motion,
    MotionFrame,
    Pcm,
    Phoneme,
    SpeechChunk,
    VoiceStyle,
)
from rt_avatar.personas import PERSONAS

SIZE_PX: Final = 512  # of the pictures, as in a call
_LEAD_CHUNKS: Final = 3  # the face has arrived at its feeling before it speaks: 0.6 s
VIEWER: Final = CallerCue(
    is_speaking=False, has_paused=False, valence=0, arousal=0, is_smiling=False, has_face=True
)


@dataclass(frozen=True, slots=True)
class Take:
    """One sentence, said.

    Attributes:
        persona: Who says it.
        text: What.
        emotion: How.
        intensity: How strongly, 0 to 1.
        pcm: (samples,) at 24 kHz.
        phonemes: Its sounds, earliest first; times in samples.
        motion: (pictures, 73); picture n shows the time (n + ½) / 25 s.
    """

    persona: str
    text: str
    emotion: Emotion
    intensity: float
    pcm: Pcm
    phonemes: tuple[Phoneme, ...]
    motion: Motion

    @property
    def times_s(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """(pictures,) the middle of each picture's time."""
        return (np.arange(len(self.motion)) + 0.5) / FPS

    def spans_s(self, is_meant: Callable[[str], bool]) -> list[tuple[float, float]]:
        """Return when the sounds (IPA) that are meant are heard: (begin, end) in seconds."""
        return [
            (p.start / SPEECH_RATE_HZ, p.end / SPEECH_RATE_HZ)
            for p in self.phonemes
            if is_meant(p.ipa)
        ]


class Studio:
    """All voices and faces, made once. One thread at a time."""

    def __init__(self) -> None:
        self._voice = EspeakEngine()
        self._articulator = ArticulatorEngine()
        self._presence = PresenceEngine()
        self._rig = RigEngine(SIZE_PX)
        self._voice.warmup()

    def chunks(self, persona: str, text: str, style: VoiceStyle) -> list[SpeechChunk]:
        """Say a text as one clause."""
        stream = self._voice.open(PERSONAS[persona].voice)
        return stream.push(SpeechRequest(text, style, 0)) + stream.flush()

    def say(
        self, persona: str, text: str, emotion: Emotion = "neutral", intensity: float = 0.6
    ) -> Take:
        """Say a sentence with voice and face in one feeling.

        Raises:
            ValueError: The text holds nothing that can be said.
        """
        voice, face = VoiceStyle(emotion, intensity), FaceStyle(emotion, intensity)
        chunks = self.chunks(persona, text, voice)
        if not chunks:
            raise ValueError(f"text: expected words to say, got {text!r}")
        articulation = self._articulator.open()
        # The same words always give the same life: a figure can be measured again.
        presence = self._presence.open(zlib.crc32(text.encode()))
        for _ in range(_LEAD_CHUNKS * CHUNK_FRAMES):
            presence.push(PresenceInput("listening", None, face, VIEWER))
        frames = [
            frame
            for chunk in chunks
            for motion in articulation.push(ArticulationInput(chunk, face, voice))
            for speech in motion
            for frame in presence.push(PresenceInput("speaking", speech, face, VIEWER))
        ]
        sounds = {phoneme.start: phoneme for chunk in chunks for phoneme in chunk.phonemes}
        return Take(
            persona=persona,
            text=text,
            emotion=emotion,
            intensity=intensity,
            pcm=np.concatenate([chunk.pcm for chunk in chunks]),
            phonemes=tuple(sounds[start] for start in sorted(sounds)),
            motion=np.array(frames),
        )

    def at_rest(self, persona: str) -> tuple[MotionFrame, Image]:
        """Return a face without speech and feeling: its motion (73,) and its picture."""
        motion = np.zeros(MOTION_SIZE, np.float32)
        return motion, self._rig.open(persona).rgb(motion)

    def pictures(self, take: Take, every: int = 1) -> Iterator[Image]:
        """Draw every so-manieth picture of a take: (512, 512, 3) RGB each."""
        stream = self._rig.open(take.persona)
        for motion in take.motion[::every]:
            yield stream.rgb(motion)
