"""What the network answers: 18 numbers a frame, and how they become an ``Articulation``.

Speech moves both sides of the mouth alike, so that each pair of shapes is one number.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.motion.speaking_face import Articulation
from rt_avatar.engines.motion.visemes import DRIVEN
from rt_avatar.engines.types import ARKIT

_NAMES: Final = tuple(ARKIT[row].removesuffix("Left").removesuffix("Right") for row in DRIVEN)
SHAPE_NAMES: Final = tuple(dict.fromkeys(_NAMES))  # (12,) without sides
# Which number each of the driven shapes follows.
_NUMBER_OF: Final = np.array([SHAPE_NAMES.index(name) for name in _NAMES], np.intp)
_FIRST_OF: Final = np.array([_NAMES.index(name) for name in SHAPE_NAMES], np.intp)
_SHAPES: Final = len(SHAPE_NAMES)
TALKS, LIPS, POUT, TEETH, NODS, BROWS = range(_SHAPES, _SHAPES + 6)
OUTPUTS: Final = _SHAPES + 6
# Nods are a few hundredths of a radian; the network answers in tenths.
_NOD_UNIT_RAD: Final = 0.1


def pack(asked: Articulation) -> NDArray[np.float32]:
    """Return an articulation as (5, OUTPUTS) numbers; all but nods are 0..1."""
    rest = (asked.talks, asked.lips, asked.pout, asked.teeth, asked.nods / _NOD_UNIT_RAD)
    numbers = np.column_stack((asked.shapes[:, _FIRST_OF], *rest, asked.brows))
    return numbers.astype(np.float32)


def unpack(numbers: NDArray[np.float32]) -> Articulation:
    """Return (5, OUTPUTS) numbers as an articulation."""
    wide = numbers.astype(np.float64)
    return Articulation(
        shapes=wide[:, _NUMBER_OF],
        talks=wide[:, TALKS],
        lips=wide[:, LIPS],
        pout=wide[:, POUT],
        teeth=wide[:, TEETH],
        nods=_NOD_UNIT_RAD * wide[:, NODS],
        brows=wide[:, BROWS],
    )
