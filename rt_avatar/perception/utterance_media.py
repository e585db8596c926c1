"""Keep sound and pictures of the current utterance for reasoners that take them as input.

Kept in memory only, of one utterance, and no longer than the next one begins.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

import numpy as np

from rt_avatar.engines.encoders.pictures import MOST, choose
from rt_avatar.engines.types import INPUT_RATE_HZ, Image, Pcm

# Who talks for longer than this without a pause is answered by the newest of it. The older half is
# forgotten at once, so that who encodes the sound while it grows seldom has to begin anew.
LONGEST_SAMPLES: Final = 60 * INPUT_RATE_HZ
# Of utterances that are joined because none was answered, the latest words: as many as may be typed
# at once, or some two minutes of speech.
LONGEST_CHARS: Final = 2000
# Pictures of a silence: an utterance is known some 0.1 s after its onset and begins with the 0.4 s
# of sound that are kept before it; at most ten pictures a second are looked at.
BEFORE: Final = 6


class UtteranceAudio:
    """The sound of one utterance, in the order in which the recogniser got it."""

    def __init__(self) -> None:
        self._chunks: list[Pcm] = []

    def push(self, pcm: Pcm) -> None:
        """Take the next samples at 16 kHz."""
        self._chunks.append(pcm)
        if sum(map(len, self._chunks)) > LONGEST_SAMPLES:
            self._chunks = [np.concatenate(self._chunks)[-LONGEST_SAMPLES // 2 :]]

    def all(self) -> Pcm | None:
        """Return all that is remembered; None: nothing was heard yet."""
        if len(self._chunks) > 1:
            self._chunks = [np.concatenate(self._chunks)]
        return self._chunks[0] if self._chunks else None

    def clear(self) -> None:
        """The next sample is another utterance's first."""
        self._chunks = []


class UtteranceImages:
    """The caller's pictures during one utterance; at most as many as are ever looked at."""

    def __init__(self) -> None:
        # What was seen since the last utterance: the next begins before it is noticed.
        self._before: deque[tuple[int, Image]] = deque(maxlen=BEFORE)
        self._start = 0
        self._apart = 0  # samples between two that are kept, at least
        self._seen: list[tuple[int, Image]] = []

    def begin(self, start: int) -> None:
        """Forget what was seen before an utterance, unless it is under way or the last one still.

        Args:
            start: Microphone sample at which it began.
        """
        if start != self._start:
            self._start, self._apart = start, 0
            self._seen = [seen for seen in self._before if seen[0] >= start]
            self._before.clear()

    def keep(self, start: int | None, pts: int, image: Image) -> None:
        """Keep a picture.

        Args:
            start: Microphone sample at which the utterance began; None: nobody speaks, and the last
                one's are still known.
            pts: Sample that was heard when it was seen.
            image: (height, width, 3).
        """
        if start is None:
            self._before.append((pts, image))
            return
        self.begin(start)
        # Cameras are not that even.
        if self._seen and pts - self._seen[-1][0] < 0.75 * self._apart:
            return
        self._seen.append((pts, image))
        if len(self._seen) > MOST:
            self._seen = self._seen[::2]
            self._apart = (self._seen[-1][0] - self._seen[0][0]) // (len(self._seen) - 1)

    def until(self, pts: int) -> tuple[Image, ...]:
        """Return those to look at of what was seen until that sample."""
        seen = [(at, image) for at, image in self._seen if at <= pts]
        duration = pts - self._start
        if not seen or duration <= 0:
            return ()
        times = [(at - self._start) / INPUT_RATE_HZ for at, _ in seen]
        return tuple(choose([image for _, image in seen], times, duration / INPUT_RATE_HZ))


def join_images(before: Sequence[Image], after: Sequence[Image]) -> tuple[Image, ...]:
    """Return the pictures of two utterances that are one, each once, and the latest if many.

    Of ``after``, what was filmed before the last picture that both have was chosen from already.
    """
    known = {id(picture) for picture in before}
    shared = [index for index, picture in enumerate(after) if id(picture) in known]
    return (*before, *after[shared[-1] + 1 if shared else 0 :])[-MOST:]


def join_audio(before: Pcm | None, after: Pcm | None) -> Pcm | None:
    """Return the sound of two utterances that are one, no longer than one is remembered.

    While the second grows the whole seldom loses any of its beginning, as in ``UtteranceAudio``:
    of the first the latest half minute is kept, and none beside a second that is longer than that.
    """
    if before is None or (after is not None and len(after) > LONGEST_SAMPLES // 2):
        return after
    latest = before[-LONGEST_SAMPLES // 2 :]
    return latest if after is None else np.concatenate([latest, after])


def join_words(before: str, after: str) -> str:
    """Return the words of two utterances that are one; the latest of them, if they are many."""
    text = f"{before} {after}".strip()
    if len(text) <= LONGEST_CHARS:
        return text
    latest = text[-LONGEST_CHARS:]
    return latest.partition(" ")[2] or latest  # from the first whole word on
