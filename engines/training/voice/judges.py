"""Judges of voices that learnt from people: which emotion is heard, and who speaks.

Both are trained on RAVDESS' actors when they are asked for, and kept nowhere. How good they are on
people whom they did not learn from is told first: without it their word on a voice is worth little.
"""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.engines.training.voice.actors import (
    ActedUtterance,
    changes_of,
    measure_actors,
    name_emotions,
)
from rt_avatar.engines.training.voice.corpora import read_corpora, read_sound
from rt_avatar.engines.training.voice.discriminant import (
    Doubles,
    LinearDiscriminant,
    equal_error_rate,
)
from rt_avatar.engines.training.voice.measures import CEPSTRA, VoiceMeasures, measure_voice
from rt_avatar.engines.types import SPEECH_RATE_HZ

# Columns of the changes. "delivery" is pitch, its range, pace, brightness, harmonics to noise and
# jitter; "timbre" these, how much is voiced, and the mean spectrum's shape; "levelled" all but
# loudness, since calls are levelled: also how much the spectrum's shape varies.
HEARD: Final = {
    "delivery": [0, 1, 2, 4, 5, 6],
    "timbre": [0, 1, 2, *range(4, 8 + CEPSTRA)],
    "levelled": [0, 1, 2, *range(4, 8 + 2 * CEPSTRA)],
    "everything": list(range(8 + 2 * CEPSTRA)),
}
_READERS: Final = "libri"
_UTTERANCES: Final = 12  # of each reader
_SAMPLES: Final = 4 * SPEECH_RATE_HZ  # of each utterance: as long as a sentence in a call


@dataclass(frozen=True, slots=True)
class Judges:
    """Two classifiers, and what they are worth.

    Attributes:
        emotions: Over changes against neutral; as in ``HEARD``, by what is heard of them.
        actors_right: The same → emotion → share named right on actors left out; "all" for all.
        speakers: Embeds what belongs to a speaker.
        centre: Of the embedded readers; directions from there tell speakers apart.
        equal_error: On pairs of utterances of fourteen readers, of whom none was learnt from.
        limit: The distance at which it errs so: nearer ones are one speaker.
    """

    emotions: Mapping[str, LinearDiscriminant]
    actors_right: Mapping[str, Mapping[str, float]]
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


def train_judges(data: Path) -> Judges:
    """Train on actors, and measure on readers how well speakers are told apart.

    Args:
        data: Holds ``speech/ravdess`` and ``speech/libri``.

    Raises:
        FileNotFoundError: A corpus is not there.
    """
    acted = measure_actors(data)
    readers = _measure_readers(data)
    changes = changes_of(acted)
    labels = [one.emotion for one in acted]
    speakers = _train_speakers(acted)
    utterances = [one for own in readers.values() for one in own]
    judges = Judges(
        {heard: LinearDiscriminant(changes[:, own], labels) for heard, own in HEARD.items()},
        {heard: name_emotions(acted, own) for heard, own in HEARD.items()},
        speakers,
        _embed(speakers, utterances).mean(axis=0),
    )
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
