"""Melody of the nano voice beside its readers' own, sentence by sentence.

    rt-avatar bench melody --people DATA [--nano FOLDER] [--quick]

``--people`` holds the recordings that the voice learnt from (``speech/cathy``, ``lj``, ``libri``).
Persons who have one adult reader's voice say that reader's sentences that were kept from training;
sound and recording are laid on each other by dynamic time warping over mel spectra, and pitch (F0
of WORLD) is compared on that path. How alike one reader's own takes of a sentence are stands
beside: nobody says a sentence twice alike.

- ``pitch_r``: correlation of pitch where both have one; mean over sentences.
- ``deviation``: standard deviation of the voice's pitch against the recording's; median.
- ``voicing_error``: share of the path where one has voice and the other none.
"""

import argparse
import itertools
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import pyworld
from numpy.typing import NDArray

from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.result import Result
from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.engines.styletts2.spectrum import HOP, log_mel
from rt_avatar.engines.training.voice.corpora import read_corpora, read_sound
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import SPEECH_RATE_HZ, Pcm, VoiceStyle
from rt_avatar.errors import SetupError

# Readers and the persons who have their voices; children's are moved too far from any.
VOICE_OF: Final = {
    "lj": "young_female", "460": "young_male", "cathy": "middle_female", "8629": "middle_male",
    "118": "elderly_male",
}  # fmt: skip
_SEXES: Final = {"women": ("lj", "cathy"), "men": ("460", "8629", "118")}
TAKES: Final = "readers' own takes"
_QUICK_EVERY: Final = 8
_LONGEST_S: Final = 20.0  # of recordings: the path's cost grows with the square
_PITCH_HZ: Final = (60.0, 500.0)
_LEAST_FRAMES: Final = 20  # 250 ms with pitch in both
Doubles = NDArray[np.float64]


@dataclass(slots=True)
class Melody:
    """How alike pairs of sounds are in melody."""

    correlations: list[float] = field(default_factory=list)
    deviations: list[float] = field(default_factory=list)
    voicing_errors: list[float] = field(default_factory=list)

    def add(self, mine: Pcm, theirs: Pcm) -> None:
        """Compare two sounds of the same words; pairs with hardly any voice are left out."""
        own, other = (trace_pitch(pcm) for pcm in (mine, theirs))
        path = warp(log_mel(mine), log_mel(theirs))
        first, second = own[path[0]], other[path[1]]
        both = ~np.isnan(first) & ~np.isnan(second)
        if both.sum() < _LEAST_FRAMES:
            return
        self.correlations.append(float(np.corrcoef(first[both], second[both])[0, 1]))
        self.deviations.append(float(np.nanstd(own) / np.nanstd(other)))
        self.voicing_errors.append(float(np.mean(np.isnan(first) != np.isnan(second))))

    @classmethod
    def of(cls, parts: Iterable["Melody"]) -> "Melody":
        """Return all pairs of several."""
        whole = cls()
        for part in parts:
            for name in cls.__slots__:
                getattr(whole, name).extend(getattr(part, name))
        return whole

    def figures(self) -> dict[str, float]:
        """Return the three figures."""
        return {
            "pitch_r": float(np.mean(self.correlations)),
            "deviation": float(np.median(self.deviations)),
            "voicing_error": float(np.mean(self.voicing_errors)),
        }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--people", type=Path, metavar="DATA", help="holds speech/cathy, lj, libri")
    parser.add_argument("--nano", type=Path, metavar="FOLDER", help="instead of the shipped nano")


def measure(arguments: argparse.Namespace) -> Result:
    """Say all sentences kept from training and compare them with their recordings.

    Raises:
        SetupError: There are no recordings, or no voice in the folder.
    """
    if arguments.people is None:
        raise SetupError(
            "--people: expected the folder that holds speech/cathy, lj, libri; got none"
        )
    try:
        engine = NanoEngine(arguments.nano) if arguments.nano else NanoEngine()
        melodies = compare(arguments.people, engine, few=arguments.quick)
    except (FileNotFoundError, ValueError) as error:
        raise SetupError(f"--people, --nano: {error}") from error
    figures = melodies["all"].figures() | {"sentences": len(melodies["all"].deviations)}
    for name, prefix in ((TAKES, "takes"), *((sex, sex) for sex in _SEXES)):
        if name in melodies:
            figures |= {
                f"{prefix}_{what}": value for what, value in melodies[name].figures().items()
            }
    return Result(
        name="melody",
        columns=("reader", "sentences", "pitch r", "deviation", "voicing error"),
        rows=[
            (name, str(len(one.deviations)), *(f"{value:.3f}" for value in one.figures().values()))
            for name, one in melodies.items()
        ],
        figures=figures,
        higher_is_better=["pitch_r"],
        neutral=[name for name in figures if name not in ("pitch_r", "voicing_error")],
        notes=[
            "a sentence may be said in many ways: read the figures beside the readers' own takes"
        ],
    )


def compare(people: Path, engine: NanoEngine, *, few: bool) -> dict[str, Melody]:
    """Return the melody of each reader's voice, of women, men, all, and of two takes of a reader.

    Args:
        people: Holds ``speech/cathy``, ``lj``, ``libri``.
        engine: Whose voices speak.
        few: Every eighth sentence alone.

    Raises:
        FileNotFoundError: A corpus is not there.
    """
    kept = [one for one in read_corpora(people) if one.held_out and one.speaker in VOICE_OF]
    ours: defaultdict[str, Melody] = defaultdict(Melody)
    takes: defaultdict[tuple[str, str], list[Pcm]] = defaultdict(list)
    for recording in progress(kept[::_QUICK_EVERY] if few else kept, "melody"):
        theirs, _ = read_sound(recording)
        if len(theirs) > _LONGEST_S * SPEECH_RATE_HZ:
            continue
        takes[recording.speaker, recording.text].append(theirs)
        mine = say(engine, VOICE_OF[recording.speaker], recording.text)
        ours[recording.speaker].add(mine, theirs)
    people_own = Melody()
    for own in takes.values():
        for one, other in itertools.combinations(own[:3], 2):
            people_own.add(one, other)
    groups = {
        name: Melody.of([ours[reader] for reader in readers if reader in ours])
        for name, readers in {**_SEXES, "all": tuple(ours)}.items()
    }
    melodies = {**ours, **groups, TAKES: people_own}
    return {name: one for name, one in melodies.items() if one.deviations}


def say(engine: NanoEngine, voice: str, text: str) -> Pcm:
    """Return a sentence of a corpus in a voice, (samples,)."""
    stream = engine.open(voice)
    words = text.lower() if text.isupper() else text  # capitals would be spelled
    chunks = stream.push(SpeechRequest(words, VoiceStyle(), 0)) + stream.flush()
    return np.concatenate([chunk.pcm for chunk in chunks])


def trace_pitch(pcm: Pcm) -> Doubles:
    """Return the pitch of each mel frame in semitones, NaN where there is none."""
    sound = pcm.astype(np.float64)
    period_ms = 1000 * HOP / SPEECH_RATE_HZ
    coarse, times = pyworld.dio(
        sound, SPEECH_RATE_HZ, f0_floor=_PITCH_HZ[0], f0_ceil=_PITCH_HZ[1], frame_period=period_ms
    )
    hz = pyworld.stonemask(sound, coarse, times, SPEECH_RATE_HZ)
    semitones = 12 * np.log2(np.where(hz > 0, hz, np.nan))
    frames = 1 + len(pcm) // HOP
    traced: Doubles = np.pad(semitones, (0, frames), constant_values=np.nan)[:frames]
    return traced


def warp(mine: NDArray[np.floating], theirs: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return the frames (2, P) of two mels (80, T) that belong together (dynamic time warping).

    Each is freed of its mean spectrum, so that a microphone's or a speaker's tone costs nothing.

    Source: H. Sakoe, S. Chiba, "Dynamic programming algorithm optimization for spoken word
    recognition", IEEE Trans. ASSP 26(1), 1978; symmetric steps.
    """
    first, second = (mel - mel.mean(axis=1, keepdims=True) for mel in (mine, theirs))
    squares = (first**2).sum(axis=0)[:, None] + (second**2).sum(axis=0)
    costs = np.sqrt(np.maximum(squares - 2 * first.T @ second, 0.0))
    sums = np.full((costs.shape[0] + 1, costs.shape[1] + 1), np.inf)
    sums[0, 0] = 0.0
    for row, cost in enumerate(costs.tolist()):
        above, last = sums[row].tolist(), np.inf
        reached = [np.inf]
        for column, here in enumerate(cost):
            last = min(above[column] + 2 * here, above[column + 1] + here, last + here)
            reached.append(last)
        sums[row + 1] = reached
    row, column = costs.shape
    path = []
    while row and column:
        path.append((row - 1, column - 1))
        here = costs[row - 1, column - 1]
        ways = (
            (sums[row - 1, column - 1] + 2 * here, row - 1, column - 1),
            (sums[row - 1, column] + here, row - 1, column),
            (sums[row, column - 1] + here, row, column - 1),
        )
        _, row, column = min(ways)
    return np.array(path[::-1], np.intp).T
