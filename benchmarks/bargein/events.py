"""What is said and heard over the replies: voices, listener's sounds, noises → scenes of events.

Everything is brought to a level: voices to that of standard tests (26 dB below full scale), noises
so much above or below it as they are in a room. A scene is one call; its events come in a drawn
order, so that nothing is measured first or last only.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from rt_avatar.benchmarks import sounds
from rt_avatar.benchmarks.bargein.talk import Event
from rt_avatar.benchmarks.peer.media import EchoPath, small_room
from rt_avatar.benchmarks.sounds import SPEECH_DB, Sound
from rt_avatar.benchmarks.speech import SUFFIXES, Utterance, load_utterances, read_recording, trim
from rt_avatar.engines.espeak import VOICES, EspeakEngine
from rt_avatar.engines.tts import SpeechRequest
from rt_avatar.engines.types import SPEECH_RATE_HZ, WIRE_RATE_HZ, VoiceStyle
from rt_avatar.errors import BadInputError

INTERRUPTION: Final = "interruption"
BACKCHANNEL: Final = "backchannel"
CONTROL: Final = "nothing"
ECHO: Final = "echo"
OVER_ECHO: Final = "interruption over echo"
RECORDED: Final = "recorded"  # prefix of an event's name

# Typed by the caller. What is asked at the end is answered at length, whatever is told before it:
# by the default listener in 6.2 to 7.2 s of speech.
_ASKED: Final = "Please tell me who you are and what you can do."
PROMPTS: Final = tuple(
    f"{told} {_ASKED}"
    for told in (
        "I lost my job last week and I feel terrible.",
        "My grandmother died in the spring and I miss her every day.",
        "I am so worried about the exam tomorrow that I cannot sleep.",
        "My best friend moved away and I feel so lonely.",
        "Nobody called me on my birthday and that made me sad.",
    )
)
# What people say who take the turn: holds, corrections, questions, refusals.
INTERRUPTIONS: Final = (
    "Wait, wait, I have to tell you something else first.",
    "No, that is not what I wanted to say at all.",
    "Sorry, can I ask you a question about this?",
    "Actually it was not my brother who said that.",
    "Stop, please, I do not want to talk about it.",
    "And then the phone rang and it was my mother.",
    "Hold on, let me think about that for a second.",
    "But what should I tell them tomorrow morning?",
)
# The commonest listener responses of Jurafsky et al., "Lexical, prosodic, and syntactic cues for
# dialog acts" (1998), table 2. "Mm-hm" is hummed (`sounds.mm_hm`).
BACKCHANNELS: Final = ("mm-hm", "Yeah.", "Right.", "Uh-huh.", "Okay.", "I see.")
# Mean pitch of a hum for each voice: speakers of that age and gender (Baken & Orlikoff,
# "Clinical Measurement of Speech and Voice", 2000, ch. 6).
PITCH_HZ: Final = {
    "young_female": 210.0, "young_male": 125.0, "middle_female": 195.0, "middle_male": 115.0,
    "elderly_female": 180.0, "elderly_male": 130.0, "child_female": 260.0, "child_male": 250.0,
}  # fmt: skip

LONGEST_S: Final = 2.0  # of an interruption; the turn is taken long before
WATCH_S: Final = 0.8  # after a voice or noise: a pause is decided 0.6 s after its beginning
OVER_S: Final = (0.9, 3.0)  # where in a reply an interruption begins, after its first sound
SHORT_S: Final = (0.9, 2.5)  # and a short sound
STEADY_OVER_S: Final = (0.9, 1.5)  # and a noise that lasts
STEADY_S: Final = 3.0
ECHO_S: Final = 5.0  # of a reply with echo, of the 6.2 and more that it lasts

# Active level against the voice's: a cough is louder than speech (by 5 to 15 dB, Korpáš et al.
# 1996), the rest is as loud as it is in a quiet room before a laptop.
IMPULSES: Final = {
    "cough": (sounds.cough, 6.0),
    "door": (sounds.door, 0.0),
    "keyboard": (sounds.keys, -12.0),
    "click": (sounds.click, -12.0),
}
# dB of voice above noise.
PINK_SNR_DB: Final = (20, 10)
BABBLE_SNR_DB: Final = (20, 15, 10)
MUSIC_SNR_DB: Final = (15,)
BABBLE_VOICES: Final = 6
STEADY: Final = (
    *(f"pink {snr_db} dB" for snr_db in PINK_SNR_DB),
    *(f"babble {snr_db} dB" for snr_db in BABBLE_SNR_DB),
    *(f"music {snr_db} dB" for snr_db in MUSIC_SNR_DB),
)

LEVELS_DB: Final = (-10, -20, -30)
DELAYS_MS: Final = (20, 80, 200)


@dataclass(frozen=True, slots=True)
class Amounts:
    """How many events of each kind.

    Attributes:
        interruptions: In all, from all voices in turn.
        calls: Over which they, the listener's sounds and the noises are spread.
        backchannels: In all, from all voices in turn.
        noises: Of each kind and level of noise, by its condition.
        controls: Replies over which nothing happens.
        paths: (level, delay) of echo.
        echoes: Replies left alone on each path.
    """

    interruptions: int
    calls: int
    backchannels: int
    noises: Mapping[str, int]
    controls: int
    paths: Sequence[tuple[int, int]]
    echoes: int


FULL: Final = Amounts(
    interruptions=40, calls=4, backchannels=24,
    noises={**dict.fromkeys(IMPULSES, 5), **dict.fromkeys(STEADY, 2)}, controls=6,
    paths=tuple((level, delay) for level in LEVELS_DB for delay in DELAYS_MS), echoes=2,
)  # fmt: skip
QUICK: Final = Amounts(
    interruptions=8, calls=1, backchannels=4,
    noises=dict.fromkeys(("cough", "door", "keyboard", "babble 15 dB"), 1), controls=1,
    paths=((-20, 80),), echoes=1,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scene:
    """One call: its events in order, and the way of the echo, if there is one."""

    events: Sequence[Event]
    path: tuple[int, int] | None = None  # level in dB, delay in ms

    def echo(self, seed: int) -> EchoPath | None:
        """Return the way of the echo through a room of that seed."""
        if self.path is None:
            return None
        level_db, delay_ms = self.path
        return EchoPath(level_db, delay_ms / 1000, small_room(seed))


class Voices:
    """All voices: synthetic ones, and recordings if folders of them were named."""

    def __init__(self, speech: Path | None, backchannels: Path | None) -> None:
        engine = EspeakEngine()
        variants = [
            Utterance(name, _speak(engine, name, text))
            for name, text in zip(VOICES, INTERRUPTIONS, strict=True)
        ]
        self.babble = [sounds.from_int16(one.pcm) for one in variants[:BABBLE_VOICES]]
        recorded = [] if speech is None else _named(load_utterances(speech))
        self.interruptions = _alternate(recorded, variants)
        self.backchannels = [
            Utterance(text.strip(".").lower(), self._listen(engine, name, text))
            for name, text in zip(cycle(VOICES), BACKCHANNELS * 4, strict=False)
        ]
        if backchannels is not None:
            self.backchannels = _alternate(_recordings(backchannels), self.backchannels)

    @staticmethod
    def _listen(engine: EspeakEngine, name: str, text: str) -> NDArray[np.int16]:
        if text != "mm-hm":
            return _speak(engine, name, text)
        return sounds.to_int16(sounds.at_level(sounds.mm_hm(PITCH_HZ[name]), SPEECH_DB))


def scenes(voices: Voices, amounts: Amounts, seed: int) -> list[Scene]:
    """Draw the calls. The first event of each is an interruption by a caller not heard before."""
    rng = np.random.default_rng(seed)
    spoken = [
        _interrupt(INTERRUPTION, voice, rng)
        for voice in _first(voices.interruptions, amounts.interruptions)
    ]
    others = [
        Event(f"{BACKCHANNEL} {one.name}", one.name, _cut(one.pcm), rng.uniform(*SHORT_S), WATCH_S)
        for one in _first(voices.backchannels, amounts.backchannels)
    ]
    others += _noises(voices, amounts.noises, rng)
    silent = np.zeros(0, np.int16)
    others += [
        Event(CONTROL, "", silent, rng.uniform(1.5, 4.0), 0.0) for _ in range(amounts.controls)
    ]
    ordered = []
    order = rng.permutation(len(others))
    for call in range(amounts.calls):
        mine, rest = spoken[call :: amounts.calls], order[call :: amounts.calls]
        events = [*mine[1:], *(others[index] for index in rest)]
        ordered.append(Scene([mine[0], *(events[index] for index in rng.permutation(len(events)))]))
    turns = cycle(voices.interruptions)
    for level_db, delay_ms in amounts.paths:
        label = f"{ECHO} {level_db} dB {delay_ms} ms"
        alone = [Event(label, "", silent, ECHO_S, 0.0) for _ in range(amounts.echoes)]
        over = _interrupt(OVER_ECHO, next(turns), rng)
        ordered.append(Scene([*alone, over], (level_db, delay_ms)))
    return ordered


def _noises(voices: Voices, counts: Mapping[str, int], rng: np.random.Generator) -> Iterator[Event]:
    """Give so many of each condition, each time another sound."""
    for condition, count in counts.items():
        make, above_db = IMPULSES.get(condition) or _steady(voices, condition)
        where = SHORT_S if condition in IMPULSES else STEADY_OVER_S
        for _ in range(count):
            sound = sounds.at_level(make(int(rng.integers(2**31))), SPEECH_DB + above_db)
            pcm = sounds.to_int16(sound)
            yield Event(condition, condition, pcm, rng.uniform(*where), WATCH_S)


def _steady(voices: Voices, condition: str) -> tuple[Callable[[int], Sound], float]:
    """Return who makes a steady noise ("pink 20 dB") of a seed, and its level against a voice."""
    kind, snr_db, _ = condition.split()
    makers: dict[str, Callable[[int], Sound]] = {
        "pink": lambda seed: sounds.pink(seed, STEADY_S),
        "babble": lambda seed: sounds.babble(voices.babble, seed, STEADY_S),
        "music": lambda seed: sounds.music(seed, STEADY_S),
    }
    return makers[kind], -float(snr_db)


def _interrupt(condition: str, voice: Utterance, rng: np.random.Generator) -> Event:
    return Event(condition, voice.name, _cut(voice.pcm), rng.uniform(*OVER_S), WATCH_S)


def _cut(pcm: NDArray[np.int16]) -> NDArray[np.int16]:
    """Bring a voice to its level and to its length; it still begins with its onset."""
    pcm = pcm[: round(LONGEST_S * WIRE_RATE_HZ)]
    return sounds.to_int16(sounds.at_level(sounds.from_int16(pcm), SPEECH_DB))


def _speak(engine: EspeakEngine, voice: str, text: str) -> NDArray[np.int16]:
    """Return (samples,) at 48 kHz that begin with the onset."""
    stream = engine.open(voice)
    chunks = stream.push(SpeechRequest(text, VoiceStyle(), 0)) + stream.flush()
    pcm = np.concatenate([chunk.pcm for chunk in chunks])
    wide = soxr.resample(pcm, SPEECH_RATE_HZ, WIRE_RATE_HZ)
    return trim(sounds.to_int16(wide.astype(np.float64)))


def _named(recordings: Sequence[Utterance]) -> list[Utterance]:
    return [Utterance(f"{RECORDED} {one.name}", one.pcm) for one in recordings]


def _recordings(folder: Path) -> list[Utterance]:
    """Read listeners' sounds, which are shorter than what ``load_utterances`` takes.

    Raises:
        BadInputError: There is none, or one cannot be read or holds no voice.
    """
    files = sorted(file for file in folder.glob("*.*") if file.suffix.lower() in SUFFIXES)
    if not files:
        raise BadInputError(f"{folder}: expected recordings (WAV or FLAC), found none")
    return _named([Utterance(file.stem, trim(read_recording(file))) for file in files])


def _alternate(first: Sequence[Utterance], second: Sequence[Utterance]) -> list[Utterance]:
    """Return one of each in turn, the shorter row round and round, until all were there."""
    if not first or not second:
        return [*first, *second]
    turns = max(len(first), len(second))
    pairs = zip(_first(first, turns), _first(second, turns), strict=True)
    return [one for pair in pairs for one in pair]


def _first(voices: Sequence[Utterance], count: int) -> list[Utterance]:
    return list(islice(cycle(voices), count))
