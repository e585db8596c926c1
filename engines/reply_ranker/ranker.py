"""Choose a reply: what was said → one of the bank's replies that fits, or none."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.emotion_words import FINE
from rt_avatar.engines.reply_ranker.bank import ReplyBank, load_bank
from rt_avatar.engines.reply_ranker.context import ReplyContext, context_of, places_of
from rt_avatar.engines.reply_ranker.fit import BAD, GOOD, PRONOUNS, stem_of, stems_of, tone_of
from rt_avatar.engines.reply_ranker.network import Encoder, Floats, Weights, load_weights
from rt_avatar.engines.reply_ranker.unsafe import find_unsafe
from rt_avatar.engines.text_emotion.features import split_words

_Flags = NDArray[np.bool_]
_TONE_SHARE: Final = 0.5  # of all probability, from which news are good or bad
_SAME: Final = 0.8  # cosine from which a reply repeats what was said before
_KNOWN_SHARE: Final = 0.7  # of the words said last; with fewer, they are of another language
_MIN_WORDS: Final = 3  # said last; fewer tell nothing to choose by
# Against scores in a context, whose spread among good replies is about 1. A reply to a like story
# fits; rare words that both have tell the true reply of 100, but among thousands they find echoes.
_STORY_SHARE: Final = 0.5
_OVERLAP_SHARE: Final = 0.2
_REACTION_COUNTS, _TWO_SENTENCES_COUNT, _CLOSED_QUESTION_COUNTS = 0.6, 0.4, 0.8
_FEELING_COUNTS: Final = 2.0  # logarithm of the likeliest emotion: replies are for what is felt
_SENTENCE_END: Final = re.compile(r"[.?!]")
_CLOSED_QUESTION: Final = re.compile(
    r"(?:oh |so |and )*(?:did|was|is|are|were|have|has|had|do|does|will)\b", re.IGNORECASE
)
_GOOD: Final = np.array([fine in GOOD for fine in FINE])
_BAD: Final = np.array([fine in BAD for fine in FINE])


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen reply.

    Attributes:
        text: What to say.
        score: How well it fits, and how surely a feeling is told of.
        is_sure: Whether the score is high enough to say it.
    """

    text: str
    score: float
    is_sure: bool


class ReplyRanker:
    """Network and bank, once a process; any thread."""

    def __init__(self, bank: Path, weights: Path | None = None) -> None:
        """Load both; the weights that come with the package where no path is given.

        Raises:
            FileNotFoundError: There is no such file.
            ValueError: It does not hold what it should.
        """
        loaded = load_weights(weights)
        self.scorer = Scorer(loaded)
        self._bank = _Bank(_only_safe(load_bank(bank)), loaded, self.scorer)

    def warmup(self) -> None:
        """Choose once: the first run allocates."""
        self.choose(["i lost my job last week"], [], np.full(len(FINE), 1 / len(FINE)))

    def choose(
        self, said: Sequence[str], own: Sequence[str], emotions: NDArray[np.floating]
    ) -> Choice | None:
        """Return the best reply that has not been given; None where none can be said.

        Args:
            said: The caller's turns, the oldest first; one or more.
            own: The avatar's, the oldest first: none of them is said again.
            emotions: (32,) probabilities of what the caller feels, in the order of ``FINE``.
        """
        context = context_of(said, own)
        rows = self.scorer.contexts.word_rows(context.last)
        unknown = int((rows == self.scorer.unknown).sum())
        if len(rows) < _MIN_WORDS or len(rows) - unknown < _KNOWN_SHARE * len(rows):
            return None
        allowed = self._bank.allowed(context, own, emotions)
        direction = self.scorer.contexts.encode([places_of(context)])[0]
        scores = np.where(allowed, self._bank.scores(direction, context), -np.inf)
        begun = tuple(" ".join(words) for text in own if (words := split_words(text)))
        best = int(scores.argmax())
        while np.isfinite(scores[best]) and self._bank.keys[best].startswith(begun):
            scores[best] = -np.inf  # said in part: it was interrupted
            best = int(scores.argmax())
        if not np.isfinite(scores[best]):
            return None
        score = float(scores[best]) + _FEELING_COUNTS * float(np.log(emotions.max()))
        return Choice(self._bank.texts[best], score, score >= self.scorer.threshold)


def _only_safe(bank: ReplyBank) -> ReplyBank:
    kept = [at for at, text in enumerate(bank.texts) if not find_unsafe(text)]
    if not kept:
        raise ValueError("replies: expected some that may be said; got unsafe ones alone")
    return ReplyBank([bank.texts[at] for at in kept], bank.emotions[kept], bank.contexts[kept])


def _liking(text: str) -> float:
    """Return what a reply's form counts: a reaction, and something after it, no yes-or-no alone."""
    return (
        _REACTION_COUNTS * bool(tone_of(text))
        + _TWO_SENTENCES_COUNT * (len(_SENTENCE_END.findall(text)) > 1)
        - _CLOSED_QUESTION_COUNTS * bool(_CLOSED_QUESTION.match(text))
    )


class Scorer:
    """Contexts and replies → how well each fits: by direction, and by rare words that both have."""

    def __init__(self, weights: Weights) -> None:
        """Take the weights of ``load_weights``."""
        self.contexts, self.replies = (Encoder(weights, side) for side in ("context", "reply"))
        self.unknown = len(weights["words"])  # the row of unknown words
        self._idf = np.append(weights["idf"][:-1], 0.0).astype(np.float32)
        cosine, overlap, threshold = weights["scoring"].tolist()
        self._cosine, self._overlap, self.threshold = cosine, overlap, threshold

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
        scores: Floats = self._cosine * cosines + self._overlap * overlaps
        return scores

    def word_weights(self, rows: NDArray[np.int64]) -> Floats:
        """Return a vector (words + 1,) of length 1: each different word by how rare it is."""
        weights = np.zeros(self.unknown + 1, np.float32)
        weights[rows] = self._idf[rows]
        return weights / max(float(np.linalg.norm(weights)), 1e-6)


class _Bank:
    """Replies with all that is asked of them, as arrays."""

    def __init__(self, bank: ReplyBank, weights: Weights, scorer: Scorer) -> None:
        encoder = scorer.replies
        words = [split_words(text) for text in bank.texts]
        self.texts = bank.texts
        self.directions = encoder.encode([(text,) for text in words])
        self.keys = [" ".join(text) for text in words]
        self._scorer, self._encoder = scorer, encoder
        self._liking = np.array([_liking(text) for text in bank.texts], np.float32)
        self._contexts = bank.contexts
        self._of_good, self._of_bad = _GOOD[bank.emotions], _BAD[bank.emotions]
        self._tones = np.array([2 if tone is None else tone for tone in map(tone_of, self.texts)])
        different = [np.unique(encoder.word_rows(text)) for text in words]
        self._rows = np.concatenate(different)  # of all replies, one after another
        sizes = np.array([len(rows) for rows in different])
        self._starts = np.cumsum(sizes) - sizes
        self._shares = np.concatenate([scorer.word_weights(rows)[rows] for rows in different])
        vocabulary = [*weights["words"].tolist(), ""]
        self._stems: dict[str, list[int]] = {}
        for row, word in enumerate(vocabulary):
            self._stems.setdefault(stem_of(word), []).append(row)
        self._is_general: _Flags = weights["is_general"].copy()
        self._is_general[-1] = False
        self._pronouns = [
            (row, stands_for) for row, word in enumerate(vocabulary)
            if (stands_for := PRONOUNS.get(word))
        ]  # fmt: skip

    def scores(self, direction: Floats, context: ReplyContext) -> Floats:
        """Return how well each reply (replies,) fits a context of this direction."""
        close = self.directions @ direction + _STORY_SHARE * (self._contexts @ direction)
        shared = self._scorer.said_weights(context)[self._rows] * self._shares
        overlaps: Floats = np.add.reduceat(shared, self._starts)
        overlaps *= _OVERLAP_SHARE
        return self._scorer.scores(close, overlaps) + self._liking

    def allowed(
        self, context: ReplyContext, own: Sequence[str], emotions: NDArray[np.floating]
    ) -> _Flags:
        """Return which replies (replies,) can be said to this."""
        return self._mentioned(context) & self._in_tone(emotions) & self._new(own)

    def _mentioned(self, context: ReplyContext) -> _Flags:
        said = [*context.last, *context.before]
        is_fine = self._is_general.copy()
        for stem in stems_of(said):
            is_fine[self._stems.get(stem, [])] = True
        heard: Set[str] = {*said, *(word.partition("'")[0] for word in said)}
        for row, stands_for in self._pronouns:
            is_fine[row] = not heard.isdisjoint(stands_for)
        missing: _Flags = np.logical_or.reduceat(~is_fine[self._rows], self._starts)
        return ~missing

    def _in_tone(self, emotions: NDArray[np.floating]) -> _Flags:
        fits: _Flags = self._tones == 0
        if emotions[_GOOD].sum() >= _TONE_SHARE:
            fits = (fits | (self._tones == 1)) & ~self._of_bad
        if emotions[_BAD].sum() >= _TONE_SHARE:
            fits = (fits | (self._tones == -1)) & ~self._of_good
        return fits

    def _new(self, own: Sequence[str]) -> _Flags:
        is_new: _Flags = np.ones(len(self.texts), np.bool_)
        spoken = [words for text in own if (words := split_words(text))]
        if spoken:
            close = self.directions @ self._encoder.encode([(words,) for words in spoken]).T
            is_new = np.all(close < _SAME, axis=1)
        return is_new
