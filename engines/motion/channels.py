"""Which blendshapes belong together, and how weights are written down.

Tables of faces are written with the names of ARKit; a name without its side ("mouthSmile") means
both sides. Weights inside this package are float64 vectors of the 52 shapes; only what leaves it
is a ``Motion``.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.types import ARKIT, BLENDSHAPE

SHAPES: Final = len(ARKIT)  # 52
Weights: TypeAlias = NDArray[np.float64]  # (52,) in the order of ARKIT, 0..1


def rows_of(names: Iterable[str]) -> NDArray[np.intp]:
    """Return the rows of shapes; a name without its side stands for both sides.

    Raises:
        KeyError: There is no such shape.
    """
    rows: list[int] = []
    for name in names:
        if name in BLENDSHAPE:
            rows.append(BLENDSHAPE[name])
        else:
            rows += [BLENDSHAPE[name + "Left"], BLENDSHAPE[name + "Right"]]
    return np.array(rows, np.intp)


def weights(shapes: Mapping[str, float]) -> Weights:
    """Return (52,) weights of named shapes; a name without its side sets both sides."""
    vector = np.zeros(SHAPES)
    for name, value in shapes.items():
        vector[rows_of((name,))] = value
    return vector


def _mask(rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    mask = np.zeros(SHAPES, np.bool_)
    mask[rows] = True
    return mask


# All that speech moves: jaw, lips, tongue, cheeks full of air.
MOUTH: Final = _mask(
    rows_of(name for name in ARKIT if name.startswith(("jaw", "mouth", "tongue", "cheekPuff")))
)
# Of these, what parts the lips.
OPENERS: Final = rows_of(("jawOpen", "mouthFunnel", "mouthUpperUp", "mouthLowerDown", "tongueOut"))
# Eyeballs.
GAZE: Final = rows_of(("eyeLookIn", "eyeLookOut", "eyeLookUp", "eyeLookDown"))
