"""The replies of a bank as candidates, in arrays: how well each fits, and which can be said now.

What was said and felt → votes and scores (replies,), and the best that says nothing wrong. Which
one is said is chosen by ``ranker``.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.reply_ranker.bank import BankedReply, Situation
from rt_avatar.engines.reply_ranker.fit import (
    aims_of,
    asked_by,
    asks_what_was_said,
    credits_another,
    names_nobody_new,
    questions_in,
    without_nod,
)
from rt_avatar.engines.reply_ranker.headings import Flags, Headings, Weighing
from rt_avatar.engines.reply_ranker.network import Encoder, Floats
from rt_avatar.engines.reply_ranker.tense import (
    AHEAD,
    PAST,
    asks_outcome,
    asks_past,
    is_going_on,
    looks_ahead,
    marks_of,
)
from rt_avatar.engines.text_emotion.features import split_words

_SAME: Final = 0.8  # cosine from which a reply repeats what was said before
_ALIKE: Final = 1.4  # of the score: so near to each other none fits better than another
_ASKED_JUST_NOW: Final = 0.5  # off the score of a reply that asks the same in other words
_CLOSE: Final = 40  # best replies that are looked at word by word


class Candidates:
    """All replies of a bank, once a process; any thread.

    Args:
        replies: The bank's.
        encoder: Of replies.
        cosine: The network's weight of a cosine.
    """

    def __init__(self, replies: Sequence[BankedReply], encoder: Encoder, cosine: float) -> None:
        self.texts = [reply.text for reply in replies]
        self._encoder, self._cosine = encoder, cosine
        self._asking: dict[str, list[int]] = {}  # question → replies
        self._aims: dict[int, list[int]] = {}
        asking_past: list[bool] = []
        asking_outcome: list[bool] = []
        for at, reply in enumerate(replies):
            questions = questions_in(reply.text)
            asking_past.append(asks_past(questions))
            asking_outcome.append(asks_outcome(questions))
            for question in questions:
                self._asking.setdefault(question, []).append(at)
            for aim in aims_of(questions):
                self._aims.setdefault(aim, []).append(at)
        self._directions = encoder.encode((split_words(text),) for text in self.texts)
        self._situations = list(dict.fromkeys(reply.situation for reply in replies))
        self.headings = Headings(self._situations)
        self.heading_of = {reply.text: reply.situation for reply in replies}
        places = {situation: at for at, situation in enumerate(self._situations)}
        self._of = np.array([places[reply.situation] for reply in replies])
        self.is_plain = np.array([reply.situation.is_plain for reply in replies])
        self._asks_past = np.array(asking_past)
        self._asks_outcome = np.array(asking_outcome)
        self._looks_ahead = np.array([looks_ahead(text) for text in self.texts])

    def heading(self, at: int) -> int:
        """Return the number of a reply's heading."""
        return int(self._of[at])

    def situation(self, at: int) -> Situation:
        """Return the heading of a reply."""
        return self._situations[self.heading(at)]

    def under(self, headings: Sequence[int]) -> Flags:
        """Return which replies (replies,) stand under one of these headings."""
        found: Flags = np.isin(self._of, headings)
        return found

    def votes(self, direction: Floats) -> Floats:
        """Return the network's votes (replies,) in a context of this direction."""
        found: Floats = self._cosine * (self._directions @ direction)
        return found

    def scores(
        self,
        votes: Floats,
        said: Sequence[str],
        own: Sequence[str],
        emotions: NDArray[np.floating],
        weighing: Weighing,
    ) -> Floats:
        """Return how well each reply (replies,) fits; -inf where it goes with other feelings."""
        headings = self.headings.scores(said, emotions, weighing)
        found: Floats = votes + headings[self._of]
        for aim in aims_of(questions_in(own[-1])) if own else ():
            found[self._aims.get(aim, [])] -= _ASKED_JUST_NOW
        return found

    def allowed(self, said: Sequence[str], own: Sequence[str], *, is_grave: bool) -> Flags:
        """Return which replies (replies,) can be said to this."""
        allowed = self._new(own)
        allowed &= self.headings.allowed(said, own, is_grave=is_grave)[self._of]
        marks = [marks_of(split_words(text)) for text in said]
        if AHEAD in marks[-1]:
            allowed &= ~self._asks_past
        elif PAST in marks[-1] and not any(AHEAD in one for one in marks):
            allowed &= ~self._looks_ahead
        if is_going_on(split_words(said[-1])):
            allowed &= ~self._asks_outcome
        return allowed

    def best_that_fit(self, scores: Floats, said: Sequence[str], own: Sequence[str]) -> list[int]:
        """Return the best reply that names nobody new and asks for nothing that was told.

        And those of its heading that are as good, the best first; none where nothing fits. Nothing
        is said again, also not behind other words.
        """
        words = [word for text in said for word in split_words(text)]
        heard = {*words, *(word.partition("'")[0] for word in words)}
        text, last = " ".join(words), " ".join(split_words(said[-1]))
        answered = asked_by(own)
        before = [" ".join(split_words(one)) for one in own]
        begun, whole = tuple(filter(None, before)), "|".join(before)
        alike: list[int] = []
        for at in np.argsort(-scores, kind="stable")[:_CLOSE].tolist():
            least = scores[alike[0]] - _ALIKE if alike else -np.inf
            if not np.isfinite(scores[at]) or scores[at] < least:
                break
            if alike and self._of[at] != self._of[alike[0]]:
                continue
            situation, reply = self._situations[self._of[at]], self.texts[at]
            spoken = split_words(reply)
            topic = {word.lstrip("<?^") for group in situation.groups for word in group}
            if (
                names_nobody_new(spoken, heard, text)
                and (
                    situation.when == "ever"
                    or not asks_what_was_said(reply, text, topic, last, answered)
                )
                and not credits_another(reply, heard)
                and not (begun and " ".join(spoken).startswith(begun))  # interrupted
                and " ".join(split_words(without_nod(reply))) not in whole
            ):
                alike.append(at)
        return alike

    def _new(self, own: Sequence[str]) -> Flags:
        is_new: Flags = np.ones(len(self.texts), np.bool_)
        spoken = [words for text in own if (words := split_words(text))]
        if spoken:
            close = self._directions @ self._encoder.encode([(one,) for one in spoken]).T
            is_new = np.all(close < _SAME, axis=1)
            asked = questions_in(" ".join(own))
            is_new[[at for one in asked for at in self._asking.get(one, ())]] = False
        return is_new
