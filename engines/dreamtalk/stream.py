"""DreamTalk as a stream: features of speech at 50 Hz → expressions at 25, in any chunks.

A frame needs the features up to five after its own, 125 ms of sound beyond its beginning, and
nothing of other frames; its noise belongs to its number. So the stream gives what the whole
utterance at once would give. Numpy alone: the graphs are callables, whatever runs them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from rt_avatar.engines.dreamtalk.schedule import Floats, Schedule, sample
from rt_avatar.engines.keyed_noise import keyed_noise

Run: TypeAlias = Callable[[Mapping[str, Floats]], Mapping[str, Floats]]  # a graph on its runtime

STRIDE: Final = 2  # features a frame: 50 Hz over 25
WINDOW: Final = 11


class FeatureWindows:
    """Cuts the window of every frame out of features that arrive in chunks; zeros beyond the ends.

    Args:
        size: Numbers in a feature.
        window: Features of a frame; odd.

    Raises:
        ValueError: The window has no middle.
    """

    def __init__(self, size: int, window: int = WINDOW) -> None:
        if window % 2 == 0:
            raise ValueError(f"dreamtalk: expected an odd window; got {window}")
        self._size, self._window = size, window
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next feature is an utterance's first."""
        self._frames = 0  # cut so far
        self._received = 0
        # (held, size): the features from the next frame's window on
        self._held: Floats = np.zeros((self._window // 2, self._size), np.float32)

    def push(self, features: Floats) -> Floats:
        """Take (k, size) features; return the (n, window, size) windows that they complete.

        Raises:
            ValueError: The features have another size; the stream is unchanged.
        """
        if features.ndim != 2 or features.shape[1] != self._size:
            raise ValueError(
                f"dreamtalk: expected features (any, {self._size}); got {features.shape}"
            )
        self._received += len(features)
        self._held = np.concatenate((self._held, features), dtype=np.float32)
        return self._cut((len(self._held) - self._window) // STRIDE + 1)

    def flush(self) -> Floats:
        """Return the windows of the frames still due, zeros after the end; then start anew."""
        due = self._received // STRIDE - self._frames
        missing = max(0, self._window + STRIDE * (due - 1) - len(self._held))
        self._held = np.concatenate((self._held, np.zeros((missing, self._size), np.float32)))
        windows = self._cut(due)
        self.reset()
        return windows

    def _cut(self, frames: int) -> Floats:
        """Cut the next windows and drop what no later one needs."""
        if frames <= 0:
            return np.zeros((0, self._window, self._size), np.float32)
        index = STRIDE * np.arange(frames)[:, None] + np.arange(self._window)
        windows: Floats = self._held[index]
        self._held = self._held[STRIDE * frames :]
        self._frames += frames
        return windows


@dataclass(frozen=True, slots=True)
class StyleFolds:
    """What the step's graph wants of a style.

    Attributes:
        state: (frames, 2, window, D).
        query: (frames, 2, window, D).
    """

    state: Floats
    query: Floats


class ExpressionSampler:
    """The graphs and tables that all callers share: windows of speech → expressions.

    Args:
        content: Runs ``dreamtalk_content``.
        style: Runs ``dreamtalk_style``.
        step: Runs ``dreamtalk_step``.
        times: (S, M) the time table's rows, one a step of the schedule.
        schedule: Steps and updates.
        null_style: (D,) the style of no style.
        guidance: How far to exaggerate a style; 1 is as it is, and half the work of any other.

    Raises:
        ValueError: There are not as many rows of time as steps.
    """

    def __init__(
        self,
        content: Run,
        style: Run,
        step: Run,
        times: Floats,
        schedule: Schedule,
        *,
        null_style: Floats,
        guidance: float = 1.0,
    ) -> None:
        if len(times) != len(schedule.steps):
            raise ValueError(
                f"dreamtalk: expected a row of time for each of {len(schedule.steps)} steps; "
                f"got {len(times)}"
            )
        self._content, self._style, self._step = content, style, step
        self._times, self._schedule, self._guidance = times, schedule, guidance
        self.null_style = null_style
        self._null = self.fold(null_style[None])

    def fold(self, styles: Floats) -> StyleFolds:
        """Fold (frames, D) styles."""
        outputs = self._style({"style": styles})
        return StyleFolds(outputs["state"], outputs["query"])

    def expressions(self, windows: Floats, noise: Floats, styles: StyleFolds) -> Floats:
        """Sample the expressions of frames.

        Args:
            windows: (F, window, audio_size).
            noise: (F, channels).
            styles: Of each frame, or one for all.

        Returns:
            (F, channels), raw coefficients.
        """
        frames = len(windows)
        content = self._content({"audio": windows})["content"]
        state, query = _spread(styles.state, frames), _spread(styles.query, frames)
        if self._guidance != 1.0:
            content = np.concatenate((content, content))
            state = np.concatenate((state, _spread(self._null.state, frames)))
            query = np.concatenate((query, _spread(self._null.query, frames)))
        conditions = {"content": content, "state": state, "query": query}

        def denoise(x: Floats, index: int) -> Floats:
            return self._step({"x": x, **conditions, "time": self._times[index]})["clean"]

        return sample(denoise, noise, self._schedule, self._guidance)


def _spread(rows: Floats, frames: int) -> Floats:
    """Repeat a single row for all frames."""
    return np.ascontiguousarray(np.broadcast_to(rows, (frames, *rows.shape[1:])))


class DenoiserStream:
    """One caller's expressions. Not thread-safe.

    Args:
        sampler: What all callers share.
        audio_size: Numbers in a feature of speech.
        channels: Numbers in an expression.
        seed: Of this caller's noise.
        blend_frames: How long a change of style takes; 10 frames are 0.4 s, 1 is at once.

    Raises:
        ValueError: A change would take no frame.
    """

    def __init__(
        self,
        sampler: ExpressionSampler,
        *,
        audio_size: int,
        channels: int,
        seed: int,
        blend_frames: int = 10,
    ) -> None:
        if blend_frames < 1:
            raise ValueError(
                f"dreamtalk: expected a change of style within 1 frame or more; got {blend_frames}"
            )
        self._sampler, self._channels, self._seed = sampler, channels, seed
        self._blend_frames = blend_frames
        self._windows = FeatureWindows(audio_size)
        self.reset()

    def reset(self) -> None:
        """Forget everything, the number of the frame and the style too."""
        self._windows.reset()
        self._frame = 0  # number of the next frame, through all utterances
        self._from = self._to = self._sampler.null_style
        self._changed = 0  # number of the first frame of the change
        self._settled: StyleFolds | None = None

    def use(self, sampler: ExpressionSampler) -> None:
        """Sample by other steps from the next frame on.

        Args:
            sampler: Of the same graphs.
        """
        self._sampler = sampler

    def set_style(self, style: Floats) -> None:
        """Take on (D,) a style, smoothly from the next frame on; at once before the first.

        Raises:
            ValueError: The style has another size or is not finite; the stream is unchanged.
        """
        if style.shape != self._to.shape:
            raise ValueError(
                f"dreamtalk: expected a style of shape {self._to.shape}; got {style.shape}"
            )
        if not np.isfinite(style).all():  # it would stay in all changes to come
            raise ValueError("dreamtalk: expected a style of finite numbers; got NaN or infinity")
        before = self._style_of(np.array([self._frame - 1]))[0]
        self._to = style.astype(np.float32)
        self._from = before if self._frame else self._to
        self._changed = self._frame
        self._settled = None

    def push(self, features: Floats) -> Floats:
        """Take (k, audio_size) features; return the (n, channels) expressions now known.

        Raises:
            ValueError: The features have another size; the stream is unchanged.
        """
        return self._express(self._windows.push(features))

    def flush(self) -> Floats:
        """Return the expressions still due as if the sound ended here.

        The next feature is a new utterance's first; frames are counted on and the style stays.
        """
        return self._express(self._windows.flush())

    def _express(self, windows: Floats) -> Floats:
        frames = len(windows)
        if not frames:
            return np.zeros((0, self._channels), np.float32)
        styles = self._folds(frames)
        noise = keyed_noise(self._seed, self._frame, frames, self._channels)
        self._frame += frames
        return self._sampler.expressions(windows, noise, styles)

    def _style_of(self, frames: np.ndarray[tuple[int], np.dtype[np.int_]]) -> Floats:
        """Return the (n, D) styles of numbered frames."""
        done = np.minimum((frames - self._changed + 1) / self._blend_frames, 1)[:, None]
        return ((1 - done) * self._from + done * self._to).astype(np.float32)

    def _folds(self, frames: int) -> StyleFolds:
        """Return the folds of the next frames' styles; those of a style that stays, only once."""
        if self._from is not self._to and self._frame < self._changed + self._blend_frames - 1:
            return self._sampler.fold(self._style_of(np.arange(self._frame, self._frame + frames)))
        if self._settled is None:
            self._settled = self._sampler.fold(self._to[None])
        return self._settled
