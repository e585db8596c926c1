"""Measure when a caller without a browser sees the avatar speak: pictures → mouth motion.

The head of a listening avatar nods, sways and smiles, and the whole mouth moves with it: a change
of pixels is no speech. So the resting mouth is laid over the picture where it fits best (moved and
turned a little), and what is left over counts: lips that have another shape. A nod leaves at most
0.42 of the mouth's own contrast over, a mouth that opens 0.5 to 2 (eight faces, drawn twice with
the same seed, with and without speech: told in the picture in which the lips part or the next one,
never earlier). Lips that only press together ("m") are not told from a smile.

A picture is seen when it has been decoded. It knows nothing of turns.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from av import VideoFrame
from numpy.typing import NDArray

from rt_avatar.benchmarks.peer.caller import Caller

Luma = NDArray[np.float32]  # (height, width) 0..255

SIDE: Final = 512  # the geometry below is for a picture of 512 × 512
# The lips of all faces at rest, without nose and chin, which move differently when the head nods.
LEFT, RIGHT, TOP, BOTTOM = 212, 300, 326, 362
MARGIN: Final = 16  # a nod moves the mouth by 10 px
ANGLES: Final = (-4.0, -2.0, 0.0, 2.0, 4.0)  # degrees that a head is tilted while it listens
BLUR: Final = (
    2.0  # px; the best fit is found to a whole pixel, and codecs add noise finer than that
)
MOVED: Final = 0.48  # of the mouth's contrast, see above
QUIET_S: Final = 0.3  # a mouth at rest for so long is closed; within speech it rests 0.2 s at most
MAX_PICTURES: Final = 25 * 60


@dataclass(frozen=True, slots=True)
class Seen:
    """A mouth with its surroundings, (SIDE scale), and the loop time at which it was seen."""

    at_s: float
    luma: Luma


class RestingMouth:
    """The shape of a mouth that does not speak; says how far another picture is from it."""

    def __init__(self, seen: Seen) -> None:
        height, width = seen.luma.shape
        middle = (width / 2, height / 2)
        self._shapes = [
            cv2.warpAffine(
                seen.luma, cv2.getRotationMatrix2D(middle, angle, 1.0), (width, height),
                borderMode=cv2.BORDER_REPLICATE,
            )[MARGIN:-MARGIN, MARGIN:-MARGIN].copy()
            for angle in ANGLES
        ]  # fmt: skip
        self._contrast = max(1.0, float(seen.luma[MARGIN:-MARGIN, MARGIN:-MARGIN].std()))

    def change(self, seen: Seen) -> float:
        """Return what the best fit leaves over, as a share of the resting mouth's contrast."""
        least = min(
            float(cv2.matchTemplate(seen.luma, shape, cv2.TM_SQDIFF).min())
            for shape in self._shapes
        )
        return float(np.sqrt(max(least, 0.0) / self._shapes[0].size)) / self._contrast


class VideoMeter:
    """Watches the mouth of the avatar that a caller is shown, from the moment it is made.

    Attributes:
        pictures: What was seen since ``forget``, oldest first, a minute at most.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.pictures: deque[Seen] = deque(maxlen=MAX_PICTURES)
        caller.on_picture = self.see

    def see(self, frame: VideoFrame, at_s: float) -> None:
        """Keep the mouth of a picture."""
        self.pictures.append(Seen(at_s, mouth_of(frame)))

    async def moves_after(self, rest_s: float, timeout_s: float = 10) -> float | None:
        """Wait for the first motion after ``rest_s``, a time of rest; None if it comes too late."""
        rest = next((one for one in reversed(self.pictures) if one.at_s <= rest_s), None)
        if rest is None:
            return None
        mouth, seen_s, moved_s = RestingMouth(rest), rest_s, None

        def has_moved() -> bool:
            nonlocal seen_s, moved_s
            fresh: list[Seen] = []
            for one in reversed(self.pictures):
                if one.at_s <= seen_s:
                    break
                fresh.append(one)
            for one in reversed(fresh):
                seen_s = one.at_s
                if mouth.change(one) > MOVED:
                    moved_s = one.at_s
                    return True
            return False

        try:
            await self._caller.until(has_moved, timeout_s)
        except TimeoutError:
            return None
        return moved_s

    def closed_after(self, onset_s: float, quiet_s: float = QUIET_S) -> float | None:
        """Return when a mouth that moved at or after ``onset_s`` had closed.

        Call it when the mouth has rested for ``quiet_s``: the last picture is taken for its rest.

        Returns:
            Loop time of the first picture of rest; None when nothing moved after the onset, or
            when it moved within the last ``quiet_s``.
        """
        return closed_after(self.pictures, onset_s, quiet_s)

    def forget(self) -> None:
        """Drop what was seen."""
        self.pictures.clear()


def closed_after(
    pictures: Sequence[Seen], onset_s: float, quiet_s: float = QUIET_S
) -> float | None:
    """Return when a mouth that moved at or after ``onset_s`` had closed; see ``VideoMeter``."""
    if not pictures:
        return None
    mouth, last = RestingMouth(pictures[-1]), pictures[-1].at_s
    closed_s = last
    for one in reversed(pictures):
        if one.at_s < onset_s:
            return None
        if mouth.change(one) > MOVED:
            return closed_s if last - closed_s >= quiet_s else None
        closed_s = one.at_s
    return None


def mouth_of(frame: VideoFrame) -> Luma:
    """Return the luma around the mouth, blurred, at the scale of 512 × 512."""
    return mouth_in(frame.to_ndarray(format="gray"))


def mouth_in(luma: NDArray[np.uint8]) -> Luma:
    """Return the same of a picture's luma, (side, side)."""
    scale = luma.shape[1] / SIDE
    rows = slice(round((TOP - MARGIN) * scale), round((BOTTOM + MARGIN) * scale))
    columns = slice(round((LEFT - MARGIN) * scale), round((RIGHT + MARGIN) * scale))
    part = luma[rows, columns].astype(np.float32)
    if scale != 1:
        part = cv2.resize(part, (RIGHT - LEFT + 2 * MARGIN, BOTTOM - TOP + 2 * MARGIN))
    return np.asarray(cv2.GaussianBlur(part, (0, 0), BLUR), np.float32)
