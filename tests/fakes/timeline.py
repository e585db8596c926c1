"""Scripted timelines for the endpointing: "speech 800; silence 160; words and then" → events."""

from dataclasses import replace

from rt_avatar.config.perception_settings import TurnDetectionSettings
from rt_avatar.engines.end_of_turn import EndOfTurnEngine
from rt_avatar.messages import TurnEvent
from rt_avatar.perception.turn_detector import WINDOW_SAMPLES, TurnDetector, VadFrame

WINDOW_MS = 32
SAMPLES_PER_MS = 16

# What a window of each kind looks like; "echo" is the avatar's own voice in the microphone.
WINDOWS = {
    "speech": VadFrame(0, 0.95, energy_db=-25),
    "faint": VadFrame(0, 0.6, energy_db=-40),
    "likely": VadFrame(0, 0.75, energy_db=-30),
    "television": VadFrame(0, 0.95, energy_db=-37, below_voice_db=12),
    "unsure": VadFrame(0, 0.4, energy_db=-40),
    "silence": VadFrame(0, 0.02, energy_db=-70),
    "hum": VadFrame(0, 0.9, energy_db=-30, is_hum=True),
    "echo": VadFrame(0, 0.95, energy_db=-30, echo=0.9),
    "half-echo": VadFrame(0, 0.95, energy_db=-30, echo=0.4),
    "shout": VadFrame(0, 0.95, energy_db=-12, echo=0.7),
}
PITCH = {"falling": -12.0, "level": 0.0, "rising": 12.0, "unpitched": None}


class Timeline:
    """Plays scripts into an turn_detector; keeps what it decided."""

    def __init__(self, end_of_turn: EndOfTurnEngine | None = None, **settings: object) -> None:
        self.settings = TurnDetectionSettings(**settings)  # type: ignore[arg-type]
        self.turn_detector = TurnDetector(self.settings, end_of_turn)
        self.end_logit: float | None = None
        self.events: list[TurnEvent] = []
        self.pts = 0
        self.slope: float | None = None

    def play(self, script: str) -> list[str]:
        """Play and return the kinds of what was decided meanwhile."""
        n_before = len(self.events)
        for step in script.strip("; ").split(";"):
            word, _, rest = step.strip().partition(" ")
            if word in WINDOWS:
                for _ in range(round(int(rest) / WINDOW_MS)):
                    self.push(WINDOWS[word])
            elif word in PITCH:
                self.slope = PITCH[word]
            elif word == "over":  # what the end-of-turn network says from now on
                self.end_logit = float(rest)
            elif word == "playing":
                self.turn_detector.set_playing(True)
            elif word == "stopped":
                self.turn_detector.set_playing(False)
            elif word == "words":
                self.turn_detector.words(rest)
            elif word == "perhaps":  # as pocketsphinx is of everything
                self.turn_detector.words(rest, 0.65)
            elif word == "own":
                self.turn_detector.set_own_words(rest)
            else:
                raise ValueError(step)
        return [event.kind for event in self.events[n_before:]]

    def push(self, frame: VadFrame) -> None:
        is_voiced = frame.speech_probability >= 0.5
        slope = self.slope if is_voiced else None
        window = replace(frame, pts=self.pts, f0_slope=slope, end_logit=self.end_logit)
        self.events += self.turn_detector.push(window)
        self.pts += WINDOW_SAMPLES

    def silence_before(self, kind: str) -> float:
        """Return the silence, in ms, after which the last event of that kind came."""
        event = [event for event in self.events if event.kind == kind][-1]
        return (event.pts - event.speech_end) / SAMPLES_PER_MS
