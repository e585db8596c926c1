"""The emotion of a caller's words so far, classified once for the same words.

Partial transcripts are classified as they come; a reply finds the result ready when the final words
are the same.
"""

from typing import Final

from rt_avatar.engines.text_emotion import EmotionEstimate, TextEmotionClassifier
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.intents import clean_words

HALF_HEARD: Final = 0.5  # words heard with less confidence are not built upon
_EARLIER_TURNS: Final = 3  # caller's utterances before this one that the network hears again


class WordEmotion:
    """One caller's words, as a network reads them."""

    def __init__(self, classifier: TextEmotionClassifier | None) -> None:
        """Ask this network; None: nothing is estimated."""
        self._classifier = classifier
        self._newest: tuple[tuple[str, ...], EmotionEstimate] | None = None

    def estimate(self, request: ReplyRequest) -> EmotionEstimate | None:
        """Return what the network makes of the caller's words; None of what was hardly heard."""
        if self._classifier is None or request.transcript.confidence < HALF_HEARD:
            return None
        said = said_turns(request)
        if self._newest is None or self._newest[0] != said:
            self._newest = (said, self._classifier.classify(said))
        return self._newest[1]


def said_turns(request: ReplyRequest) -> tuple[str, ...]:
    """Return the caller's last utterances and this one, the oldest first."""
    before = [message.text for message in request.history if message.role == "caller"]
    return (*before[-_EARLIER_TURNS:], clean_words(request.transcript.text))
