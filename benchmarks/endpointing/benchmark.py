"""When a turn is over: the time waited against turns cut off, for every detector in one run.

Every silence of 100 ms and more inside a turn is a *hold*, the last one its *end*. A detector says
in every 32 ms how likely the turn is over; it is told what a call would tell it by then: windows of
voice activity and prosody, and the words of the recogniser. Then threshold, action delay and
timeout are swept, as LiveKit's eot-bench does (https://github.com/livekit/eot-bench), and of all
policies the best are told: the mean time waited at 5 and 10 % of holds cut off, and the holds cut
off at 300 and 600 ms of waiting. Holds under 200 ms and over 5 s do not count, there as here. The
same for 5 % of *turns*, of which one hold cut off is enough.

``--speech FOLDER`` takes recordings, one turn each. Their silences are found by voice activity.
In pauses, and behind the end, there is nothing but the sound of the recording's room: no breath,
so that no end is told by the silence put behind it. Recordings are cut to a length; ``length
alone`` is a detector that knows nothing but how long a turn has lasted, and says what that tells.
``--data FILE`` takes rows in eot-bench's schema (``audio``, ``silence_spans``, ``words``;
``messages`` are not used), as JSON lines. Words of a row are told 0.5 s after they end.

``early_plain`` and ``early_hard`` are the percentage of turns that turn detection as it is set
takes for over before the caller has finished, of recordings as they are and of those made harder
(``speech_variants``: longer pauses, hesitation, a sinking voice, noise); ``wait_p50_ms`` is the
median silence it waits for otherwise, over both. No call is made: what a line adds, and replies
that are taken back before they are heard, are measured by ``turn``.

smart-turn v3 is compared where it has been fetched (`rt-avatar models fetch smart-turn`).

Read sentences are not conversation: readers pause where the text has a comma, and seldom hesitate.
Figures compare detectors on the same recordings; they do not compare with those of other data.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from rich.console import Console
from rich.progress import track as with_progress

from rt_avatar.benchmarks.endpointing.hard import harder
from rt_avatar.benchmarks.endpointing.policy import (
    Curve,
    Silence,
    length_alone,
    silence_alone,
    sweep,
)
from rt_avatar.benchmarks.endpointing.report import ALONE, LENGTH, draw, summary
from rt_avatar.benchmarks.endpointing.track import (
    Track,
    TrackMaker,
    answer_of,
    patient_detector,
    silences_of,
)
from rt_avatar.benchmarks.endpointing.turns import (
    Turn,
    read_recordings,
    read_rows,
    turn_from_recording,
)
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.settings import settings_of
from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.end_of_turn import EndOfTurnEngine, EndOfTurnModel
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.smart_turn import FETCHED
from rt_avatar.errors import BadInputError
from rt_avatar.perception.turn_detector import TurnDetector
from rt_avatar.services.engine_choice import make_end_of_turn, make_recogniser

Item = TypeVar("Item")

TURNS: Final = 200
QUICK_TURNS: Final = 24
HARD_SHARE: Final = 0.45  # of so many: ten of each variant


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--speech", type=Path, help="folder of recordings, one turn each")
    source.add_argument("--data", type=Path, help="JSON lines in eot-bench's schema")
    parser.add_argument("--turns", type=int, help=f"at most so many (default {TURNS})")
    parser.add_argument("--no-words", action="store_true", help="without a recogniser: sound only")
    parser.add_argument("--curve", type=Path, help="file to draw the curves to (PNG or SVG)")


def measure(arguments: argparse.Namespace) -> Result:
    """Make tracks of all turns, let every detector judge them, sweep, sum up."""
    settings = settings_of(arguments.flags)
    count = arguments.turns or (QUICK_TURNS if arguments.quick else TURNS)
    vad, learnt = SileroEngine(), EndOfTurnEngine()
    engines = {"rules": None, "learnt": learnt, **smart_turn(settings.turn_detection)}
    recogniser = None if arguments.no_words else make_recogniser(settings.stt)
    try:
        turns, hard = load(arguments, count, vad)
        opened = None if recogniser is None else recogniser.open()
        maker = TrackMaker(vad, learnt, opened)
        plain = [maker.make(turn) for turn in _shown(turns, "turns")]
        hard_tracks = [maker.make(turn) for turn in _shown(hard, "harder ones")]
    finally:
        if recogniser is not None:
            recogniser.close()
    judges = {
        kind: Judge(
            engine, *(_heard_by(kind, engine, vad, tracks) for tracks in (plain, hard_tracks))
        )
        for kind, engine in engines.items()
    }
    curves = curves_of(judges)
    answers = {
        kind: {
            name: [
                answer_of(track, TurnDetector(settings.turn_detection, judge.engine))
                for track in tracks
            ]
            for name, tracks in (("plain", judge.plain), ("hard", judge.hard))
        }
        for kind, judge in judges.items()
    }
    if arguments.curve is not None:
        draw(curves, arguments.curve)
    return summary(curves, answers, [track.turn for track in plain], settings.turn_detection.kind)


def smart_turn(settings: TurnDetectionSettings) -> dict[str, EndOfTurnModel | None]:
    """Return smart-turn by its kind, where it is there or asked for."""
    is_there = bool(settings.smart_turn_model) or FETCHED.expanduser().is_file()
    if not is_there and settings.kind != "smart_turn":
        return {}
    return {"smart_turn": make_end_of_turn(replace(settings, kind="smart_turn"))}


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """One detector, and the turns as it hears them."""

    engine: EndOfTurnModel | None
    plain: list[Track]
    hard: list[Track]


def _heard_by(
    kind: str, engine: EndOfTurnModel | None, vad: SileroEngine, tracks: list[Track]
) -> list[Track]:
    """Return the tracks with what another network says of their sound; rules look at none."""
    if engine is None or kind == "learnt":
        return tracks
    maker = TrackMaker(vad, engine, None)
    return [replace(track, frames=maker.hear(track.turn)) for track in _shown(tracks, kind)]


def load(
    arguments: argparse.Namespace, count: int, vad: SileroEngine
) -> tuple[list[Turn], list[Turn]]:
    """Return at most ``count`` turns, spread over all there are, and harder ones made of them.

    Raises:
        BadInputError: There are none, or one cannot be used.
    """
    if arguments.data is not None:
        rows = list(read_rows(arguments.data))
        return spread(rows, count), []
    if arguments.speech is None:
        raise BadInputError(
            "bench endpointing: expected --speech FOLDER with recordings or --data FILE with rows"
        )
    files = spread(read_recordings(arguments.speech), count)
    turns = [turn_from_recording(path, vad) for path in _shown(files, "recordings")]
    return turns, harder(spread(files, max(9, round(HARD_SHARE * count))))


def spread(items: Sequence[Item], count: int) -> list[Item]:
    """Return at most ``count`` of them, evenly spread."""
    if len(items) <= count:
        return list(items)
    return [items[int(at)] for at in np.linspace(0, len(items) - 1, count)]


def curves_of(judges: Mapping[str, Judge]) -> dict[str, Curve]:
    """Return the curve of every detector, first those of silence and of length alone."""

    def scored(engine: EndOfTurnModel | None, tracks: Sequence[Track]) -> list[Silence]:
        return [
            silence
            for number, track in enumerate(tracks)
            for silence in silences_of(track, number, patient_detector(engine))
        ]

    scores = {kind: scored(judge.engine, judge.plain) for kind, judge in judges.items()}
    learnt = judges["learnt"]
    sound_only = scored(learnt.engine, [track.without_words() for track in learnt.plain])
    begins_s = [begin for track in judges["rules"].plain for begin, _ in track.turn.silences]
    return {
        ALONE: silence_alone(scores["rules"]),
        LENGTH: length_alone(scores["rules"], begins_s),
        "learnt, sound only": sweep(sound_only),
        **{kind: sweep(silences) for kind, silences in scores.items()},
    }


def _shown(items: Sequence[Item], what: str) -> Iterable[Item]:
    """Show progress over items."""
    return with_progress(items, what, console=Console(stderr=True))
