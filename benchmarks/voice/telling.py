"""Can our voice be told from recordings of its readers? A classifier tries, and what it hears.

The persons who have one adult reader's voice say sentences that the reader read, with the reader's
own vocal tract: what is asked is whether a person could be heard so, not whether it is that one.
A linear classifier learns from sentences that the voice was trained on, too, and is asked about
those kept from both: half of its answers are wrong where nothing tells the two apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.voice.melody import VOICE_OF, say
from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.engines.nano_tts.engine import OWN_VOICE
from rt_avatar.engines.nano_tts.voices import VOICES, NanoVoice
from rt_avatar.engines.training.voice.corpora import Recording, read_corpora, read_sound
from rt_avatar.engines.training.voice.discriminant import Doubles, LinearDiscriminant
from rt_avatar.engines.training.voice.measures import CEPSTRA, measure_voice

_LEARNT: Final = 25  # sentences of each reader
_TESTED: Final = 12
_LONGEST: Final = 240  # letters: about 15 s
_HEARD: Final = 5  # measures that are named
_RECORDING: Final = "recording"
_OURS: Final = "ours"
# Level is our choice and a sentence's length the reader's: neither is in what it hears.
MEASURES: Final = {
    "pitch": 0, "range of pitch": 1, "brightness": 4, "harmonics to noise": 5, "jitter": 6,
    "share of voice": 7,
} | {f"mean of cepstrum {one + 1}": 8 + one for one in range(CEPSTRA)} | {
    f"variation of cepstrum {one + 1}": 8 + CEPSTRA + one for one in range(CEPSTRA)
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """Recordings and ours of the same words, one after the other.

    Attributes:
        rows: (2 N, ``MEASURES``).
        labels: ``recording`` or ``ours``.
        readers: Whose sentence it is.
    """

    rows: Doubles
    labels: list[str]
    readers: list[str]


@dataclass(frozen=True, slots=True)
class Telling:
    """How well ours is told from recordings.

    Attributes:
        error: Share of wrong answers about sentences that were not learnt from; .5 is chance.
        sentences: How many of them, each asked about twice.
        hears: What differs most: measure → ours above the recordings, in deviations within both.
    """

    error: float
    sentences: int
    hears: dict[str, float]


def tell_apart(data: Path, folder: Path, *, few: bool) -> Telling:
    """Train the classifier on recordings and the voice of a folder, and ask it.

    Raises:
        FileNotFoundError: A corpus is not there, or the voice.
    """
    engine = NanoEngine(folder, find_own=with_own_tract)
    recordings = [one for one in read_corpora(data) if len(one.text) <= _LONGEST]
    learnt, tested = [], []
    for speaker in VOICE_OF:
        own = list({one.text: one for one in recordings if one.speaker == speaker}.values())
        trained = [one for one in own if not one.held_out]
        # Evenly over all of them: a reader's voice and microphone differ from session to session.
        count = min(_LEARNT // 8 if few else _LEARNT, len(trained))
        learnt += [trained[at * len(trained) // count] for at in range(count)]
        tested += [one for one in own if one.held_out][: 1 if few else _TESTED]
    return judge(_measure(learnt, engine), _measure(tested, engine))


def judge(learnt: Measured, tested: Measured) -> Telling:
    """Return how a classifier that learnt from some sentences tells others.

    Each reader's own recordings among those learnt from are the origin of the measures.
    """
    rows, others = learnt.rows.copy(), tested.rows.copy()
    is_recorded = np.array(learnt.labels) == _RECORDING
    for reader in set(learnt.readers):
        own = np.array(learnt.readers) == reader
        origin = rows[own & is_recorded].mean(axis=0)
        rows[own] -= origin
        others[np.array(tested.readers) == reader] -= origin
    labels = LinearDiscriminant(rows, learnt.labels).classify(others)
    ours, theirs = rows[~is_recorded], rows[is_recorded]
    spread = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / 2)
    apart = dict(zip(MEASURES, (ours.mean(axis=0) - theirs.mean(axis=0)) / spread, strict=True))
    heard = sorted(apart, key=lambda name: -abs(apart[name]))[:_HEARD]
    return Telling(
        error=float(
            np.mean([one != label for one, label in zip(labels, tested.labels, strict=True)])
        ),
        sentences=len(others) // 2,
        hears={name: float(apart[name]) for name in heard},
    )


def with_own_tract(reader: str) -> NanoVoice:
    """Return the person of a reader, with the reader's own vocal tract."""
    return replace(VOICES[VOICE_OF[reader]], formant=1.0)


def _measure(recordings: Sequence[Recording], engine: NanoEngine) -> Measured:
    rows, labels = [], []
    for one in progress(list(recordings), "told apart"):
        ours = say(engine, OWN_VOICE + one.speaker, one.text)
        for label, pcm in ((_RECORDING, read_sound(one)[0]), (_OURS, ours)):
            rows.append(measure_voice(pcm).row()[list(MEASURES.values())])
            labels.append(label)
    return Measured(np.stack(rows), labels, [one.speaker for one in recordings for _ in range(2)])
