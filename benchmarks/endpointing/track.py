"""What turn detection is told of a turn, 32 ms at a time, and what a detector makes of it.

A track is made once: windows as in a call, and the words as the recogniser found them (or the
row's own words, so much later). Every detector is played the same track.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from rt_avatar.benchmarks.endpointing.policy import STEP_S, STEPS, Silence
from rt_avatar.benchmarks.endpointing.turns import Turn
from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.contract import Stream
from rt_avatar.engines.end_of_turn import EndOfTurnModel
from rt_avatar.engines.prosody import ProsodyEngine
from rt_avatar.engines.recognition import Hypothesis
from rt_avatar.engines.silero import WINDOW_SAMPLES, SileroEngine
from rt_avatar.engines.training.end_of_turn.sounds import END_S
from rt_avatar.engines.types import INPUT_RATE_HZ, Pcm
from rt_avatar.messages import TurnEventKind
from rt_avatar.perception.audio_recognition import KEPT_SAMPLES
from rt_avatar.perception.turn_detector import TurnDetector, VadFrame
from rt_avatar.perception.window_analysis import WindowAnalyser

WINDOW_S: Final = WINDOW_SAMPLES / INPUT_RATE_HZ
TRANSCRIPT_LAG_S: Final = 0.5  # of a row's own words, as eot-bench has it
_PATIENT_MS: Final = 3_600_000
_NO_REPLY: Final = np.zeros(WINDOW_SAMPLES, np.float32)


class Recogniser(Stream[Pcm, Hypothesis], Protocol):
    """One caller's recogniser."""


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """One turn as turn detection is told of it.

    Attributes:
        turn: Which one.
        frames: Of each window.
        words: Window → the text known from then on, and how far it can be trusted.
    """

    turn: Turn
    frames: Sequence[VadFrame]
    words: dict[int, tuple[str, float]]

    def without_words(self) -> "Track":
        """Return the same turn as one hears it who understands no word."""
        return replace(self, words={})

    def play(self, detector: TurnDetector) -> Iterator[tuple[float, list[TurnEventKind]]]:
        """Tell a detector all; yield the time, in s, behind each window and what it decided."""
        for index, frame in enumerate(self.frames):
            if index in self.words:
                detector.words(*self.words[index])
            kinds = [event.kind for event in detector.push(frame)]
            yield (index + 1) * WINDOW_S, kinds


class TrackMaker:
    """Makes tracks; holds the engines. ``recogniser`` None: turns without words have none."""

    def __init__(
        self, vad: SileroEngine, end_of_turn: EndOfTurnModel, recogniser: Recogniser | None
    ) -> None:
        self._vad = vad
        self._end_of_turn = end_of_turn
        self._prosody = ProsodyEngine()
        self._recogniser = recogniser

    def make(self, turn: Turn) -> Track:
        """Return the track of a turn."""
        frames = self.hear(turn)
        if turn.words is not None:
            return Track(turn, frames, _script(turn))
        words = {} if self._recogniser is None else self._recognise(turn.pcm, frames)
        return Track(turn, frames, words)

    def hear(self, turn: Turn) -> list[VadFrame]:
        """Return the windows of a turn."""
        analyser = WindowAnalyser(self._vad.open(), self._prosody.open(), self._end_of_turn.open())
        frames: list[VadFrame] = []
        for index in range(len(turn.pcm) // WINDOW_SAMPLES):
            pcm = turn.pcm[index * WINDOW_SAMPLES : (index + 1) * WINDOW_SAMPLES]
            windows = analyser.push(pcm, _NO_REPLY, is_playing=False)
            frames += [window.frame for window in windows]
        analyser.close()
        return frames

    def _recognise(self, pcm: Pcm, frames: Sequence[VadFrame]) -> dict[int, tuple[str, float]]:
        """Recognise as in a call: from a little before the voice on, and nothing in pauses."""
        assert self._recogniser is not None, "asked for with a recogniser only"
        words = {}
        detector = patient_detector()
        is_heard, given = False, 0
        for index, frame in enumerate(frames):
            for event in detector.push(frame):
                is_heard = event.kind in ("speech_started", "preemptive_discarded")
            now = (index + 1) * WINDOW_SAMPLES
            if not is_heard:
                given = max(given, now - KEPT_SAMPLES)
                continue
            for hypothesis in self._recogniser.push(pcm[given:now]):
                words[index] = (hypothesis.text, hypothesis.confidence)
            given = now
        self._recogniser.flush()
        return words


def patient_detector(end_of_turn: EndOfTurnModel | None = None) -> TurnDetector:
    """Return a turn detector to which no turn is over; it still says how likely one is."""
    settings = TurnDetectionSettings(
        min_endpointing_delay_ms=_PATIENT_MS, max_endpointing_delay_ms=_PATIENT_MS
    )
    return TurnDetector(settings, end_of_turn)


def _script(turn: Turn) -> dict[int, tuple[str, float]]:
    """Return the text of a row's words at the windows in which they are told."""
    texts: dict[int, tuple[str, float]] = {}
    text = ""
    for word in turn.words or ():
        text = f"{text} {word.text}".strip()
        texts[int((word.end_s + TRANSCRIPT_LAG_S) / WINDOW_S)] = (text, 1.0)
    return texts


def silences_of(track: Track, number: int, detector: TurnDetector) -> list[Silence]:
    """Return the silences of a turn, with what a patient detector thinks in each.

    Args:
        track: Of the turn.
        number: Of the turn.
        detector: One to which no turn is over.
    """
    scores = [detector.end_probability for _ in track.play(detector)]
    found = []
    for begin, end in track.turn.silences:
        is_end = begin == track.turn.end_s
        length_s = END_S if is_end else end - begin
        behind = begin + STEP_S * np.arange(1, min(STEPS, int(length_s / STEP_S) + 1) + 1)
        windows = np.clip((behind / WINDOW_S + 1e-6).astype(int) - 1, 0, len(scores) - 1)
        found.append(Silence(number, length_s, is_end, np.array(scores)[windows]))
    return found


@dataclass(frozen=True, slots=True)
class Answer:
    """When a detector with its delays took a turn for over; ``wait_s`` None: never.

    ``is_early``: before the caller had finished.
    """

    wait_s: float | None
    is_early: bool


def answer_of(track: Track, detector: TurnDetector) -> Answer:
    """Return when a detector, set as in calls, takes a turn for over."""
    for time_s, kinds in track.play(detector):
        if "end_of_turn" in kinds:
            wait_s = time_s - track.turn.end_s
            return Answer(wait_s, is_early=wait_s < 0)
    return Answer(None, is_early=False)
