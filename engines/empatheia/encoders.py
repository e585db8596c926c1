"""Encode speech and pictures as vectors for the language model; features of sound.

HuBERT attends to all of an utterance. Here it works in windows, each with what came before and a
little of what follows, so that it can run while the caller speaks and only the last window is left
at the end; windows are cut by the number of the sample, so that any chunking gives the same bits.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.contract import EngineSpec
from rt_avatar.engines.encoders.pictures import PICTURES_HZ, prepare
from rt_avatar.engines.encoders.waveform import (
    FEATURE_SAMPLES,
    REACH_SAMPLES,
    features_of,
    normalise,
)
from rt_avatar.engines.types import INPUT_RATE_HZ, Image, Pcm

Floats: TypeAlias = NDArray[np.float32]
Run: TypeAlias = Callable[[Mapping[str, NDArray[np.generic]]], Mapping[str, Floats]]


@dataclass(frozen=True, slots=True)
class Windows:
    """How an utterance is cut; all in samples, ``hop`` a multiple of 320.

    Attributes:
        hop: Sound whose features one window gives.
        before: Sound before it that they may attend to.
        after: Sound after it; at least 80, which the last feature itself reaches.
    """

    hop: int
    before: int
    after: int


# To understand: few and long, so that one utterance costs little more than in one piece.
UNDERSTAND: Final = Windows(hop=32_000, before=16_000, after=3_200)
# To move the lips: a chunk each. 0.1 s ahead of it is no more than the face looks ahead anyway.
LIPS: Final = Windows(hop=3_200, before=12_800, after=1_600)


class FeatureStream:
    """One caller's sound → (n, width) features, 50 a second. Not thread-safe."""

    def __init__(self, run: Run, windows: Windows, width: int) -> None:
        self._run, self._windows, self._width = run, windows, width
        self.reset()

    def reset(self) -> None:
        """Forget everything: the next sample is the first."""
        self._pcm: Pcm = np.zeros(0, np.float32)  # from ``_base`` on
        self._base = 0
        self._next = 0  # first sample of the next window's hop

    def push(self, item: Pcm) -> list[Floats]:
        """Take samples at 16 kHz; return the features of every window that is whole."""
        self._pcm = np.concatenate((self._pcm, item), dtype=np.float32)
        windows, pieces = self._windows, []
        while self._base + len(self._pcm) >= self._next + windows.hop + windows.after:
            end = self._next + windows.hop + windows.after
            pieces.append(self._encode(self._next, end, windows.hop))
            self._next += windows.hop
            drop = max(0, self._next - windows.before - self._base)
            self._pcm, self._base = self._pcm[drop:], self._base + drop
        return pieces

    def flush(self) -> list[Floats]:
        """Return the features of what is left, without what follows; then begin anew."""
        pieces = self.rest()
        self.reset()
        return pieces

    def rest(self) -> list[Floats]:
        """Return the features of what is left, as if nothing followed; nothing is changed."""
        end = self._base + len(self._pcm)
        hop, pieces = self._windows.hop, []
        for begin in range(self._next, end, hop):
            if features_of(end - begin) > 0:
                pieces.append(self._encode(begin, end, min(hop, end - begin)))
        return [features for features in pieces if len(features)]

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()

    def _encode(self, begin: int, end: int, hop: int) -> Floats:
        """Return the features that begin in ``hop`` samples from ``begin`` on."""
        first = max(0, begin - self._windows.before)
        first += (begin - first) % FEATURE_SAMPLES
        sound = self._pcm[first - self._base : end - self._base]
        features = self._run({"wave": normalise(sound)[None]})["features"][0]
        skipped = (begin - first) // FEATURE_SAMPLES
        kept: Floats = features[skipped : skipped + -(-hop // FEATURE_SAMPLES)]
        return kept


class FeatureEngine:
    """HuBERT for all callers.

    Args:
        run: Runs ``encoders_speech``.
        width: Of its features.
        windows: How sound is cut.
    """

    def __init__(self, run: Run, width: int, windows: Windows) -> None:
        self._parts = run, windows, width
        self.spec: Final = EngineSpec(
            "speech_encoder", INPUT_RATE_HZ, INPUT_RATE_HZ // FEATURE_SAMPLES, windows.hop,
            windows.after,
        )  # fmt: skip

    def warmup(self) -> None:
        """Hear silence."""
        self.open().push(np.zeros(self.spec.chunk + self.spec.lookahead, np.float32))

    def open(self) -> FeatureStream:
        """Return a stream of its own."""
        return FeatureStream(*self._parts)


class Pooled:
    """Features of one utterance → K vectors of the language model's width, by a projection."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __call__(self, features: list[Floats]) -> Floats | None:
        """Return (K, width); None for an utterance without any feature."""
        if not features:
            return None
        rows = np.concatenate(features)[None]
        outputs = self._run({"features": rows, "mask": np.ones(rows.shape[:2], np.float32)})
        vectors: Floats = outputs["tokens"][0]
        return vectors


class SpeechEncoderStream:
    """One utterance after the other: sound at 16 kHz, and at the ``flush`` its (K, width)."""

    def __init__(self, features: FeatureStream, pooled: Pooled) -> None:
        self._stream, self._pooled = features, pooled
        self._features: list[Floats] = []

    def push(self, item: Pcm) -> list[Floats]:
        """Take samples; nothing comes before the utterance is over."""
        self._features += self._stream.push(item)
        return []

    def flush(self) -> list[Floats]:
        """Return the utterance's vectors; none for less than 25 ms of sound."""
        vectors = self._pooled(self._features + self._stream.flush())
        self._features = []
        return [] if vectors is None else [vectors]

    def reset(self) -> None:
        """Forget what was heard."""
        self._stream.reset()
        self._features = []

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()


class SpeechEncoderEngine:
    """Utterances as they are heard, for all callers.

    Args:
        features: Runs ``encoders_speech``.
        projection: Runs ``encoders_speech_tokens_K``.
        width: Of the features.
    """

    def __init__(self, features: Run, projection: Run, width: int) -> None:
        self.features = FeatureEngine(features, width, UNDERSTAND)
        self.pooled = Pooled(projection)
        self.spec: Final = EngineSpec("speech_encoder", INPUT_RATE_HZ, 0, UNDERSTAND.hop)

    def warmup(self) -> None:
        """Hear silence."""
        stream = self.open()
        stream.push(np.zeros(UNDERSTAND.hop, np.float32))
        stream.flush()

    def open(self) -> SpeechEncoderStream:
        """Return a stream of its own."""
        return SpeechEncoderStream(self.features.open(), self.pooled)


class VisionEncoderStream:
    """One utterance after the other: pictures, and at the ``flush`` their (K, width)."""

    def __init__(self, look: Callable[[Image], Floats], pooled: Pooled) -> None:
        self._look, self._pooled = look, pooled
        self._vectors: list[Floats] = []

    def push(self, item: Image) -> list[Floats]:
        """Look at a picture (height, width, 3); nothing comes before the utterance is over."""
        self._vectors.append(self._look(item))
        return []

    def flush(self) -> list[Floats]:
        """Return the utterance's vectors; none if nothing was seen."""
        vectors = self._pooled(self._vectors)
        self._vectors = []
        return [] if vectors is None else [vectors]

    def reset(self) -> None:
        """Forget what was seen."""
        self._vectors = []

    def close(self) -> None:
        """Give back what the stream holds."""
        self.reset()


class VisionEncoderEngine:
    """Utterances as they are seen, for all callers.

    Args:
        vectors: Runs ``encoders_vision``.
        projection: Runs ``encoders_vision_tokens_K``.
        size: Of the encoder's picture, in pixels.
    """

    spec: Final = EngineSpec("vision_encoder", round(PICTURES_HZ), 0, 1)

    def __init__(self, vectors: Run, projection: Run, size: int) -> None:
        self._run, self._size, self.pooled = vectors, size, Pooled(projection)

    def look(self, picture: Image) -> Floats:
        """Return (1, width) of one picture (height, width, 3)."""
        vectors: Floats = self._run({"pictures": prepare(picture, self._size)[None]})["vectors"]
        return vectors

    def warmup(self) -> None:
        """Look at darkness."""
        stream = self.open()
        stream.push(np.zeros((self._size, self._size, 3), np.uint8))
        stream.flush()

    def open(self) -> VisionEncoderStream:
        """Return a stream of its own."""
        return VisionEncoderStream(self.look, self.pooled)


def is_heard(pcm: Pcm | None) -> bool:
    """Return whether there is enough sound for one feature."""
    return pcm is not None and len(pcm) >= REACH_SAMPLES
