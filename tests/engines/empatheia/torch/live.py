"""The adapters of a call over nano, and inputs for them, others for another seed."""

from dataclasses import replace
from functools import cache

import numpy as np

from rt_avatar.engines.empatheia.live_face import LiveFace
from rt_avatar.engines.empatheia.live_motion import LiveMotion
from rt_avatar.engines.empatheia.live_presence import LivePresence
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.live_voice import LiveVoice
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.presence import CallerCue, PresenceInput
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    EMOTIONS,
    MOTION_SIZE,
    FaceStyle,
    SpeechChunk,
    VoiceStyle,
)
from tests.engines.empatheia.torch.made import PICTURE_PX, picture

# Untrained, a sound lasts half a second: few words, said fast.
QUICKLY = VoiceStyle(rate=2.0)
STATES_WIDTH, CONTENT_SIZE = 256, 192


def voice(engines, **options) -> LiveVoice:
    return LiveVoice(engines, LiveStyles(engines), EmpatheiaOptions(**options))


def motion(engines) -> LiveMotion:
    return LiveMotion(engines, LiveStyles(engines), EmpatheiaOptions())


@cache
def presence(engines) -> LivePresence:
    """One for all, as in use: its silent faces take two seconds."""
    return LivePresence(engines, LiveStyles(engines), frames=20)


def moments(seed: int) -> list[PresenceInput]:
    dice = np.random.default_rng(seed)
    return [
        PresenceInput(
            "speaking" if is_speaking else "listening",
            dice.normal(0, 2, MOTION_SIZE).astype(np.float32) if is_speaking else None,
            FaceStyle(EMOTIONS[seed % len(EMOTIONS)], 0.5),
            CallerCue(False, frame % 7 == seed, 0.2 * seed, 0.0, False, True),
        )
        for frame, is_speaking in enumerate([False] * 4 + [True] * 6 + [False] * 4)
    ]


def face(engines, size_px: int = PICTURE_PX) -> LiveFace:
    face_px = engines.manifest.face_px
    return LiveFace(engines, size_px, lambda look: picture(len(look), face_px))


def states(tokens: int, seed: int = 0) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return dice.normal(0, 1, (tokens, STATES_WIDTH)).astype(np.float32)


def requests(seed: int) -> list[SpeechRequest]:
    return [
        SpeechRequest(text, QUICKLY, index, states(2, seed + index))
        for index, text in enumerate(("so,", "oh."))
    ]


def contents(chunks: int, seed: int) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return dice.normal(0, 1, (chunks * CHUNK_FRAMES, CONTENT_SIZE)).astype(np.float32)


def meaning_chunks(seed: int, ahead: int = 0, chunks: int = 5) -> list[ArticulationInput]:
    """Chunks that tell their own contents, and those of so many frames after them."""
    rows = contents(chunks, seed)
    return [
        ArticulationInput(
            replace(_chunk(index, seed), contents=rows[first : first + CHUNK_FRAMES + ahead]),
            FaceStyle("happy", 0.5),
            VoiceStyle(),
        )
        for index, first in enumerate(range(0, len(rows), CHUNK_FRAMES))
    ]


def sounding_chunks(seed: int, chunks: int = 5) -> list[ArticulationInput]:
    """Chunks that tell nothing but their sound."""
    return [
        ArticulationInput(_chunk(index, seed), FaceStyle("happy", 0.5), VoiceStyle())
        for index in range(chunks)
    ]


def _chunk(index: int, seed: int) -> SpeechChunk:
    dice = np.random.default_rng([seed, index])
    pcm = dice.normal(0, 0.1, CHUNK_SAMPLES).astype(np.float32)
    return SpeechChunk(index * CHUNK_SAMPLES, pcm, (), (), 0)
