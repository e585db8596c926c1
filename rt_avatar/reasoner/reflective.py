"""The rule-based reasoner: names the feeling, reflects a few words, asks; never advises.

``ReplyRequest`` → one ``Plan``, then one to four ``Clause``s, at once. It remembers nothing that
changes a reply: what was said before comes with the request, so a discarded preemptive reply leaves
no trace, and the same conversation always gets the same reply. It does not repeat itself within a
call as long as it has other words. Knows no network and no clock.
"""

import zlib
from collections.abc import AsyncGenerator, Sequence
from typing import Final

from rt_avatar.engines.emotion_words import COARSE, PLEASANT, UNPLEASANT, Fine, felt, to_fine
from rt_avatar.engines.text_emotion import CLEAR, EmotionEstimate, TextEmotionClassifier
from rt_avatar.engines.text_emotion.classifier import MIN_WORDS
from rt_avatar.engines.types import Emotion
from rt_avatar.messages import Chain, Clause, Plan
from rt_avatar.reasoner import ChatMessage, Conversation, ReplyRequest
from rt_avatar.reasoner.bank import Bank
from rt_avatar.reasoner.courtesies import (
    AFTER_CRISIS,
    ANSWERED,
    COURTESIES,
    CRISIS_OTHER,
    FOLLOW_UP,
    GOODBYE_AFTER_CRISIS,
    GREETINGS,
    KNOWN_NAME,
    LOOKS_ONLY,
    MIXED,
    REMEMBERED,
    UNHEARD_LOOK,
)
from rt_avatar.reasoner.echoes import find_echo
from rt_avatar.reasoner.feelings import Feeling, detect, named_in, words_of
from rt_avatar.reasoner.grave import Grave, find_grave
from rt_avatar.reasoner.intents import (
    Intent,
    claims_to_be_fine,
    clean_words,
    find_intent,
    is_about_other,
    is_crisis,
)
from rt_avatar.reasoner.names import find_name
from rt_avatar.reasoner.phrases import BANKS, FEELS, OPEN
from rt_avatar.reasoner.quiet import ASKED, FELT, HEARD, MAY, NOT_KNOWN, ROOM, SORRY, find_question
from rt_avatar.reasoner.sentences import ClauseSplitter
from rt_avatar.reasoner.styles import CRISIS, GREETING, PUZZLED, ResponseStyle, response_style
from rt_avatar.reasoner.topics import HARD_EVENTS, Topic, find_topic
from rt_avatar.reasoner.word_emotion import HALF_HEARD, WordEmotion

_AFTER_CRISIS_TURNS: Final = 3  # caller's utterances for which a crisis stays the first concern
_MOOD_TURNS: Final = 2  # caller's utterances for which a feeling still colors neutral words
_MOOD_INTENSITY: Final = 0.5  # how strongly; a fading mood, not a fresh one
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
_SAYABLE: Final = UNPLEASANT - {"guilty", "ashamed", "embarrassed", "jealous", "disgusted"}
# What may follow a crisis without taking the mind off it.
_AFTERMATH: Final[frozenset[Intent]] = frozenset(
    {"telling", "yes", "no", "dont_know", "backchannel", "thanks", "goodbye", "asks_memory"}
)
_LOOKS: Final[dict[Fine, str]] = {
    "joyful": "cheerful",
    "surprised": "surprised",
    "annoyed": "a bit tense",
    "anxious": "a little worried",
    "sad": "a little sad",
    "disgusted": "put off",
}


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
        yield answer.plan
        for clause in answer.clauses():
            yield clause

    async def aclose(self) -> None:
        """Do nothing."""


class Listening:
    """One utterance, understood, and the answer to it.

    1. Finds intent, feeling and topic. 2. Gives the ``plan``. 3. Gives ``text`` and ``clauses``.
    ``EmpathyEarReasoner`` uses 1 and 2 where its model leaves them out, and all of it where no
    model should answer (greeting, nothing heard, crisis).
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
        self._request = request
        self._heard = clean_words(request.transcript.text)
        confidence = request.transcript.confidence
        self.intent: Intent = "greeting" if request.greet else find_intent(self._heard, confidence)
        is_danger = self.intent in ("crisis", "danger")  # a matter of rules alone
        self.feeling: Feeling = detect(self._heard, request.affect, None if is_danger else estimate)
        self.topic: Topic = find_topic(self._heard, confidence) if gives_back else Topic()
        self._own = named_in(self._heard)
        self.grave: Grave | None = None if is_danger else find_grave(self._heard)
        self.question = find_question(request.transcript.text)
        self.is_quiet = self._is_quiet(estimate)
        if self.is_quiet:
            self.feeling = self._grieved()
        self._said = [e.text for e in request.history if e.role == "avatar"]
        first = next((e.text for e in request.history if e.role == "caller"), "")
        seed = f"{request.persona.name}|{first}|{len(request.history)}|{self._heard}"
        self._seed = zlib.crc32(seed.encode())
        # Half heard, without cue or topic: not understood.
        if confidence < HALF_HEARD and self.intent == "telling" and not self._has_hold():
            self.intent = "unheard"
        self._text = self._compose()

    @property
    def text(self) -> str:
        """The reply, whole."""
        return self._text

    @property
    def needs_no_model(self) -> bool:
        """Whether rules must answer: hello, silence, and where a model might do harm."""
        return self._request.greet or self.intent in ("unheard", "crisis", "danger")

    @property
    def style(self) -> ResponseStyle:
        """How to look and sound."""
        if self.intent in ("crisis", "danger"):
            return CRISIS
        mood = self._mood()
        if self.intent in ("greeting", "how_are_you", "thanks", "goodbye") and felt(mood) in (
            "neutral",
            "happy",
        ):
            return GREETING
        if self.is_quiet and felt(self.feeling.fine) in ("neutral", "happy", "surprised"):
            return response_style("sad", _MOOD_INTENSITY)
        if self.feeling.fine is None and mood is not None:
            return response_style(mood, _MOOD_INTENSITY)
        if self.intent in ("unheard", "say_again") and self.feeling.fine is None:
            return PUZZLED
        return response_style(self.feeling.fine, self.feeling.intensity)

    @property
    def plan(self) -> Plan:
        """Chain of empathy, what the caller feels, and how to answer."""
        request, style = self._request, self.style
        return Plan(
            turn=request.turn,
            pts=request.transcript.pts,
            chain=self.chain(),
            user_emotion=self._user_emotion(),
            voice=style.voice,
            face=style.face,
        )

    def clauses(self) -> list[Clause]:
        """The reply in pieces, the first one short."""
        return clauses_of(self._text, self._request)

    def chain(self) -> Chain:
        """The steps before the reply, in words for people."""
        if self._request.greet:
            return Chain(scenario="the call begins", goal="to welcome them")
        feeling, topic = self.feeling, self.topic
        about = _of_caller(topic.event) or (topic.noun and f"about {_of_caller(topic.noun)}")
        if self.intent in ("crisis", "danger"):
            return Chain(
                scenario="someone may be in danger",
                emotion=feeling.fine or "devastated",
                cause=about or "not told",
                goal="to keep them safe: human help, now",
                rationale="safety comes before everything else",
            )
        why = "nothing tells a feeling yet"
        if feeling.looks and feeling.is_named:
            why = f"they speak of feeling {feeling.fine}, yet seem {feeling.looks}"
        elif feeling.is_named:
            why = f"their words speak of feeling {feeling.fine}"
        elif feeling.fine:
            why = f"their words say little; voice and face seem {feeling.fine}"
        return Chain(
            scenario=about or _SCENARIOS.get(self.intent, "not told yet"),
            emotion=feeling.fine or "neutral",
            cause=about or "not told yet",
            goal=self._bank().goal
            if self.intent == "telling"
            else "to answer plainly and ask back",
            rationale=why,
        )

    # --- choosing words -------------------------------------------------------------------------
    def _compose(self) -> str:
        request, feeling, intent = self._request, self.feeling, self.intent
        if request.greet:
            return self._choose(GREETINGS, name=request.persona.label)
        if intent == "crisis":
            about_other = is_about_other(self._heard)
            return self._choose(CRISIS_OTHER if about_other else COURTESIES[intent])
        if intent in _AFTERMATH and self._is_after_crisis():
            self.intent = "crisis"
            return self._choose(GOODBYE_AFTER_CRISIS if intent == "goodbye" else AFTER_CRISIS)
        if self.is_quiet:
            return self._quietly()
        look = _LOOKS.get(feeling.looks, "") if feeling.looks else ""
        if intent == "unheard" and look:
            return self._choose(UNHEARD_LOOK, look=look)
        if intent == "say_again":
            last = self._said[-1] if self._said else "what's on your mind?"
            return self._choose(COURTESIES[intent], last=last)
        if intent in ("backchannel", "dont_know") and (topic := self._earlier_topic()):
            return self._choose((*FOLLOW_UP, *COURTESIES[intent]), topic=topic)
        if intent in ("tells_name", "asks_name") and (caller := self._caller_name()):
            variants = COURTESIES[intent] if intent == "tells_name" else KNOWN_NAME
            return self._choose(variants, caller=caller, name=request.persona.label)
        if intent == "asks_memory" and (told := self._told()):
            return self._choose(REMEMBERED, told=told)
        if intent != "telling":
            return self._choose(COURTESIES[intent], name=request.persona.label)
        fine = feeling.coarse == "happy" if feeling.is_named else claims_to_be_fine(self._heard)
        if fine and look and feeling.looks != "joyful":
            return self._choose(MIXED, look=look)
        if not feeling.is_named and look and not self.topic:
            return self._choose(LOOKS_ONLY, look=look)
        if self._is_answer() and detect(self._heard).fine is None:
            return self._choose(ANSWERED)
        return self._reflect()

    def _reflect(self) -> str:
        """Compose reaction, reflection and question."""
        bank, topic, feeling = self._bank(), self.topic, self.feeling
        few = len(words_of(self._heard)) <= _FEW_WORDS
        if feeling.fine is None and not topic and few and (old := self._earlier_topic()):
            return f"{self._choose(OPEN.react)} {self._choose(FOLLOW_UP, topic=old)}"
        event = "" if feeling.coarse == "happy" and topic.event in HARD_EVENTS else topic.event
        words = {
            "feel": self._choose(FEELS[feeling.fine]) if feeling.fine else "",
            "noun": topic.noun,
            "event": event,
        }
        noun = (bank.person or bank.noun) if topic.is_person else bank.noun
        mirrors = bank.event if event else noun if topic.noun else bank.bare
        asks = bank.ask_noun + bank.ask if topic.noun and topic.is_person else bank.ask
        if feeling.fine is None and not topic and (mood := self._mood()) is not None:
            asks = BANKS[mood].ask
        return " ".join(
            (
                self._choose(bank.react, **words),
                self._choose(mirrors, **words),
                self._choose(asks, **words),
            )
        )

    def _quietly(self) -> str:
        """Give room to what is grave, and name no feeling that the caller does not."""
        if self.question and self.asks_gravely:
            opening = {"may": MAY, "like_me": NOT_KNOWN, "asks": ASKED}[self.question]
            return f"{self._choose(opening)} {self._choose(ROOM)}"
        is_said = bool(self._said) and "sorry" in self._said[-1].lower()
        is_sorrow = self.grave == "sorrow" and self._own not in PLEASANT
        parts = [self._choose(SORRY if is_sorrow and not is_said else HEARD)]
        if self._own in _SAYABLE and self._own in map(to_fine, self._heard.lower().split()):
            parts.append(self._choose(FELT, feel=self._choose(FEELS[self._own])))
        return " ".join((*parts, self._choose(ROOM)))

    def _bank(self) -> Bank:
        return BANKS[self.feeling.fine] if self.feeling.fine else OPEN

    def _choose(self, variants: Sequence[str], **words: str) -> str:
        """Return the first variant, from a seeded start, that was not said in this call.

        When all were, the one said longest ago.
        """
        said = " ".join(" ".join(words_of(text)) for text in self._said)
        turned = [variants[(self._seed + at) % len(variants)] for at in range(len(variants))]
        chosen = min(turned, key=lambda variant: said.rfind(_signature(variant)))
        filled = chosen.format(**words) if "{" in chosen else chosen
        return filled[:1].upper() + filled[1:] if filled[-1:] in ".?!" else filled

    # --- what is grave --------------------------------------------------------------------------
    def _is_quiet(self, estimate: EmotionEstimate | None) -> bool:
        """Whether something grave is told: death, or what nobody tells as good news."""
        if self.intent not in _GRAVELY:
            return False
        if self.grave == "sorrow":
            return True
        if self.grave is not None:
            is_good = estimate is not None and estimate.pleasure >= CLEAR
            return self._own not in PLEASANT and not is_good
        return self._own is None and not self.question and self._is_after_sorrow()

    def _grieved(self) -> Feeling:
        """Return what they feel: what their own words name, or what nearly everybody would."""
        own, found = self._own, self.feeling
        is_long = len(words_of(self._heard)) > _FEW_TO_JUDGE
        if own in PLEASANT | UNPLEASANT:
            return Feeling(own, COARSE[own], max(found.intensity, _MOOD_INTENSITY), is_named=True)
        kept = _KEPT if is_long or self.grave == "serious" else _GRIEVED
        if found.is_named and found.fine in kept:
            return Feeling(found.fine, found.coarse, found.intensity, is_named=True)
        if self.grave == "serious":
            return Feeling(None, "neutral", _MOOD_INTENSITY, is_named=False)
        return Feeling("sad", "sad", _MOOD_INTENSITY, is_named=True)

    @property
    def asks_gravely(self) -> bool:
        """Whether a sentence asks for something grave; a story has more in it than its question."""
        return self.is_quiet and bool(self.question) and len(words_of(self._heard)) <= _SENTENCE

    def _is_after_sorrow(self) -> bool:
        return any(find_grave(one.text) == "sorrow" for one in self._earlier()[-_MOOD_TURNS:])

    # --- history --------------------------------------------------------------------------------
    def _earlier(self) -> list[ChatMessage]:
        return [e for e in self._request.history if e.role == "caller"]

    def _earlier_topic(self) -> str:
        for exchange in reversed(self._earlier()):
            if noun := find_topic(clean_words(exchange.text), 0.0).noun:
                return noun
        return ""

    def _caller_name(self) -> str:
        """Return the name that the caller gave last; empty where none was given."""
        texts = (self._heard, *(clean_words(one.text) for one in reversed(self._earlier())))
        return next((name for text in texts if (name := find_name(text))), "")

    def _told(self) -> str:
        """Return the last clause of the caller's that can be told back; empty where none can."""
        texts = (clean_words(one.text) for one in reversed(self._earlier()))
        return next((told for text in texts if (told := find_echo(text))), "")

    def _is_after_crisis(self) -> bool:
        recent = [exchange.text for exchange in self._earlier()[-_AFTER_CRISIS_TURNS:]]
        return any(is_crisis(text) and not is_about_other(text) for text in recent)

    def _mood(self) -> Fine | None:
        """Return what the caller's last words spoke of, while these words speak of nothing."""
        for exchange in reversed(self._earlier()[-_MOOD_TURNS:]):
            feeling = detect(clean_words(exchange.text))
            if feeling.fine is not None:
                return feeling.fine
        return None

    def _is_answer(self) -> bool:
        """Whether these are a few words after a question."""
        is_asked = bool(self._said) and self._said[-1].rstrip().endswith("?")
        return is_asked and len(words_of(self._heard)) < MIN_WORDS

    def _has_hold(self) -> bool:
        return self.feeling.is_named or bool(self.topic)

    def _user_emotion(self) -> Emotion:
        if self.intent in ("crisis", "danger") and self.feeling.coarse in ("neutral", "happy"):
            return "sad"
        return self.feeling.coarse


def clauses_of(text: str, request: ReplyRequest) -> list[Clause]:
    """Return a reply to a request in pieces, the first one short."""
    splitter = ClauseSplitter(request.effort.is_first_clause_short)
    pieces = splitter.push(text) + splitter.flush()
    turn, pts = request.turn, request.transcript.pts
    return [Clause(turn, pts, index, piece) for index, piece in enumerate(pieces)]


_SCENARIOS: Final[dict[Intent, str]] = {
    "unheard": "nothing was understood",
    "backchannel": "they listen on",
    "greeting": "they say hello",
    "how_are_you": "they ask how the avatar is",
    "thanks": "they say thanks",
    "goodbye": "they say goodbye",
    "who_are_you": "they ask who the avatar is",
    "tells_name": "they say their name",
    "asks_name": "they ask whether the avatar knows their name",
    "asks_memory": "they ask what the avatar remembers",
    "are_you_real": "they ask whether the avatar is real",
    "do_you_feel": "they ask what the avatar feels",
    "advice": "they ask for advice",
    "medical": "they ask for medical advice",
}


def _signature(variant: str) -> str:
    """Return what tells that a variant was said: the first words of its longest fixed part."""
    fixed = max(variant.replace("}", "{").split("{")[::2], key=len)
    # Six words: enough to be unlike others, and kept when an interruption cuts the reply.
    return " ".join(words_of(fixed)[:6])


def _of_caller(words: str) -> str:
    """Return ``"you lost your job"`` as said of the caller: ``"they lost their job"``."""
    return " ".join({"you": "they", "your": "their"}.get(word, word) for word in words.split())
