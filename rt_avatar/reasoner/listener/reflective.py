"""The rule-based reasoner: names the feeling, reflects a few words, asks; never advises.

``ReplyRequest`` → one ``Plan``, then one to four ``Clause``s, at once.
"""

from collections.abc import AsyncGenerator

from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner import Conversation, ReplyRequest
from rt_avatar.reasoner.listener.listening import Listening
from rt_avatar.reasoner.nlu.word_emotion import WordEmotion


class ReflectiveReasoner:
    """The rule-based listener; one serves all callers."""

    def __init__(self, classifier: TextEmotionClassifier | None = None) -> None:
        """Name feelings by this network where it is sure; None: by the lexicon alone."""
        self._classifier = classifier

    @property
    def name(self) -> str:
        """Name shown on the page."""
        return "reflective"

    def open(self) -> Conversation:
        """Create one caller's conversation."""
        return _ReflectiveConversation(self._classifier)

    async def aclose(self) -> None:
        """Do nothing: there is no connection."""


class _ReflectiveConversation:
    def __init__(self, classifier: TextEmotionClassifier | None) -> None:
        self._emotion = WordEmotion(classifier)

    async def listen(self, so_far: ReplyRequest) -> None:
        """Classify the words so far; rules need no preparation."""
        self._emotion.estimate(so_far)

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Yield the plan and the clauses."""
        answer = Listening(request, self._emotion.estimate(request))
        for part in answer.parts():
            yield part

    async def aclose(self) -> None:
        """Do nothing."""
