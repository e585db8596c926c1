"""Words shared by all engines: arrays with their shapes, rates, the 200 ms chunk, emotions, styles.

Everything in the product is built on one chunk of 200 ms, whole in every clock (architecture §2):
5 video frames, 4,800 samples at 24 kHz, 9,600 at 48 kHz, 3,200 at 16 kHz. Times of content are
integer samples at ``SPEECH_RATE_HZ``; nothing is ever rounded.
"""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

# --- arrays -------------------------------------------------------------------------------------
Pcm: TypeAlias = NDArray[np.float32]  # (samples,) mono, -1..1
Image: TypeAlias = NDArray[np.uint8]  # (height, width, 3) RGB
I420: TypeAlias = NDArray[
    np.uint8
]  # (height * 3 // 2, width) planes Y, U, V (full-size video frame)
Vector: TypeAlias = NDArray[np.float32]  # numbers of a network, of the shape that is told
Motion: TypeAlias = NDArray[np.float32]  # (frames, MOTION_SIZE)
MotionFrame: TypeAlias = NDArray[np.float32]  # (MOTION_SIZE,)

# --- clocks -------------------------------------------------------------------------------------
INPUT_RATE_HZ: Final = 16_000  # what perception hears
SPEECH_RATE_HZ: Final = 24_000  # what the voice speaks; the master clock counts these
WIRE_RATE_HZ: Final = 48_000  # Opus on the wire
FPS: Final = 25
FRAME_SAMPLES: Final = SPEECH_RATE_HZ // FPS  # 960
CHUNK_FRAMES: Final = 5
CHUNK_SAMPLES: Final = CHUNK_FRAMES * FRAME_SAMPLES  # 4,800
# Mouths open up to 400 ms before a voice (docs/motion.md): so far ahead a chunk names sounds.
SOUNDS_AHEAD: Final = 2 * CHUNK_SAMPLES
CHUNK_S: Final = CHUNK_FRAMES / FPS  # 0.2

# --- motion (architecture §6) -------------------------------------------------------------------
EXPRESSION_SIZE: Final = 64
POSE_SIZE: Final = 9
MOTION_SIZE: Final = EXPRESSION_SIZE + POSE_SIZE  # 73
# Published order of ARKit's ARFaceAnchor.BlendShapeLocation as used by face-capture applications.
ARKIT: Final[tuple[str, ...]] = (
    "eyeBlinkLeft", "eyeLookDownLeft", "eyeLookInLeft", "eyeLookOutLeft", "eyeLookUpLeft",
    "eyeSquintLeft", "eyeWideLeft",
    "eyeBlinkRight", "eyeLookDownRight", "eyeLookInRight", "eyeLookOutRight", "eyeLookUpRight",
    "eyeSquintRight", "eyeWideRight",
    "jawForward", "jawLeft", "jawRight", "jawOpen",
    "mouthClose", "mouthFunnel", "mouthPucker", "mouthLeft", "mouthRight",
    "mouthSmileLeft", "mouthSmileRight", "mouthFrownLeft", "mouthFrownRight",
    "mouthDimpleLeft", "mouthDimpleRight", "mouthStretchLeft", "mouthStretchRight",
    "mouthRollLower", "mouthRollUpper", "mouthShrugLower", "mouthShrugUpper",
    "mouthPressLeft", "mouthPressRight", "mouthLowerDownLeft", "mouthLowerDownRight",
    "mouthUpperUpLeft", "mouthUpperUpRight",
    "browDownLeft", "browDownRight", "browInnerUp", "browOuterUpLeft", "browOuterUpRight",
    "cheekPuff", "cheekSquintLeft", "cheekSquintRight", "noseSneerLeft", "noseSneerRight",
    "tongueOut",
)  # fmt: skip
BLENDSHAPE: Final[dict[str, int]] = {name: index for index, name in enumerate(ARKIT)}
# Pose rows as in DreamTalk/PIRenderer: angles in radians, translations in head units (0 = rest),
# crop (scale, x, y). The rig uses the angles and the first two translations.
PITCH: Final = EXPRESSION_SIZE  # +: chin down (a nod)
YAW: Final = EXPRESSION_SIZE + 1  # +: towards the viewer's right
ROLL: Final = EXPRESSION_SIZE + 2  # +: head leans to the viewer's right
SHIFT_X: Final = EXPRESSION_SIZE + 3  # +: to the viewer's right
SHIFT_Y: Final = EXPRESSION_SIZE + 4  # +: down; breathing lives here

# --- emotion ------------------------------------------------------------------------------------
# AvaMERG's seven and neutral (specification empatheia.md §3.1).
Emotion: TypeAlias = Literal[
    "neutral", "happy", "surprised", "angry", "fear", "sad", "disgusted", "contempt"
]
EMOTIONS: Final[tuple[Emotion, ...]] = get_args(Emotion)


# --- styles -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class VoiceStyle:
    """How a voice speaks (the S^s of the architecture, as numbers a rule-based voice can follow).

    Attributes:
        emotion: The emotion shown.
        intensity: 0 (none of it) to 1 (all of it).
        rate: Speaking rate against the voice's own, 0.6 to 1.5.
        pitch: Mean pitch against the voice's own, 0.7 to 1.4.
        pitch_range: Range of intonation against the voice's own, 0 (monotone) to 2.
        volume: 0 to 1.3 against the voice's own.
        vector: S^s (1, size) itself, for a voice that is a network; None: what belongs to the
            emotion.
    """

    emotion: Emotion = "neutral"
    intensity: float = 0.6
    rate: float = 1.0
    pitch: float = 1.0
    pitch_range: float = 1.0
    volume: float = 1.0
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """How a face feels (the S^v of the architecture); ``intensity`` is 0 to 1.

    ``vector`` is S^v (1, D) itself, for a face that a network moves; None: the emotion's.
    """

    emotion: Emotion = "neutral"
    intensity: float = 0.6
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Phoneme:
    """One sound. Times are samples at 24 kHz from the start of the turn's speech.

    Attributes:
        ipa: IPA symbol without stress marks; "" is a pause.
        start: First sample.
        end: Sample after the last.
        stress: 0 none, 1 secondary, 2 primary.
    """

    ipa: str
    start: int
    end: int
    stress: int = 0


@dataclass(frozen=True, slots=True)
class Word:
    """One spoken word as the caption shows it. Times as in ``Phoneme``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SpeechChunk:
    """200 ms of speech.

    Attributes:
        start: First sample, at 24 kHz from the start of the turn's speech; a multiple of 4,800.
        pcm: (4800,) samples.
        phonemes: Sounds that overlap the chunk or begin within ``SOUNDS_AHEAD`` after it, as far as
            known.
        words: Words that *begin* in this chunk.
        clause_index: Clause to which the first sample belongs.
        contents: C^v (5 to 10, D), one a frame: the chunk's own, and those of the 200 ms after it
            as far as known; None: the face follows sounds or sound.
    """

    start: int
    pcm: Pcm
    phonemes: tuple[Phoneme, ...]
    words: tuple[Word, ...]
    clause_index: int
    contents: Vector | None = field(default=None, compare=False, repr=False)
