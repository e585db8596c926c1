"""The 32 signal tokens: [AUD0..15] for the voice, [VID0..15] for the face.

They are never sampled. They are appended once, and what the model makes of them (its last layer at
their own places, plus their own embeddings) tells the style disentangler how to sound and look.
"""

from dataclasses import dataclass
from typing import Final, Literal

AUDIO_SIGNALS: Final = tuple(f"[AUD{index}]" for index in range(16))
VIDEO_SIGNALS: Final = tuple(f"[VID{index}]" for index in range(16))
SIGNALS: Final = AUDIO_SIGNALS + VIDEO_SIGNALS
# The paper appends them to the whole answer. A voice that begins before the answer is whole needs
# them earlier: "chain" appends them where the chain of empathy ends and the reply begins.
Order = Literal["chain", "paper"]


@dataclass(frozen=True, slots=True)
class SignalIds:
    """Where they lie in a vocabulary: 32 in a row, voice first."""

    first: int

    @property
    def all(self) -> tuple[int, ...]:
        """All, in the order in which they are appended."""
        return tuple(range(self.first, self.first + len(SIGNALS)))
