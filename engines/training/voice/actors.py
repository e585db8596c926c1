"""What actors do with their voices in each emotion: recordings → medians over actors.

    python -m rt_avatar.engines.training.voice actors --data DATA -o engines/nano_tts/emotions.json

Every utterance is compared with the same actor's neutral of the same words. The voice follows
ten of the actors; the other twelve are for those who judge it. Of the ten, utterances count
whose emotion is heard: a median over what is not recognised is a median of nothing in particular.

RAVDESS is licensed under CC BY-NC-SA 4.0: no sound of it is kept or learnt from; what is written
are medians over actors, facts about how people speak, from which no recording can be made again.
"""

import csv
import json
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines.nano_tts.emotions import FIGURES, TIMBRE
from rt_avatar.engines.training.voice.corpora import Recording, read_sound
from rt_avatar.engines.training.voice.discriminant import Doubles, held_out_labels
from rt_avatar.engines.training.voice.measures import (
    CEPSTRA,
    VoiceMeasures,
    gains_db,
    measure_voice,
)
from rt_avatar.engines.tts_tone import TIMBRE_HZ

_log = logging.getLogger(__name__)
_REPORT_EVERY: Final = 200
_MEANS: Final = slice(8, 8 + CEPSTRA)  # of the cepstra, in ``VoiceMeasures.row``
# Columns of the changes that tell an emotion: pitch, its range, pace, brightness, harmonics to
# noise, jitter, how much is voiced, the mean spectrum's shape. The voice can follow all of them.
TOLD_BY: Final = (0, 1, 2, *range(4, 8 + CEPSTRA))
_LEAST_ACTORS: Final = 4  # whose emotion is heard; with fewer, all count
_POWER_BELOW_HZ: Final = 1000
CORPUS: Final = "ravdess"
# The corpus' names in ours. "calm" has no name here, contempt none there.
EMOTION_OF: Final = {
    "neutral": "neutral", "happy": "happy", "sad": "sad", "angry": "angry", "fearful": "fear",
    "disgust": "disgusted", "surprised": "surprised",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ActedUtterance:
    """One recording of an actor.

    Attributes:
        actor: Name of the actor.
        emotion: As in ``EMOTION_OF``'s values.
        intensity: ``normal`` or ``strong``.
        text: What is said.
        measures: Of its sound.
    """

    actor: str
    emotion: str
    intensity: str
    text: str
    measures: VoiceMeasures


def is_followed(actor: str) -> bool:
    """Return whether the voice follows an actor; judges learn from the others.

    Women have even numbers and men odd ones: every other pair, so that both halves have both.
    """
    return (int(actor) + 1) // 2 % 2 == 0


def measure_actors(
    data: Path, wanted: Callable[[str], bool] = lambda _: True
) -> list[ActedUtterance]:
    """Return all utterances, of the actors that are wanted, whose emotion has a name here.

    Raises:
        FileNotFoundError: The corpus is not there.
    """
    folder = data / "speech" / CORPUS
    manifest = folder / "manifest.tsv"
    if not manifest.exists():
        raise FileNotFoundError(f"{manifest}: expected the corpus {CORPUS!r} with its manifest")
    with manifest.open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["emotion"] in EMOTION_OF and wanted(row["actor"])
        ]
    acted: list[ActedUtterance] = []
    for done, row in enumerate(rows, 1):
        sound = Recording(
            row["file"], CORPUS, row["actor"], row["sex"], folder / row["file"], row["text"],
            gain_db=0.0, held_out=False,
        )  # fmt: skip
        try:
            measures = measure_voice(read_sound(sound)[0])
        except ValueError as error:
            _log.warning("%s is left out: %s", row["file"], error)
            continue
        emotion = EMOTION_OF[row["emotion"]]
        acted.append(ActedUtterance(row["actor"], emotion, row["intensity"], row["text"], measures))
        if done % _REPORT_EVERY == 0:
            _log.info("%d of %d", done, len(rows))
    return acted


def changes_of(utterances: Sequence[ActedUtterance]) -> Doubles:
    """Return how each utterance differs from its actor's neutral of the same words, (N, C).

    A neutral one is compared with the actor's other takes.
    """
    neutral: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    rows = np.stack([one.measures.row() for one in utterances])
    for index, one in enumerate(utterances):
        if one.emotion == "neutral":
            neutral[one.actor, one.text].append(index)
    own = [
        [other for other in neutral[one.actor, one.text] if other != index]
        for index, one in enumerate(utterances)
    ]
    return np.stack(
        [row - rows[others].mean(axis=0) for row, others in zip(rows, own, strict=True)]
    )


def summarise(utterances: Sequence[ActedUtterance]) -> dict[str, dict[str, dict[str, list[float]]]]:
    """Return emotion → intensity → figure → median over actors, and the quartiles below and above.

    Utterances count whose emotion the other actors' tell right. Each actor counts once, with the
    mean of them. The timbre's are medians alone, of gains at ``TIMBRE_HZ`` against their mean below
    1 kHz, where most of a voice's power is.
    """
    changes = changes_of(utterances)
    kinds = [(one.emotion, one.intensity) for one in utterances]
    actors = np.array([one.actor for one in utterances])
    is_heard = name_emotions(utterances) == np.array([one.emotion for one in utterances])
    table: dict[str, dict[str, dict[str, list[float]]]] = {}
    for kind in sorted(set(kinds) - {("neutral", "normal")}):
        chosen = np.array([one == kind for one in kinds])
        if len(set(actors[chosen & is_heard].tolist())) >= _LEAST_ACTORS:
            chosen &= is_heard
        own = [
            changes[chosen & (actors == actor)].mean(axis=0)
            for actor in sorted(set(actors[chosen].tolist()))
        ]
        quartiles = np.percentile(np.stack(own)[:, : len(FIGURES)], (50, 25, 75), axis=0).T
        table.setdefault(kind[0], {})[kind[1]] = {
            name: np.round(np.exp(three) if is_ratio else three, 3).tolist()
            for (name, is_ratio), three in zip(FIGURES.items(), quartiles, strict=True)
        }
        gains = gains_db(np.stack(own)[:, _MEANS], TIMBRE_HZ)
        gains -= gains[:, np.array(TIMBRE_HZ) < _POWER_BELOW_HZ].mean(axis=1, keepdims=True)
        table[kind[0]][kind[1]][TIMBRE] = np.round(np.median(gains, axis=0), 1).tolist()
    return table


def name_emotions(utterances: Sequence[ActedUtterance]) -> NDArray[np.str_]:
    """Return the emotion of each utterance as all other actors' tell it, (N,)."""
    rows = changes_of(utterances)[:, list(TOLD_BY)]
    labels, actors = ([getattr(one, name) for one in utterances] for name in ("emotion", "actor"))
    return np.array(held_out_labels(rows, labels, actors))


def write_actors(data: Path, output: Path) -> None:
    """Measure the actors whom the voice follows, and write the table."""
    utterances = [one for one in measure_actors(data) if is_followed(one.actor)]
    table = summarise(utterances)
    actors = len({one.actor for one in utterances})
    about = (
        f"Medians over {actors} actors of RAVDESS (S. R. Livingstone, F. A. Russo, PLoS ONE 13(5), "
        "2018), then lower and upper quartiles: what they do against their own neutral of the same "
        "words where their emotion is told right by a classifier that learnt from the others of "
        "them. Written by python -m rt_avatar.engines.training.voice actors."
    )
    text = json.dumps({"about": about, "emotions": table}, indent=1)
    # Three numbers stay on one line.
    text = re.sub(r"(?<=\[)\s+|\s+(?=\])", "", text)
    output.write_text(re.sub(r"(?<=\d,)\s+", " ", text) + "\n", encoding="utf-8")
