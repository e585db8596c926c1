"""The emotion of a caller's words so far, classified once for the same words.

Partial transcripts are classified as they come; a reply finds the result ready when the final words
are the same.
"""

import re
from collections.abc import Sequence
from typing import Final

from rt_avatar.engines.emotion_words import FINE, PLEASANT, felt, to_fine
from rt_avatar.engines.text_emotion import EmotionEstimate, TextEmotionClassifier
from rt_avatar.engines.types import Emotion
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.nlu.feelings import named_in
from rt_avatar.reasoner.nlu.intents import clean_words
from rt_avatar.reasoner.nlu.mood import is_amused
from rt_avatar.reasoner.nlu.spelling import spelled

HALF_HEARD: Final = 0.5  # words heard with less confidence are not built upon
_NOTHING_BAD: Final = re.compile(
    r"\bnothing bad\b|\bin a good way\b|\b(?:it's|it is|that's) a good thing\b|\bnot a bad thing\b"
)
_WILD: Final = re.compile(
    r"\b(?:stand|stands|crowd|stadium|place|room|everyone|everybody|audience|pub|fans|hall|house) "
    r"(?:\w+ )?went (?:mad|wild|crazy|nuts|bananas)\b"
)
_DENIED: Final = re.compile(
    r"\b(?:(?:i'?m|i am|we're|we are|i was|we were) (?:really |actually )?not (?:feeling )?|"
    r"(?:i|we) (?:(?:wasn'?t|weren't) (?:feeling )?|(?:don'?t|didn'?t|do not|did not) feel ))"
    r"(?:at all |even |really |that |so |too |very )*(\w+)"
)
# Likewise, of what was taken for so.
_DENIED_TOO: Final = (
    re.compile(
        r"(?:^|[.!?] )(?:no,? )?(?:not|it'?s not|it isn'?t|it wasn'?t) (?:really |that |at all )?"
        r"(\w+),? (?:just|but|more|only|it'?s|it was)\b"
    ),
    re.compile(r"\b(\w+) (?:isn'?t|is not|wasn'?t) (?:quite |really )?the word\b"),
    re.compile(r"\bi (?:never|didn'?t) sa(?:y|id) (?:that )?i was (\w+)"),
)
_KEPT: Final = 8  # estimates: of the words so far, of these without the last, of the last alone
_EARLIER_TURNS: Final = 3  # caller's utterances before this one that the network hears again


class WordEmotion:
    """One caller's words, as a network reads them."""

    def __init__(self, classifier: TextEmotionClassifier | None) -> None:
        """Ask this network; None: nothing is estimated."""
        self._classifier = classifier
        self._known: dict[tuple[str, ...], EmotionEstimate] = {}  # of the last turns

    def estimate(self, request: ReplyRequest) -> EmotionEstimate | None:
        """Return what the network makes of the caller's words; None of what was hardly heard."""
        if request.transcript.confidence < HALF_HEARD:
            return None
        estimate = self.estimate_of(said_turns(request))
        told = [spelled(one.text) for one in request.history if one.role == "caller"]
        if estimate is None or len(told) <= _EARLIER_TURNS:
            return estimate
        denied = _still_denied([*told, request.transcript.text])
        return estimate.without({fine for fine in FINE if felt(fine) in denied})

    def estimate_of(self, said: tuple[str, ...]) -> EmotionEstimate | None:
        """Return what the network makes of these turns alone; None of none."""
        if self._classifier is None or not said:
            return None
        if said not in self._known:
            if len(self._known) == _KEPT:
                del self._known[next(iter(self._known))]
            self._known[said] = _corrected(said, self._classifier.classify(said))
        return self._known[said]


def _corrected(said: Sequence[str], estimate: EmotionEstimate) -> EmotionEstimate:
    """Return an estimate without what the caller says that they do not feel."""
    text = " . ".join(said).casefold()
    if is_amused(said) or _NOTHING_BAD.search(text):
        estimate = estimate.among(PLEASANT | {"surprised"})
    denied = _denied(text)
    if _WILD.search(text):
        denied.add("angry")
    denied.discard(felt(named_in(said[-1])))  # meanwhile, or more than that
    return estimate.without({fine for fine in FINE if felt(fine) in denied}) if denied else estimate


def _denied(text: str) -> set[Emotion]:
    """Return what a text, lower case, says is not felt."""
    words = [word for one in (_DENIED, *_DENIED_TOO) for word in one.findall(text)]
    return {felt(fine) for word in words if (fine := to_fine(word))}


def _still_denied(told: Sequence[str]) -> set[Emotion]:
    """Return what was put right in a call, of what they have not named since; the oldest first."""
    denied: set[Emotion] = set()
    for one in told:
        new = _denied(one.casefold())
        denied = (denied - {felt(named_in(one))} if denied else denied) | new
    return denied


def said_turns(request: ReplyRequest) -> tuple[str, ...]:
    """Return the caller's last utterances and this one as they are spelled, the oldest first."""
    before = [message.text for message in request.history if message.role == "caller"]
    return tuple(map(spelled, (*before[-_EARLIER_TURNS:], clean_words(request.transcript.text))))
