"""Choose a reply: what was said → one of the bank's replies that fits, or none.

Headings of the bank say to what a reply may be said: feelings, words, the place in the call. Of
those that remain the network's and the feelings' votes choose one.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.emotion_words import FINE, Fine
from rt_avatar.engines.reply_ranker.bank import When, load_bank
from rt_avatar.engines.reply_ranker.candidates import Candidates
from rt_avatar.engines.reply_ranker.context import ReplyContext, context_of, places_of
from rt_avatar.engines.reply_ranker.headings import Weighing
from rt_avatar.engines.reply_ranker.heard import SHORT
from rt_avatar.engines.reply_ranker.network import (
    PLACES,
    Encoder,
    Floats,
    Weights,
    load_weights,
    vocabulary,
)
from rt_avatar.engines.text_emotion.features import split_words

_KNOWN_SHARE: Final = 0.7  # of the words said last; with fewer, they are of another language
_MIN_WORDS: Final = 3  # said last; fewer tell nothing to choose by
_LEAST: Final = -9.0  # of a score; less where a topic's feelings are all but impossible


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen reply.

    Attributes:
        text: What to say.
        score: How well it fits.
        margin: By how much the network prefers it to the other answer.
        is_sure: Whether that is enough to say it.
        situation: The heading that it stands under.
        when: In which moment that heading's replies are said.
        is_general: Whether that heading knows no topic, but what a turn does or how it feels.
        feels: Emotions of whom that heading's replies are said to.
    """

    text: str
    score: float
    margin: float
    is_sure: bool
    situation: str
    when: When
    is_general: bool
    feels: frozenset[Fine]


class ReplyRanker:
    """Network and bank, once a process; any thread."""

    def __init__(
        self,
        bank: Path | None = None,
        weights: Path | None = None,
        weighing: Weighing | None = None,
    ) -> None:
        """Load both; those that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold what it should.
        """
        loaded = load_weights(weights)
        self.weighing = weighing or Weighing()
        self.scorer = Scorer(loaded)
        self._bank = Candidates(load_bank(bank), self.scorer.replies, self.scorer.cosine)

    def warmup(self) -> None:
        """Choose once: the first run allocates."""
        self.choose(["i lost my job last week"], [], np.full(len(FINE), 1 / len(FINE)))

    def felt_with(self, said: Sequence[str], emotions: NDArray[np.floating]) -> frozenset[Fine]:
        """Return what somebody may feel whose topic is told in a few words; empty: unknown.

        Args:
            said: The caller's turns, the oldest first; one or more.
            emotions: (32,) probabilities of what the caller feels, in the order of ``FINE``.
        """
        return self._bank.headings.felt_with(said, emotions)

    def situation_of(self, reply: str) -> str:
        """Return the heading that a reply stands under; empty where it is none of the bank's."""
        heading = self._bank.heading_of.get(reply)
        return heading.name if heading else ""

    def choose(
        self,
        said: Sequence[str],
        own: Sequence[str],
        emotions: NDArray[np.floating],
        other: str = "",
        *,
        is_grave: bool = False,
    ) -> Choice | None:
        """Return the best reply that has not been given; None where none can be said.

        Args:
            said: The caller's turns, the oldest first; one or more.
            own: The avatar's, the oldest first: none of them is said again.
            emotions: (32,) probabilities of what the caller feels, in the order of ``FINE``.
            other: What would be said else; empty: nothing.
            is_grave: Only replies written for stories of death and illness may be said.
        """
        context = context_of(said, own)
        rows = self.scorer.contexts.word_rows(context.last)
        unknown = int((rows == self.scorer.unknown).sum())
        direction = self.scorer.contexts.encode([places_of(context)])[0]
        votes = self._bank.votes(direction)
        scores = self._bank.scores(votes, said, own, emotions, self.weighing)
        scores[~self._bank.allowed(said, own, is_grave=is_grave)] = -np.inf
        for plain in self._bank.headings.in_order(said, own, emotions):
            under = self._bank.under(plain)
            likely = np.where(under & (scores > _LEAST), scores, -np.inf)
            if fitting := self._bank.best_that_fit(likely, said, own):
                break
        else:
            if len(rows) < _MIN_WORDS or len(rows) - unknown < _KNOWN_SHARE * len(rows):
                return None
            scores[self._bank.is_plain] = -np.inf
            fitting = self._bank.best_that_fit(scores, said, own)
            if not fitting:
                return None
        if len(rows) <= SHORT:
            other = ""  # the network knows stories: of a sentence it says too little
        margins = votes[fitting] - self._vote(direction, other)
        # Those that are as good are said in turns, by the words that they answer to: who hears the
        # same reply to another story was not listened to.
        sure = int((margins >= self.weighing.margin).sum())
        chosen = zlib.crc32(" ".join(context.last).encode()) % sure if sure else 0
        at = fitting[chosen]
        return Choice(
            self._bank.texts[at],
            float(scores[at]),
            float(margins[chosen]),
            sure > 0,
            (heading := self._bank.situation(at)).name,
            heading.when,
            heading.is_general,
            heading.feels,
        )

    def _vote(self, direction: Floats, text: str) -> float:
        """Return the network's vote for a text; the least one for none."""
        words = split_words(text)
        if not words:
            return -float(self.scorer.cosine)
        return float(self.scorer.cosine * (self.scorer.replies.encode([(words,)])[0] @ direction))


class Scorer:
    """Contexts and replies → how well each fits: by direction, and by rare words that both have."""

    def __init__(self, weights: Weights) -> None:
        """Take the weights of ``load_weights``."""
        rows = {word: row for row, word in enumerate(vocabulary(weights))}
        self.contexts, self.replies = (Encoder(weights, side, rows) for side in PLACES)
        self.unknown = len(rows)  # the row of unknown words
        self._idf = np.append(weights["idf"][:-1], 0.0).astype(np.float32)
        self.cosine, self._overlap = weights["scoring"].tolist()

    def parts(
        self, contexts: Sequence[ReplyContext], replies: Sequence[Sequence[str]]
    ) -> tuple[Floats, Floats]:
        """Return cosines and overlaps (contexts, replies) of each reply in each context."""
        directions = self.contexts.encode([places_of(context) for context in contexts])
        cosines = directions @ self.replies.encode([(words,) for words in replies]).T
        said = [self.said_weights(context) for context in contexts]
        answered = [self.word_weights(self.replies.word_rows(words)) for words in replies]
        return cosines, np.array(said) @ np.array(answered).T

    def said_weights(self, context: ReplyContext) -> Floats:
        """Return ``word_weights`` of what was said in a context."""
        return self.word_weights(self.contexts.word_rows([*context.last, *context.before]))

    def scores(self, cosines: Floats, overlaps: Floats) -> Floats:
        """Return the scores (...,) of cosines of directions and overlaps of words."""
        scores: Floats = self.cosine * cosines + self._overlap * overlaps
        return scores

    def word_weights(self, rows: NDArray[np.int64]) -> Floats:
        """Return a vector (words + 1,) of length 1: each different word by how rare it is."""
        weights = np.zeros(self.unknown + 1, np.float32)
        weights[rows] = self._idf[rows]
        return weights / max(float(np.linalg.norm(weights)), 1e-6)
