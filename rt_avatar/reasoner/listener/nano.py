"""The listener of this package's own: rules, and to stories replies that were written for them.

What was told is answered with a reply of a bank, chosen by a small network
(``engines/reply_ranker``) where it is sure of it. All else is the rules': greetings and questions,
what was not understood, what voice or face say against the words, and everything that may be
dangerous. A second network (``selecting``) reads what would be said, and says a general reply where
that fits better.
The plan is the rules', too, but for a voice and face that go with what is said (``showing``). The
same conversation always gets the same reply.
"""

import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Final

from rt_avatar.engines.emotion_words import PLEASANT, Fine
from rt_avatar.engines.reply_ranker import Choice, ReplyRanker
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.reply_selector import ReplySelector
from rt_avatar.engines.text_emotion import TextEmotionClassifier
from rt_avatar.messages import Clause, Plan
from rt_avatar.reasoner import Conversation, ReplyRequest
from rt_avatar.reasoner.listener.listening import Listening, clauses_of
from rt_avatar.reasoner.listener.meeting import (
    meet_first,
    meet_loss,
    meet_point,
    meet_question,
    meet_thanks,
    meet_unfaithful,
    meet_unknown,
    meet_wish,
)
from rt_avatar.reasoner.listener.retelling import retold_before, with_answer, with_echo
from rt_avatar.reasoner.listener.selecting import select, shown_with, worded
from rt_avatar.reasoner.listener.showing import shown
from rt_avatar.reasoner.listener.takeup import MOST_RETOLD, take_up
from rt_avatar.reasoner.listener.turn import SELF_REPROACH, TOLD, Turn
from rt_avatar.reasoner.nlu.clauses import find_clause
from rt_avatar.reasoner.nlu.feelings import named_in
from rt_avatar.reasoner.nlu.focus import find_focus
from rt_avatar.reasoner.nlu.intents import Intent
from rt_avatar.reasoner.nlu.mood import Mood, leaning, mood_of
from rt_avatar.reasoner.nlu.moved_on import leaves_grief, since_grief
from rt_avatar.reasoner.nlu.spelling import as_spelled
from rt_avatar.reasoner.nlu.word_emotion import WordEmotion, said_turns
from rt_avatar.reasoner.responses.amends import make_good, put_right
from rt_avatar.reasoner.responses.corrections import find_correction
from rt_avatar.reasoner.responses.halves import ask_for_rest, find_half
from rt_avatar.reasoner.responses.heavier import leading
from rt_avatar.reasoner.responses.namesakes import say_name
from rt_avatar.reasoner.responses.news import since_relief, with_feeling
from rt_avatar.reasoner.responses.prospects import SLIGHT, find_prospect
from rt_avatar.reasoner.responses.questions import is_asked_alone
from rt_avatar.reasoner.responses.repair import find_objection, own_up
from rt_avatar.reasoner.responses.tears import with_tears

# What is said to the avatar itself, the bank may know better than the rules; never where somebody
# may come to harm, nor who the avatar is.
_TO_AVATAR: Final = frozenset[Intent]({
    *TOLD, "backchannel", "greeting", "how_are_you", "thanks", "are_you_real", "do_you_feel",
    "can_you_hear", "say_again", "advice", "insult", "fact",
})  # fmt: skip
# What may be felt where somebody died or was harmed, when choosing among what was written.
_GRIEF: Final = frozenset[Fine]({"sad", "devastated"})
_MOURNED: Final = "after a death was told"  # heading of the bank
_ONE_KIND: Final = 4  # feelings of a heading that knows one of them and its neighbours
_DOUBTFUL: Final = 0.0  # score; a topic with less was mostly heard in a word of another sense
_SORRY: Final = re.compile(r"\b(?:sorry|apolog\w+|my mistake)\b|went in a circle|missed it", re.I)
_ALL_OBJECTING: Final = 8  # words of a turn that does no more than object


class NanoReasoner:
    """Rules and chosen replies; one serves all callers."""

    def __init__(
        self,
        classifier: TextEmotionClassifier,
        ranker: ReplyRanker,
        selector: ReplySelector | None,
    ) -> None:
        """Name feelings by ``classifier``, choose replies by ``ranker`` and by ``selector``.

        None as ``selector``: no general reply takes the place of what was chosen.
        """
        self._networks = classifier, ranker, selector

    @property
    def name(self) -> str:
        """Name shown on the page."""
        return "nano"

    def open(self) -> Conversation:
        """Create one caller's conversation."""
        return NanoConversation(*self._networks)

    async def aclose(self) -> None:
        """Do nothing: there is no connection."""


class NanoConversation:
    """One caller's conversation."""

    def __init__(
        self,
        classifier: TextEmotionClassifier,
        ranker: ReplyRanker,
        selector: ReplySelector | None,
    ) -> None:
        """Take what all conversations share."""
        self._emotion, self._ranker, self._selector = WordEmotion(classifier), ranker, selector
        # All that a reply was chosen by, and it: found again when a reply begins.
        self._chosen: tuple[object, Choice | None] | None = None

    async def listen(self, so_far: ReplyRequest) -> None:
        """Choose a reply to the words so far."""
        self.understood(so_far)

    async def reply(self, request: ReplyRequest) -> AsyncGenerator[Plan | Clause, None]:
        """Yield the plan of the rules, as it goes with the reply, and the chosen one or theirs."""
        turn = self.understood(request)
        text, is_open = self._said_to(turn)
        general = select(self._selector, turn, text) if self._selector and is_open else None
        if general:
            text = worded(general, turn)
            yield shown_with(turn, general)
        else:
            yield shown(turn, self._taken_as(turn), text)
        for clause in clauses_of(text, request):
            yield clause

    async def aclose(self) -> None:
        """Do nothing."""

    # --- what is made of a turn -----------------------------------------------------------------
    def understood(self, request: ReplyRequest) -> Turn:
        """Return what is made of a turn."""
        request = leading(as_spelled(request))
        estimate = self._emotion.estimate(request)
        told = since_relief(said_turns(request))
        said = since_grief(told)
        if len(said) < len(told) and estimate is not None:
            estimate = self._emotion.estimate_of(said)  # no feeling of the grief that was left
        turn = self._narrowed(Turn(Listening(request, estimate), said, estimate))
        return replace(turn, choice=self._chosen_for(turn))

    def _narrowed(self, turn: Turn) -> Turn:
        """Return a turn of which a grief, or a topic told in a few words, tells what may be felt.

        What they say themselves that they feel is believed before a topic.
        """
        estimate, answer = turn.estimate, turn.answer
        if estimate is None:
            return turn
        if answer.is_quiet:
            fine = answer.feeling.fine
            if answer.grave != "sorrow" or fine is None or fine in PLEASANT:
                return turn
            return replace(turn, estimate=estimate.among(_GRIEF | {fine}))
        told = self._ranker.felt_with(turn.said, estimate.probabilities)
        if not turn.is_story or not told:
            return turn
        estimate = estimate.among(told)
        answer = Listening(answer.request, estimate)
        is_their_word = answer.feeling.is_named and answer.feeling.fine not in told
        return turn if is_their_word else replace(turn, answer=answer, estimate=estimate)

    def _chosen_for(self, turn: Turn) -> Choice | None:
        if turn.estimate is None or turn.answer.intent not in _TO_AVATAR:
            return None
        emotions, rules = turn.estimate.probabilities, turn.answer.text
        key = (turn.said, tuple(turn.own), emotions.tobytes(), rules)
        if self._chosen is None or self._chosen[0] != key:
            choice = self._ranker.choose(
                turn.said, turn.own, emotions, rules, is_grave=turn.is_grave
            )
            # "Died" and "funeral" are said of more than a death.
            is_mourned = choice is None or choice.situation != _MOURNED or turn.is_loss
            self._chosen = (key, choice if is_mourned else None)
        return self._chosen[1]

    # --- what is said to it ---------------------------------------------------------------------
    def _said_to(self, turn: Turn) -> tuple[str, bool]:
        """Return the reply, and whether a general one may take its place: nothing knew it surely.

        It stands behind an apology where the caller objects to the one before. A general one may
        take its place, too, where a word alone left the turn to the rules' general words, or made
        it a hope or a guess.
        """
        if turn.answer.intent in ("telling", "say_again"):
            told = [one.text for one in turn.answer.request.history if one.role == "caller"]
            if named := say_name(turn.text, told, turn.own):
                return named, False
        met = self._met(turn)
        text = met or self._chosen_reply(turn)
        objection = find_objection(turn.text, turn.last, turn.said[:-1])
        if not objection:
            is_slight = met and find_prospect(turn.text) in SLIGHT
            is_open = not met or is_slight or (turn.is_left_to_rules and met == _by_rules(turn))
            return with_feeling(turn, with_tears(turn, text)), bool(is_open)
        is_to_avatar = turn.choice is not None and turn.choice.when == "ever"
        if turn.answer.intent not in _TO_AVATAR or (is_to_avatar and _SORRY.search(text)):
            return text, False
        is_short = is_asked_alone(turn.text) and len(turn.text.split()) <= _ALL_OBJECTING
        is_all = is_short and find_correction(turn.text, turn.last) is None
        has_topic = turn.has_topic and (is_to_avatar or not is_all)
        is_advised = turn.answer.intent == "advice"
        is_kept = has_topic or is_advised or turn.answer.is_quiet or turn.is_grave_now
        if objection == "alive" or not is_kept or text in turn.own or put_right(turn):
            text = make_good(turn, objection)
        elif _SORRY.search(text):
            return text, False
        text = with_feeling(turn, text)
        return f"{own_up(objection, turn.text, turn.own)} {text}".strip(), False

    def _met(self, turn: Turn) -> str:
        """Return what the first says that is sure of its answer; empty where none is."""
        choice = turn.choice
        if wished := meet_wish(turn) or meet_thanks(turn):
            return wished
        if choice and choice.when == "ever":  # it was said to the avatar itself
            return choice.text
        if met := meet_unknown(turn) or meet_first(turn) or meet_loss(turn):
            return met
        if met := meet_unfaithful(turn):
            return met
        if turn.needs_room or not turn.is_told:
            return _by_rules(turn)
        if met := meet_question(turn):
            return met
        if not turn.is_grave and (half := find_half(turn.text, turn.last)):
            return ask_for_rest(half, turn.text, turn.own)
        return meet_point(turn)

    def _chosen_reply(self, turn: Turn) -> str:
        """Return what is chosen, or told back, or the rules', from surest to vaguest."""
        choice = turn.choice
        if choice and choice.when == "answer":
            return choice.text if turn.is_grave else with_answer(turn, choice.text)
        if self._takes_up(turn) and (taken := self._taken_up(turn)):
            return taken
        if choice and choice.is_sure and turn.is_story:
            return choice.text if turn.is_grave else with_echo(turn, choice.text)
        return _by_rules(turn)

    def _taken_as(self, turn: Turn) -> Mood:
        """Return how a turn is taken, by its words and by how pleasant all turns are."""
        estimates = map(self._emotion.estimate_of, (turn.said, turn.said[:-1]))
        mood = leaning(turn.said, *(0.5 if one is None else one.pleasure for one in estimates))
        # What only sounds sad to the network, behind a grief that was left, is not.
        return "unclear" if mood == "downcast" and leaves_grief(turn.text) else mood

    # --- their own words ------------------------------------------------------------------------
    def _takes_up(self, turn: Turn) -> bool:
        """Whether to answer in the caller's own words, whatever the bank has chosen."""
        if turn.is_grave_now and turn.choice:
            return False
        is_worn = turn.is_grave and turn.is_story and self._is_worn(turn)
        return is_worn or (_tells_own(turn) and not self._is_felt(turn))

    def _taken_up(self, turn: Turn) -> str:
        """Return a reply in the caller's own words; empty where that must not be said, or was."""
        # What they reproach themselves with sounds like a reproach when told back.
        is_told_back = not turn.is_grave_now and named_in(turn.text) not in SELF_REPROACH
        retold = retold_before(turn.answer.request) if is_told_back else MOST_RETOLD
        taken = take_up(turn.text, turn.confidence, self._taken_as(turn), turn.own, retold)
        return "" if find_unsafe(taken) or taken in turn.own else taken

    def _is_worn(self, turn: Turn) -> bool:
        """Whether the last reply was of the same heading: two maxims in a row console nobody."""
        return turn.choice is not None and any(
            self._ranker.situation_of(part) == turn.choice.situation
            for part in (turn.last, turn.last.partition(". ")[2])
        )

    def _is_felt(self, turn: Turn) -> bool:
        """Whether the feeling that a reply answers is in the caller's last words, too.

        Of all their words the network hears for long what they have denied or left behind.
        """
        choice = turn.choice
        if choice is None or not (choice.is_general and choice.is_sure):
            return False
        alone = self._emotion.estimate_of(turn.said[-1:])
        if alone is None or not alone.is_sure or alone.fine not in choice.feels:
            return False
        said_so = ("pleasant", "proud") if alone.fine in PLEASANT else ("unpleasant",)
        return len(choice.feels) <= _ONE_KIND and mood_of(turn.said) in said_so


def _by_rules(turn: Turn) -> str:
    """Return the rules' reply, without the caller's own word where that must never be said."""
    answer = turn.answer
    if answer.intent != "telling" or not find_unsafe(answer.text):
        return answer.text
    return Listening(answer.request, turn.estimate, gives_back=False).text


def _tells_own(turn: Turn) -> bool:
    """Whether a turn tells what no topic knows, or hardly; what is grave, or in answer, does not.

    To first words a reply of the bank is better than none of their own.
    """
    choice, answer = turn.choice, turn.answer
    if answer.is_quiet or answer.is_answer or not turn.is_story:
        return False
    is_sure = choice is not None and choice.is_sure and choice.score >= _DOUBTFUL
    if answer.earlier.first:
        return not (turn.has_topic and is_sure)
    if choice is None or turn.has_topic or len({one in PLEASANT for one in choice.feels}) == 1:
        return False
    confidence = turn.confidence
    return bool(find_clause(turn.text, confidence) or find_focus(turn.text, confidence))
