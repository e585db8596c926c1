"""Encode one utterance while it is spoken: sound and pictures → vectors.

Nothing is encoded twice: windows of sound when they are whole, so that at the end only the last is
left, and pictures when they come. Pooled to as many vectors as are asked for, these are the vectors
that ``SpeechEncoderStream`` and ``VisionEncoderStream`` make of the whole.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.empatheia.encoders import SpeechEncoderEngine, VisionEncoderEngine
from rt_avatar.engines.encoders.pictures import MOST
from rt_avatar.engines.llm.model import Vectors
from rt_avatar.engines.llm.templates import Modality
from rt_avatar.engines.types import Image, Pcm

Floats: TypeAlias = NDArray[np.float32]

_MOST_SEEN: Final = 2 * MOST  # pictures looked at that are kept, wanted or not
_NOTHING: Final = np.zeros(0, np.float32)


class UtteranceEncoder:
    """The utterance that is spoken now; the next begins when sound or pictures do not go on.

    Not thread-safe. Holds the sound and the pictures of one utterance, whose size is bounded by who
    gives them.

    Args:
        speech_encoders: By the number of vectors.
        vision_encoders: By the same numbers.
    """

    def __init__(
        self,
        speech_encoders: Mapping[int, SpeechEncoderEngine],
        vision_encoders: Mapping[int, VisionEncoderEngine],
    ) -> None:
        self._speech_encoders, self._vision_encoders = speech_encoders, vision_encoders
        self._stream = next(iter(speech_encoders.values())).features.open()
        self._look = next(iter(vision_encoders.values())).look
        self.forget()

    def forget(self) -> None:
        """Begin an utterance of which nothing is known."""
        self._stream.reset()
        self._heard: Pcm = _NOTHING
        self._is_whole = True  # no window was lost to a graph that failed
        self._features: list[Floats] = []  # of the windows that are whole
        self._rest: list[Floats] | None = None  # of what is left, if it was asked for
        self._seen: list[tuple[Image, Floats]] = []
        self._pictures: Sequence[Image] = ()

    def take(self, sound: Pcm | None, pictures: Sequence[Image] = ()) -> None:
        """Take all of the utterance so far; only what is new of it is encoded.

        Args:
            sound: (samples,) at 16 kHz. What does not begin with the sound before is another
                utterance; None: nothing is heard of it.
            pictures: Those to look at; known ones are the same objects as before.
        """
        pcm = _NOTHING if sound is None else sound
        known = len(self._heard)
        goes_on = len(pcm) >= known and np.array_equal(pcm[:known], self._heard)
        if not goes_on or not self._is_whole:
            self.forget()
            known = 0
        if len(pcm) > known:
            self._is_whole = False
            self._features += self._stream.push(pcm[known:])
            self._heard, self._rest, self._is_whole = pcm, None, True
        self._pictures = tuple(pictures)
        # What was looked at and is not wanted now may be wanted again: which pictures are, depends
        # on how long the utterance is.
        for picture in self._pictures:
            if self._look_up(picture) is None:
                self._seen.append((picture, self._look(picture)))
        if len(self._seen) > _MOST_SEEN:
            self._seen = [(each, row) for each, row in self._seen if self._is_wanted(each)]

    def vectors(self, count: int, *, is_over: bool = True) -> dict[Modality, Vectors]:
        """Return (count, width) of each sense that took anything in.

        Args:
            count: One of the numbers that there are engines for.
            is_over: Whether to encode what is left of the sound; else it is left out, and nothing
                is heard of an utterance before its first window is whole.
        """
        vectors: dict[Modality, Vectors] = {}
        features = self._features
        if is_over:
            if self._rest is None:
                self._rest = self._stream.rest()
            features = features + self._rest
        rows = [row for picture in self._pictures if (row := self._look_up(picture)) is not None]
        heard, seen = (
            self._speech_encoders[count].pooled(features),
            self._vision_encoders[count].pooled(rows),
        )
        if heard is not None:
            vectors["speech"] = heard
        if seen is not None:
            vectors["video"] = seen
        return vectors

    def _is_wanted(self, picture: Image) -> bool:
        return any(each is picture for each in self._pictures)

    def _look_up(self, picture: Image) -> Floats | None:
        return next((row for known, row in self._seen if known is picture), None)
