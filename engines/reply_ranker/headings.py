"""The bank's headings: to what was said, when, and with what feeling → which may answer, how well.

Most ask what somebody feels. A *plain* one asks only for its words, in a sentence: who has lost
their keys is asked about them, whatever a network makes of five words.
"""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.emotion_words import FINE, PLEASANT, UNPLEASANT, Fine
from rt_avatar.engines.reply_ranker.bank import Situation, When, grams_of
from rt_avatar.engines.text_emotion.classifier import CLEAR, pleasure_of
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.word_set import word_set

Flags = NDArray[np.bool_]
_Floats = NDArray[np.float32]
_Emotions = NDArray[np.floating]
_SIDES: Final = (PLEASANT, UNPLEASANT)
_BRIEF: Final = 8  # words said first, up to which hardly anything was told
SHORT: Final = 18  # words said last, up to which one topic is told of, and no story
# Probability of the side of the feelings that go with such a topic, of first words and later: what
# is made of more words is more likely to be right.
_LEAST_PLAIN, _LEAST_LATER = 0.03, 0.2
# Words in all, up to which no reply is chosen by the feeling alone, but by whether it is pleasant:
# the network learnt from stories that all have a strong one (docs/LOG.md, 2026-11-25).
_FEW: Final = 12
_FEW_IN_ALL: Final = 24  # from more the network tells the feeling better than a topic does
_SMALL_TALK: Final = 10  # words of each turn, up to which a call is no story told in parts
_TOPIC_OF_FEW: Final = 2.0  # added where a topic is heard in so few words
_TELLS: Final = frozenset({"about", "because", "when", "after", "by", "my", "with", "since", "got"})
# With one of these no topic is a pleasant one, unless its heading asks for the word.
_TROUBLES: Final = word_set(
    "couldn't can't cannot won't didn't doesn't don't haven't isn't wasn't nobody nothing none not "
    "no broke broken lost missed cancelled canceled wrong terrible awful horrible hate stuck sick "
    "hurt fell cracked failed ruined stole stolen scared afraid worried sad angry crash "
    "crashed accident damaged rear unfortunately"
)
_ANSWERS: Final = word_set("yes yeah yep yup no nope nah well oh okay ok right sure and but")
_TELLER: Final = word_set(
    "i i'm i've i'll i'd we we're we've he he's she she's it it's they they're that that's this "
    "my our the a just only not not some somebody nobody and but because maybe"
)
_ONE_KIND: Final = 4  # feelings of a heading that is about one of them and its neighbours
_THANKS: Final = frozenset({"thanks", "thank", "thankyou", "appreciate"})
_LONGEST_THANKS: Final = 9  # words; who says more tells something
_ASKS: Final = re.compile(
    r"\b(?:(?:have|do|did|are|would|can|could|were) you|(?:what|how) about you|and you)\b(?! know| "
    r"believe| imagine| see)(?:\s+[^.!?\s]+){0,8}\??$"  # a story may begin with "have you seen"
)
_ENDED_WELL: Final = re.compile(
    r"\b(?:luckily|fortunately|thankfully|thank god|thank goodness|turned out (?:fine|ok|okay|well|"
    r"good|great|to be)|worked out|all (?:good|better|fine|okay|ok)|(?:is|was|are|were|am|i'm|he's|"
    r"she's|it's|they're|doing|feel|feeling) (?:\w+ ){0,2}?(?:fine|ok|okay|better|alright|safe)|"
    r"(?:it|he|she) was (?:just|only)|no (?:turbulen[ct]e|damage|injuries)|got rid of|nobody was "
    r"hurt|no one was hurt|not (?:too|that) bad|relieved|forgave|survived|recovered|over it now|"
    r"won't be (?:so )?(?:scared|afraid|nervous))\b"
)
_NOT_WELL: Final = re.compile(
    r"\b(?:not|isn't|wasn't|aren't|never|no|don't|hope|hopefully|but|until|would be|will be)\b"
)


@dataclass(frozen=True, slots=True)
class Weighing:
    """What a score counts, and when it is trusted; fitted by ``benchmarks.empathy.weighing``.

    Attributes:
        feeling: The logarithm of how likely the reply's feelings are.
        breadth: Taken off for the logarithm of how many feelings those are.
        topic: Each group of words that the heading asked for.
        least_feeling: Probability of the reply's feelings from which it may be said.
        margin: By how much the network must prefer it to the other answer.
    """

    feeling: float = 3.0
    breadth: float = 0.9
    topic: float = 0.5
    least_feeling: float = 0.4
    margin: float = 0.0


class Headings:
    """All headings of a bank, with what each asks for as arrays."""

    def __init__(self, situations: Sequence[Situation]) -> None:
        """Take them in the order in which everything here is given."""
        self._all = situations
        self._feels = np.array([[fine in one.feels for fine in FINE] for one in situations])
        self._is_plain = np.array([one.is_plain for one in situations])
        self._is_topic = np.array([
            bool(one.groups) and one.when not in ("brief", "short") for one in situations
        ])  # fmt: skip
        self._is_wordless_kind = np.array([
            not one.groups and len(one.feels) <= _ONE_KIND for one in situations
        ])  # fmt: skip
        self._groups = np.array([len(one.groups) for one in situations], np.float32)
        self._asked = [
            {word for group in one.groups for gram in group for word in gram.split("_")}
            for one in situations
        ]
        sides = [[bool(one.feels & side) for one in situations] for side in _SIDES]
        self._is_pleasant, self._is_unpleasant = (
            np.array(one) & ~np.array(other) for one, other in (sides, sides[::-1])
        )

    def scores(self, emotions: _Emotions, weighing: Weighing, words: int) -> _Floats:
        """Return how well each goes with what is felt; -inf where it goes with something else.

        Args:
            emotions: (32,) probabilities in the order of ``FINE``.
            weighing: What counts.
            words: How many were said in all.
        """
        shares = self._feels.astype(np.float32) @ emotions.astype(np.float32)
        found: _Floats = (
            weighing.feeling * np.log(np.maximum(shares, 1e-6))
            - weighing.breadth * np.log(self._feels.sum(1)).astype(np.float32)
            + weighing.topic * self._groups
        )
        is_other = (shares < weighing.least_feeling) | self._is_against(emotions, CLEAR)
        if words <= _FEW:
            is_other |= self._is_wordless_kind
            found[self._is_topic] += _TOPIC_OF_FEW
        found[is_other & ~self._is_plain] = -np.inf  # of plain ones see ``plain``
        return found

    def allowed(self, said: Sequence[str], *, is_grave: bool) -> Flags:
        """Return which may answer to these turns, the oldest first, by words and moment."""
        words = [split_words(text) for text in said]
        told = _without_answer(words[-1])
        last = grams_of(told)
        grams = last.union(*(grams_of(text) for text in words[:-1]))
        kinds, troubles = _kinds(said, words), _TROUBLES.intersection(told)
        return np.array([
            (one.when in kinds or (one.is_plain and "resolved" in kinds))
            and (one.is_grave or not is_grave)
            and _has_words(one, last if one.is_plain else grams)
            and (one.when in ("brief", "short") or bool(one.groups) or "brief" not in kinds)
            and (one.when != "later" or bool(one.groups) or "next" not in kinds)
            and not ("short" in kinds and self._is_pleasant[at] and troubles - self._asked[at])
            for at, one in enumerate(self._all)
        ])  # fmt: skip

    def plain(self, said: Sequence[str], emotions: _Emotions) -> list[int]:
        """Return the plain ones whose topic the last turn tells of."""
        words = _without_answer(split_words(said[-1]))
        if len(words) > SHORT:
            return []
        grams, troubles = grams_of(words), _TROUBLES.intersection(words)
        is_against = self._is_against(emotions, _LEAST_PLAIN if len(said) == 1 else _LEAST_LATER)
        return [
            at
            for at, one in enumerate(self._all)
            if one.is_plain
            and not is_against[at]
            and _has_words(one, grams)
            and not (self._is_pleasant[at] and troubles - self._asked[at])
        ]

    def felt_with(self, said: Sequence[str], emotions: _Emotions) -> frozenset[Fine]:
        """Return what may be felt with the topic of a turn of few words; empty: unknown."""
        if sum(len(split_words(text)) for text in said) > _FEW_IN_ALL:
            return frozenset()
        found = self._topics(said, emotions)
        if not found and len(said) > 1:  # what is told next is mostly of the same topic
            found = [at for at in self._topics(said[:-1], emotions) if self._groups[at] > 1]
            if self._is_pleasant[found].any() and self._is_unpleasant[found].any():
                return frozenset()
        return frozenset().union(*(self._all[at].feels for at in found))

    def _topics(self, said: Sequence[str], emotions: _Emotions) -> list[int]:
        return [at for at in self.plain(said, emotions) if self._all[at].when == "any"]

    def _is_against(self, emotions: _Emotions, least: float) -> Flags:
        """Return which are of a side, pleasant or not, that is less likely than this."""
        pleasure = pleasure_of(emotions)
        found: Flags = (self._is_pleasant & (pleasure < least)) | (
            self._is_unpleasant & (pleasure > 1 - least)
        )
        return found


def _has_words(situation: Situation, grams: Set[str]) -> bool:
    """Whether what a heading asks for was said, and nothing that it excludes."""
    return situation.without.isdisjoint(grams) and not any(
        group.isdisjoint(grams) for group in situation.groups
    )


def _without_answer(words: Sequence[str]) -> Sequence[str]:
    """Return what is told after a "yes" or "no", where something is ("no, I already ate")."""
    if words[:1] and words[0] in _ANSWERS and not _TELLER.isdisjoint(words[1:2]):
        return words[1:]
    return words


def _kinds(said: Sequence[str], words: Sequence[Sequence[str]]) -> Set[When]:
    """Return which times of the bank's headings it is now."""
    last = words[-1]
    if _THANKS & set(last) and len(last) <= _LONGEST_THANKS:
        return {"thanks"}
    if _ASKS.search(said[-1].lower().rstrip(". !")):
        return {"asks"}
    if len(words) > 1:
        ended = _ENDED_WELL.search(said[-1].lower())
        if ended and not _NOT_WELL.search(said[-1].lower().replace(ended[0], " ")):
            return {"resolved"}
        is_small = all(len(one) <= _SMALL_TALK for one in words)
        return {"later", "any", "next"} if is_small else {"later", "any"}
    kinds: set[When] = {"first", "any"}
    kinds.add("short" if len(last) <= SHORT else "long")
    if len(last) <= _BRIEF and _TELLS.isdisjoint(last):
        kinds.add("brief")
    return kinds
