"""The listener of this package's own: rules, and to stories replies that were written for them.

What was told is answered with a reply of a bank, chosen by a small network
(``engines/reply_ranker``) where it is sure of it. All else is the rules': greetings and questions,
what was not understood, what voice or face say against the words, and everything that may be
dangerous. The plan is theirs, too. The same conversation always gets the same reply.
"""

import re
import zlib
from collections.abc import AsyncGenerator, Set
from typing import Final

from rt_avatar.engines.emotion_words import PLEASANT, Fine
from rt_avatar.engines.reply_ranker import Choice, ReplyRanker
from rt_avatar.engines.reply_ranker.fit import without_nod
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.text_emotion import EmotionEstimate, TextEmotionClassifier
from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner import Conversation, ReplyRequest
from rt_avatar.reasoner.clauses import find_clause
from rt_avatar.reasoner.echoes import find_answer, find_echo, repeats
from rt_avatar.reasoner.feelings import named_in
from rt_avatar.reasoner.focus import find_focus
from rt_avatar.reasoner.grave import is_grave
from rt_avatar.reasoner.intents import Intent
from rt_avatar.reasoner.listening import Listening, clauses_of
from rt_avatar.reasoner.mood import leaning, mood_of
from rt_avatar.reasoner.repair import find_objection, own_up
from rt_avatar.reasoner.spelling import as_spelled
from rt_avatar.reasoner.takeup import MOST_RETOLD, take_up, tell_back, told_back
from rt_avatar.reasoner.word_emotion import HALF_HEARD, WordEmotion, said_turns

# Told by a caller, rules answer: a reply to another's story of this may harm.
_LEFT_TO_RULES: Final = frozenset({"revenge", "courtship"})
_PROPOSAL: Final = re.compile(r"\bmarry me\b")  # may be told of
# Where the avatar asked something, the bank may know what a word or two answer.
_SHORT_ANSWERS: Final = frozenset[Intent]({"yes", "no", "dont_know"})
# What is said to the avatar itself, the bank may know better than the rules; never where somebody
# may come to harm, nor who the avatar is.
_TO_AVATAR: Final = frozenset[Intent]({
    *_SHORT_ANSWERS, "telling", "backchannel", "greeting", "how_are_you", "thanks", "are_you_real",
    "do_you_feel", "can_you_hear", "say_again", "advice", "insult", "fact",
})  # fmt: skip
# What may be felt where somebody died or was harmed, when choosing among what was written.
_GRIEF: Final = frozenset[Fine]({"sad", "devastated"})
# Ways to say what was heard; the reply itself follows.
_FRAMES: Final = ("So {}.", "Oh, {}.", "Ah, {}.", "Right, {}.", "Mm, {}.")
_ECHO_STARTS: Final = tuple(frame.partition("{")[0] for frame in _FRAMES)
_ONE_KIND: Final = 4  # feelings of a heading that knows one of them and its neighbours
_DOUBTFUL: Final = 0.0  # score; a topic with less was mostly heard in a word of another sense
_INTERJECTIONS: Final = frozenset({"Oh", "Ah", "Mm", "Wow", "Ugh", "Yuck", "My", "Ooh", "Right"})
_SORRY: Final = re.compile(r"\b(?:sorry|apolog\w+|my mistake)\b|went in a circle|missed it", re.I)
_AFTER_OBJECTION: Final = "I'm listening."
_SELF_REPROACH: Final = frozenset({"guilty", "ashamed", "embarrassed"})


class NanoReasoner:
    """Rules and chosen replies; one serves all callers."""

    def __init__(self, classifier: TextEmotionClassifier, ranker: ReplyRanker) -> None:
        """Name feelings by ``classifier``, choose replies by ``ranker``."""
        self._classifier, self._ranker = classifier, ranker

    @property
    def name(self) -> str:
        """Name shown on the page."""
        return "nano"

    def open(self) -> Conversation:
        """Create one caller's conversation."""
        return _NanoConversation(self._classifier, self._ranker)

    async def aclose(self) -> None:
        """Do nothing: there is no connection."""


class _NanoConversation:
    def __init__(self, classifier: TextEmotionClassifier, ranker: ReplyRanker) -> None:
        self._emotion, self._ranker = WordEmotion(classifier), ranker
        # What was said by both sides, and the reply chosen to it: found again when a reply begins.
        self._chosen: tuple[tuple[tuple[str, ...], tuple[str, ...]], Choice | None] | None = None

    async def listen(self, so_far: ReplyRequest) -> None:
        """Choose a reply to the words so far."""
        self._answer(so_far)

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Yield the plan of the rules, and the chosen reply or theirs."""
        answer, text = self._answer(request)
        yield answer.plan
        for clause in clauses_of(text, request):
            yield clause

    async def aclose(self) -> None:
        """Do nothing."""

    def _answer(self, request: ReplyRequest) -> tuple[Listening, str]:
        request = as_spelled(request)
        answer, text = self._reply_to(request)
        said = request.transcript.text
        own = [one.text for one in request.history if one.role == "avatar"]
        objection = find_objection(said, own[-1] if own else "", said_turns(request)[:-1])
        if objection and answer.intent in _TO_AVATAR and not _SORRY.search(text):
            owned = own_up(objection, said, own)
            choice = self._chosen[1] if self._chosen else None
            is_known = choice is not None and not choice.is_general
            if not (is_known or answer.is_quiet or is_grave(said)):
                text = "" if objection == "ignored" else self._after_objection(request)
            text = f"{owned} {text}".strip()
        return answer, text

    def _reply_to(self, request: ReplyRequest) -> tuple[Listening, str]:
        estimate = self._emotion.estimate(request)
        answer = Listening(request, estimate)
        if estimate and answer.is_quiet:
            fine = answer.feeling.fine
            if answer.grave == "sorrow" and fine is not None and fine not in PLEASANT:
                estimate = estimate.among(_GRIEF | {fine})
        elif estimate and _is_story(request, answer):
            # A topic that needs no more than a few words tells what may be felt, too, unless they
            # say themselves what that is.
            told = self._ranker.felt_with(said_turns(request), estimate.probabilities)
            narrowed = estimate.among(told) if told else estimate
            narrower = Listening(request, narrowed)
            if not narrower.feeling.is_named or narrower.feeling.fine in told:
                estimate, answer = narrowed, narrower
        grave = any(map(is_grave, said_turns(request)))
        choice = None
        if estimate and answer.intent in _TO_AVATAR:
            choice = self._choose(request, answer, estimate, is_grave=grave)
        if choice and choice.when == "ever":
            return answer, choice.text
        if answer.is_quiet and (answer.asks_gravely or (choice and choice.is_general)):
            return answer, answer.text
        if not _is_story(request, answer) and not _is_story(request, answer, _SHORT_ANSWERS):
            choice = None
        if choice and choice.when == "answer":
            return answer, choice.text if grave else _with_answer(request, choice.text)
        is_grave_now = is_grave(said_turns(request)[-1])
        if not (is_grave_now and choice) and (
            (grave and _is_story(request, answer) and self._is_worn(request, choice))
            or (not self._is_felt(request, choice) and _takes_up(request, answer, choice))
        ):
            taken = self._take_up(request, tells_back=not is_grave_now)
            is_said = any(taken == one.text for one in request.history if one.role == "avatar")
            if not find_unsafe(taken) and not is_said:
                return answer, taken
        if choice and choice.is_sure and answer.intent == "telling":
            return answer, choice.text if grave else _with_echo(request, answer, choice.text)
        if answer.intent != "telling" or not find_unsafe(answer.text):
            return answer, answer.text
        # The caller's own word, given back, is what must never be said.
        plain = Listening(request, estimate, gives_back=False)
        return answer, choice.text if choice else plain.text

    @staticmethod
    def _after_objection(request: ReplyRequest) -> str:
        heard = request.transcript
        own = [one.text for one in request.history if one.role == "avatar"]
        if not (focus := find_focus(heard.text, heard.confidence)):
            return _AFTER_OBJECTION
        told = tell_back(focus, mood_of(said_turns(request)), heard.text, own)
        return _AFTER_OBJECTION if find_unsafe(told) else told

    def _is_worn(self, request: ReplyRequest, choice: Choice | None) -> bool:
        """Whether the last reply was of the same heading: two maxims in a row console nobody."""
        own = [one.text for one in request.history if one.role == "avatar"]
        if choice is None or not own:
            return False
        last = own[-1]
        return any(
            self._ranker.situation_of(part) == choice.situation
            for part in (last, last.partition(". ")[2])
        )

    def _is_felt(self, request: ReplyRequest, choice: Choice | None) -> bool:
        """Whether the feeling that a reply answers is in the caller's last words, too.

        Of all their words the network hears for long what they have denied or left behind.
        """
        if (
            choice is None
            or not (choice.is_general and choice.is_sure)
            or len(choice.feels) > _ONE_KIND
        ):
            return False
        alone = self._emotion.estimate_last(request)
        if alone is None or not alone.is_sure or alone.fine not in choice.feels:
            return False
        mood = mood_of(said_turns(request))
        return mood in (("pleasant", "proud") if alone.fine in PLEASANT else ("unpleasant",))

    def _take_up(self, request: ReplyRequest, *, tells_back: bool = True) -> str:
        own = [one.text for one in request.history if one.role == "avatar"]
        heard = request.transcript
        mood = mood_of(said_turns(request))
        if estimate := self._emotion.estimate(request):
            mood = leaning(mood, estimate.pleasure)
        # What they reproach themselves with sounds like a reproach when told back.
        tells_back = tells_back and named_in(heard.text) not in _SELF_REPROACH
        echoes = _echoes(request) if tells_back else MOST_RETOLD
        return take_up(heard.text, heard.confidence, mood, own, echoes)

    def _choose(
        self, request: ReplyRequest, answer: Listening, estimate: EmotionEstimate, *, is_grave: bool
    ) -> Choice | None:
        own = tuple(message.text for message in request.history if message.role == "avatar")
        key = (said_turns(request), own)
        if self._chosen is None or self._chosen[0] != key:
            choice = self._ranker.choose(
                *key, estimate.probabilities, answer.text, is_grave=is_grave
            )
            self._chosen = (key, choice)
        return self._chosen[1]


def _with_echo(request: ReplyRequest, answer: Listening, reply: str) -> str:
    """Return a reply after what it answers to, in the listener's grammar, where that may be said.

    Never twice in a row, and never of what weighs on the caller's conscience.
    """
    last = next((one.text for one in reversed(request.history) if one.role == "avatar"), "")
    if answer.feeling.fine in _SELF_REPROACH or last.startswith(_ECHO_STARTS):
        return reply
    echo = find_echo(request.transcript.text, request.transcript.confidence)
    if not echo or repeats(echo, reply):
        return reply
    reply = without_nod(reply)  # an echo says that already
    begins = reply.split()[0].strip(",.!")
    frames = _FRAMES[:1] if begins in _INTERJECTIONS else _FRAMES
    frame = frames[zlib.crc32(echo.encode()) % len(frames)]
    return f"{frame.format(echo)} {reply}"


def _takes_up(request: ReplyRequest, answer: Listening, choice: Choice | None) -> bool:
    """Whether to answer in the caller's own words: they tell what no topic knows, or hardly.

    What is grave and a bare answer are not taken up.
    """
    text = request.transcript.text
    is_first = all(one.role == "avatar" for one in request.history)
    is_known = choice is not None and not choice.is_general
    is_sure = choice is not None and choice.is_sure and choice.score >= _DOUBTFUL
    if (is_known and (is_sure or is_first)) or answer.is_quiet or answer.is_answer:
        return False
    if is_first:  # the chosen reply is better than none of their words
        confidence = request.transcript.confidence
        has_side = choice is not None and len({one in PLEASANT for one in choice.feels}) == 1
        if choice is None or has_side:
            return False
        if find_clause(text, confidence) is None and not find_focus(text, confidence):
            return False
    return _is_story(request, answer)


def _echoes(request: ReplyRequest) -> int:
    """Return how many of the avatar's last turns, in a row, told back what was said before them."""
    own = [at for at, one in enumerate(request.history) if one.role == "avatar" and at]
    count = 0
    for at in reversed(own):
        reply, before = request.history[at].text, request.history[at - 1].text
        if not (reply.startswith(_ECHO_STARTS) or told_back(reply, before)):
            break
        count += 1
    return count


def _with_answer(request: ReplyRequest, reply: str) -> str:
    """Return a reply after the bare words that it takes up, where those may be told back.

    Never twice in a row.
    """
    found = find_answer(request.transcript.text, request.transcript.confidence)
    earlier = [one.text for one in request.history if one.role == "caller"]
    last = next((one.text for one in reversed(request.history) if one.role == "avatar"), "")
    before = find_answer(earlier[-1]) if earlier else ""
    if not found or repeats(found, reply) or (before and last.startswith(before)):
        return reply
    return f"{found}. {without_nod(reply)}"


def _is_story(
    request: ReplyRequest, answer: Listening, intents: Set[Intent] = frozenset({"telling"})
) -> bool:
    """Whether something is told, or another of these is done, that the bank may answer."""
    return (
        answer.intent in intents
        and request.transcript.confidence >= HALF_HEARD
        and answer.feeling.looks is None  # voice and face would be unheard
        and all(
            find_unsafe(_PROPOSAL.sub("marry", one.lower())) not in _LEFT_TO_RULES
            for one in said_turns(request)
        )
    )
