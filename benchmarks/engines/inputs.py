"""What the engines are fed: a voice, what the avatar says, a moving face, a camera.

Made on the spot by the product's own voice and face, or read from recordings; always the same.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import soxr

from rt_avatar.benchmarks.speech import load_utterances
from rt_avatar.engines.media_file import PICTURES, MediaError, open_media, pictures_of
from rt_avatar.engines.motion.articulation import ArticulationInput, ArticulatorEngine
from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.engines.rig import RigEngine, RigStream
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    BLENDSHAPE,
    FPS,
    INPUT_RATE_HZ,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SHIFT_Y,
    WIRE_RATE_HZ,
    YAW,
    FaceStyle,
    Image,
    MotionFrame,
    Pcm,
    SpeechChunk,
    VoiceStyle,
)
from rt_avatar.errors import BadInputError
from rt_avatar.signaling.incoming import Shrinker

PAUSE_S: Final = 0.6  # between utterances: a speaker's breath; long enough for an end of turn
ROOM_LEVEL: Final = 6e-4  # RMS, -64 dBFS: a quiet room with a cheap microphone
LOOK: Final = "ava"  # the default export's, and her voice
VOICE: Final = "young_female"
# Clauses as the rule-based listener makes them: a short first one, then longer ones.
CLAUSES: Final = (
    "Oh, I am sorry.",
    "It sounds as if this week was very hard for you,",
    "and nobody really noticed how much you did.",
    "What would help you feel a little better tonight?",
    "We can take as much time as you need.",
)
CAMERA: Final = (240, 320)  # height, width: what the page asks the camera for
_ECHO_DELAY_SAMPLES: Final = 2000  # 125 ms: playout buffer, loudspeaker, room, microphone
_ECHO_LEVEL: Final = 0.1  # what a browser's echo canceller leaves, -20 dB


@dataclass(frozen=True, slots=True)
class Options:
    """What the inputs are made of.

    Attributes:
        speech: Folder of WAV recordings of a caller; empty for the synthetic voice.
        clip: Video of a face before a camera; empty for the drawn one.
        whisper: faster-whisper model to measure, too; empty for none.
        size_px: Side of the avatar's picture.
        seconds: Of media a pass, about.
        network: Folder of the network's exports; empty for none of it.
        provider: What runs them: ``cpu``, or onnxruntime's ``cuda`` or ``tensorrt``.
    """

    speech: str = ""
    clip: str = ""
    whisper: str = ""
    size_px: int = 512
    seconds: float = 12.0
    network: str = ""
    provider: str = "cpu"


# --- sound --------------------------------------------------------------------------------------
@functools.cache
def utterances(folder: str) -> tuple[Pcm, ...]:
    """Return what the caller says, one utterance each, (samples,) at 16 kHz."""
    loaded = load_utterances(Path(folder) if folder else None)
    return tuple(
        soxr.resample(one.pcm.astype(np.float32) / 32768, WIRE_RATE_HZ, INPUT_RATE_HZ)
        for one in loaded
    )


@functools.cache
def caller(folder: str, seconds: float) -> Pcm:
    """Return a caller who talks and breathes in a quiet room, (samples,) at 16 kHz."""
    samples = round(seconds * INPUT_RATE_HZ)
    pause = np.zeros(round(PAUSE_S * INPUT_RATE_HZ), np.float32)
    said = [part for one in utterances(folder) for part in (one, pause)]
    sound: Pcm = np.resize(np.concatenate(said), samples) + room(samples)
    return sound


def room(samples: int) -> Pcm:
    """Return the noise of a quiet room."""
    noise = np.random.default_rng(0).standard_normal(samples, np.float32)
    return (ROOM_LEVEL * noise).astype(np.float32)


def echo_of(far: Pcm) -> Pcm:
    """Return what the microphone hears of the avatar, equally long."""
    late = np.concatenate((np.zeros(_ECHO_DELAY_SAMPLES, np.float32), far))[: len(far)]
    return (_ECHO_LEVEL * late + room(len(far))).astype(np.float32)


def blocks(sound: Pcm, size: int) -> list[Pcm]:
    """Cut sound into whole blocks; what is left over is dropped."""
    return list(sound[: len(sound) // size * size].reshape(-1, size))


# --- what the avatar says -----------------------------------------------------------------------
@functools.cache
def spoken() -> tuple[SpeechChunk, ...]:
    """Return a reply as the voice makes it, in chunks of 200 ms."""
    stream = NanoEngine().open(VOICE)
    chunks: list[SpeechChunk] = []
    for index, clause in enumerate(CLAUSES):
        chunks += stream.push(SpeechRequest(clause, VoiceStyle("sad", 0.4), index))
    return (*chunks, *stream.flush())


def spoken_pcm() -> Pcm:
    """Return its sound, (samples,) at 24 kHz."""
    return np.concatenate([chunk.pcm for chunk in spoken()])


@functools.cache
def articulated() -> tuple[MotionFrame, ...]:
    """Return its face motion, one frame every 40 ms."""
    stream = ArticulatorEngine().open()
    style, voice = FaceStyle("sad", 0.4), VoiceStyle("sad", 0.4)
    return tuple(
        frame
        for chunk in spoken()
        for motion in stream.push(ArticulationInput(chunk, style, voice))
        for frame in motion
    )


def lively_motion(frame: int) -> MotionFrame:
    """Return one frame of somebody who talks, smiles, blinks and moves all the time: (73,)."""
    second = frame / FPS
    motion = np.zeros(MOTION_SIZE, np.float32)
    jaw = max(0.0, float(np.sin(second * 19)))
    weights = {
        "jawOpen": 0.5 * jaw,
        "mouthFunnel": 0.4 * max(0.0, float(np.sin(second * 7))),
        "mouthSmileLeft": 0.4,
        "mouthSmileRight": 0.35,
        "browInnerUp": 0.4 * max(0.0, float(np.sin(second * 2))),
        "eyeBlinkLeft": float(frame % 75 < 4),
        "eyeBlinkRight": float(frame % 75 < 4),
        "mouthLowerDownLeft": 0.3 * jaw,
        "mouthLowerDownRight": 0.3 * jaw,
    }
    for name, weight in weights.items():
        motion[BLENDSHAPE[name]] = weight
    motion[PITCH] = 0.08 * np.sin(second * 1.7)
    motion[YAW] = 0.16 * np.sin(second * 1.1)
    motion[ROLL] = 0.10 * np.sin(second * 0.9)
    motion[SHIFT_Y] = 0.01 * np.sin(second * 1.5)
    return motion


# --- the camera ---------------------------------------------------------------------------------
@functools.cache
def camera(clip: str, step: int, count: int) -> tuple[Image, ...]:
    """Return what a camera of 25 pictures a second shows, every ``step``-th picture, made small.

    Args:
        clip: Video file; empty draws a face (in which the cascades find a face).
        step: Of the pictures.
        count: How many; a shorter clip is repeated.

    Raises:
        BadInputError: The clip has no pictures.
    """
    if not clip:
        return tuple(_drawn(index * step) for index in range(count))
    shrinker = Shrinker()
    try:
        with open_media(Path(clip), "a video", PICTURES) as file:
            every = [shrinker.shrink(frame) for frame in pictures_of(file)][::step]
    except MediaError as error:
        raise BadInputError(f"--clip {error}") from error
    return tuple(every[index % len(every)] for index in range(count))


def nobody(count: int) -> Sequence[Image]:
    """Return pictures of a camera before which nobody sits: a room, out of focus, with noise."""
    dice = np.random.default_rng(1)
    height, width = CAMERA
    blur = cv2.resize(dice.integers(40, 200, (9, 12, 3), np.uint8), (width, height))
    return [cv2.add(blur, dice.integers(0, 12, (height, width, 3), np.uint8)) for _ in range(count)]


def _drawn(frame: int) -> Image:
    """Draw somebody before a grey wall."""
    height, width = CAMERA
    picture = np.full((height, width, 3), 120, np.uint8)
    face = _rig(height).rgb(lively_motion(frame))
    left = (width - height) // 2
    picture[:, left : left + height] = face
    return picture


@functools.cache
def _rig(size_px: int) -> RigStream:
    return RigEngine(size_px).open(LOOK)
