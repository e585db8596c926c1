"""Recordings of people → examples: features of every window, and whether the turn is over in it.

Made once and kept, recording by recording, so that a stopped run goes on. A recording is one turn,
its pauses are holds. Every one gives an example as it is and one made harder (``augment``).
"""

import logging
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import av
import numpy as np
from av.audio.resampler import AudioResampler
from numpy.typing import NDArray

from rt_avatar.engines.end_of_turn.features import (
    WINDOW_S,
    WINDOW_SAMPLES,
    EndOfTurnInput,
    Features,
)
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.silero import SileroEngine
from rt_avatar.engines.training.end_of_turn.augment import disguised, respoken, with_made_pauses
from rt_avatar.engines.training.end_of_turn.sounds import TurnSound, turn_sound
from rt_avatar.engines.training.voice.corpora import Recording, read_corpora
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm

_log = logging.getLogger(__name__)
# Readers that nothing is learnt from: their recordings say how good it is.
HELD_OUT: Final = frozenset(("lj", "332", "8629", "3526", "6272"))
# Readers that only thresholds and the weight of the words are chosen by.
CHOOSING: Final = frozenset(("1898", "460"))
_REPORT: Final = 50


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One turn.

    Attributes:
        rows: (T, FEATURES) float16.
        silences: (S, 2) begin and end in windows; the last one is behind the turn.
    """

    rows: NDArray[np.float16]
    silences: NDArray[np.float32]


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
    resampler = AudioResampler(format="flt", layout="mono", rate=INPUT_RATE_HZ)
    with av.open(str(path)) as container:
        parts = [
            out.to_ndarray().ravel()
            for frame in (*container.decode(audio=0), None)
            for out in resampler.resample(frame)
        ]
    return np.concatenate(parts).astype(np.float32)


def make_examples(recordings: Sequence[Recording], work: Path, seed: int) -> list[Example]:
    """Return two examples of each recording; what is kept from an earlier run is not made again."""
    work.mkdir(parents=True, exist_ok=True)
    vad = SileroEngine()
    began_s, made, examples = time.monotonic(), 0, []
    for number, recording in enumerate(recordings, 1):
        path = work / f"{recording.key}-{seed}.npz"
        if not path.exists():
            _keep(path, _examples_of(recording, vad, seed))
            made += 1
            if made % _REPORT == 0:
                left_s = (time.monotonic() - began_s) / made * (len(recordings) - number)
                _log.info("%d of %d, %.1f min to go", number, len(recordings), left_s / 60)
        with np.load(path) as kept:
            for index in range(len(kept.files) // 2):
                examples.append(Example(kept[f"rows{index}"], kept[f"silences{index}"]))
    return examples


def _examples_of(recording: Recording, vad: SileroEngine, seed: int) -> list[Example]:
    dice = np.random.default_rng((seed, zlib.crc32(recording.key.encode())))
    pcm = read_sound(recording.path)
    plain = turn_sound(pcm, vad, seed)
    harder = respoken(pcm, dice)
    if dice.random() < 0.65:
        harder = with_made_pauses(harder, dice)
    made = turn_sound(harder, vad, seed)
    made = TurnSound(disguised(made.pcm, dice), made.silences)
    return [example_of(plain, vad), example_of(made, vad)]


def example_of(turn: TurnSound, vad: SileroEngine) -> Example:
    """Return the features of a turn as a call would have them."""
    features = Features()
    windows, sounds = vad.open().push(turn.pcm), ProsodyEngine().open().push(turn.pcm)
    rows = [
        features.push(
            EndOfTurnInput(
                turn.pcm[window.pts : window.pts + WINDOW_SAMPLES], window.probability, sound.f0_hz
            )
        )
        for window, sound in zip(windows, sounds, strict=True)
    ]
    silences = np.array(turn.silences, np.float32) / WINDOW_S
    return Example(np.array(rows, np.float16), silences)


def _keep(path: Path, examples: Sequence[Example]) -> None:
    arrays: dict[str, NDArray[np.floating]] = {
        f"rows{index}": one.rows for index, one in enumerate(examples)
    }
    arrays |= {f"silences{index}": one.silences for index, one in enumerate(examples)}
    temporary = path.with_name("part-" + path.name)
    np.savez(temporary, allow_pickle=False, **arrays)
    temporary.replace(path)
