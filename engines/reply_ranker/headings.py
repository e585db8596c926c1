"""The bank's headings: to what was said, when, and with what feeling → which may answer, how well.

Most ask what somebody feels. A *plain* one asks only for its words, in a sentence: who has lost
their keys is asked about them, whatever a network makes of five words.
"""

from array import array
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.emotion_words import FINE, PLEASANT, UNPLEASANT, Fine
from rt_avatar.engines.reply_ranker.bank import WHENS, Situation, grams_of
from rt_avatar.engines.reply_ranker.heard import GRAVE, SHORT, Heard, is_small_talk
from rt_avatar.engines.reply_ranker.tense import OTHER
from rt_avatar.engines.text_emotion.classifier import CLEAR, pleasure_of
from rt_avatar.engines.text_emotion.features import split_words
from rt_avatar.engines.word_set import word_set

Flags = NDArray[np.bool_]
_Floats = NDArray[np.float32]
_Emotions = NDArray[np.floating]
_SIDES: Final = (PLEASANT, UNPLEASANT)
# Probability of the side of the feelings that go with such a topic, of first words and later: what
# is made of more words is more likely to be right.
_LEAST_PLAIN, _LEAST_LATER = 0.03, 0.08
# Words in all, up to which no reply is chosen by the feeling alone, but by whether it is pleasant:
# the network learnt from stories that all have a strong one (docs/LOG.md, 2026-11-25).
_FEW: Final = 12
_LEAST_OF_FEW: Final = 0.7  # probability of a topic's feelings from which so few words are its own
_FEW_IN_ALL: Final = 18  # from more the network tells the feeling better than a topic does
_TOPIC_OF_FEW: Final = 2.0  # added where a topic is heard in so few words
_KNOWN_BEFORE: Final = 3.0  # added where it is known what they answer or go on with
_LEFT_BEHIND: Final = 1.0  # taken off where nothing of a topic is in the last turn
# With one of these no topic is a pleasant one, unless its heading asks for the word.
_TROUBLES: Final = word_set(
    "couldn't can't cannot won't didn't doesn't don't haven't isn't wasn't nobody nothing none not "
    "no broke broken lost missed cancelled canceled wrong terrible awful horrible hate stuck sick "
    "hurt fell cracked failed ruined stole stolen scared afraid worried sad angry crash "
    "crashed accident damaged rear unfortunately"
)
# With none of these, and none of the above, few words are no bad news where no heading knows them.
_HARD: Final = word_set(
    "rejected rude mean yelled yells yelling crying cried cry dead died worse worst pain hurts "
    "aches refuses refused howls nagging spilled hit fight fighting fought ignored ignores debt "
    "bills expensive noisy dirty smells tired exhausted lonely losing leak leaking flooded burned "
    "cheated lied robbed bullied fail failing shaking storm nervous ill pregnant divorce stress "
    "stressed stressful unfair disgusting gross ugly annoying annoyed upset frustrated hard tough "
    "difficult problem problems trouble sprayed miss forgot late delayed funeral surgery emergency "
    "homeless fired unemployed jealous ashamed embarrassed embarrassing guilty scary terrified mad "
    "furious depressed worry fear fears threw smashed towed steals "
    "lazy hates boring bored fell slipped ripped argue argued arguing criticises "
    "criticizes panic breakdown"
)
# A turn that begins so tells something of its own, whatever was asked.
_STATES: Final = word_set("i we my our it there i've we've i'm we're it's")
# A turn of these goes on with whom or what was told of.
_GOES_ON: Final = word_set(
    "he she they it that this he's she's they're it's that's he'll she'll they'll he'd she'd they'd"
)
_JOINS: Final = word_set("and but so then now also")
_ONE_KIND: Final = 4  # feelings of a heading that is about one of them and its neighbours


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
        self._is_answer = np.array([one.when == "answer" for one in situations])
        # Takes any answer to what was asked, or knows it by its words.
        self._is_open = self._is_answer & np.array([
            all(map(_asks_before, one.groups)) for one in situations
        ])  # fmt: skip
        # Takes any statement, so it would take one that weighs on them, too.
        self._is_bland = self._is_answer & np.array([
            all(_asks_before(group) or _asks_beginning(group) for group in one.groups)
            for one in situations
        ])  # fmt: skip
        self._is_grave = np.array([one.is_grave for one in situations])
        self._has_groups = np.array([bool(one.groups) for one in situations])
        self._when = {when: np.array([one.when == when for one in situations]) for when in WHENS}
        self._words = _WordIndex(situations)
        # Look in the last turn alone: plain ones, and those that ask for its tense or person.
        self._is_of_last = self._is_plain | np.array([
            any(word.startswith("@") for group in (*one.groups, one.without) for word in group)
            for one in situations
        ])  # fmt: skip
        self._is_topic = np.array([
            bool(one.groups) and one.when not in ("brief", "short") for one in situations
        ])  # fmt: skip
        self._is_wordless_kind = np.array([
            not one.groups and len(one.feels) <= _ONE_KIND for one in situations
        ])  # fmt: skip
        self._groups = np.array([len(one.groups) for one in situations], np.float32)
        # Groups that ask for what was said before: who asks for more of it knows better.
        self._bound = np.array([sum(map(_asks_before, one.groups)) for one in situations])
        self._asked = [
            _TROUBLES.intersection(
                word.lstrip("^")
                for group in one.groups
                for gram in group
                for word in gram.split("_")
            )
            for one in situations
        ]
        self._is_bare = ~self._is_plain & np.array([
            all(word[0] in "@^" for group in one.groups for word in group) for one in situations
        ])  # fmt: skip
        sides = [[bool(one.feels & side) for one in situations] for side in _SIDES]
        self._is_pleasant, self._is_unpleasant = (
            np.array(one) & ~np.array(other) for one, other in (sides, sides[::-1])
        )

    def scores(self, said: Sequence[str], emotions: _Emotions, weighing: Weighing) -> _Floats:
        """Return how well each goes with what is felt; -inf where it goes with something else.

        Args:
            said: The caller's turns.
            emotions: (32,) probabilities in the order of ``FINE``.
            weighing: What counts.
        """
        shares = self.shares(emotions)
        found: _Floats = (
            weighing.feeling * np.log(np.maximum(shares, 1e-6))
            - weighing.breadth * np.log(self._feels.sum(1)).astype(np.float32)
            + weighing.topic * self._groups
            + _KNOWN_BEFORE * self._bound.astype(np.float32)
        )
        is_other = (shares < weighing.least_feeling) | self._is_against(emotions, CLEAR)
        sizes = [len(split_words(text)) for text in said]
        if sum(sizes) <= _FEW or is_small_talk(sizes):
            is_other |= self._is_wordless_kind | (self._is_topic & (shares < _LEAST_OF_FEW))
            found[self._is_topic] += _TOPIC_OF_FEW
            if (_TROUBLES | _HARD).isdisjoint(split_words(said[-1])):
                is_other |= self._is_unpleasant & self._is_bare
        if len(said) > 1:
            of_last = grams_of(split_words(said[-1]))
            left_behind = self._when["any"] & self._has_groups & ~self._is_of_last
            found[left_behind & ~self._words.any_in(of_last)] -= _LEFT_BEHIND
        found[is_other & ~self._is_plain] = -np.inf  # of plain ones see ``plain``
        return found

    def shares(self, emotions: _Emotions) -> _Floats:
        """Return the probability of the feelings of each."""
        found: _Floats = self._feels.astype(np.float32) @ emotions.astype(np.float32)
        return found

    def allowed(self, said: Sequence[str], own: Sequence[str], *, is_grave: bool) -> Flags:
        """Return which may answer to these turns, the oldest first, by words and moment."""
        heard = Heard.of(said, own)
        kinds, of_last = heard.kinds, heard.plain | ({GRAVE} if is_grave else set())
        is_now = np.any([self._when[kind] for kind in kinds], axis=0)
        if "resolved" in kinds:
            is_now |= self._is_plain
        if is_grave:
            is_now &= self._is_grave
        if "brief" in kinds:
            is_now &= self._has_groups | self._when["brief"] | self._when["short"]
        if "next" in kinds:
            is_now &= self._has_groups | ~self._when["later"]
        if "short" in kinds or "next" in kinds:
            is_now &= ~self._is_troubled(heard)
        found: Flags = is_now & np.where(
            self._is_of_last, self._words.found_in(of_last), self._words.found_in(heard.grams)
        )
        return found

    def plain(self, said: Sequence[str], own: Sequence[str], emotions: _Emotions) -> list[int]:
        """Return the plain ones whose topic the last turn tells of, or that it answers.

        None is pleasant in a turn that goes on with what was unpleasant: "she took the kids".
        """
        heard = Heard.of(said, own)
        if len(heard.told) > SHORT:
            return []
        is_against = self._is_against(emotions, _LEAST_PLAIN if len(said) == 1 else _LEAST_LATER)
        if len(said) > 1 and _goes_on(heard.told):
            before = self._topics(said[:-1], emotions)
            if before and self._is_unpleasant[before].all():
                is_against |= self._is_pleasant
        found = self._is_plain & ~is_against & self._words.found_in(heard.plain)
        return np.flatnonzero(found & ~self._is_troubled(heard)).tolist()

    def in_order(
        self, said: Sequence[str], own: Sequence[str], emotions: _Emotions
    ) -> list[list[int]]:
        """Return the plain ones, those first that go before the others.

        What is said to the listener itself; whose words are known as the answer to what was asked;
        where any would do, a topic of the last turn's own goes with it: who goes on with something
        else is followed there.
        """
        found = self.plain(said, own, emotions)
        to_listener = [at for at in found if self._all[at].when == "ever"]
        heard = Heard.of(said, own)
        is_hard = not (_TROUBLES | _HARD).isdisjoint(heard.told)
        found = [at for at in found if not (is_hard and self._is_bland[at])]
        known = [at for at in found if self._is_answer[at] and not self._is_open[at]]
        is_own = OTHER in heard.plain or not (
            _TROUBLES.isdisjoint(heard.told) and _STATES.isdisjoint(heard.told[:1])
        )
        taken = [] if is_own else [at for at in found if self._is_open[at]]
        found = [at for at in found if not is_own or not self._is_open[at]]
        topics = [at for at in found if self._all[at].when == "any" and taken]
        return [to_listener, known, taken + topics, found]

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
        return [at for at in self.plain(said, (), emotions) if self._all[at].when == "any"]

    def _is_troubled(self, heard: Heard) -> Flags:
        """Return which are pleasant while a word of trouble was said that they do not ask for."""
        troubles = _TROUBLES.intersection(heard.told)
        found = self._is_pleasant.copy()
        for at in np.flatnonzero(found) if troubles else ():
            found[at] = bool(troubles - self._asked[at])
        return found if troubles else np.zeros_like(found)

    def _is_against(self, emotions: _Emotions, least: float) -> Flags:
        """Return which are of a side, pleasant or not, that is less likely than this."""
        pleasure = pleasure_of(emotions)
        found: Flags = (self._is_pleasant & (pleasure < least)) | (
            self._is_unpleasant & (pleasure > 1 - least)
        )
        return found


def _goes_on(words: Sequence[str]) -> bool:
    """Whether the subject of a turn stands for what was told before it."""
    return next((word for word in words if word not in _JOINS), "") in _GOES_ON


def _asks_before(group: Sequence[str]) -> bool:
    """Whether a group of a heading's words asks for what was said before the last turn."""
    return all(word.startswith(("<", "?")) for word in group)


def _asks_beginning(group: Sequence[str]) -> bool:
    """Whether a group of a heading's words asks only for first words of the turn."""
    return all(word[0] == "^" for word in group)


class _WordIndex:
    """Which headings' words are said: what they ask for, and nothing that they exclude."""

    def __init__(self, situations: Sequence[Situation]) -> None:
        self._count = len(situations)
        self._places: dict[str, array[int]] = {}  # word → numbers of the groups it stands in
        owners: list[int] = []
        excludes: list[bool] = []
        for at, one in enumerate(situations):
            for place, group in enumerate((*one.groups, one.without)):
                for word in group:
                    self._places.setdefault(word, array("I")).append(len(owners))
                owners.append(at)
                excludes.append(place == len(one.groups))
        self._owners, self._excludes = np.array(owners), np.array(excludes)

    def any_in(self, grams: Set[str]) -> Flags:
        """Return the headings (headings,) of which any word that they ask for is in these."""
        is_said = np.zeros(len(self._owners), np.bool_)
        is_said[[at for gram in grams for at in self._places.get(gram, ())]] = True
        asked = is_said & ~self._excludes
        found: Flags = np.bincount(self._owners[asked], minlength=self._count) > 0
        return found

    def found_in(self, grams: Set[str]) -> Flags:
        """Return the headings (headings,) that go with these words."""
        is_said = np.zeros(len(self._owners), np.bool_)
        is_said[[at for gram in grams for at in self._places.get(gram, ())]] = True
        wrong = np.bincount(self._owners[is_said == self._excludes], minlength=self._count)
        found: Flags = wrong == 0
        return found
