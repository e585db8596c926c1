"""Presence: a face that is never frozen (``PresenceInput`` → one ``MotionFrame``, every 40 ms).

Blinks, looks, breathes, sways; nods at the caller's pauses; answers the caller's feelings; thinks
visibly; and lets speech through, with no visible cut before or after. It makes each frame just in
time and knows nothing of what will be said.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.motion.blink import Blinker, State
from rt_avatar.engines.motion.channels import GAZE, Weights, rows_of
from rt_avatar.engines.motion.crossfade import Crossfade, StepLimit
from rt_avatar.engines.motion.emotions import head_of
from rt_avatar.engines.motion.gaze import DEGREES_PER_UNIT, Gaze
from rt_avatar.engines.motion.idle_expression import STANCE, IdleExpression, wanted_face
from rt_avatar.engines.motion.posture import Posture
from rt_avatar.engines.types import (
    FPS,
    MOTION_SIZE,
    FaceStyle,
    MotionFrame,
)

_SPEC: Final = EngineSpec(name="presence", input_rate_hz=FPS, output_rate_hz=FPS, chunk=1)
_UNITS_PER_RAD: Final = 180 / np.pi / DEGREES_PER_UNIT
# The head turns a part of the way that the eyes go, later and slower (J. Stahl, "Amplitude of human
# head movements associated with horizontal saccades", Exp. Brain Res. 126, 1999: little below 20°).
_HEAD_SHARE: Final = 0.18
_HEAD_LAG: Final = 0.10  # a frame
# A stance or a feeling takes the head with it in about half a second.
_STANCE_SHARE: Final = 0.09
# A speaking head has gestures of its own: it sways less by itself.
_SWAY_WHEN_SPEAKING: Final = 0.6
_BLINKS: Final = rows_of(("eyeBlink",))
_WIDE: Final = rows_of(("eyeWide",))
_IN, _OUT, _UP, _DOWN = (rows_of((f"eyeLook{way}",)) for way in ("In", "Out", "Up", "Down"))
_LEFT, _RIGHT = 0, 1  # the person's; the left eye is on the viewer's right


@dataclass(frozen=True, slots=True)
class CallerCue:
    """What the face may react to, as perceived now.

    Attributes:
        is_speaking: Whether the caller speaks.
        has_paused: An edge: a pause of the caller has just begun.
        valence: -1 (unpleasant) to 1 (pleasant).
        arousal: -1 (calm) to 1 (excited).
        is_smiling: Whether the caller's face smiles.
        has_face: Whether the camera sees a face.
        gaze_x: Where the caller's face is, -1..1, + to the viewer's right; 0 is in front.
        gaze_y: The same, + down.
    """

    is_speaking: bool
    has_paused: bool
    valence: float
    arousal: float
    is_smiling: bool
    has_face: bool
    gaze_x: float = 0.0
    gaze_y: float = 0.0


# Somebody stands before the avatar and waits: it looks at them and mirrors nothing.
VIEWER: Final = CallerCue(
    is_speaking=False, has_paused=False, valence=0, arousal=0, is_smiling=False, has_face=True
)


@dataclass(frozen=True, slots=True)
class PresenceInput:
    """One moment of 40 ms.

    Attributes:
        state: What the avatar does.
        speech: (73,) frame of the speech played now; None when it is silent.
        face: How the avatar feels.
        caller: What it perceives.
    """

    state: State
    speech: MotionFrame | None
    face: FaceStyle
    caller: CallerCue


class PresenceStream:
    """One avatar's life. Not thread-safe.

    Args:
        seed: Same seed and same inputs give the same life.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._is_open = True
        self._begin()

    def _begin(self) -> None:
        # Each part draws from its own chance, so that a nod does not change the next blink.
        self._blinker = Blinker(Random(f"blink {self._seed}"))
        self._gaze = Gaze(Random(f"gaze {self._seed}"))
        self._posture = Posture(Random(f"posture {self._seed}"))
        self._idle_expression = IdleExpression(Random(f"idle_expression {self._seed}"))
        self._crossfade = Crossfade()
        self._limit = StepLimit()
        self._stance: NDArray[np.float64] | None = None
        self._head = np.zeros(2)  # yaw, pitch that follow the eyes
        self._was_speaking = False
        self._key: tuple[object, ...] = ()
        self._wanted: Weights = np.zeros(0)

    def push(self, item: PresenceInput) -> list[MotionFrame]:
        """Live 40 ms on.

        Returns:
            Exactly one (73,) frame: blendshapes 0..1, angles within ±0.3 rad, no number further
            from the frame before than ``space.ARKIT52.steps``.

        Raises:
            ValueError: Speech has not 73 finite numbers, the style is not one, or a cue is not
                finite; the stream is unchanged.
            RuntimeError: The stream is closed.
        """
        if not self._is_open:
            raise RuntimeError("presence: expected an open stream, got a closed one")
        check_moment(item)
        caller = item.caller
        valence, arousal = _unit(caller.valence), _unit(caller.arousal)
        idle = self._idle_expression.step(self._wish(item, valence, arousal))
        face, said = self._crossfade.step(idle, item.speech)
        is_speaking = item.speech is not None
        has_phrase_ended = caller.has_paused or (self._was_speaking and not is_speaking)
        self._was_speaking = is_speaking
        blink = self._blinker.step(item.state, has_phrase_ended)
        look = self._gaze.step(item.state, caller.gaze_x, caller.gaze_y)
        pose = self._limit.turn(self._pose(item, arousal) + said)
        self._look(face, look, pose)
        face[_BLINKS] = np.maximum(face[_BLINKS], blink)
        face[_WIDE] *= 1.0 - blink
        return [self._limit.frame(face, pose)]

    def flush(self) -> list[MotionFrame]:
        """Return nothing: every frame came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Begin life anew, with the same seed."""
        self._begin()

    def close(self) -> None:
        """End the stream."""
        self._is_open = False

    def _wish(self, item: PresenceInput, valence: float, arousal: float) -> Weights:
        """The face to strive for; it changes a few times a second, so it is kept."""
        caller, style = item.caller, item.face
        key = (item.state, style.emotion, style.intensity, valence, arousal, caller.is_smiling)
        if key != self._key:
            self._wanted = wanted_face(item.state, style, valence, arousal, caller.is_smiling)
            self._key = key
        return self._wanted

    def _pose(self, item: PresenceInput, arousal: float) -> NDArray[np.float64]:
        """The silent head, (5,)."""
        is_nod_asked = item.caller.has_paused and item.state != "speaking"
        pose = self._posture.step(is_nod_asked, arousal)
        if item.state == "speaking":
            pose[:4] *= _SWAY_WHEN_SPEAKING
        stance = np.array(STANCE[item.state]) + head_of(item.face)
        if item.state == "listening" and item.caller.is_speaking:
            stance = stance * 1.25  # leans in while somebody talks
        if self._stance is None:
            self._stance = stance
        self._stance = self._stance + _STANCE_SHARE * (stance - self._stance)
        goal = np.array(self._gaze.offset) * (_HEAD_SHARE / _UNITS_PER_RAD)
        self._head += _HEAD_LAG * (goal - self._head)
        pose[:3] += self._stance
        pose[0] += self._head[1]
        pose[1] += self._head[0]
        return pose

    def _look(self, face: Weights, look: tuple[float, float], pose: NDArray[np.float64]) -> None:
        """Turn the eyes against the head, so that the look stays where it is, in place."""
        pitch, yaw = float(pose[0]), float(pose[1])
        x = _unit(look[0] - yaw * _UNITS_PER_RAD)
        y = _unit(look[1] - pitch * _UNITS_PER_RAD)
        right, left = max(0.0, x), max(0.0, -x)
        face[GAZE] = 0.0
        face[_OUT[_LEFT]], face[_IN[_LEFT]] = right, left
        face[_IN[_RIGHT]], face[_OUT[_RIGHT]] = right, left
        face[_DOWN], face[_UP] = max(0.0, y), max(0.0, -y)


def _unit(value: float) -> float:
    return min(1.0, max(-1.0, value))


def check_moment(item: PresenceInput) -> None:
    """Raise ``ValueError`` for speech of another shape, and numbers that are not finite."""
    speech, caller = item.speech, item.caller
    if speech is not None and (speech.shape != (MOTION_SIZE,) or not np.isfinite(speech).all()):
        raise ValueError(f"speech: expected ({MOTION_SIZE},) finite numbers, got {speech.shape}")
    cues = (caller.valence, caller.arousal, caller.gaze_x, caller.gaze_y)
    if not np.isfinite(cues).all():
        raise ValueError(f"caller: expected finite cues, got {cues}")


class PresenceEngine:
    """The rules of life, shared by all; holds no state. ``open`` is safe anywhere."""

    @property
    def spec(self) -> EngineSpec:
        """25 moments in, 25 frames out, no look-ahead."""
        return _SPEC

    def warmup(self) -> None:
        """Live one frame, so that the first caller does not wait for numpy's first steps."""
        calm = CallerCue(False, False, 0.0, 0.0, False, False)
        self.open().push(PresenceInput("listening", None, FaceStyle(), calm))

    def open(self, seed: int = 0) -> PresenceStream:
        """Bring one avatar to life."""
        return PresenceStream(seed)
