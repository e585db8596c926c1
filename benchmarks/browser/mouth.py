"""How open a mouth looks: the share of dark in its place on a portrait, from the luma alone.

Tried on the rig's eight faces, speaking and silent, against the jaw's opening less the lips'
closing: the correlation is 0.91 to 0.93, where that of the mean change between pictures is 0.1
to 0.3, as a moving head changes pictures too.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

# Shares of a portrait's side; from 512 px. Wider, and hair and the neck's shadow come in.
MOUTH_LEFT: Final = 216 / 512
MOUTH_TOP: Final = 320 / 512
MOUTH_WIDTH: Final = 80 / 512
MOUTH_HEIGHT: Final = 70 / 512
# Luma in limited range, 16 to 235, that in the mouth's place only the inside of an open mouth
# falls below: it has 29 or 30 in all faces, the darkest lips and beards have 42.
CAVITY_LUMA: Final = 36


def mouth_opening(luma: NDArray[np.uint8]) -> float:
    """Return how open the mouth is, 0..1; shut is 0, speech 0.02 to 0.12.

    Args:
        luma: (side, side) of a portrait, in limited range.
    """
    side = len(luma)
    left, top = round(MOUTH_LEFT * side), round(MOUTH_TOP * side)
    across, down = round(MOUTH_WIDTH * side), round(MOUTH_HEIGHT * side)
    return float(np.mean(luma[top : top + down, left : left + across] < CAVITY_LUMA))
