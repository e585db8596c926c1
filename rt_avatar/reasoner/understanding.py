"""One utterance, understood by rules: what is meant, felt, spoken of, and how grave it is."""

from typing import Final

from rt_avatar.engines.emotion_words import COARSE, PLEASANT, UNPLEASANT, Fine
from rt_avatar.engines.text_emotion import CLEAR, EmotionEstimate
from rt_avatar.engines.text_emotion.classifier import MIN_WORDS
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.earlier import Earlier
from rt_avatar.reasoner.feelings import Feeling, detect, named_in, words_of
from rt_avatar.reasoner.grave import Grave, find_grave
from rt_avatar.reasoner.intents import Intent, clean_words, find_intent
from rt_avatar.reasoner.quiet import find_question
from rt_avatar.reasoner.topics import Topic, find_topic
from rt_avatar.reasoner.word_emotion import HALF_HEARD

MOOD_INTENSITY: Final = 0.5  # of what is not named; a fading mood, not a fresh one
_FEW_WORDS: Final = 5  # up to this, an utterance without feeling or topic asks for an old topic
# Intents of who tells or asks of something grave.
_GRAVELY: Final[frozenset[Intent]] = frozenset({"telling", "advice", "fact", "do_you_feel"})
# What a network may find in few words of who tells of death or violence; it may be wrong, and grief
# is not. Only what their own words name is said.
_FEW_TO_JUDGE: Final = 12
_SENTENCE: Final = 18  # words of one, at most
_GRIEVED: Final[frozenset[Fine]] = frozenset(
    {"sad", "devastated", "lonely", "afraid", "terrified", "anxious"}
)
_KEPT: Final = UNPLEASANT - {"disgusted", "jealous"}
# What may follow a crisis without taking the mind off it.
_AFTERMATH: Final[frozenset[Intent]] = frozenset(
    {"telling", "yes", "no", "dont_know", "backchannel", "thanks", "goodbye", "asks_memory"}
)


class Understanding:
    """What rules, and a network's estimate where one was asked, make of an utterance.

    Attributes:
        request: With the utterance.
        heard: Its words, cleaned.
        earlier: What was said before.
        own_intent: What the words are meant for by themselves.
        is_after_crisis: Whether they follow a crisis, and do not take the mind off it.
        intent: What they are meant for in this call: what follows a crisis is part of it.
        feeling: What the caller feels.
        own: The feeling that their own words name.
        topic: What is spoken of.
        grave: Whether it is of death, or of what nobody tells as good news.
        question: What is asked in a sentence.
        is_quiet: Whether the reply shall give room instead of asking on.
    """

    def __init__(
        self,
        request: ReplyRequest,
        estimate: EmotionEstimate | None = None,
        *,
        gives_back: bool = True,
    ) -> None:
        """Understand an utterance.

        Args:
            request: With the utterance.
            estimate: What a network makes of the caller's words so far, if one was asked.
            gives_back: Whether the reply may give back what was spoken of ("your job").
        """
        self.request = request
        self.heard = clean_words(request.transcript.text)
        self.earlier = Earlier(request.history)
        confidence = request.transcript.confidence
        intent: Intent = "greeting" if request.greet else find_intent(self.heard, confidence)
        is_danger = intent in ("crisis", "danger")  # a matter of rules alone
        self.feeling: Feeling = detect(self.heard, request.affect, None if is_danger else estimate)
        self.topic: Topic = find_topic(self.heard, confidence) if gives_back else Topic()
        self.own = named_in(self.heard)
        self.grave: Grave | None = None if is_danger else find_grave(self.heard)
        self.question = find_question(request.transcript.text)
        self.is_quiet = self._is_quiet(intent, estimate)
        if self.is_quiet:
            self.feeling = self._grieved()
        # Half heard, without cue or topic: not understood.
        has_hold = self.feeling.is_named or bool(self.topic)
        if confidence < HALF_HEARD and intent == "telling" and not has_hold:
            intent = "unheard"
        self.own_intent: Intent = intent
        self.is_after_crisis = intent in _AFTERMATH and self.earlier.is_crisis
        self.intent: Intent = "crisis" if self.is_after_crisis else intent

    @property
    def asks_gravely(self) -> bool:
        """Whether a sentence asks for something grave; a story has more in it than its question."""
        return self.is_quiet and bool(self.question) and len(words_of(self.heard)) <= _SENTENCE

    @property
    def is_short(self) -> bool:
        """Whether so few words, without feeling or topic, may go back to an old topic."""
        return len(words_of(self.heard)) <= _FEW_WORDS

    @property
    def is_answer(self) -> bool:
        """Whether these are a few words after a question."""
        return self.earlier.is_asked and len(words_of(self.heard)) < MIN_WORDS

    # --- what is grave --------------------------------------------------------------------------
    def _is_quiet(self, intent: Intent, estimate: EmotionEstimate | None) -> bool:
        """Whether something grave is told: death, or what nobody tells as good news."""
        if intent not in _GRAVELY:
            return False
        if self.grave == "sorrow":
            return True
        if self.grave is not None:
            is_good = estimate is not None and estimate.pleasure >= CLEAR
            return self.own not in PLEASANT and not is_good
        return self.own is None and not self.question and self.earlier.is_sorrow

    def _grieved(self) -> Feeling:
        """Return what they feel: what their own words name, or what nearly everybody would."""
        own, found = self.own, self.feeling
        is_long = len(words_of(self.heard)) > _FEW_TO_JUDGE
        if own in PLEASANT | UNPLEASANT:
            return Feeling(own, COARSE[own], max(found.intensity, MOOD_INTENSITY), is_named=True)
        kept = _KEPT if is_long or self.grave == "serious" else _GRIEVED
        if found.is_named and found.fine in kept:
            return Feeling(found.fine, found.coarse, found.intensity, is_named=True)
        if self.grave == "serious":
            return Feeling(None, "neutral", MOOD_INTENSITY, is_named=False)
        return Feeling("sad", "sad", MOOD_INTENSITY, is_named=True)
