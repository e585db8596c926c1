"""The network's motion in a call: ``SpeechChunk`` + styles → (5, 73) ``Motion``.

Chunks that bring contents are followed by those, others by their sound. When motion comes out
depends on what is known of the next chunks; what it is does not. The pose is a still head's: gaze,
breath and the head's own life are not made here (``presence``, ``live_presence``).
"""

from collections import deque
from typing import Final, TypeAlias

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.empatheia.live_styles import LiveStyles
from rt_avatar.engines.empatheia.motion import MotionStream
from rt_avatar.engines.empatheia.options import EmpatheiaOptions
from rt_avatar.engines.encoders.waveform import FEATURE_SAMPLES, REACH_SAMPLES
from rt_avatar.engines.motion.articulation import ArticulationInput
from rt_avatar.engines.motion.space import MotionSpace
from rt_avatar.engines.motion.speaking_face import check_chunk
from rt_avatar.engines.types import (
    CHUNK_FRAMES,
    CHUNK_SAMPLES,
    EXPRESSION_SIZE,
    FRAME_SAMPLES,
    INPUT_RATE_HZ,
    MOTION_SIZE,
    SPEECH_RATE_HZ,
    Motion,
    MotionFrame,
    SpeechChunk,
    Vector,
)

Floats: TypeAlias = NDArray[np.float32]

# By sound: the network looks 80 ms ahead, its ears 100 ms beyond windows of 200. By contents it is
# one chunk at most, and none where a chunk tells what follows it.
LOOKAHEAD_CHUNKS: Final = 2
_CHUNK_RATE_HZ: Final = SPEECH_RATE_HZ // CHUNK_SAMPLES
_HEARD_SAMPLES: Final = CHUNK_SAMPLES * INPUT_RATE_HZ // SPEECH_RATE_HZ  # of a chunk
# The last feature of a chunk reaches so far beyond it: silence, at the end of the speech.
_TAIL_SAMPLES: Final = REACH_SAMPLES - FEATURE_SAMPLES


class _ContentFollower:
    """Contents: those of a chunk, and of what follows as far as it tells."""

    def __init__(self, motion: MotionStream) -> None:
        self.motion = motion
        self._pushed = 0  # frames, from the start of the turn's speech

    def push(self, chunk: SpeechChunk) -> list[MotionFrame]:
        contents = chunk.contents
        if contents is None or len(contents) < CHUNK_FRAMES:
            got = "none" if contents is None else f"{len(contents)} contents"
            raise ValueError(f"motion: expected a chunk with {CHUNK_FRAMES} contents; got {got}")
        first = chunk.start // FRAME_SAMPLES
        self._pushed = max(self._pushed, first)
        new = contents[self._pushed - first :]
        self._pushed += len(new)
        return self.motion.push(new)

    def flush(self) -> list[MotionFrame]:
        return self.motion.flush()


class _SoundFollower:
    """Sound: at 16 kHz, as features of the speech encoder."""

    def __init__(self, motion: MotionStream, engines: EmpatheiaEngines) -> None:
        self.motion = motion
        self._features = engines.features.open()
        self._begin()

    def _begin(self) -> None:
        self._resampler = soxr.ResampleStream(SPEECH_RATE_HZ, INPUT_RATE_HZ, 1, dtype="float32")
        self._missing = _TAIL_SAMPLES  # samples until every frame's features can be made

    def push(self, chunk: SpeechChunk) -> list[MotionFrame]:
        self._missing += _HEARD_SAMPLES
        return self._hear(self._resampler.resample_chunk(chunk.pcm))

    def flush(self) -> list[MotionFrame]:
        rest = self._resampler.resample_chunk(np.zeros(0, np.float32), last=True)
        whole = np.concatenate((rest, np.zeros(self._missing, np.float32)))
        frames = self._hear(whole[: self._missing])
        for features in self._features.flush():
            frames += self.motion.push(features)
        self._begin()
        return frames + self.motion.flush()

    def _hear(self, pcm: Floats) -> list[MotionFrame]:
        self._missing -= len(pcm)
        frames: list[MotionFrame] = []
        for features in self._features.push(pcm):
            frames += self.motion.push(features)
        return frames


class LiveMotionStream:
    """One reply's face. Not thread-safe."""

    def __init__(self, engines: EmpatheiaEngines, styles: LiveStyles, seed: int) -> None:
        self._engines, self._styles, self._seed = engines, styles, seed
        self._forget()

    def _forget(self) -> None:
        self._next_start = 0
        self._end()

    def _end(self) -> None:
        """Begin anew with the next chunk."""
        self._follower: _ContentFollower | _SoundFollower | None = (
            None  # decided by the first chunk
        )
        self._style: Vector | None = None
        self._waiting = 0  # chunks whose motion was not given
        self._rows: deque[MotionFrame] = deque()

    def push(self, item: ArticulationInput) -> list[Motion]:
        """Take the next chunk; return the motion of those whose frames are known.

        What the face follows is decided by the first chunk. One that does not begin where the last
        ended was preceded by silence.

        Returns:
            (5, 73) each, chunk by chunk: expressions within the bounds of their space, and no pose
            (``presence`` turns the head).

        Raises:
            ValueError: The chunk cannot follow, or lacks contents where the first had them, or the
                style is not this network's.
            RuntimeError: A graph failed, or what it made is no motion.
        """
        check_chunk(item.chunk, self._next_start)
        style = self._styles.face(item.face)
        motions = [] if item.chunk.start == self._next_start else self.flush()
        follower = self._follower = self._follower or self._begin(item.chunk)
        if self._style is None or not np.array_equal(style, self._style):
            follower.motion.set_style(style[0])
            self._style = style
        follower.motion.take_steps(few=item.few_steps)
        self._next_start = item.chunk.start + CHUNK_SAMPLES
        self._waiting += 1
        self._rows.extend(follower.push(item.chunk))
        return motions + self._moved()

    def flush(self) -> list[Motion]:
        """Return the motion of the last chunks, as if silence followed; the face begins anew."""
        if self._follower is not None and self._waiting:
            self._rows.extend(self._follower.flush())
        motions = self._moved()
        self._end()
        return motions

    def reset(self) -> None:
        """Forget the reply: the next chunk may begin anywhere."""
        self._forget()

    def close(self) -> None:
        """Give back what the stream holds."""
        self._forget()

    def _begin(self, chunk: SpeechChunk) -> _ContentFollower | _SoundFollower:
        if chunk.contents is None:
            return _SoundFollower(self._engines.sound_motion.open(self._seed), self._engines)
        return _ContentFollower(self._engines.content_motion.open(self._seed))

    def _moved(self) -> list[Motion]:
        motions: list[Motion] = []
        while self._waiting and len(self._rows) >= CHUNK_FRAMES:
            rows = np.stack([self._rows.popleft() for _ in range(CHUNK_FRAMES)])
            motions.append(_shown(rows, self._engines.manifest.motion_space))
            self._waiting -= 1
        return motions


class LiveMotion:
    """The network's motion for all callers.

    Args:
        engines: The network.
        styles: What its styles are.
        options: ``seed`` of them, which is the noise's.
    """

    spec: Final = EngineSpec(
        "network motion", _CHUNK_RATE_HZ, _CHUNK_RATE_HZ, 1, lookahead=LOOKAHEAD_CHUNKS
    )

    def __init__(
        self, engines: EmpatheiaEngines, styles: LiveStyles, options: EmpatheiaOptions
    ) -> None:
        self._parts = engines, styles, options.seed

    def warmup(self) -> None:
        """Move nobody's face."""
        engines = self._parts[0]
        engines.features.warmup()
        engines.content_motion.warmup()
        engines.sound_motion.warmup()

    def open(self) -> LiveMotionStream:
        """Begin one reply."""
        return LiveMotionStream(*self._parts)


def _shown(rows: Motion, space: MotionSpace) -> Motion:
    """Return motion as a face can show it: finite, and within the bounds of its space."""
    if rows.shape != (CHUNK_FRAMES, MOTION_SIZE) or not np.isfinite(rows).all():
        raise RuntimeError(
            f"motion: expected ({CHUNK_FRAMES}, {MOTION_SIZE}) finite numbers of the network; "
            f"got {rows.shape}, or NaN or infinity"
        )
    rows[:, EXPRESSION_SIZE:] = 0.0
    return space.bounded(rows)
