"""What a caller asks, wishes or comes to → what it is met with, where words alone tell it.

``nano`` asks these in its order; what they leave, the bank answers, or the caller's own words.
"""

from typing import Final, get_args

from rt_avatar.engines.emotion_words import PLEASANT
from rt_avatar.reasoner.listener.turn import Turn, is_of_guilt
from rt_avatar.reasoner.nlu.word_emotion import HALF_HEARD
from rt_avatar.reasoner.responses.answering import meet_answer
from rt_avatar.reasoner.responses.calls import OfCall
from rt_avatar.reasoner.responses.contrasts import meet_contrast
from rt_avatar.reasoner.responses.deaths import meet_death
from rt_avatar.reasoner.responses.ended import meet_end
from rt_avatar.reasoner.responses.endings import meet_ending
from rt_avatar.reasoner.responses.heavier import is_met, meet_heavy, meet_two
from rt_avatar.reasoner.responses.jests import meet_jest
from rt_avatar.reasoner.responses.left_out import meet_left_out
from rt_avatar.reasoner.responses.own_life import OfSelf
from rt_avatar.reasoner.responses.partings import meet_parting
from rt_avatar.reasoner.responses.prospects import find_prospect, is_open, meet_prospect
from rt_avatar.reasoner.responses.questions import find_asked, is_asked_alone, meet
from rt_avatar.reasoner.responses.quiet import SORRY
from rt_avatar.reasoner.responses.quoted import is_said, meet_quoted
from rt_avatar.reasoner.responses.regrets import meet_regret
from rt_avatar.reasoner.responses.remembered import meet_remembered
from rt_avatar.reasoner.responses.sighs import Sigh
from rt_avatar.reasoner.responses.small_talk import meet_light
from rt_avatar.reasoner.responses.solace import meet_solace
from rt_avatar.reasoner.responses.soured import meet_soured
from rt_avatar.reasoner.responses.steps import meet_step
from rt_avatar.reasoner.responses.thanked import meet_told
from rt_avatar.reasoner.responses.unsaid import unsaid

_ASKED_BACK: Final = ("other", "grave", "mind", "self")  # that the bank may know an answer to
_AGREED: Final = ("agree", "hope", "seems")  # likewise
_WISHED: Final = ("stay", "again", "long", "listen", "more", "told")  # of the avatar: before all
_OF_CALL: Final = get_args(OfCall)  # likewise
_OF_SELF: Final = get_args(OfSelf)  # likewise, but where a grief is told with it
_ASKING: Final = ("telling", "asks_memory", "can_you_hear", "do_you_feel", "fact", "advice")
_OF_IT: Final = ("self", "prefer")  # likewise, where the bank knows no more of it
_SIGHS: Final = get_args(Sigh)  # likewise
_GRAVE: Final = ("grave", "death", "hoped")  # what is feared, or hoped, in what is grave
_KINDS: Final = 10  # feelings of a heading that knows a topic by more than a word of any sense
_IN_GRIEF: Final = ("odd", "fine", "only", "hope", "seems", "should", "choose")  # before room


def meet_wish(turn: Turn) -> str:
    """Return what is said to a wish of the avatar, about the call, or for solace; else empty."""
    if _is_open(turn) and (solace := meet_solace(turn.text, turn.told, turn.own)):
        return solace
    asked = find_asked(turn.text, is_grave=turn.is_grave)
    is_of_self = asked in _OF_SELF and (is_asked_alone(turn.text) or not turn.answer.is_quiet)
    if asked is not None and (asked in _OF_CALL or asked in _SIGHS or is_of_self):
        is_heard = turn.confidence >= HALF_HEARD and turn.answer.intent in _ASKING
        is_news = asked in _SIGHS and turn.answer.grave == "sorrow"
        sorry = f"{unsaid(SORRY, turn.text, turn.own)} " if is_news else ""
        return f"{sorry}{meet(asked, turn.text, turn.own)}" if is_heard else ""
    if asked not in _WISHED or not _is_open(turn) or (asked == "more" and not turn.last):
        return ""
    return meet(asked, turn.text, turn.own)


def meet_thanks(turn: Turn) -> str:
    """Return what is said to thanks and to what was told before them; empty elsewhere."""
    is_heard = turn.confidence >= HALF_HEARD and turn.answer.intent in ("thanks", "telling")
    return meet_told(turn.text, turn.own, is_grave=turn.is_grave) if is_heard else ""


def meet_first(turn: Turn) -> str:
    """Return what a question, or a point, is met with before room for a grief; empty elsewhere."""
    asked, choice = find_asked(turn.text, is_grave=turn.is_grave), turn.choice
    is_known = turn.has_topic and choice is not None and choice.when == "asks"
    is_of_it = asked in _OF_IT and _is_open(turn) and not is_known
    is_in_grief = asked in _IN_GRIEF and turn.is_grave and turn.is_story
    if asked and (is_of_it or is_in_grief):
        return meet(asked, turn.text, turn.own)
    is_left = asked is not None or not (turn.is_story and turn.answer.is_quiet)
    return "" if is_left else meet_contrast(turn.text, turn.own, is_grave=True)


def meet_unknown(turn: Turn) -> str:
    """Return what is said to what is only feared, hoped or possible; empty elsewhere.

    A reply of the bank that leaves it open, too, is better: it knows more of the topic.
    """
    choice, prospect = turn.choice, find_prospect(turn.text)
    if prospect is None or not turn.is_story or turn.answer.feeling.looks is not None:
        return ""
    is_grave = turn.answer.is_quiet or turn.is_grave_now
    is_asked = prospect != "what_if" and find_asked(turn.text, is_grave=turn.is_grave)
    if is_asked or is_grave != (prospect in _GRAVE):
        return ""
    is_known = choice is not None and choice.is_sure and (turn.has_topic or choice.when == "answer")
    if choice and is_known and choice.when == "answer":
        return ""
    is_new = choice is not None and choice.text not in turn.own and prospect != "theirs"
    if choice and is_known and is_new and is_open(choice.text, prospect):
        return choice.text
    return meet_prospect(turn.text, turn.own)


def meet_unfaithful(turn: Turn) -> str:
    """Return what is said to who deceived the one they love; empty elsewhere.

    Of love the bank may tell nothing, so that such a turn is left to the rules.
    """
    is_heard = _is_open(turn) and turn.answer.feeling.looks is None and not turn.answer.is_quiet
    if not is_heard or turn.is_told or find_asked(turn.text, is_grave=turn.is_grave):
        return ""
    return meet_regret(turn.text, turn.own)


def meet_loss(turn: Turn) -> str:
    """Return what is said to the news of a death; empty elsewhere, and where the bank condoles."""
    choice = turn.choice
    condoles = choice is not None and choice.is_sure and turn.has_topic
    is_known = condoles and choice and (choice.when == "first" or "sorry" in choice.text.lower())
    if is_known or not turn.is_story or find_asked(turn.text, is_grave=True):
        return ""
    return meet_death(turn.text, turn.told, turn.own)


def meet_question(turn: Turn) -> str:
    """Return what a question is met with; empty where none is asked, or its story is known."""
    asked, choice = find_asked(turn.text, is_grave=turn.is_grave), turn.choice
    is_let = turn.answer.question == "may" and (asked != "may" or turn.answer.is_quiet)
    if asked is None or not turn.is_story or is_let:
        return ""
    knows = asked in _ASKED_BACK and (asked not in ("mind", "self") or turn.has_topic)
    if knows and choice and choice.is_sure and choice.when == "asks":
        return choice.text
    if asked in _AGREED and turn.has_topic and choice and choice.is_sure:
        return ""
    if asked in ("other", "grave"):
        is_known = turn.answer.is_quiet or (turn.has_topic and choice and choice.when != "answer")
        if is_known and not is_asked_alone(turn.text):
            return ""
    return meet(asked, turn.text, turn.own)


def meet_point(turn: Turn) -> str:
    """Return what is said to what a turn comes to, where words alone tell it; empty elsewhere."""
    if not turn.is_story or turn.is_grave_now or turn.answer.is_quiet:
        return ""
    choice = turn.choice
    is_known = choice and turn.has_topic and is_of_guilt(choice.feels)
    is_glad = choice is not None and choice.feels & PLEASANT and len(choice.feels) <= _KINDS
    if (is_glad or not turn.has_topic) and (left_out := meet_left_out(turn.text, turn.own)):
        return left_out
    for meet_one in (
        meet_soured, meet_jest, meet_two, meet_contrast, meet_parting, meet_ending, meet_step,
        meet_end, meet_remembered,
    ):  # fmt: skip
        if said := meet_one(turn.text, turn.own):
            return said
    if not (turn.has_topic and is_said(turn.text)) and (said := meet_quoted(turn.text, turn.own)):
        return said
    is_known_answer = choice is not None and choice.when == "answer"
    if not is_known_answer and (said := meet_answer(turn.text, turn.last, turn.own)):
        return said
    if regret := "" if is_known else meet_regret(turn.text, turn.own):
        return regret
    is_new = choice is not None and choice.text not in turn.own
    is_met_by_bank = choice and is_new and choice.is_sure and turn.has_topic and is_met(choice.text)
    if heavy := meet_heavy(turn.text, turn.own):
        return choice.text if choice and is_met_by_bank else heavy
    is_vague = choice is None or choice.is_general or len(choice.feels) > _KINDS
    return meet_light(turn.said, turn.own) if is_vague and not turn.answer.is_answer else ""


def _is_open(turn: Turn) -> bool:
    """Whether a turn was heard, and is neither danger nor a courtesy ("go on" may be a nod)."""
    return turn.confidence >= HALF_HEARD and turn.answer.intent in ("telling", "backchannel")
