"""How a reply in a call is meant to sound and look: styles in words → the network's S^s and S^v.

A style may bring its own vector, made for this very reply: the disentangler's, or the bank's for
the emotion that the chain names, as ``infer`` takes them. One without (rules answer, or another
reasoner) is served by a recorded voice and manner, if there are any, else by the bank's for the
emotion that it is to show.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.empatheia.dialogue import Styles
from rt_avatar.engines.empatheia.engines import EmpatheiaEngines
from rt_avatar.engines.types import FaceStyle, VoiceStyle

Floats: TypeAlias = NDArray[np.float32]


class LiveStyles:
    """Styles for all callers.

    Args:
        engines: Whose bank it is.
        reference: Recorded styles that take the bank's place; None: there are none.
    """

    def __init__(self, engines: EmpatheiaEngines, reference: Styles | None = None) -> None:
        self._engines, self._reference = engines, reference
        self._voice_size = engines.manifest.voice_style_size
        self._face_size = engines.manifest.content_size

    def voice(self, style: VoiceStyle) -> Floats:
        """Return S^s (1, size).

        Raises:
            ValueError: The style brings a vector of another shape.
        """
        if style.vector is not None:
            return _checked("voice", style.vector, self._voice_size)
        reference = self._reference
        return (reference or self._engines.felt(style.emotion, style.intensity)).voice

    def face(self, style: FaceStyle) -> Floats:
        """Return S^v (1, D).

        Raises:
            ValueError: The style brings a vector of another shape.
        """
        if style.vector is not None:
            return _checked("face", style.vector, self._face_size)
        reference = self._reference
        return (reference or self._engines.felt(style.emotion, style.intensity)).face


def _checked(whose: str, vector: Floats, size: int) -> Floats:
    if vector.shape != (1, size):
        raise ValueError(
            f"style of the {whose}: expected a vector (1, {size}); got {vector.shape}. Is it of "
            "another network?"
        )
    return vector
