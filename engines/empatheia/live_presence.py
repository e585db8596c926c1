"""Presence of a face that DreamTalk moves: ``PresenceInput`` → one ``MotionFrame``, every 40 ms.

The silent face is DreamTalk's own, made of silence when the engine is made: some seconds for each
emotion, played to and fro. Feelings are mixed, and speech is cross-faded with them, in raw
coefficients. The head follows a recorded template if there is one, else sways by rule; it breathes
and nods either way. Blinks and gaze are not among these 64 numbers: the face has none of its own.
"""

from collections.abc import Sequence
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.dreamtalk.pose import STILL, PoseLoop, anchored, to_and_fro
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.motion.crossfade import Crossfade, StepLimit
from rt_avatar.engines.motion.emotions import head_of
from rt_avatar.engines.motion.idle_expression import STANCE
from rt_avatar.engines.motion.posture import Posture
from rt_avatar.engines.motion.presence import CallerCue, PresenceInput, check_moment
from rt_avatar.engines.motion.space import BFM64
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    EMOTIONS,
    EXPRESSION_SIZE,
    FPS,
    INPUT_RATE_HZ,
    SHIFT_Y,
    FaceStyle,
    MotionFrame,
)

Floats: TypeAlias = NDArray[np.float32]

_SPEC: Final = EngineSpec("network presence", FPS, FPS, 1)
LOOP_FRAMES: Final = 10 * FPS
# Silence sounds the same in every frame, so what differs is DreamTalk's noise, drawn anew for each:
# a tremble. Its mean over a second is a slow stir.
_STIR_FRAMES: Final = FPS
_FEELING_SHARE: Final = 0.09  # a frame: a feeling comes in about half a second, as the head's
_MIRRORED: Final = 0.35  # most of the caller's feelings that a listening face shows
_NEUTRAL: Final = EMOTIONS.index("neutral")
_BREATHING: Final = SHIFT_Y - EXPRESSION_SIZE + 1  # rows of the pose that nods and breath move


class LivePresenceStream:
    """One avatar's life. Not thread-safe.

    Args:
        loops: (8, frames, 64) silent face of each emotion.
        template: (frames, 9) poses around the portrait's own; None: the head sways by rule.
        seed: Same seed and same inputs give the same life.
    """

    def __init__(self, loops: Floats, template: PoseLoop | None, seed: int) -> None:
        self._loops, self._template, self._seed = loops, template, seed
        self._is_open = True
        self._begin()

    def _begin(self) -> None:
        rng = Random(f"network presence {self._seed}")
        self._posture = Posture(rng, sways=self._template is None)
        # Callers' faces shall not move in step.
        self._frame = rng.randrange(self._loops.shape[1])
        self._crossfade, self._limit = Crossfade(BFM64), StepLimit(BFM64)
        self._shares: NDArray[np.float64] | None = None
        self._stance: NDArray[np.float64] | None = None

    def push(self, item: PresenceInput) -> list[MotionFrame]:
        """Live 40 ms on.

        Returns:
            Exactly one (73,) frame: raw coefficients, then the whole pose with the crop.

        Raises:
            ValueError: Speech has not 73 finite numbers, or a cue is not finite; the stream is
                unchanged.
            RuntimeError: The stream is closed.
        """
        if not self._is_open:
            raise RuntimeError("network presence: expected an open stream, got a closed one")
        check_moment(item)
        wanted = _feeling(item)
        if self._shares is None:
            self._shares = wanted
        self._shares += _FEELING_SHARE * (wanted - self._shares)
        (now,) = to_and_fro(self._frame, 1, self._loops.shape[1])
        idle: NDArray[np.float64] = self._shares @ self._loops[:, now]
        mixed, said = self._crossfade.step(idle, item.speech)
        pose = self._pose(item)
        pose[:_BREATHING] = self._limit.turn(pose[:_BREATHING] + said)
        frame = self._limit.frame(mixed, pose[:_BREATHING])
        frame[EXPRESSION_SIZE + _BREATHING :] = pose[_BREATHING:]
        self._frame += 1
        return [frame]

    def flush(self) -> list[MotionFrame]:
        """Return nothing: every frame came out when it was pushed."""
        return []

    def reset(self) -> None:
        """Begin life anew, with the same seed."""
        self._begin()

    def close(self) -> None:
        """End the stream."""
        self._is_open = False

    def _pose(self, item: PresenceInput) -> NDArray[np.float64]:
        """The head without speech, (9,)."""
        rows = STILL if self._template is None else self._template.rows(self._frame, 1)
        pose: NDArray[np.float64] = rows[0].astype(np.float64)
        is_nod_asked = item.caller.has_paused and item.state != "speaking"
        pose[:_BREATHING] += self._posture.step(is_nod_asked, float(item.caller.arousal))
        stance = np.array(STANCE[item.state]) + head_of(item.face)
        if self._stance is None:
            self._stance = stance
        self._stance = self._stance + _FEELING_SHARE * (stance - self._stance)
        pose[:3] += self._stance
        return pose


def _feeling(item: PresenceInput) -> NDArray[np.float64]:
    """Return the share of each emotion in the face, (8,); they sum to 1."""
    shares: NDArray[np.float64] = np.zeros(len(EMOTIONS))
    shares[EMOTIONS.index(item.face.emotion)] = min(max(item.face.intensity, 0.0), 1.0)
    if item.state == "listening":
        valence = float(np.clip(item.caller.valence, -1.0, 1.0))
        mirrored = {"happy": max(valence, float(item.caller.is_smiling)), "sad": -valence}
        for emotion, level in mirrored.items():
            row = EMOTIONS.index(emotion)
            shares[row] = max(shares[row], _MIRRORED * level)
    shares[_NEUTRAL] = max(0.0, shares[_NEUTRAL] + 1.0 - shares.sum())
    shares /= shares.sum()
    return shares


class LivePresence:
    """The network's presence for all callers; its silent faces are made here. Blocking: seconds.

    Args:
        engines: The network, of a face in the space ``BFM64``.
        styles: What an emotion looks like.
        template: (frames, 9) recorded poses at 25 fps, moved to the portrait's own; None: the head
            sways by rule.
        frames: Length of a silent face's loop.

    Raises:
        ValueError: The template is none.
    """

    def __init__(
        self,
        engines: EmpatheiaEngines,
        styles: LiveStyles,
        template: Floats | None = None,
        frames: int = LOOP_FRAMES,
    ) -> None:
        self._template = None if template is None else PoseLoop(anchored(template))
        self._loops = idle_loops(engines, styles, frames)

    @property
    def spec(self) -> EngineSpec:
        """25 moments in, 25 frames out, no look-ahead."""
        return _SPEC

    def warmup(self) -> None:
        """Live one frame."""
        calm = CallerCue(False, False, 0.0, 0.0, False, False)
        self.open().push(PresenceInput("listening", None, FaceStyle(), calm))

    def open(self, seed: int = 0) -> LivePresenceStream:
        """Bring one avatar to life."""
        return LivePresenceStream(self._loops, self._template, seed)


def idle_loops(engines: EmpatheiaEngines, styles: LiveStyles, frames: int) -> Floats:
    """Return what DreamTalk makes of silence in the style of each emotion, (8, frames, 64)."""
    features = _features_of_silence(engines, frames + _STIR_FRAMES)
    by_style: dict[bytes, Floats] = {}  # recorded styles are one for all emotions
    loops = []
    for emotion in EMOTIONS:
        style = styles.face(FaceStyle(emotion, 1.0))[0]
        key = style.tobytes()
        if key not in by_style:
            stream = engines.sound_motion.open()
            stream.set_style(style)
            rows = [row for part in features for row in stream.push(part)]
            by_style[key] = _smoothed(np.array(rows + stream.flush())[:, :EXPRESSION_SIZE], frames)
        loops.append(by_style[key])
    return np.stack(loops)


def _features_of_silence(engines: EmpatheiaEngines, frames: int) -> Sequence[Floats]:
    stream = engines.features.open()
    # Nobody records zeros: the quietest noise, of one bit of 16, is silence as a microphone has it.
    pcm = np.random.default_rng(0).uniform(-1, 1, (frames + CHUNK_FRAMES) * INPUT_RATE_HZ // FPS)
    return [*stream.push((pcm / 2**15).astype(np.float32)), *stream.flush()]


def _smoothed(rows: Floats, frames: int) -> Floats:
    """Return the means (frames, 64) over as many rows as a stir takes."""
    sums = np.cumsum(rows, axis=0, dtype=np.float64)
    means = (sums[_STIR_FRAMES:] - sums[:-_STIR_FRAMES]) / _STIR_FRAMES
    return means[:frames].astype(np.float32)
