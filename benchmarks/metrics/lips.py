"""Lips: how far a mouth is open, from its picture or its motion, and whether it shuts for p, b, m.

A mouth that stays open through a "b" is the error that viewers of dubbed and animated faces see
first; one that shuts where nothing asks for it is counted, too, or a frozen mouth would be perfect.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import BLENDSHAPE, MOTION_SIZE, Image, Motion

Row = NDArray[np.float64]  # (pictures,)
Span = tuple[float, float]  # begin, end in seconds

_BILABIALS: Final = frozenset("pbm")
# The vowels of the IPA's chart; a diphthong and a long vowel begin with one, too.
_VOWELS: Final = frozenset("iyɨʉɯuɪʏʊeøɘɵɤoəɛœɜɞʌɔæɐaɶɑɒɚɝᵻ")
# Vowels for which English mouths open wide enough to be seen doing so.
_WIDE: Final = frozenset("aɑæʌɔɛɒɐ")
PICTURE_S: Final = 0.04
TOLERANCE_S: Final = PICTURE_S  # none need fall into a sound of 30 ms

# The inside of a drawn mouth: its dark, and its teeth, which are nearly without colour; lips and
# tongue are red. On the eight looks: dark up to 20; teeth with a chroma up to 40 and a luminance
# from 185 on, a grey beard up to 170; lips with a chroma from 55 on.
_DARK: Final = 20.0
_TEETH_CHROMA: Final = 40.0
_TEETH_LUMA: Final = 185.0
_LIP_CHROMA: Final = 50.0
_MIDDLE: Final = slice(0.38, 0.62)  # columns, as shares of the width: corners close later
_MOST: Final = 0.5  # of these columns must show a row's inside
_LUMA: Final = np.array([0.299, 0.587, 0.114])

# How far each shape parts the lips, against the jaw: engines/rig/lips.py draws 37 head pixels for
# jawOpen, 8.5 for mouthLowerDown, 6.5 for mouthUpperUp, 8.4 for mouthFunnel. ARKit's mouthClose
# takes back what the jaw opens.
_PARTS: Final = {
    "jawOpen": 1.0,
    "mouthClose": -1.0,
    "mouthFunnel": 0.23,
    "mouthLowerDownLeft": 0.115,
    "mouthLowerDownRight": 0.115,
    "mouthUpperUpLeft": 0.09,
    "mouthUpperUpRight": 0.09,
}
MOTION_CLOSED: Final = 0.04  # 1.5 head pixels: less than a hundredth of the face's height
_VERTICAL: Final = slice(0.3, 0.7)


def is_bilabial(ipa: str) -> bool:
    """Return whether a sound (IPA, without stress marks) is made with both lips shut."""
    return ipa[:1] in _BILABIALS


def is_vowel(ipa: str) -> bool:
    """Return whether a sound (IPA, without stress marks) is a vowel."""
    return ipa[:1] in _VOWELS


def is_wide_vowel(ipa: str) -> bool:
    """Return whether a sound is a vowel that must be seen to open the mouth."""
    return ipa[:1] in _WIDE


def opening_px(mouth: Image) -> float:
    """Return how high the inside of a drawn mouth is that one sees, in pixels.

    It begins with the first row below the upper lip that shows dark or teeth in the middle columns
    and ends with the next red one. Gaps of less than some 2.5 px of a 512 picture read 0; the
    tongue ends it, so that from about 11 px on every mouth reads as open as another. Against the
    true gap of eight drawn faces r is .96 to .97, and no shut mouth is seen open. Made for the
    rig's colours; for a filmed mouth use ``contrast``.

    Args:
        mouth: (height, width, 3) RGB, upright, the mouth in the middle of its width, cut so that
            neither nostrils nor what is beside the mouth is in it.

    Raises:
        ValueError: The shape is another.
    """
    if mouth.ndim != 3 or mouth.shape[2] != 3 or mouth.shape[1] < 8:
        raise ValueError(f"mouth: expected (height, 8 or more, 3) RGB, got {mouth.shape}")
    width = mouth.shape[1]
    middle = mouth[:, int(_MIDDLE.start * width) : int(_MIDDLE.stop * width)].astype(np.float64)
    luma = middle @ _LUMA
    chroma = middle.max(2) - middle.min(2)
    inside = (luma < _DARK) | ((chroma < _TEETH_CHROMA) & (luma > _TEETH_LUMA))
    is_inside = inside.mean(1) >= _MOST
    is_lip = (chroma >= _LIP_CHROMA).mean(1) >= _MOST
    is_inside[: int(is_lip.argmax())] = False  # a moustache
    if not is_inside.any():
        return 0.0
    begin = int(is_inside.argmax())
    # Once inside, what has no colour still is: the dark below teeth may be thin and grey.
    is_red = is_lip[begin:]
    return float(is_red.argmax() if is_red.any() else len(is_red))


def contrast(mouths: NDArray[np.float64]) -> Row:
    """Return how open a filmed mouth looks: the contrast down its middle, in grey levels.

    Shut lips are a thin line; an open mouth is dark with light teeth. On seven speakers of GRID it
    follows the voice best of eight measures tried (r = .55), on drawn mouths it follows the true
    opening with r = .81 to .88. It says nothing of pixels and cannot tell whether lips meet.

    Args:
        mouths: (pictures, height, width) luminance of the same mouth.

    Raises:
        ValueError: The shape is another.
    """
    if mouths.ndim != 3 or not mouths.size:
        raise ValueError(f"mouths: expected (pictures, height, width), got {mouths.shape}")
    width = mouths.shape[2]
    middle = mouths[:, :, int(_VERTICAL.start * width) : max(1, int(_VERTICAL.stop * width))]
    spread: Row = middle.std(axis=1).mean(axis=1)
    return spread


def motion_opening(motion: Motion) -> Row:
    """Return how far motion opens the lips: 0 (they meet) to about 1 (the jaw is all open).

    Args:
        motion: (pictures, 73), ARKit's weights first.

    Raises:
        ValueError: The shape is another.
    """
    if motion.ndim != 2 or motion.shape[1] != MOTION_SIZE:
        raise ValueError(f"motion: expected (pictures, {MOTION_SIZE}), got {motion.shape}")
    opening = np.zeros(len(motion))
    for name, share in _PARTS.items():
        opening += share * np.clip(motion[:, BLENDSHAPE[name]], 0, 1)
    return np.maximum(opening, 0.0)


def shuts(
    opening: Row, times_s: Row, sounds: Sequence[Span], shut_up_to: float
) -> tuple[bool, ...]:
    """Return, for every sound, whether a picture within 40 ms of it shows the mouth shut.

    Args:
        opening: (pictures,) in any unit.
        times_s: (pictures,) the middle of each picture's time.
        sounds: When each sound lasts, seconds: bilabials.
        shut_up_to: The opening up to which the mouth counts as shut.

    Raises:
        ValueError: Opening and times differ in length, or there is no picture.
    """
    return _any(opening, times_s, sounds, opening <= shut_up_to, TOLERANCE_S)


def opens(
    opening: Row, times_s: Row, sounds: Sequence[Span], shut_up_to: float
) -> tuple[bool, ...]:
    """Return, for every sound, whether a picture shown during it has the mouth open.

    Arguments and errors as of ``shuts``; the sounds are vowels.
    """
    return _any(opening, times_s, sounds, opening > shut_up_to, PICTURE_S / 2)


def _any(
    opening: Row,
    times_s: Row,
    sounds: Sequence[Span],
    is_so: NDArray[np.bool_],
    tolerance_s: float,
) -> tuple[bool, ...]:
    if opening.ndim != 1 or opening.shape != times_s.shape or not len(opening):
        raise ValueError(
            f"opening, times: expected rows of one length, got {opening.shape}, {times_s.shape}"
        )
    return tuple(
        bool(is_so[(times_s >= begin - tolerance_s) & (times_s <= end + tolerance_s)].any())
        for begin, end in sounds
    )
