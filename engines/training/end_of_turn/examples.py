"""Recordings of people → examples: what was heard before each pause, and what became of it.

Made once and kept, so that a stopped run goes on. A recording is one turn, its pauses are holds.
Three recordings of a reader are three turns of one call: by the third something is known of their
pitch and of how they pause. Each comes as it is, at another speed, and made harder (``augment``).
"""

import logging
import random
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rt_avatar.engines import media_file
from rt_avatar.engines.end_of_turn.features import (
    SUMMARY,
    WINDOW_S,
    WINDOW_SAMPLES,
    EndOfTurnInput,
    Features,
)
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.training.end_of_turn.augment import disguised, respoken, with_inserted_pauses
from rt_avatar.engines.training.end_of_turn.sounds import TurnSound, turn_sound
from rt_avatar.engines.training.voice.corpora import Recording, read_corpora
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

_log = logging.getLogger(__name__)
# Readers that nothing is learnt from: their recordings say how good it is.
HELD_OUT: Final = frozenset(("lj", "332", "8629", "3526", "6272"))
# Readers that only thresholds and the weight of the words are chosen by.
CHOOSING: Final = frozenset(("1898", "460"))
_REPORT: Final = 20
_TURNS: Final = 3  # of a call
_PAUSED, _DISGUISED = 0.3, 0.5  # of those at another speed: with pauses made, in rooms and noise
_LOOKS: Final = (3, 4, 6, 8, 12, 16, 20, 24)  # windows of silence after which a pause is looked at
# Silence may be noticed so much before a pause begins, and counts from so much behind it on.
_EARLY_S, _INSIDE_S = 0.15, 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One turn.

    Attributes:
        key: Of the recording.
        rows: (T, FEATURES) float16.
        looks: (L, 5 + SUMMARY) float32, one for each time a pause is looked at: the row it is in,
            whether the turn was over, how long the pause had lasted, its whole length (both in s),
            windows since it was noticed; then the summary.
    """

    key: str
    rows: NDArray[np.float16]
    looks: NDArray[np.float32]


def training_recordings(data: Path, speakers: frozenset[str] | None = None) -> list[Recording]:
    """Return the recordings of some readers, every sentence once; None: of all that may be used."""
    found: dict[tuple[str, str], Recording] = {}
    for one in read_corpora(data):
        wanted = (
            one.speaker not in HELD_OUT | CHOOSING if speakers is None else one.speaker in speakers
        )
        if wanted:
            found.setdefault((one.speaker, one.text), one)
    return list(found.values())


def read_sound(path: Path) -> Pcm:
    """Return any sound file at 16 kHz, one channel."""
    return media_file.read_sound(path, INPUT_RATE_HZ)


def make_examples(
    recordings: Sequence[Recording], work: Path, seed: int, *, is_harder: bool = True
) -> list[Example]:
    """Return the examples of all recordings; what is kept from an earlier run is not made again.

    Args:
        recordings: Of any readers.
        work: Folder in which they are kept.
        seed: Of what is made harder.
        is_harder: Whether there are turns at other speeds and harder ones, too.
    """
    work.mkdir(parents=True, exist_ok=True)
    vad = SileroEngine()
    calls = calls_of(recordings)
    began_s, done, examples = time.monotonic(), 0, []
    for number, call in enumerate(calls, 1):
        path = work / f"{call[0].key}.npz"
        if not path.exists():
            _keep(path, _examples_of(call, vad, seed, is_harder=is_harder))
            done += 1
            if done % _REPORT == 0:
                left_s = (time.monotonic() - began_s) / done * (len(calls) - number)
                _log.info("%d of %d, %.1f min to go", number, len(calls), left_s / 60)
        with np.load(path) as kept:
            for name in kept.files:
                if name.endswith("|rows"):
                    looks = kept[name.removesuffix("rows") + "looks"]
                    examples.append(Example(name.partition("|")[0], kept[name], looks))
    return examples


def calls_of(recordings: Sequence[Recording]) -> list[list[Recording]]:
    """Return the recordings in threes of one reader, in an order that does not depend on theirs."""
    dice = random.Random(0)
    shuffled = sorted(recordings, key=lambda one: one.key)
    dice.shuffle(shuffled)
    of_reader: dict[str, list[Recording]] = {}
    for one in shuffled:
        of_reader.setdefault(one.speaker, []).append(one)
    return [
        own[at : at + _TURNS] for own in of_reader.values() for at in range(0, len(own), _TURNS)
    ]


def _examples_of(
    call: Sequence[Recording], vad: SileroEngine, seed: int, *, is_harder: bool
) -> Iterator[tuple[str, Example]]:
    callers = [Features() for _ in range(3)]
    for number, recording in enumerate(call):
        dice = np.random.default_rng((seed, zlib.crc32(recording.key.encode())))
        pcm = read_sound(recording.path)
        for version, features in enumerate(callers[: 3 if is_harder else 1]):
            try:
                turn = _in_version(pcm, version, vad, dice)
            except ValueError:
                continue  # no voice in it
            features.begin_turn()
            yield (
                f"{recording.key}|{number}|{version}|",
                example_of(recording.key, turn, vad, features),
            )


def _in_version(pcm: Pcm, version: int, vad: SileroEngine, dice: np.random.Generator) -> TurnSound:
    """Return a recording as it is (0), at another speed (1), and made harder (2)."""
    if version == 0:
        return turn_sound(pcm, vad)
    is_hard = version == 2
    spoken = respoken(pcm, dice)
    if is_hard or dice.random() < _PAUSED:
        spoken = with_inserted_pauses(spoken, dice)
    turn = turn_sound(spoken, vad, version)
    if is_hard or dice.random() < _DISGUISED:
        return TurnSound(disguised(turn.pcm, dice), turn.silences)
    return turn


def example_of(key: str, turn: TurnSound, vad: SileroEngine, features: Features) -> Example:
    """Return a turn as a call would hear it.

    Args:
        key: Of the recording.
        turn: Its sound.
        vad: Voice activity.
        features: Of the caller; they go on from turn to turn.
    """
    windows, sounds = vad.open().push(turn.pcm), ProsodyEngine().open().push(turn.pcm)
    rows, looks = [], []
    for number, (window, sound) in enumerate(zip(windows, sounds, strict=True)):
        pcm = turn.pcm[window.pts : window.pts + WINDOW_SAMPLES]
        rows.append(features.push(EndOfTurnInput(pcm, window.probability, sound.f0_hz)))
        since = round(features.silence_s / WINDOW_S)
        now_s = (number + 1) * WINDOW_S
        pause = _pause_at(turn, now_s, features.silence_s) if since in _LOOKS else None
        if pause is not None:
            begin_s, end_s = pause
            label = (number, pause == turn.silences[-1], now_s - begin_s, end_s - begin_s, since)
            looks.append(np.concatenate((label, features.summary())))
    found = np.array(looks, np.float32).reshape(-1, 5 + SUMMARY)
    return Example(key, np.array(rows, np.float16), found)


def _pause_at(turn: TurnSound, now_s: float, silence_s: float) -> tuple[float, float] | None:
    """Return the true silence that was noticed so long ago; None: it was no silence."""
    for begin_s, end_s in turn.silences:
        is_noticed = begin_s <= now_s - silence_s + _EARLY_S
        if is_noticed and begin_s + _INSIDE_S < now_s < end_s:
            return begin_s, end_s
    return None


def _keep(path: Path, examples: Iterable[tuple[str, Example]]) -> None:
    arrays: dict[str, NDArray[np.floating]] = {}
    for name, one in examples:
        arrays |= {f"{name}rows": one.rows, f"{name}looks": one.looks}
    temporary = path.with_name("part-" + path.name)
    np.savez(temporary, allow_pickle=False, **arrays)
    temporary.replace(path)
