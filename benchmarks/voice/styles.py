"""Emotions and persons of the voices, told by judges that learnt from recordings of people.

    rt-avatar bench styles --people DATA [--quick] [--choose] [--nano FOLDER] [--only KIND …]

Every persona says the same sentences in every emotion at three strengths, in each voice that needs
no service. ``--people`` holds ``speech/ravdess`` (acted emotions) and ``speech/libri`` (readers):
the judges are trained on the actors when the benchmark begins, and kept nowhere. Emotions are told
by a judge of the actors whom the nano voice does not follow; ``--choose`` is for changing how the
voice speaks: another judge, of the actors whom it follows, and other sentences.

- ``named_by_delivery``: emotions of normal and strong strength named right (of seven names, mean of
  the six) by a classifier of changes against the same speaker's neutral of the same words, in
  pitch, its range, pace, brightness, breath and jitter; ``named_by_timbre``: in voicing and the
  spectrum's mean shape, too; ``named_by_levelled``: and in how much that shape varies;
  ``named_by_everything``: and in loudness. Beside them, the same of the actors whom the judge did
  not hear (``actors_named_by_…``). Neutral is not counted, since ours does not differ from itself,
  nor is contempt, which nobody acted. What each emotion is taken for by ``timbre`` is told.
- ``direction``: of the changes of pitch, pace and level that a style asks for (half a semitone, 3 %
  or half a decibel at least), the share that the sound shows, over persons, emotions and strengths.
- ``pairs_apart``: pairs of persons of whom most sentences lie farther apart than the limit at which
  as many readers are taken for one as are taken for two (``readers_equal_error``).
- ``same_person``: pairs of neutral sentences of one person that lie nearer than that;
  ``same_person_moved``: a neutral one and one with an emotion of normal strength.
"""

import argparse
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.quality.voice import SENTENCES
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.voice.voices import add_voices, chosen_voices, make_voice
from rt_avatar.engines.nano_tts.emotions import actors_prosody
from rt_avatar.engines.training.voice.judges import (
    HEARD,
    Confusion,
    Judges,
    pairs_apart,
    part_pairs,
    train_judges,
)
from rt_avatar.engines.training.voice.measures import VoiceMeasures, measure_voice
from rt_avatar.engines.tts import SpeechRequest, Voice
from rt_avatar.engines.tts_prosody import Prosody, prosody_of
from rt_avatar.engines.types import EMOTIONS, Emotion, VoiceStyle
from rt_avatar.errors import SetupError
from rt_avatar.personas import PERSONAS

STRENGTHS: Final = {"weak": 0.3, "normal": 0.6, "strong": 1.0}
_CHOSEN_ON: Final = 6  # sentences by which it was chosen how the voice speaks; the rest judge it
_QUICK_SENTENCES: Final = 2
_SHOWN: Final = "timbre"  # the hearing whose confusions are told
_PROSODY: Final[dict[str, Callable[[VoiceStyle], Prosody]]] = {
    "nano": actors_prosody,
    "espeak": prosody_of,
}
# Column of ``VoiceMeasures.row`` and the least change that counts as asked for.
_DIRECTIONS: Final = {"pitch": (0, np.log(2) / 24), "pace": (2, np.log(1.03)), "level": (3, 0.5)}


@dataclass(frozen=True, slots=True)
class _Take:
    """One sentence of one person."""

    persona: str
    text: str
    emotion: Emotion
    strength: str
    measures: VoiceMeasures


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--people", type=Path, metavar="DATA", help="holds speech/ravdess, libri")
    parser.add_argument(
        "--choose", action="store_true", help="other judges and sentences, for changing the voice"
    )
    add_voices(parser)


def measure(arguments: argparse.Namespace) -> Result:
    """Train the judges, let all voices speak, and have them judged.

    Raises:
        SetupError: There are no recordings of people, or a voice that is asked for.
    """
    if arguments.people is None:
        raise SetupError("--people: expected the folder that holds speech/ravdess, got none")
    try:
        judges = train_judges(arguments.people, hears_followed=arguments.choose)
    except FileNotFoundError as error:
        raise SetupError(f"--people: {error}") from error
    sentences = SENTENCES[:_CHOSEN_ON] if arguments.choose else SENTENCES[_CHOSEN_ON:]
    rows: list[tuple[str, str, str]] = []
    for heard, confusion in judges.actors.items():
        rows.append((f"actors: named by {heard}", *_right(confusion)))
    rows += _taken_for("actors", judges.actors[_SHOWN])
    rows.append(
        ("readers: equal error of telling them apart", f"{judges.equal_error:.3f}", "14, 4 s each")
    )
    figures: dict[str, float] = {}
    voices = chosen_voices(arguments)
    for kind, folder in voices.items():
        moved = sentences[:_QUICK_SENTENCES] if arguments.quick else sentences
        takes = _speak(make_voice(kind, folder), kind, moved)
        prefix = "" if kind == next(iter(voices)) else f"{kind}_"
        named = _emotions(judges, takes)
        for heard, confusion in named.items():
            rows.append((f"{kind}: named by {heard}", *_right(confusion)))
            figures[f"{prefix}named_by_{heard}"] = confusion.mean_right()
        for strength in STRENGTHS:
            own = _emotions(judges, takes, (strength,))[_SHOWN]
            rows.append((f"{kind}: named by {_SHOWN}, {strength}", *_right(own)))
        rows += _taken_for(kind, named[_SHOWN])
        for name, value, details in [*_directions(kind, takes), *_persons(judges, takes)]:
            rows.append((f"{kind}: {name.replace('_', ' ')}", f"{value:.3f}", details))
            figures[prefix + name] = value
    for heard, confusion in judges.actors.items():
        figures[f"actors_named_by_{heard}"] = confusion.mean_right()
    figures["readers_equal_error"] = judges.equal_error
    return Result(
        name="styles",
        columns=("what", "share", "in detail"),
        rows=rows,
        figures=figures,
        higher_is_better=[name for name in figures if not name.endswith("equal_error")],
        notes=["told by classifiers, not by listeners"],
    )


def _speak(voice: Voice, kind: str, sentences: Sequence[str]) -> list[_Take]:
    takes = []
    for persona in progress(list(PERSONAS), kind):
        jobs = [(text, EMOTIONS[0], "") for text in sentences]
        jobs += [(text, emotion, strength) for emotion in EMOTIONS[1:] for strength in STRENGTHS
                 for text in sentences]  # fmt: skip
        for text, emotion, strength in jobs:
            stream = voice.open(PERSONAS[persona].voice)
            style = VoiceStyle(emotion, STRENGTHS.get(strength, 0.6))
            chunks = stream.push(SpeechRequest(f"{text}.", style, 0)) + stream.flush()
            pcm = np.concatenate([chunk.pcm for chunk in chunks])
            takes.append(_Take(persona, text, emotion, strength, measure_voice(pcm)))
    return takes


def _changes(takes: Sequence[_Take]) -> list[tuple[_Take, NDArray[np.float64]]]:
    """Return all takes that show something, with what changes against neutral."""
    neutral = {
        (one.persona, one.text): one.measures.row() for one in takes if one.emotion == "neutral"
    }
    return [
        (one, one.measures.row() - neutral[one.persona, one.text])
        for one in takes
        if one.emotion != "neutral"
    ]


def _emotions(
    judges: Judges, takes: Sequence[_Take], strengths: Sequence[str] = ("normal", "strong")
) -> dict[str, Confusion]:
    """Return what is named of the emotions of some strengths, by what is heard."""
    named = {}
    for heard, classifier in judges.emotions.items():
        acted = [
            (one.emotion, row[HEARD[heard]])
            for one, row in _changes(takes)
            if one.emotion in classifier.classes and one.strength in strengths
        ]
        meant = [emotion for emotion, _ in acted]
        named[heard] = Confusion(meant, classifier.classify(np.stack([row for _, row in acted])))
    return named


def _right(confusion: Confusion) -> tuple[str, str]:
    own = ", ".join(f"{label} {confusion.right(label):.2f}" for label in confusion.shares)
    return f"{confusion.mean_right():.3f}", own


def _taken_for(who: str, confusion: Confusion) -> list[tuple[str, str, str]]:
    return [
        (
            f"{who}: {label} is told as (by {_SHOWN})",
            f"{confusion.right(label):.3f}",
            ", ".join(f"{name} {share:.2f}" for name, share in taken.items()),
        )
        for label, taken in confusion.shares.items()
    ]


def _directions(kind: str, takes: Sequence[_Take]) -> list[tuple[str, float, str]]:
    found: defaultdict[tuple[str, Emotion, str], list[NDArray[np.float64]]] = defaultdict(list)
    for one, row in _changes(takes):
        found[one.persona, one.emotion, one.strength].append(row)
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for (_, emotion, strength), changes in found.items():
        prosody = _PROSODY[kind](VoiceStyle(emotion, STRENGTHS[strength]))
        asked = {
            "pitch": np.log(prosody.pitch),
            "pace": np.log(prosody.rate),
            "level": 20 * np.log10(prosody.volume),
        }
        for name, (column, least) in _DIRECTIONS.items():
            if abs(asked[name]) >= least:
                change = float(np.mean([row[column] for row in changes]))
                right[name].append(bool(np.sign(change) == np.sign(asked[name])))
    details = ", ".join(f"{name} {np.mean(own):.3f} of {len(own)}" for name, own in right.items())
    return [("direction", float(np.mean([one for own in right.values() for one in own])), details)]


def _persons(judges: Judges, takes: Sequence[_Take]) -> list[tuple[str, float, str]]:
    neutral = [one for one in takes if one.emotion == "neutral"]
    moved = [one for one in takes if one.strength == "normal"]
    distances = judges.distances([one.measures for one in neutral + moved])
    names = [one.persona for one in neutral + moved]
    count = len(neutral)
    plain = distances[:count, :count]
    same, different = part_pairs(plain, names[:count])
    apart = pairs_apart(plain, names[:count], judges.limit)
    nearest = sorted(apart.items(), key=lambda pair: pair[1])[:3]
    own = np.array(names[:count])[:, None] == np.array(names[count:])[None]
    across = distances[:count, count:][own]
    confused = float((different <= judges.limit).mean())
    return [
        (
            "pairs_apart",
            float(np.mean([share > 0.5 for share in apart.values()])),
            f"of {len(apart)}; nearest: {', '.join(f'{two} {part:.2f}' for two, part in nearest)}",
        ),
        (
            "same_person",
            float((same <= judges.limit).mean()),
            f"others taken for it {confused:.3f}",
        ),
        ("same_person_moved", float((across <= judges.limit).mean()), "normal strength"),
    ]
