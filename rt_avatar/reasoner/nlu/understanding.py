"""One utterance, understood by rules: what is meant, felt, spoken of, and how grave it is."""

from typing import Final

from rt_avatar.engines.emotion_words import COARSE, PLEASANT, UNPLEASANT, Fine
from rt_avatar.engines.text_emotion import CLEAR, EmotionEstimate
from rt_avatar.engines.text_emotion.classifier import MIN_WORDS
from rt_avatar.reasoner import ReplyRequest
from rt_avatar.reasoner.danger.aftermath import PASSED_OVER, Aftermath, find_aftermath, is_doubting
from rt_avatar.reasoner.danger.alarms import UNSURE, Alarm
from rt_avatar.reasoner.nlu.earlier import Earlier
from rt_avatar.reasoner.nlu.feelings import Feeling, detect, named_in, words_of
from rt_avatar.reasoner.nlu.grave import Grave, find_grave
from rt_avatar.reasoner.nlu.intents import Intent, clean_words, find_intent, intent_of
from rt_avatar.reasoner.nlu.mood import Mood, mood_of
from rt_avatar.reasoner.nlu.moved_on import leaves_grief
from rt_avatar.reasoner.nlu.spelling import as_spelled
from rt_avatar.reasoner.nlu.topics import Topic, find_topic
from rt_avatar.reasoner.nlu.word_emotion import HALF_HEARD
from rt_avatar.reasoner.responses.quiet import find_question
from rt_avatar.reasoner.responses.remembered import find_remembered

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
_GLAD: Final = frozenset[Mood]({"pleasant", "proud", "funny"})
# What takes the mind off an alarm.
_ELSEWHERE: Final[frozenset[Intent]] = frozenset(
    {"unheard", "greeting", "how_are_you", "who_are_you", "tells_name", "asks_name", "are_you_real",
     "can_you_hear", "say_again", "insult"}
)  # fmt: skip


class Understanding:
    """What rules, and a network's estimate where one was asked, make of an utterance.

    Attributes:
        request: With the utterance, as it is spelled.
        heard: Its words, cleaned.
        earlier: What was said before.
        alarm: What may be dangerous in them.
        own_intent: What the words are meant for by themselves.
        held: An alarm that they follow, and do not take the mind off.
        intent: What they are meant for in this call: what follows an alarm is part of it.
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
        self.request = request = as_spelled(request)
        self.heard = clean_words(request.transcript.text)
        self.earlier = Earlier(request.history)
        confidence = request.transcript.confidence
        self.alarm = None if request.greet else self.earlier.alarm_of(self.heard)
        intent: Intent = "greeting" if request.greet else find_intent(self.heard, confidence)
        if self.alarm:
            intent = intent_of(self.alarm)
        is_danger = self.alarm is not None  # a matter of rules alone
        self.feeling: Feeling = detect(self.heard, request.affect, None if is_danger else estimate)
        self.topic: Topic = find_topic(self.heard, confidence) if gives_back else Topic()
        self.own = named_in(self.heard)
        # Of who is remembered by the way nothing grave is told.
        is_aside = is_danger or find_remembered(request.transcript.text) is not None
        self.grave: Grave | None = None if is_aside else find_grave(self.heard)
        self.question = find_question(request.transcript.text)
        self.is_quiet = self._is_quiet(intent, estimate)
        if self.is_quiet:
            self.feeling = self._grieved()
        # Half heard, without cue or topic: not understood.
        has_hold = self.feeling.is_named or bool(self.topic)
        if confidence < HALF_HEARD and intent == "telling" and not has_hold:
            intent = "unheard"
        self.own_intent: Intent = intent
        is_about_it = not self.alarm and intent not in _ELSEWHERE
        self.held: Alarm | None = self.earlier.alarm if is_about_it else None
        if self.held in UNSURE and self.aftermath in PASSED_OVER:
            self.held = None
        if is_about_it and not self.held and self.earlier.is_harmed and is_doubting(self.heard):
            self.held = "fear"
        self.intent: Intent = intent_of(self.held) if self.held else intent

    @property
    def aftermath(self) -> Aftermath:
        """What the words tell of an alarm before them."""
        return find_aftermath(self.heard, self.earlier.said[-1] if self.earlier.said else "")

    @property
    def asks_gravely(self) -> bool:
        """Whether something grave is asked: in a sentence, or at the end of what was told."""
        is_asked = not self.is_long or self.heard.rstrip().endswith("?")
        return self.is_quiet and bool(self.question) and is_asked

    @property
    def is_short(self) -> bool:
        """Whether so few words, without feeling or topic, may go back to an old topic."""
        return len(words_of(self.heard)) <= _FEW_WORDS

    @property
    def is_long(self) -> bool:
        """Whether more is said than in a sentence."""
        return len(words_of(self.heard)) > _SENTENCE

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
        # Of a funeral they tell what was funny, too, and go on with something else.
        is_glad = mood_of((self.heard,)) in _GLAD or leaves_grief(self.heard)
        return self.own is None and not self.question and not is_glad and self.earlier.is_sorrow

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
