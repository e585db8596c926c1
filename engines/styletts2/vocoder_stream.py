"""Stream nano's generator: frames of the trunk in, samples out, equal to the whole for any chunks.

Nothing in it is averaged over time, so every convolution keeps the frames it still needs, and a
chunk costs its own frames and no margin. The outputs lag by the layers' look-ahead: the graph
works on frames in the past, and a mask tells it which of those lie within the sentence, so that
each layer sees the same zeros beyond its ends as in one pass over the whole.

The source is asked for at the frames that come out, not at those that go in.

The graph: ``x`` (1, C, n), ``style`` (1, S), ``source`` (1, n, 4 bins), ``valid`` (1, lag + n) and
the state ``heard`` (1, C, 6), ``layers`` (1, L, D, 6), ``tail`` (1, 900) → ``pcm`` (1, 300 n) and
the state anew, each name with ``_next`` behind it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Pcm

Floats: TypeAlias = NDArray[np.float32]
Run: TypeAlias = Callable[[Mapping[str, Floats]], Mapping[str, Floats]]
Source: TypeAlias = Callable[[int, int], Floats]  # (first, last) frames -> (1, n, 4 bins)


@dataclass(frozen=True, slots=True)
class VocoderShape:
    """Sizes of the streaming graph.

    Attributes:
        inputs: Channels of the trunk.
        channels: Channels of a layer.
        layers: Layers after the first convolution.
        kernel: Width of all convolutions, odd.
        fft: Length of the transform.
        hop: Samples of a frame.
    """

    inputs: int
    channels: int
    layers: int
    kernel: int
    fft: int
    hop: int

    @property
    def source_size(self) -> int:
        """Numbers of the source a frame: two spectra, real and imaginary."""
        return 4 * (self.fft // 2 + 1)

    @property
    def lag_frames(self) -> int:
        """Frames by which the layers' output is late."""
        return (self.layers + 1) * (self.kernel // 2)

    @property
    def lag_samples(self) -> int:
        """Samples by which the sound is late, the transform's half overlap included."""
        return self.lag_frames * self.hop + (self.fft - self.hop) // 2


class VocoderStream:
    """One sentence of one caller in nano's generator. Not thread-safe."""

    def __init__(self, run: Run, shape: VocoderShape, style: Floats, source: Source) -> None:
        self._run = run
        self._shape = shape
        self._style = style
        self._source = source
        self.reset()

    def reset(self) -> None:
        """Forget everything: afterwards the stream equals a fresh one."""
        shape, context = self._shape, 2 * (self._shape.kernel // 2)
        self._state: dict[str, Floats] = {
            "heard": np.zeros((1, shape.inputs, context), np.float32),
            "layers": np.zeros((1, shape.layers, shape.channels, context), np.float32),
            "tail": np.zeros((1, shape.fft - shape.hop), np.float32),
        }
        self._frames = 0
        self._due = -shape.lag_samples  # samples out of the graph; before 0 there is no sound

    def push(self, x: Floats) -> Pcm:
        """Take frames (1, C, n); return the samples that are decided."""
        count = x.shape[2]
        if count == 0:
            return np.zeros(0, np.float32)
        self._frames += count
        return self._step(x, self._frames)

    def flush(self) -> Pcm:
        """Return what is still inside, as if the sentence ended here."""
        shape, frames = self._shape, self._frames
        count = -(-shape.lag_samples // shape.hop)
        samples = self._step(np.zeros((1, shape.inputs, count), np.float32), frames + count)
        left = max(0, frames * shape.hop - (self._due - len(samples)))
        self.reset()
        return samples[:left]

    def _step(self, x: Floats, last: int) -> Pcm:
        """Run frames that end before position ``last``, of which the sentence may have fewer."""
        count, lag = x.shape[2], self._shape.lag_frames
        positions = np.arange(last - count - lag, last)
        valid = (positions >= 0) & (positions < self._frames)
        source = np.zeros((1, count, self._shape.source_size), np.float32)
        sounding = np.flatnonzero(valid[:count])  # of the frames that come out
        if len(sounding):
            first, stop = positions[sounding[0]], positions[sounding[-1]] + 1
            source[:, sounding[0] : sounding[-1] + 1] = self._source(int(first), int(stop))
        inputs = {"x": x, "source": source, "style": self._style, **self._state}
        out = self._run({**inputs, "valid": valid[None].astype(np.float32)})
        self._state = {name: out[f"{name}_next"] for name in self._state}
        samples: Pcm = out["pcm"][0]
        self._due += len(samples)
        return samples[max(0, len(samples) - max(0, self._due)) :]
