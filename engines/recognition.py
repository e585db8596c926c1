"""What a recogniser says: ``Pcm`` at 16 kHz goes in, ``Hypothesis`` comes out.

Both recognisers (``engines.sphinx``, ``engines.whisper``) speak this word, so that nothing behind
them knows which one listens.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What has been heard of one utterance.

    Attributes:
        text: All words of the utterance so far, as heard; a later hypothesis replaces an earlier.
        is_final: Whether the utterance is over and no word will change any more.
        confidence: 0..1, as far as the recogniser knows.
    """

    text: str
    is_final: bool
    confidence: float
