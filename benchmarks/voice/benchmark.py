"""The voices of this machine: words a recogniser mishears, real-time factor, first sound, melody.

    rt-avatar bench voice [--quick] [--nano FOLDER] [--kokoro FOLDER] [--sentences FILE]
                          [--personas NAME …] [--recordings FOLDER …] [--people DATA]
                          [--dnsmos FOLDER]

Every persona says the sentences in each voice that needs no service (``kokoro`` with the folder of
one), neutral; and one in every feeling of normal and of strong intensity, each persona another. The
listener is pocketsphinx over whole utterances, the same for all, recordings included: read its word
errors against each other.

- ``--sentences``: a text file, a sentence a line; without it, the sentences of ``quality``.
- ``--recordings``: recordings of people, or their resynthesis, with their words in .txt beside
  each; ``python -m rt_avatar.engines.training.voice held-out`` writes both for sentences not
  trained on. What stands before a name's first hyphen is the corpus, which gets a row.
- ``--people``: the recordings that nano learnt from (as ``bench melody``): how alive its melody is,
  women and men apart, and how often a classifier cannot tell it from them (``told_apart_error``).
- ``--dnsmos``: with it, what a network that learnt people's ratings thinks of both, from 1 to 5
  (``dnsmos``, ``dnsmos_recordings``: of ITU-T P.808).

``rtf`` is processor time against the sound's length, of whole clauses on one thread; ``first_ms``
is the processor time from the words to the first 200 ms of sound, in the median. The last line's
first figures are those of the first voice in the table: ``word_error`` of all who speak neutral,
``adults_word_error`` and ``children_word_error`` of theirs, ``feelings_word_error`` of all
feelings, ``strong_word_error`` of the strong ones.
"""

import argparse
import itertools
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import soxr

from rt_avatar.benchmarks.metrics.voice import describe, word_error
from rt_avatar.benchmarks.quality.asr import PatientListener, read_recording
from rt_avatar.benchmarks.quality.group import progress
from rt_avatar.benchmarks.quality.voice import SENTENCES
from rt_avatar.benchmarks.result import Result
from rt_avatar.benchmarks.speech import read_words
from rt_avatar.benchmarks.voice.melody import TAKES, compare
from rt_avatar.benchmarks.voice.naturalness import DnsMos, rate_readers
from rt_avatar.benchmarks.voice.telling import tell_apart
from rt_avatar.benchmarks.voice.voices import add_voices, chosen_voices, make_voice
from rt_avatar.engines.nano_tts import NanoEngine
from rt_avatar.engines.tts import SpeechRequest, Voice
from rt_avatar.engines.types import (
    EMOTIONS,
    INPUT_RATE_HZ,
    SPEECH_RATE_HZ,
    Pcm,
    VoiceStyle,
)
from rt_avatar.errors import BadInputError, SetupError
from rt_avatar.personas import PERSONAS

_FEW: Final = 3
_INTENSITIES: Final = {"normal": 0.6, "strong": 1.0}
_WORDS: Final = re.compile(r"[a-z']+")
_COLUMNS: Final = ("voice", "words misheard", "of words", "real-time factor", "first sound (ms)",
                   "pitch (Hz)", "its range (semitones)")  # fmt: skip


@dataclass(slots=True)
class _Heard:
    """What was said and heard in one voice, and what it cost."""

    said: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    spent_s: float = 0.0
    sound_s: float = 0.0
    first_ms: list[float] = field(default_factory=list)
    pitches: list[float] = field(default_factory=list)
    ranges: list[float] = field(default_factory=list)

    def add(self, other: "_Heard") -> None:
        """Take in what another one holds."""
        self.spent_s += other.spent_s
        self.sound_s += other.sound_s
        for name in ("said", "heard", "first_ms", "pitches", "ranges"):
            getattr(self, name).extend(getattr(other, name))

    def word_error(self) -> float:
        return word_error(self.said, self.heard)

    def row(self, name: str) -> tuple[str, ...]:
        rtf = self.spent_s / self.sound_s if self.spent_s else float("nan")
        first = float(np.median(self.first_ms)) if self.first_ms else float("nan")
        return (
            name,
            f"{self.word_error():.3f}",
            str(sum(len(text.split()) for text in self.said)),
            f"{rtf:.3f}",
            f"{first:.0f}",
            f"{np.nanmedian(self.pitches):.0f}",
            f"{np.nanmedian(self.ranges):.1f}",
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be chosen."""
    parser.add_argument("--sentences", type=Path, metavar="FILE", help="a sentence a line")
    parser.add_argument(
        "--recordings", type=Path, nargs="+", default=(), metavar="FOLDER",
        help="recordings, with words in .txt beside",
    )  # fmt: skip
    parser.add_argument("--people", type=Path, metavar="DATA", help="holds speech/cathy, lj, libri")
    parser.add_argument("--dnsmos", type=Path, metavar="FOLDER", help="DNSMOS' graphs")
    parser.add_argument(
        "--personas", nargs="+", choices=PERSONAS, default=tuple(PERSONAS), metavar="NAME",
        help=f"who speaks [all of {', '.join(PERSONAS)}]",
    )  # fmt: skip
    add_voices(parser)


def measure(arguments: argparse.Namespace) -> Result:
    """Let all voices speak and the listener write down what it hears.

    Raises:
        SetupError: A voice that is asked for is not installed.
        BadInputError: A file cannot be used.
    """
    dnsmos = _load_dnsmos(arguments)  # what is missing is told before all have spoken
    sentences = list(SENTENCES) if arguments.sentences is None else _read(arguments.sentences)
    if arguments.quick:
        sentences = sentences[:_FEW]
    listener = PatientListener()
    rows: list[tuple[str, ...]] = []
    figures: dict[str, float] = {}
    voices = chosen_voices(arguments)
    for kind, voice_folder in voices.items():
        voice = make_voice(kind, voice_folder)
        heard = _speak_all(voice, kind, arguments.personas, sentences, listener)
        rows += [own.row(f"{kind}: {name}") for name, own in heard.items()]
        prefix = "" if kind == next(iter(voices)) else f"{kind}_"
        neutral = heard["all"]
        figures[f"{prefix}word_error"] = neutral.word_error()
        figures[f"{prefix}rtf"] = neutral.spent_s / neutral.sound_s
        figures[f"{prefix}first_ms"] = float(np.median(neutral.first_ms))
        for name in ("adults", "children", "feelings", "strong"):
            if name in heard:
                figures[f"{prefix}{name}_word_error"] = heard[name].word_error()
    for folder in arguments.recordings:
        groups = _listen(folder, listener, few=arguments.quick)
        rows += [own.row(f"{folder.name}: {name}") for name, own in groups.items()]
        figures[f"{folder.name.replace('-', '_')}_word_error"] = groups["all"].word_error()
    remarks: list[str] = []
    if arguments.people is not None:
        remarks, measured = _beside_readers(arguments.people, arguments.nano, few=arguments.quick)
        figures |= measured
    if dnsmos is not None:
        note, measured = _opinions(arguments, dnsmos)
        remarks.append(note)
        figures |= measured
    return Result(
        name="voice",
        columns=_COLUMNS,
        rows=rows,
        figures=figures,
        higher_is_better=[
            name for name in figures if name.endswith(("_r", "apart_error", "dnsmos"))
        ],
        neutral=[name for name in figures if name.endswith(("deviation", "dnsmos_recordings"))],
        notes=[
            *remarks,
            f"{len(sentences)} sentences of each persona; one standard error of a row is about "
            "the root of its word error over its words",
            "nobody listened: whether a voice is pleasant or natural is not measured here",
        ],
    )


def _speak_all(
    voice: Voice,
    kind: str,
    personas: Sequence[str],
    sentences: Sequence[str],
    listener: PatientListener,
) -> dict[str, _Heard]:
    """Return what was heard of each persona, then of adults, children, all, and in feelings."""
    heard = {persona: _Heard() for persona in personas}
    groups: defaultdict[str, _Heard] = defaultdict(_Heard)
    feelings = list(itertools.product(EMOTIONS[1:], _INTENSITIES.items()))
    for persona in progress(list(personas), kind):
        number = list(PERSONAS).index(persona)
        for text in sentences:
            _say(voice, persona, text, VoiceStyle(), listener, heard[persona])
        is_child = PERSONAS[persona].voice.startswith("child")
        groups["children" if is_child else "adults"].add(heard[persona])
        groups["all"].add(heard[persona])
        for at, (emotion, (name, intensity)) in enumerate(feelings):
            # Both intensities say the same: else one of them might have the harder words.
            text = sentences[(at // len(_INTENSITIES) + number) % len(sentences)]
            own = _Heard()
            _say(voice, persona, text, VoiceStyle(emotion, intensity), listener, own)
            groups["feelings"].add(own)
            groups[name].add(own)
    return heard | groups


def _beside_readers(data: Path, folder: Path, *, few: bool) -> tuple[list[str], dict[str, float]]:
    """Return what nano's melody is beside its readers', and how it is told from them."""
    try:
        melodies = compare(data, NanoEngine(folder), few=few)
        telling = tell_apart(data, folder, few=few)
    except FileNotFoundError as error:
        raise SetupError(f"--people, --nano: {error}") from error
    notes = []
    figures: dict[str, float] = {}
    for name in ("women", "men", TAKES):
        if name in melodies:
            own = melodies[name].figures()
            notes.append(
                f"melody, {name} ({len(melodies[name].deviations)} sentences): pitch correlates by "
                f"{own['pitch_r']:.3f}, deviates {own['deviation']:.3f} of the recording's, "
                f"voicing differs in {own['voicing_error']:.3f}"
            )
            key = "takes" if name == TAKES else name
            figures |= {f"{key}_{what}": value for what, value in own.items()}
    heard = ", ".join(f"{name} {apart:+.1f}" for name, apart in telling.hears.items())
    notes.append(
        f"told from recordings, {telling.sentences} other sentences: {telling.error:.3f} wrong; it "
        f"hears (deviations): {heard}"
    )
    return notes, figures | {"told_apart_error": telling.error}


def _load_dnsmos(arguments: argparse.Namespace) -> DnsMos | None:
    if arguments.dnsmos is None:
        return None
    if arguments.people is None:
        raise SetupError("--dnsmos: expected recordings to stand beside, with --people DATA")
    try:
        return DnsMos(arguments.dnsmos)
    except FileNotFoundError as error:
        raise SetupError(f"--dnsmos: {error}") from error


def _opinions(arguments: argparse.Namespace, dnsmos: DnsMos) -> tuple[str, dict[str, float]]:
    """Return what DNSMOS thinks of nano and of its readers."""
    try:
        of = rate_readers(arguments.people, arguments.nano, dnsmos, few=arguments.quick)
    except FileNotFoundError as error:
        raise SetupError(f"--people, --nano: {error}") from error
    ours, theirs = of["ours"], of["recordings"]
    note = (
        f"DNSMOS: {ours.quality:.2f} of P.808 (recordings {theirs.quality:.2f}), "
        f"{ours.overall:.2f} overall of P.835 ({theirs.overall:.2f})"
    )
    return note, {"dnsmos": ours.quality, "dnsmos_recordings": theirs.quality}


def _read(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path}: expected a text file, got {error}") from error
    sentences = [line.strip() for line in lines if _WORDS.search(line.lower())]
    if not sentences:
        raise BadInputError(f"{path}: expected a sentence a line; got no words")
    return sentences


def _say(
    voice: Voice,
    persona: str,
    text: str,
    style: VoiceStyle,
    listener: PatientListener,
    into: _Heard,
) -> None:
    """Say a sentence and have it heard."""
    stream = voice.open(PERSONAS[persona].voice)
    begin = time.process_time()
    first: float | None = None
    chunks = []
    for chunk in stream.say(SpeechRequest(text, style, 0)):
        if first is None:
            first = time.process_time() - begin
        chunks.append(chunk)
    chunks += stream.flush()
    spent = time.process_time() - begin
    pcm = np.concatenate([chunk.pcm for chunk in chunks])
    into.spent_s += spent
    into.sound_s += len(pcm) / SPEECH_RATE_HZ
    into.first_ms.append(1000 * (spent if first is None else first))
    _hear(pcm, SPEECH_RATE_HZ, text, listener, into)


def _hear(pcm: Pcm, rate_hz: int, text: str, listener: PatientListener, into: _Heard) -> None:
    low = pcm if rate_hz == INPUT_RATE_HZ else soxr.resample(pcm, rate_hz, INPUT_RATE_HZ)
    into.said.append(" ".join(_WORDS.findall(text.lower())))
    into.heard.append(listener.words(low))
    melody = describe(pcm, rate_hz)
    into.pitches.append(melody.pitch_hz)
    into.ranges.append(melody.range_semitones)


def _listen(folder: Path, listener: PatientListener, *, few: bool) -> dict[str, _Heard]:
    """Return what was heard of each corpus in a folder, and of all."""
    paths: Sequence[Path] = sorted(folder.glob("*.txt"))
    if not paths:
        raise BadInputError(f"{folder}: expected recordings with their words in .txt beside each")
    groups: defaultdict[str, _Heard] = defaultdict(_Heard)
    for path in progress(list(paths[:_FEW] if few else paths), folder.name):
        sound = next(
            (one for one in path.parent.glob(f"{path.stem}.*") if one.suffix != ".txt"), None
        )
        if sound is None:
            raise BadInputError(f"{path}: expected a recording of that name beside it")
        own = _Heard()
        text = read_words(path)
        try:
            _hear(read_recording(sound), INPUT_RATE_HZ, text, listener, own)
        except ValueError as error:
            raise BadInputError(f"{sound}: {error}") from error
        groups[path.stem.partition("-")[0]].add(own)
        groups["all"].add(own)
    return groups
