"""Own voices made of ten seconds of sound, beside their persons and beside the personas.

    rt-avatar bench cloning --people DATA [--recordings FILE …] [--sentences N] [--quick]

``--people`` holds ``speech/ravdess``, whose actors the judge of speakers learns from, and what the
voice learnt from, ``speech/cathy``, ``lj`` and ``libri``, whose readers are cloned: each from ten
seconds, by an encoder that did not learn from them and a mixture of which they are no part (the
voice's networks heard them when they were trained). ``--recordings`` names sound of further
people, whom nothing here has heard: the first ten seconds, or the first half of a shorter one, are
cloned. Who has a persona's voice already is left out.

Each says the same sentences in their own voice, in that of the reader with the largest share, at
the person's pitch, and in that of the persona whom the judge takes for the likest. Beside them
stands what is cloned.

- ``same``: pairs with other utterances of the person that lie nearer than the judge's limit, at
  which as many readers are taken for one as are taken for two.
- ``distance``: of the same pairs, 1 - cosine.
- ``cents``: how far the median pitch lies from that of the other utterances; median of persons.
- ``word_error``: words that pocketsphinx with all its passes mishears.
- ``made_s``: processor time that an own voice takes to be made.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
import soxr

from rt_avatar.benchmarks.metrics.voice import word_error
from rt_avatar.benchmarks.quality.asr import PatientListener
from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.quality.voice import SENTENCES
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.voice.melody import VOICE_OF
from rt_avatar.engines.nano_tts import SHIPPED
from rt_avatar.engines.nano_tts.model import NanoModel
from rt_avatar.engines.nano_tts.voices import VOICES
from rt_avatar.engines.own_voice import OwnVoiceError
from rt_avatar.engines.own_voice.pitch import describe_pitch
from rt_avatar.engines.own_voice.recording import decode, levelled
from rt_avatar.engines.own_voice.tuning import say, tune
from rt_avatar.engines.training.voice.corpora import read_corpora, read_sound
from rt_avatar.engines.training.voice.judges import Judges, train_judges
from rt_avatar.engines.training.voice.measures import VoiceMeasures, measure_voice
from rt_avatar.engines.training.voice.readers import learn_encoder, measure_readers
from rt_avatar.engines.types import INPUT_RATE_HZ, SPEECH_RATE_HZ, Pcm
from rt_avatar.errors import SetupError

_REFERENCE: Final = 10 * SPEECH_RATE_HZ
_OTHERS: Final = 6
_PIECE: Final = 4 * SPEECH_RATE_HZ  # of what is compared: as long as a sentence in a call
_WHO: Final = ("own voice", "nearest reader", "likest persona", "the person")
_FEW_READERS, _FEW_SENTENCES = 2, 2


@dataclass(frozen=True, slots=True, eq=False)
class _Person:
    """Somebody: what is cloned, and other utterances."""

    name: str
    sound: Pcm
    others: list[Pcm]


@dataclass(slots=True)
class _Likeness:
    """What is told of one kind of voice, of every person."""

    same: list[float] = field(default_factory=list)
    distance: list[float] = field(default_factory=list)
    cents: list[float] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Return the figures; word error only where words were known."""
        figures = {
            "same": float(np.mean(self.same)),
            "distance": float(np.mean(self.distance)),
            "cents": float(np.median(self.cents)),
        }
        return figures | ({"word_error": word_error(self.said, self.heard)} if self.said else {})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--people", type=Path, metavar="DATA", help="holds speech/ravdess, libri")
    parser.add_argument(
        "--recordings", type=Path, nargs="+", default=(), metavar="FILE", help="of further people"
    )
    parser.add_argument(
        "--sentences", type=int, default=10, metavar="N", help="said in each voice [10]"
    )


def measure(arguments: argparse.Namespace) -> Result:
    """Clone everybody, let them speak, and have them judged.

    Raises:
        SetupError: There are no recordings of people.
    """
    if arguments.people is None:
        raise SetupError("--people: expected the folder that holds speech/ravdess, got none")
    model = NanoModel(SHIPPED)
    try:
        judges = train_judges(arguments.people)
        pieces = measure_readers(arguments.people)
        people = list(_readers(arguments.people))
        people = people[:_FEW_READERS] if arguments.quick else people
        people += [_recorded(path) for path in arguments.recordings]
    except (FileNotFoundError, OwnVoiceError) as error:
        raise SetupError(str(error)) from error
    sentences = SENTENCES[: _FEW_SENTENCES if arguments.quick else arguments.sentences]
    personas = {name: [say(model, own, (text,)) for text in sentences]
                for name, own in VOICES.items()}  # fmt: skip
    likeness: defaultdict[str, _Likeness] = defaultdict(_Likeness)
    made_s, rows = [], []
    listener = PatientListener()
    for person in progress(people, "people"):
        shares = learn_encoder(pieces, without=(person.name,)).shares(person.sound)
        begin = time.process_time()
        own = tune(model, shares, person.sound)
        made_s.append(time.process_time() - begin)
        likest = max(shares, key=lambda name: shares[name])
        nearest = replace(tune(model, {likest: 1.0}, person.sound), timbre_db=())
        sounds = {
            "own voice": [say(model, own, (text,)) for text in sentences],
            "nearest reader": [say(model, nearest, (text,)) for text in sentences],
            "likest persona": _likest(judges, person.sound, personas),
            "the person": _pieces(person.sound),
        }
        for who, takes in sounds.items():
            same, distance, cents = _compare(judges, takes, person.others)
            likeness[who].same.append(same)
            likeness[who].distance.append(distance)
            likeness[who].cents.append(cents)
            if who != "the person":
                likeness[who].said += sentences
                likeness[who].heard += [_hear(listener, pcm) for pcm in takes]
        rows.append((person.name, *(f"{likeness[who].same[-1]:.2f}" for who in _WHO)))
    return _result(likeness, rows, made_s, len(sentences))


def _result(
    likeness: dict[str, _Likeness], rows: list[tuple[str, ...]], made_s: list[float], sentences: int
) -> Result:
    figures = {
        f"{who.replace(' ', '_')}_{name}": value
        for who in _WHO
        for name, value in likeness[who].figures().items()
    }
    names = ("same", "distance", "cents", "word_error")
    for name in names:
        cells = (likeness[who].figures().get(name) for who in _WHO)
        shown = ("" if value is None else f"{value:.3f}" for value in cells)
        rows.append((f"all: {name.replace('_', ' ')}", *shown))
    return Result(
        name="cloning",
        columns=("who, and share of pairs taken for one person", *_WHO),
        rows=rows,
        figures=figures | {"made_s": float(np.median(made_s)), "people": float(len(made_s))},
        higher_is_better=[name for name in figures if name.endswith("same")],
        neutral=["people"],
        notes=[
            f"{sentences} sentences in each voice; told by a judge, not by listeners",
            "encoder and mixture are without who is cloned; the voice learnt from the readers, too",
        ],
    )


def _readers(data: Path) -> Iterator[_Person]:
    """Yield the readers of LibriSpeech who have no persona's voice."""
    sounds: defaultdict[str, list[Pcm]] = defaultdict(list)
    lengths: defaultdict[str, int] = defaultdict(int)
    for recording in read_corpora(data, ("libri",)):
        name = recording.speaker
        if name in VOICE_OF or lengths[name] > _REFERENCE + _OTHERS * _PIECE:
            continue
        pcm, _ = read_sound(recording)
        if len(pcm) >= _PIECE:
            sounds[name].append(pcm)
            lengths[name] += _PIECE if lengths[name] >= _REFERENCE else len(pcm)
    for name, own in sounds.items():
        count = 1 + int(np.searchsorted(np.cumsum([len(pcm) for pcm in own]), _REFERENCE))
        others = [levelled(pcm[:_PIECE]) for pcm in own[count:]]
        yield _Person(name, levelled(np.concatenate(own[:count])[:_REFERENCE]), others)


def _recorded(path: Path) -> _Person:
    """Return who speaks in a recording; half of it is cloned, ten seconds at most."""
    sound, rate_hz = decode(path.read_bytes(), str(path))
    pcm = levelled(soxr.resample(sound.mean(axis=1), rate_hz, SPEECH_RATE_HZ).astype(np.float32))
    part = min(_REFERENCE, len(pcm) // 2)
    return _Person(path.stem, pcm[:part], _pieces(pcm[part:]))


def _pieces(pcm: Pcm) -> list[Pcm]:
    whole = [pcm[at : at + _PIECE] for at in range(0, len(pcm) - _PIECE + 1, _PIECE)]
    return whole[:_OTHERS] or [pcm]


def _likest(judges: Judges, pcm: Pcm, personas: dict[str, list[Pcm]]) -> list[Pcm]:
    """Return what the persona says who is nearest to the sound that is cloned."""
    return min(personas.values(), key=lambda takes: _compare(judges, takes, _pieces(pcm))[1])


def _compare(
    judges: Judges, takes: Sequence[Pcm], others: Sequence[Pcm]
) -> tuple[float, float, float]:
    """Return the share of pairs taken for one person, their mean distance, cents of pitch."""
    ours, theirs = _measured(takes), _measured(others)
    distances = judges.distances([*ours, *theirs])[: len(ours), len(ours) :]
    pitches = [describe_pitch(np.concatenate(list(sounds)))[0] for sounds in (takes, others)]
    cents = 1200 / np.log(2) * abs(pitches[0] - pitches[1])
    return float((distances <= judges.limit).mean()), float(distances.mean()), float(cents)


def _measured(sounds: Sequence[Pcm]) -> list[VoiceMeasures]:
    return [measure_voice(pcm) for pcm in sounds]


def _hear(listener: PatientListener, pcm: Pcm) -> str:
    return listener.words(soxr.resample(pcm, SPEECH_RATE_HZ, INPUT_RATE_HZ))
