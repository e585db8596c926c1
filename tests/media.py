"""Voices and faces for tests: made on the spot, and recordings of people where a folder is named.

What is made is always the same: espeak-ng's voices in a quiet room, drawn faces that talk, and a
photograph that scikit-image carries (Eileen Collins, NASA, public domain).

``TEST_MEDIA`` names a folder of recordings; tests with the marker ``recordings`` need it and
are left out without it. In it are expected:

- ``speech/librivox-0870.wav``, ``-0880`` and ``-0890``, with their words in ``.txt`` beside them,
  of *Sense and Sensibility* (LibriVox, public domain; among pocketsphinx's test data);
- ``speech/jfk-1961.flac``, from J. F. Kennedy's inaugural address (public domain);
- ``faces/grid-*.mpg``, seven clips of the GRID corpus (Cooke et al. 2006, CC BY 4.0).
"""

import io
import os
import wave
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
import pytest
import soxr

from rt_avatar.benchmarks.engines.inputs import lively_motion
from rt_avatar.benchmarks.speech import SUFFIXES, Utterance, load_utterances, trim
from rt_avatar.engines.espeak import EspeakEngine
from rt_avatar.engines.motion.articulation import ArticulationInput, ArticulatorEngine
from rt_avatar.engines.photo.crop import crop_face
from rt_avatar.engines.photo.detection import find_landmarks
from rt_avatar.engines.photo.face_file import SIDE_PX, FaceFile
from rt_avatar.engines.rig import RigEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import (
    BLENDSHAPE,
    INPUT_RATE_HZ,
    SPEECH_RATE_HZ,
    WIRE_RATE_HZ,
    FaceStyle,
    Image,
    MotionFrame,
    Pcm,
    SpeechChunk,
    VoiceStyle,
)
from rt_avatar.files.clip_writer import open_clip

VARIABLE: Final = "TEST_MEDIA"
RECORDINGS: Final = Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None

# Voice and words. Sentences of which pocketsphinx hears every word in several of the voices.
MADE: Final = {
    "sister": ("middle_male", "My sister called, she is getting married next month."),
    "mother": ("middle_male", "I want to tell you something about my mother."),
    "birthday": ("young_female", "Nobody called me on my birthday."),
    "reply": (
        "young_female",
        "That sounds like a hard day, and I can hear how tired you are. "
        "What was the part of it that stayed with you the longest?",
    ),
    "offer": ("young_female", "Take all the time you need, I am listening to you now."),
}
# Drawn faces that OpenCV's cascades take for faces, and the photograph.
DRAWN: Final = ("ava", "mei", "tom", "rose", "zuri", "finn")
PHOTOGRAPH: Final = "photograph"
FILMED: Final = tuple(
    f"grid-{code}"
    for code in ("bbaf2n", "brbk7n", "lbax4n", "lbbc2a", "lrwp9a", "lwbsza", "pwij3p")
)
HEIGHT, WIDTH = 288, 360
_ROOM_S: Final = 0.3  # before and after what is said
_ROOM_LEVEL: Final = 6e-4  # RMS, −64 dBFS: a quiet room with a cheap microphone


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody in a call, by the names of two sentences and a face.

    Attributes:
        question: What they say; ``question_words`` are those that the recogniser hears in a call.
        interruption: What they say over the reply.
        face: What their camera shows.
    """

    question: str
    question_words: str
    interruption: str
    interruption_words: str
    face: str


def recorded(*values: object) -> list:
    """Return the values as parameters that need recordings of people."""
    return [
        pytest.param(
            value,
            id=value if isinstance(value, str) else f"recorded-{index}",
            marks=pytest.mark.recordings,
        )
        for index, value in enumerate(values)
    ]


SPEAKERS: Final = [
    pytest.param(
        Speaker("sister", "getting married", "mother", "something about", "ava"), id="made"
    ),
    *recorded(
        Speaker(
            "librivox-0880",
            "young man",
            "librivox-0890",
            "rather cold hearted and rather selfish",
            FILMED[0],
        )
    ),
]


def folder_of(kind: str) -> Path:
    """Return the folder of recordings of speech or faces; only for tests marked ``recordings``."""
    assert RECORDINGS is not None, f"expected {VARIABLE} to name a folder of recordings"
    return RECORDINGS / kind


@cache
def spoken(name: str) -> Utterance:
    """Return what is said under that name at 48 kHz, from its first voice to its last."""
    if name in MADE:
        pcm = soxr.resample(_voice(name), SPEECH_RATE_HZ, WIRE_RATE_HZ)
        return Utterance(name, trim((pcm * 32767).astype(np.int16)), text=MADE[name][1])
    return next(one for one in load_utterances(folder_of("speech")) if one.name == name)


@cache
def sound_of(name: str) -> Pcm:
    """Return it as a microphone hears it, (samples,) at 16 kHz, with the room around it."""
    if name in MADE:
        sound = soxr.resample(_voice(name), SPEECH_RATE_HZ, INPUT_RATE_HZ)
        sound = np.pad(sound, round(_ROOM_S * INPUT_RATE_HZ))
        noise = np.random.default_rng(0).standard_normal(len(sound))
        return (sound + _ROOM_LEVEL * noise).astype(np.float32)
    found = folder_of("speech").glob(f"{name}.*")
    path = next(path for path in found if path.suffix in SUFFIXES)
    resampler = av.AudioResampler("flt", "mono", INPUT_RATE_HZ)
    with av.open(str(path)) as file:
        frames = [*file.decode(audio=0), None]
    blocks = [out.to_ndarray()[0] for frame in frames for out in resampler.resample(frame)]
    return np.concatenate(blocks).astype(np.float32)


def wav_of(pcm: np.ndarray) -> bytes:
    """Return sound (samples,) at 24 kHz as a 16-bit WAV."""
    data = io.BytesIO()
    with wave.open(data, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SPEECH_RATE_HZ)
        file.writeframes((np.clip(pcm, -1, 1) * 32_767).astype("<i2").tobytes())
    return data.getvalue()


def speech_folder(folder: Path) -> Path:
    """Write everything that is made into a folder, as recordings with their words beside them."""
    for name in MADE:
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(WIRE_RATE_HZ)
            file.writeframes(spoken(name).pcm.tobytes())
        (folder / f"{name}.txt").write_text(spoken(name).text)
    return folder


@cache
def pictures(face: str, step: int = 1) -> list[Image]:
    """Return every ``step``-th RGB picture of three seconds before a camera, 25 a second."""
    if face in DRAWN:
        return [draw(face, talking_motion(frame)) for frame in range(0, 75, step)]
    if face == PHOTOGRAPH:
        return [_sway(frame) for frame in range(0, 75, step)]
    with av.open(str(folder_of("faces") / f"{face}.mpg")) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)][::step]


def draw(face: str, motion: MotionFrame) -> Image:
    """Draw somebody before a grey wall."""
    picture = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    left = (WIDTH - HEIGHT) // 2
    picture[:, left : left + HEIGHT] = _rig().open(face).rgb(motion)
    return picture


def talking_motion(frame: int, smile: float = 0.0) -> MotionFrame:
    """Return one frame of somebody who talks and moves."""
    motion = lively_motion(frame)
    for side in ("Left", "Right"):
        motion[BLENDSHAPE[f"eyeBlink{side}"]] = 0
        motion[BLENDSHAPE[f"mouthSmile{side}"]] = smile
        motion[BLENDSHAPE[f"cheekSquint{side}"]] = 0.6 * smile
    return motion


def film(face: str, folder: Path) -> Path:
    """Return a video with sound of somebody who says something."""
    if face not in DRAWN:
        return folder_of("faces") / f"{face}.mpg"
    path = folder / f"{face}.mp4"
    # The rules move in time with the sound; a learnt jaw is as late as people.
    articulator, stream = ArticulatorEngine(is_learnt=False).open(), _rig().open(face)
    with open_clip(path, HEIGHT) as writer:
        for chunk in _chunks("sister"):
            (motions,) = articulator.push(ArticulationInput(chunk, FaceStyle(), VoiceStyle()))
            writer.write([one for motion in motions for one in stream.push(motion)], chunk.pcm)
    return path


@cache
def _rig() -> RigEngine:
    return RigEngine(HEIGHT)


@cache
def photograph() -> Image:
    """Return an astronaut's portrait, (512, 512, 3) RGB; NASA, public domain."""
    # Its path, as importing skimage.data takes seconds.
    package = find_spec("skimage")
    assert package is not None
    assert package.origin is not None
    picture = cv2.imread(str(Path(package.origin).parent / "data" / "astronaut.png"))
    assert picture is not None, "expected scikit-image to carry the photograph of an astronaut"
    return cv2.cvtColor(picture, cv2.COLOR_BGR2RGB)


@cache
def photographed_face() -> FaceFile:
    """Return that portrait, prepared as a face."""
    picture = photograph()
    square, landmarks = crop_face(picture, find_landmarks(picture), SIDE_PX)
    return FaceFile(square, landmarks, "2026-11-23")


def _sway(frame: int) -> Image:
    """Return head and shoulders of the photograph, never quite still."""
    second = frame / 25
    shown = cv2.resize(photograph()[:240, 60:360], (WIDTH, HEIGHT))
    place = cv2.getRotationMatrix2D(
        (WIDTH / 2, HEIGHT / 2), 2 * np.sin(1.1 * second), 1 + 0.01 * np.sin(second)
    )
    place[:, 2] += (5 * np.sin(1.7 * second), 3 * np.sin(1.3 * second))
    return cv2.warpAffine(shown, place, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)


def _chunks(name: str) -> list[SpeechChunk]:
    voice, text = MADE[name]
    stream = EspeakEngine().open(voice)
    return stream.push(SpeechRequest(text, VoiceStyle(), 0)) + stream.flush()


def _voice(name: str) -> Pcm:
    return np.concatenate([chunk.pcm for chunk in _chunks(name)])
