"""The face that speaks: what speech asks of the mouth + ``FaceStyle`` → (5, 73) ``Motion``.

Shared by all that let a face speak, whether they know the sounds by name (``articulation``) or only
hear them (``engines.lipsync``): the feeling lies under the words, gates shut the lips for certain,
the jaw hides behind them, nothing moves too fast. It does not know where the shapes come from.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.channels import MOUTH, OPENERS, SHAPES, Weights, rows_of
from rt_avatar.engines.motion.emotions import expression_of, liveliness_of
from rt_avatar.engines.motion.gestures import drift
from rt_avatar.engines.motion.visemes import DRIVEN
from rt_avatar.engines.types import (
    BLENDSHAPE,
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    FRAME_SAMPLES,
    MOTION_SIZE,
    PITCH,
    ROLL,
    SPEECH_RATE_HZ,
    YAW,
    FaceStyle,
    Motion,
    SpeechChunk,
)

# A chunk's frames are asked for at their middles.
_MIDDLES: Final = FRAME_SAMPLES * np.arange(CHUNK_FRAMES) + FRAME_SAMPLES // 2

# The jaw opens at 5 and closes at 6 whole openings a second at most: 120-150 mm/s where a wide
# opening is 25 mm (order of D. Ostry, K. Munhall, "Control of rate and duration of speech
# movements", JASA 77, 1985).
_OPEN_STEP, _CLOSE_STEP = 0.20, 0.24
# No shape moves faster than this a frame; below what presence lets through, so that a closure is
# never late there. Whatever parts the lips stays below it by itself.
_MOST_STEP: Final = 0.34
# The least of mouthClose that hides a jaw opened by 1 (see the rig: 90 % of the lip's way).
_CLOSE_PER_JAW: Final = 1.0 / 0.9
# Shut lips may still pout ("moo"), but not so far that they part.
_SHUT_PUCKER: Final = 0.45
# Lower lip at the upper teeth: what stays of the jaw.
_BITE_JAW: Final = 0.08

# The mouth's part of a feeling while words need the mouth, and of that its parted lips.
_EMOTION_WHEN_TALKING: Final = 0.55
_OPENERS_WHEN_TALKING: Final = 0.30
# A feeling breathes by a tenth, at the pace of calm breath: a held expression looks like a mask.
_BREATH_HZ, _BREATH_DEPTH = 0.23, 0.1
_MOOD_SHARE: Final = 0.22  # a frame; a change of style in mid-speech takes about 200 ms

_JAW, _CLOSE = BLENDSHAPE["jawOpen"], BLENDSHAPE["mouthClose"]
_FUNNEL, _PUCKER = BLENDSHAPE["mouthFunnel"], BLENDSHAPE["mouthPucker"]
_PARTERS: Final = rows_of(("mouthUpperUp", "mouthLowerDown", "tongueOut", "mouthShrugUpper"))
_SNEER: Final = BLENDSHAPE["noseSneerLeft"]
_LOWER_PARTERS: Final = rows_of(("mouthFunnel", "mouthLowerDown", "tongueOut", "mouthShrugLower"))
_SMILES: Final = rows_of(("mouthSmile", "mouthStretch", "mouthDimple"))
_PRESSES: Final = rows_of(("mouthPress",))
_ROLL_LOWER, _ROLL_UPPER = BLENDSHAPE["mouthRollLower"], BLENDSHAPE["mouthRollUpper"]
_SHUT_PRESS, _SHUT_ROLL = 0.34, 0.26
_BITE_ROLL, _BITE_UPPER = 0.60, 0.30
_UPPER_UP: Final = rows_of(("mouthUpperUp",))
_BROWS: Final = (BLENDSHAPE["browInnerUp"], *rows_of(("browOuterUp",)).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Articulation:
    """What 200 ms of speech ask of the face, frame by frame, before any feeling.

    Attributes:
        shapes: (5, C) weights of the ``DRIVEN`` shapes, 0..1.
        talks: (5,) how much it talks, 0 (rests) to 1.
        lips: (5,) how far the lips must be shut, 0 to 1 (for certain, in any feeling).
        pout: (5,) how far rounded lips must be drawn in, which is slower than to shut them.
        teeth: (5,) how far the lower lip must be at the upper teeth.
        nods: (5,) pitch of the head in radians (+: chin down).
        brows: (5,) raise of the brows.
    """

    shapes: NDArray[np.float64]
    talks: NDArray[np.float64]
    lips: NDArray[np.float64]
    pout: NDArray[np.float64]
    teeth: NDArray[np.float64]
    nods: NDArray[np.float64]
    brows: NDArray[np.float64]


def middles(start: int) -> NDArray[np.int64]:
    """Return the times (5,) in samples that a chunk's frames show: the middles of their 40 ms."""
    return start + _MIDDLES


def check_chunk(chunk: SpeechChunk, next_start: int) -> None:
    """Check that a chunk can follow.

    Raises:
        ValueError: It has not 4,800 finite samples, or is not aligned, or begins before
            ``next_start``.
    """
    if chunk.pcm.shape != (CHUNK_SAMPLES,) or not np.isfinite(chunk.pcm).all():
        raise ValueError(f"pcm: expected ({CHUNK_SAMPLES},) finite samples, got {chunk.pcm.shape}")
    if chunk.start < next_start or chunk.start % CHUNK_SAMPLES:
        raise ValueError(
            f"chunk.start: expected a multiple of {CHUNK_SAMPLES} from {next_start} on, "
            f"got {chunk.start}"
        )


class SpeakingFace:
    """One face that speaks: where jaw, lips and mood are. Not thread-safe."""

    def __init__(self) -> None:
        self._jaw, self._close = 0.0, 0.0
        self._last: Weights | None = None
        self._mood: Weights | None = None

    def move(self, start: int, asked: Articulation, style: FaceStyle) -> Motion:
        """Move the face through one chunk.

        Args:
            start: The chunk's first sample.
            asked: What its speech asks of the face; its shapes are not changed.
            style: How the face feels; see ``check_style``.

        Returns:
            (5, 73): blendshapes 0..1, pitch, yaw and roll in radians.
        """
        times = middles(start)
        liveliness = liveliness_of(style)
        faces = np.zeros((CHUNK_FRAMES, SHAPES))
        faces[:, DRIVEN] = asked.shapes * liveliness
        self._feel(faces, style, asked.talks, times)
        self._move_jaw(faces, asked.lips, asked.teeth)
        _bite(faces, asked.teeth)
        _draw_in(faces, asked.pout)
        _shut(faces, asked.lips)
        faces[:, _BROWS] += (liveliness * asked.brows)[:, None]
        self._restrain(faces)
        motion = np.zeros((CHUNK_FRAMES, MOTION_SIZE), np.float32)
        motion[:, :SHAPES] = np.clip(faces, 0.0, 1.0)
        motion[:, [PITCH, YAW, ROLL]] = drift(times) * asked.talks[:, None] * liveliness
        motion[:, PITCH] += liveliness * asked.nods
        return motion

    def _feel(
        self,
        faces: NDArray[np.float64],
        style: FaceStyle,
        talks: NDArray[np.float64],
        times: NDArray[np.int64],
    ) -> None:
        """Lay the feeling under the words, in place."""
        wanted = expression_of(style)
        mood = wanted if self._mood is None else self._mood
        for face, talk, time in zip(faces, talks.tolist(), times.tolist(), strict=True):
            mood = mood + _MOOD_SHARE * (wanted - mood)
            turn = math.tau * _BREATH_HZ * time / SPEECH_RATE_HZ
            felt = mood * (1.0 - _BREATH_DEPTH * (0.5 + 0.5 * math.sin(turn)))
            felt[MOUTH] *= 1.0 - (1.0 - _EMOTION_WHEN_TALKING) * talk
            felt[OPENERS] *= _OPENERS_WHEN_TALKING * talk
            felt[_PRESSES] *= max(0.0, 1.0 - 2.5 * face[_JAW])
            face += felt * (1.0 - np.minimum(face, 1.0))
            # Rounded lips cannot be spread: the smile waits for the vowel to end.
            face[_SMILES] *= 1.0 - 0.8 * min(1.0, face[_FUNNEL] + face[_PUCKER])
        self._mood = mood

    def _move_jaw(
        self, faces: NDArray[np.float64], lips: NDArray[np.float64], teeth: NDArray[np.float64]
    ) -> None:
        """Bound the jaw's speed and hide it behind shut lips, in place.

        The lips can close only so fast, so the jaw does not open further than they can hide.
        """
        jaw, close = self._jaw, self._close
        for index, (wanted, shut, bite) in enumerate(
            zip(faces[:, _JAW].tolist(), lips.tolist(), teeth.tolist(), strict=True)
        ):
            jaw = min(jaw + _OPEN_STEP, max(jaw - _CLOSE_STEP, min(1.0, wanted)))
            if shut:
                jaw = min(jaw, (close + _MOST_STEP) / (_CLOSE_PER_JAW * shut))
            hidden = max(shut * jaw, bite * max(0.0, jaw - _BITE_JAW))
            close = min(1.0, max(close - _MOST_STEP, _CLOSE_PER_JAW * hidden))
            faces[index, _JAW], faces[index, _CLOSE] = jaw, close
        self._jaw, self._close = jaw, close

    def _restrain(self, faces: NDArray[np.float64]) -> None:
        """Bound the speed of all shapes, in place."""
        last = self._last
        for face in faces:
            if last is not None:
                np.clip(face, last - _MOST_STEP, last + _MOST_STEP, out=face)
            last = face
        self._last = last


def _draw_in(faces: NDArray[np.float64], gate: NDArray[np.float64]) -> None:
    """Take back the pout where ``gate`` says so, in place: shut lips may pout only a little."""
    faces[:, _FUNNEL] *= 1.0 - gate
    most = _SHUT_PUCKER * (1.0 - np.minimum(1.0, faces[:, _SNEER]))  # a sneer lifts the lip
    pucker = faces[:, _PUCKER]
    faces[:, _PUCKER] = pucker - gate * np.maximum(0.0, pucker - most)


def _bite(faces: NDArray[np.float64], gate: NDArray[np.float64]) -> None:
    """Put the lower lip to the upper teeth where ``gate`` says so, in place."""
    free = 1.0 - gate
    faces[:, _LOWER_PARTERS] *= free[:, None]
    faces[:, _ROLL_LOWER] = np.maximum(faces[:, _ROLL_LOWER], _BITE_ROLL * gate)
    faces[:, _UPPER_UP] = np.maximum(faces[:, _UPPER_UP], (_BITE_UPPER * gate)[:, None])


def _shut(faces: NDArray[np.float64], gate: NDArray[np.float64]) -> None:
    """Close the lips where ``gate`` says so, in place: at 1 no gap is left in any emotion."""
    faces[:, _PARTERS] *= (1.0 - gate)[:, None]
    faces[:, _PRESSES] = np.maximum(faces[:, _PRESSES], (_SHUT_PRESS * gate)[:, None])
    for row in (_ROLL_LOWER, _ROLL_UPPER):
        faces[:, row] = np.maximum(faces[:, row], _SHUT_ROLL * gate)
