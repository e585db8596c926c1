"""Judges of voices that learnt from people: which emotion is heard, and who speaks.

Both are trained on RAVDESS' actors when they are asked for, and kept nowhere. Who tells emotions
learns from the actors whom our voice does not follow: else it would hear its own figures again. How
good they are on people whom they did not learn from is told first: without it their word on a voice
is worth little.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.training.voice.actors import (
    TOLD_BY,
    ActedUtterance,
    changes_of,
    is_followed,
    measure_actors,
)
from rt_avatar.engines.training.voice.corpora import read_corpora, read_sound
from rt_avatar.engines.training.voice.discriminant import (
    Doubles,
    LinearDiscriminant,
    equal_error_rate,
)
from rt_avatar.engines.training.voice.measures import CEPSTRA, VoiceMeasures, measure_voice
from rt_avatar.engines.types import EMOTIONS, SPEECH_RATE_HZ

# Columns of the changes. "delivery" is pitch, its range, pace, brightness, harmonics to noise and
# jitter; "timbre" these, how much is voiced, and the mean spectrum's shape; "levelled" all but
# loudness, since calls are levelled: also how much the spectrum's shape varies.
HEARD: Final = {
    "delivery": [0, 1, 2, 4, 5, 6],
    "timbre": list(TOLD_BY),
    "levelled": [0, 1, 2, *range(4, 8 + 2 * CEPSTRA)],
    "everything": list(range(8 + 2 * CEPSTRA)),
}
_READERS: Final = "libri"
_UTTERANCES: Final = 12  # of each reader
_SAMPLES: Final = 4 * SPEECH_RATE_HZ  # of each utterance: as long as a sentence in a call


class Confusion:
    """What was meant, and what was told of it.

    Args:
        meant: Labels.
        named: As many, by a judge.
    """

    def __init__(self, meant: Sequence[str], named: Sequence[str]) -> None:
        counts = Counter(zip(meant, named, strict=True))
        self.shares: dict[str, dict[str, float]] = {
            label: {
                other: count / meant.count(label)
                for (own, other), count in counts.most_common()
                if own == label
            }
            for label in sorted(set(meant))
        }

    def right(self, label: str) -> float:
        """Return the share of what was meant so that was told right."""
        return self.shares[label].get(label, 0.0)

    def mean_right(self) -> float:
        """Return the mean over all labels but neutral."""
        return float(np.mean([self.right(one) for one in self.shares if one != EMOTIONS[0]]))


@dataclass(frozen=True, slots=True)
class Judges:
    """Two classifiers, and what they are worth.

    Attributes:
        emotions: Over changes against neutral; as in ``HEARD``, by what is heard of them.
        actors: The same → what was told of the actors whom they did not learn from.
        speakers: Embeds what belongs to a speaker.
        centre: Of the embedded readers; directions from there tell speakers apart.
        equal_error: On pairs of utterances of fourteen readers, of whom none was learnt from.
        limit: The distance at which it errs so: nearer ones are one speaker.
    """

    emotions: Mapping[str, LinearDiscriminant]
    actors: Mapping[str, Confusion]
    speakers: LinearDiscriminant
    centre: Doubles
    equal_error: float = 0.0
    limit: float = 0.0

    def distances(self, utterances: Sequence[VoiceMeasures]) -> Doubles:
        """Return how unlike the speakers of all utterances are, (N, N): 0 to 2 (1 - cosine)."""
        embedded = _embed(self.speakers, utterances) - self.centre
        embedded /= np.linalg.norm(embedded, axis=1, keepdims=True)
        unlike: Doubles = 1.0 - embedded @ embedded.T
        return unlike


class EmotionJudge:
    """Names the emotion of an utterance, having heard actors whom our voice does not follow.

    Args:
        acted: What they said (``measure_actors``).
        names: Emotions to choose from, neutral among them; None: all that were acted.
        heard: Of ``HEARD``.
    """

    def __init__(
        self,
        acted: Sequence[ActedUtterance],
        names: Sequence[str] | None = None,
        heard: str = "timbre",
    ) -> None:
        self._columns = HEARD[heard]
        own = [one for one in acted if names is None or one.emotion in names]
        rows = changes_of(own)[:, self._columns]
        self._classes = LinearDiscriminant(rows, [one.emotion for one in own])

    def name(self, said: VoiceMeasures, neutral: VoiceMeasures) -> str:
        """Return the likeliest emotion of an utterance.

        Args:
            said: The utterance.
            neutral: The same words, by the same person, without a feeling.
        """
        change = said.row() - neutral.row()
        return self._classes.classify(change[None, self._columns])[0]


def train_judges(data: Path, *, hears_followed: bool = False) -> Judges:
    """Train on actors, and measure on other actors and on readers what it is worth.

    Args:
        data: Holds ``speech/ravdess`` and ``speech/libri``.
        hears_followed: Emotions are learnt from the actors whom the voice follows: for choosing how
            it speaks, never for telling how good that is.

    Raises:
        FileNotFoundError: A corpus is not there.
    """
    acted = measure_actors(data)
    readers = _measure_readers(data)
    changes = changes_of(acted)
    labels = np.array([one.emotion for one in acted])
    own = np.array([is_followed(one.actor) == hears_followed for one in acted])
    emotions = {
        heard: LinearDiscriminant(changes[own][:, columns], labels[own].tolist())
        for heard, columns in HEARD.items()
    }
    others = {
        heard: Confusion(labels[~own].tolist(), emotions[heard].classify(changes[~own][:, columns]))
        for heard, columns in HEARD.items()
    }
    speakers = _train_speakers(acted)
    utterances = [one for group in readers.values() for one in group]
    centre = _embed(speakers, utterances).mean(axis=0)
    judges = Judges(emotions, others, speakers, centre)
    names = [name for name, own in readers.items() for _ in own]
    error, limit = equal_error_rate(*part_pairs(judges.distances(utterances), names))
    return replace(judges, equal_error=error, limit=limit)


def part_pairs(distances: Doubles, names: Sequence[str]) -> tuple[Doubles, Doubles]:
    """Return the distances of pairs that have one name, and of those that have two."""
    first, second = np.triu_indices(len(names), 1)
    named = np.array(names)
    is_same = named[first] == named[second]
    pairs = distances[first, second]
    return pairs[is_same], pairs[~is_same]


def pairs_apart(distances: Doubles, names: Sequence[str], limit: float) -> dict[str, float]:
    """Return for each pair of names the share of pairs of utterances beyond the limit."""
    named = np.array(names)
    return {
        f"{one} / {other}": float((distances[named == one][:, named == other] > limit).mean())
        for one, other in itertools.combinations(dict.fromkeys(names), 2)
    }


def _train_speakers(acted: Sequence[ActedUtterance]) -> LinearDiscriminant:
    rows = np.stack([_speaker_row(one.measures) for one in acted])
    return LinearDiscriminant(rows, [one.actor for one in acted])


def _embed(speakers: LinearDiscriminant, utterances: Sequence[VoiceMeasures]) -> Doubles:
    return speakers.embed(np.stack([_speaker_row(one) for one in utterances]))


def _measure_readers(data: Path) -> dict[str, list[VoiceMeasures]]:
    readers: defaultdict[str, list[VoiceMeasures]] = defaultdict(list)
    for recording in read_corpora(data, (_READERS,)):
        own = readers[recording.speaker]
        if len(own) < _UTTERANCES:
            own.append(measure_voice(read_sound(recording)[0][:_SAMPLES]))
    return dict(readers)


def _speaker_row(one: VoiceMeasures) -> Doubles:
    """Return what of the measures belongs to a speaker more than to words, level or delivery."""
    return np.array([one.pitch, one.brightness_db, one.hnr_db, *one.cepstra.ravel()])
