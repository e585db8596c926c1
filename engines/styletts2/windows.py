"""Make the sound of a sentence in windows: the generator's graph, run on overlapping pieces.

The trunk and the source are made once a sentence, they are cheap and exact. The generator, four
fifths of all the work, runs on windows with a margin at both sides that covers its receptive
field (9 frames of 12.5 ms of input, 12 of the source), so that no cross-fade is
needed. What is left to break the sound is the statistics of its instance norms, which the
reference takes over the whole sentence:

* *given* (a voice's own, or those of a whole sentence): the windows equal the whole, exactly;
* *running*: every window's own statistics are pooled with those before, by frames, each frame once:
  a sentence that the first window holds whole is exact too. The first window must be long, for
  half a second holds some three independent sounds; and a window that is mostly pause is left out,
  since its small variance would blow breath up to speech.

The graph: ``x`` (1, C, n), ``style`` (1, S), ``source`` (1, H, m), ``moments`` (1, 2, K) and
``momentum`` (1, 1) → ``pcm`` (1, 1, 300 n), ``used`` (1, 2, K). With momentum 0 it uses what
is given, with 1 the window's own, between them the pooled.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import Pcm

Floats: TypeAlias = NDArray[np.float32]
Run: TypeAlias = Callable[[Mapping[str, Floats]], Mapping[str, Floats]]
# (first, last) frames of a window -> (1, H, columns) the source over them
Source: TypeAlias = Callable[[int, int], Floats]

FRAME_SAMPLES: Final = 300
# Below 1 to 1.5 s, statistics depend on which sounds were in the window.
SETTLING_FRAMES: Final = 120
# 5 s: the published networks were trained on no longer crops, and no plan that is made for
# windows takes longer ones.
MOST_SETTLING_FRAMES: Final = 400
MIN_VOICED_SHARE: Final = 0.3  # of a window's frames; below it the window is a pause


@dataclass(frozen=True, slots=True)
class Window:
    """Frames ``first`` to ``last`` go in; of what comes out, ``keep_first`` to ``keep_last``."""

    first: int
    last: int
    keep_first: int
    keep_last: int


def plan(frames: int, emit: int, margin: int, settle: int = 0) -> list[Window]:
    """Return windows that together keep every frame once, in order.

    Args:
        frames: Of the sentence.
        emit: Frames that a window keeps. A long first window keeps as many times more as it has
            margin for, and one that reaches the end keeps all.
        margin: Frames before and after them, as far as there are any.
        settle: Least frames that the first window takes in.
    """
    windows: list[Window] = []
    start = 0
    while start < frames:
        last = min(frames, max(start + emit + margin, settle if start == 0 else 0))
        stop = frames if last == frames else (last - margin) // emit * emit
        windows.append(Window(max(0, start - margin), last, start, stop))
        start = stop
    return windows


def settling_frames(voiced: NDArray[np.bool_]) -> int:
    """Return the frames that the first window needs to give statistics: long, and not a pause.

    Never more than 5 s of them: what is whispered throughout must begin too.

    Args:
        voiced: (frames,) of the sentence.
    """
    counts = np.arange(1, len(voiced) + 1)
    enough = (np.cumsum(voiced) >= MIN_VOICED_SHARE * counts) & (counts >= SETTLING_FRAMES)
    needed = int(counts[enough][0]) if enough.any() else len(voiced)
    return min(needed, MOST_SETTLING_FRAMES)


class VoiceMoments:
    """Mean and variance of every instance norm, as one array (1, 2, K), and how they are renewed.

    Args:
        given: Statistics to start from: a voice's, or None.
        weight_frames: Frames that ``given`` counts for when new ones are pooled with it.
        renew: Whether windows change it.
        channels: K, needed where nothing is given.
    """

    def __init__(
        self,
        given: Floats | None = None,
        *,
        weight_frames: int = 0,
        renew: bool = True,
        channels: int = 0,
    ) -> None:
        if given is None and not (renew and channels):
            raise ValueError("moments: expected statistics, or renew=True with their channels")
        self.value = np.zeros((1, 2, channels), np.float32) if given is None else given
        self._frames = weight_frames
        self._known = given is not None
        self._renew = renew

    @property
    def is_known(self) -> bool:
        """Whether there are any statistics yet."""
        return self._known

    def momentum(self, frames: int, voiced_share: float) -> float:
        """Return the share that a window with so many new frames gets; 0 keeps what is known."""
        if not self._known:
            return 1.0
        if frames == 0 or not self._renew or voiced_share < MIN_VOICED_SHARE:
            return 0.0
        return frames / (self._frames + frames)

    def take(self, value: Floats, momentum: float, frames: int) -> None:
        """Keep what the graph returned."""
        if momentum > 0.0:
            self.value = value
            self._known = True
            self._frames += frames


@dataclass(frozen=True, slots=True)
class SourceLayout:
    """How the source's columns lie over the generator's frames.

    Attributes:
        columns: Columns a frame: 300 samples for HiFi-GAN, 60 STFT frames for iSTFTNet.
        extra: Columns after the last frame: 0, or 1 for the STFT, which has one at each end.
    """

    columns: int
    extra: int


class WindowedGenerator:
    """One sentence's sound, window by window."""

    def __init__(self, run: Run, *, emit: int, margin: int) -> None:
        self._run = run
        self._emit = emit
        self._margin = margin

    def sound(
        self,
        x: Floats,
        style: Floats,
        source: Source,
        voiced: NDArray[np.bool_],
        moments: VoiceMoments,
    ) -> Iterator[Pcm]:
        """Yield the sound, ``emit`` frames at a time; the last piece may be shorter.

        Args:
            x: (1, C, frames) of the trunk.
            style: (1, S) acoustic style.
            source: Asked for each window, which come in order and overlap.
            voiced: (frames,) where F0 is above its threshold.
            moments: Statistics; renewed as they say.
        """
        settle = 0 if moments.is_known else settling_frames(voiced)
        seen = 0  # frames in windows before
        for window in plan(x.shape[2], self._emit, self._margin, settle):
            first, last = window.first, window.last
            fresh, seen = max(0, last - seen), max(seen, last)
            momentum = moments.momentum(fresh, float(np.mean(voiced[first:last])))
            out = self._run(
                {
                    "x": x[:, :, first:last],
                    "style": style,
                    "source": source(first, last),
                    "moments": moments.value,
                    "momentum": np.full((1, 1), momentum, np.float32),
                }
            )
            moments.take(out["used"], momentum, fresh)
            kept = out["pcm"][0, 0, : (window.keep_last - first) * FRAME_SAMPLES]
            for start in range(window.keep_first, window.keep_last, self._emit):
                begin = (start - first) * FRAME_SAMPLES
                yield kept[begin : begin + self._emit * FRAME_SAMPLES]
