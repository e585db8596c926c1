"""Look at what would be said, and at what else could be: is another reply clearly better?

Rules choose well where they know a topic, and a network that learnt from replies that were judged
in played calls knows where they do not: what was answered beside the point, or with less than could
be said.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from rt_avatar.engines.emotion_words import PLEASANT
from rt_avatar.engines.reply_judge import ReplyJudge
from rt_avatar.engines.reply_judge.network import Floats
from rt_avatar.engines.reply_ranker import Option
from rt_avatar.engines.reply_ranker.bank import WHENS
from rt_avatar.engines.reply_ranker.context import context_of, places_of
from rt_avatar.engines.reply_ranker.ranker import Scorer
from rt_avatar.engines.reply_ranker.tense import AHEAD, OTHER, PAST, marks_of
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.word_set import word_set
from rt_avatar.reasoner.mood import Mood
from rt_avatar.reasoner.questions import find_asked
from rt_avatar.reasoner.repair import find_objection
from rt_avatar.reasoner.turn import Turn

# Where a reply comes from: the bank, by the words of the last turn alone or not; the caller's own
# words; a word that it was heard; the rules; anything else.
Origin: TypeAlias = Literal["plain", "bank", "taken", "reaction", "rules", "other"]
_ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)[:-1]
_MOODS: Final[tuple[Mood, ...]] = get_args(Mood)
_INTENTS: Final = ("telling", "yes", "no", "dont_know")
_MERRY: Final = frozenset[Mood]({"pleasant", "proud", "cheerful", "funny"})
_SAD: Final = frozenset[Mood]({"unpleasant", "downcast"})
# Tell nothing of what is spoken of.
_FUNCTION: Final = word_set(
    "i you he she it we they the a an and but so to of in on at for with my your me is was are be "
    "that this do did have had not no yes im its just what how"
)
_LEAST_FIT: Final = -9.0
CLEARLY: Final = 0.04  # by which another reply must be worth more than what would be said


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reply that may be said, where it comes from, and what the bank says of it."""

    text: str
    origin: Origin
    option: Option | None = None


def better(
    judge: ReplyJudge,
    scorer: Scorer,
    turn: Turn,
    candidates: Sequence[Candidate],
    mood: Mood,
    pleasures: Sequence[float],
) -> str:
    """Return what to say: the first candidate, or another that is clearly better.

    Args:
        judge: The network.
        scorer: Whose directions it learnt from.
        turn: What is answered.
        candidates: What would be said first; one or more.
        mood: How the turn is taken.
        pleasures: 0 to 1, of the caller's turns and of those without the last one.
    """
    if len(candidates) == 1:
        return candidates[0].text
    worth = judge.worth(*see(scorer, turn, candidates, mood, pleasures))
    best = int(worth.argmax())
    return candidates[best if worth[best] > worth[0] + CLEARLY else 0].text


def see(
    scorer: Scorer,
    turn: Turn,
    candidates: Sequence[Candidate],
    mood: Mood,
    pleasures: Sequence[float],
) -> tuple[Floats, Floats, Floats]:
    """Return what the network sees: features, directions of the context and of the replies.

    Args:
        scorer: Whose directions it learnt from.
        turn: What is answered.
        candidates: What would be said first.
        mood: How the turn is taken.
        pleasures: 0 to 1, of the caller's turns and of those without the last one.

    Returns:
        (candidates, FEATURES), (192,) and (candidates, 192).
    """
    context = context_of(turn.said, turn.own)
    direction = scorer.contexts.encode([places_of(context)])[0]
    words = [split_words(one.text) for one in candidates]
    directions = scorer.replies.encode((one,) for one in words)
    votes = scorer.cosine * (directions @ direction) / 5
    said = scorer.said_weights(context)
    overlaps = [float(said @ scorer.word_weights(scorer.replies.word_rows(one))) for one in words]
    of_turn = _of_turn(turn, mood, pleasures)
    rows = [
        (
            float(at == 0),
            float(votes[at]),
            float(votes[at] - votes.max()),
            overlaps[at],
            *_of_reply(turn, one, words[at], mood, pleasures[0]),
            *of_turn,
        )
        for at, one in enumerate(candidates)
    ]
    return np.array(rows, np.float32), direction, directions


def _of_reply(
    turn: Turn, candidate: Candidate, words: Sequence[str], mood: Mood, pleasure: float
) -> list[float]:
    text, option = candidate.text, candidate.option
    told = set(split_words(turn.said[-1])) - _FUNCTION
    content = set(words) - _FUNCTION
    asks, is_sorry = "?" in text, "sorry" in text.lower()
    heading = option.situation if option else None
    feels = heading.feels if heading else frozenset()
    side = float(bool(feels & PLEASANT)) - float(bool(feels - PLEASANT))
    merry = float(mood in _MERRY) - float(mood in _SAD)
    fits = max(option.fits, _LEAST_FIT) if option else 0.0
    return [
        *(float(candidate.origin == one) for one in _ORIGINS),
        len(told & content) / (1 + len(content)),
        option.share if option else 0.0,
        side,
        side * (2 * pleasure - 1),
        side * merry,
        fits / 5,
        len(words) / 15,
        float(asks),
        float("!" in text),
        float(asks and turn.last.endswith("?")),
        float(is_sorry),
        pleasure if is_sorry else 0.0,
        float(bool(heading and heading.is_grave)),
        float(bool(heading and heading.is_general)),
        len(heading.groups) / 3 if heading else 0.0,
        math.log1p(len(feels)) / 3,
        *(float(heading is not None and heading.when == one) for one in WHENS),
    ]


def _of_turn(turn: Turn, mood: Mood, pleasures: Sequence[float]) -> list[float]:
    words, marks = split_words(turn.said[-1]), marks_of(split_words(turn.said[-1]))
    asked = find_asked(turn.text, is_grave=turn.is_grave)
    objection = find_objection(turn.text, turn.last, turn.said[:-1])
    return [
        math.log1p(len(words)) / 3,
        math.log1p(len(turn.own)),
        float("?" in turn.text),
        float("!" in turn.text),
        float(turn.is_grave),
        float(turn.is_grave_now),
        float(turn.answer.is_answer),
        float(turn.last.endswith("?")),
        *(float(one in marks) for one in (AHEAD, PAST, OTHER)),
        *pleasures,
        float(asked is not None),
        float(bool(objection)),
        float(turn.answer.feeling.is_named),
        float(turn.estimate is not None and turn.estimate.is_sure),
        *(float(mood == one) for one in _MOODS),
        *(float(turn.answer.intent == one) for one in _INTENTS),
    ]
