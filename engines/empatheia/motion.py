"""What is said → how the face moves: 73 numbers a frame, five frames at a time.

Two ways in, one make: the synchronizer's contents, 25 vectors a second; or features of the sound,
50 a second. DreamTalk makes the expression, a template the pose. Blocks of five frames are cut by
the number of the frame, so that any chunking gives the same bits.
"""

from typing import Final, Literal

import numpy as np

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.dreamtalk.pose import STILL, PoseLoop
from rt_avatar.engines.dreamtalk.schedule import Floats
from rt_avatar.engines.dreamtalk.stream import STRIDE, WINDOW, DenoiserStream, ExpressionSampler
from rt_avatar.engines.types import CHUNK_FRAMES, EXPRESSION_SIZE, FPS, MotionFrame

Source = Literal["content", "sound"]

_RADIUS: Final = WINDOW // 2  # features on either side of a frame's own
_EDGE: Final = 3  # frames by which contents are held on before and after: the radius is 2.5
_LOOKAHEAD: Final = {"content": 3, "sound": _RADIUS - 1}  # items beyond a block's own


class MotionStream:
    """One caller's face. Not thread-safe.

    Args:
        denoiser: Takes features of 50 a second.
        samplers: By all steps, and by few.
        pose: Where the head is.
        source: What items are.
    """

    def __init__(
        self,
        denoiser: DenoiserStream,
        samplers: tuple[ExpressionSampler, ExpressionSampler],
        size: int,
        pose: PoseLoop,
        source: Source,
    ) -> None:
        self._denoiser, self._size, self._pose = denoiser, size, pose
        self._samplers = samplers
        self._is_content = source == "content"
        self._frame = 0
        self._begin()

    def set_style(self, style: Floats) -> None:
        """Take on (D,) a style, at once before the first frame, else within 0.4 s."""
        self._denoiser.set_style(style)

    def take_steps(self, *, few: bool) -> None:
        """Sample by few steps or by all from the next block on: less work, a plainer face."""
        self._denoiser.use(self._samplers[few])

    def push(self, item: Floats) -> list[MotionFrame]:
        """Take (k, size) contents or features; return the (73,) frames now known.

        Raises:
            ValueError: They have another size; the stream is unchanged.
        """
        if item.ndim != 2 or item.shape[1] != self._size:
            raise ValueError(f"motion: expected (any, {self._size}); got {item.shape}")
        if self._is_content:
            self._due += len(item)
        return self._feed(self._half_steps(item) if self._is_content else item)

    def flush(self) -> list[MotionFrame]:
        """Return the frames still due; the style stays, and frames are counted on."""
        frames: list[MotionFrame] = []
        if self._last is not None:  # hold the last content on: its half step, and the edge
            frames += self._feed(np.repeat(self._last[None], 1 + STRIDE * _EDGE, axis=0))
        frames += self._frames(self._denoiser.push(self._held))
        rest = self._denoiser.flush()
        if not self._is_content:
            frames += self._frames(rest)
        self._begin()
        return frames

    def reset(self) -> None:
        """Forget everything, the style too: the next item is the first."""
        self._denoiser.reset()
        self.take_steps(few=False)
        self._frame = 0
        self._begin()

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()

    def _begin(self) -> None:
        self._held: Floats = np.zeros((0, self._size), np.float32)
        self._last: Floats | None = None
        self._due = 0  # contents whose frames are not given yet
        self._skip = _EDGE if self._is_content else 0
        # Features until the first block of frames is known; then one block's each.
        self._wanted = STRIDE * (self._skip + CHUNK_FRAMES - 1) + _RADIUS + 1

    def _half_steps(self, contents: Floats) -> Floats:
        """Turn contents into features of 50 a second: halfway lies the mean of two neighbours."""
        rows: list[Floats] = []
        for row in contents.astype(np.float32):
            rows += [row] * (STRIDE * _EDGE) if self._last is None else [(self._last + row) / 2]
            rows.append(row)
            self._last = row
        return np.array(rows, np.float32).reshape(-1, self._size)

    def _feed(self, features: Floats) -> list[MotionFrame]:
        self._held = np.concatenate((self._held, features), dtype=np.float32)
        frames: list[MotionFrame] = []
        while len(self._held) >= self._wanted:
            frames += self._frames(self._denoiser.push(self._held[: self._wanted]))
            self._held = self._held[self._wanted :]
            self._wanted = STRIDE * CHUNK_FRAMES
        return frames

    def _frames(self, expressions: Floats) -> list[MotionFrame]:
        dropped = min(self._skip, len(expressions))
        self._skip -= dropped
        kept = expressions[dropped:]
        if self._is_content:  # beyond the last lies only its edge
            kept = kept[: self._due]
            self._due -= len(kept)
        poses = self._pose.rows(self._frame, len(kept))
        self._frame += len(kept)
        return list(np.concatenate((kept, poses), axis=1, dtype=np.float32))


class MotionEngine:
    """DreamTalk for all callers, fed by contents or by sound.

    Args:
        sampler: Its graphs.
        size: Numbers of an item.
        source: What items are.
        pose: The head's; the default holds still.
        quick: The same graphs by fewer steps; None: there are no fewer.
    """

    def __init__(
        self,
        sampler: ExpressionSampler,
        size: int,
        source: Source,
        pose: Floats = STILL,
        quick: ExpressionSampler | None = None,
    ) -> None:
        self._samplers = sampler, quick or sampler
        self._size, self._source = size, source
        self._pose = PoseLoop(pose)
        stride = 1 if source == "content" else STRIDE
        self.spec: Final = EngineSpec(
            f"motion by {source}", FPS * stride, FPS, CHUNK_FRAMES * stride, _LOOKAHEAD[source]
        )

    def warmup(self) -> None:
        """Move nobody's face."""
        stream = self.open()
        stream.push(np.zeros((3 * self.spec.chunk, self._size), np.float32))

    def open(self, seed: int = 0) -> MotionStream:
        """Return a stream of its own; ``seed`` is its noise's."""
        denoiser = DenoiserStream(
            self._samplers[0], audio_size=self._size, channels=EXPRESSION_SIZE, seed=seed
        )
        return MotionStream(denoiser, self._samplers, self._size, self._pose, self._source)
