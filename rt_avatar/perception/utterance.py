"""Accumulate evidence over the VAD windows of one utterance, and gate out echo.

``VadFrame``s in, sums out. Decides nothing about turns (``turn detection`` does).
"""

from dataclasses import dataclass, field
from typing import Final

from rt_avatar.engines.types import INPUT_RATE_HZ
from rt_avatar.perception.speech_level import LIKELY

WINDOW_SAMPLES: Final = 512  # 32 ms at 16 kHz: Silero's window


def to_samples(ms: float) -> int:
    """Return how many samples at 16 kHz last ``ms``."""
    return round(ms * INPUT_RATE_HZ / 1000)


# From this likeness on a window counts as the avatar's own voice coming back.
ECHO_LIKENESS: Final = 0.5
# A caller near the microphone is this much louder than what the loudspeaker leaves after the
# browser's echo cancellation (ITU-T G.168 asks for 20–30 dB of loss; half of the lower is kept).
ECHO_MARGIN_DB: Final = 10.0
# The loudest echo is known after this much of it; before, loudness proves nothing.
_ECHO_LEARN_SAMPLES: Final = to_samples(512)
_ECHO_DECAY_DB: Final = 2.0 * WINDOW_SAMPLES / INPUT_RATE_HZ  # forgets 2 dB a second of echo
# Probability from which a window is clear speech; one at or below LIKELY counts 70 %, so that two
# of them alone do not prove what one and a clear one do.
_CLEAR_PROBABILITY: Final = 0.8
_FAINT_WEIGHT: Final = 0.7
_LOUD_SHARE: Final = 0.5
# Who speaks over another speaks up, so a voice that stays so far below the caller's own of the last
# seconds (which is forgotten by 1 dB a second) is another's.
_BACKGROUND_DB: Final = 9.0


@dataclass(frozen=True, slots=True)
class VadFrame:
    """What is known of one 32 ms window of the microphone.

    Attributes:
        pts: First sample of the window, at 16 kHz.
        speech_probability: 0..1, from the voice activity network.
        energy_db: Level of the window, in dB full scale.
        is_hum: Whether it is a low nasal hum, as in "mm-hm".
        f0_slope: Pitch movement at the end of the window in semitones a second, falling below 0;
            None where unvoiced or unknown.
        echo: 0..1, how much the window looks like the avatar's own voice coming back; 0 while
            the avatar is silent.
        is_guess: Whether it is taken for a voice by its loudness alone.
        below_voice_db: How far it is below the caller's loudest speech of late; 0 if unknown.
        end_logit: Logit that the turn sounds over, from the end-of-turn network; None without it.
    """

    pts: int
    speech_probability: float
    energy_db: float = -30.0
    is_hum: bool = False
    f0_slope: float | None = None
    echo: float = 0.0
    is_guess: bool = False
    below_voice_db: float = 0.0
    end_logit: float | None = None


@dataclass(slots=True)
class EchoGate:
    """Tells the caller's voice from the avatar's own: learns how loud the echo gets."""

    _level_db: float = -120.0
    _learned_samples: int = 0

    def passes(self, frame: VadFrame) -> bool:
        """Return whether the window may be the caller's; learns from it if it is echo."""
        if frame.echo < ECHO_LIKENESS:
            return True
        is_learned = self._learned_samples >= _ECHO_LEARN_SAMPLES
        if is_learned and frame.energy_db > self._level_db + ECHO_MARGIN_DB:
            return True
        self._level_db = max(self._level_db - _ECHO_DECAY_DB, frame.energy_db)
        self._learned_samples += WINDOW_SAMPLES
        return False

    def raise_to(self, level_db: float) -> None:
        """Learn that an echo was as loud as this (its words gave it away)."""
        self._level_db = max(self._level_db, level_db)


@dataclass(slots=True)
class Utterance:
    """One piece of the caller's voice, from its first window on. All counts are samples.

    Attributes:
        start: First voiced sample.
        end: Sample after the last voiced one.
        voiced: How much of it is voiced.
        hum: How much of that is hum.
        trailing_hum: How much hum it ends in, without other voice after it.
        pitched: How much of it has a pitch that is known to move or to stay.
        evidence: How much clear voice that is neither hum nor echo was heard lately.
        guessed: How much of it was taken for a voice by its loudness alone: it is one if the
            network says so before long, and none otherwise.
        slope: Last known movement of the pitch, in semitones a second.
        peak_db: Level of the loudest voiced window.
        below_voice_db: How far that is below the caller's loudest speech of late.
    """

    start: int
    end: int
    voiced: int = 0
    hum: int = 0
    trailing_hum: int = 0
    pitched: int = 0
    evidence: float = 0.0
    guessed: int = 0
    slope: float | None = None
    peak_db: float = field(default=-120.0)
    below_voice_db: float = 0.0

    def add(self, frame: VadFrame, *, is_voiced: bool) -> None:
        """Take the next window."""
        if not is_voiced:
            self.evidence = max(0.0, self.evidence - WINDOW_SAMPLES)
            return
        if frame.is_guess:
            self.guessed += WINDOW_SAMPLES
            self.evidence += WINDOW_SAMPLES * _weight(frame) * (1 - frame.echo) ** 2
            return
        self.end = frame.pts + WINDOW_SAMPLES
        self.voiced += WINDOW_SAMPLES + self.guessed
        self.guessed = 0
        if frame.energy_db > self.peak_db:
            self.peak_db, self.below_voice_db = frame.energy_db, frame.below_voice_db
        if frame.f0_slope is not None:
            self.slope = frame.f0_slope
            self.pitched += WINDOW_SAMPLES
        if frame.is_hum:
            self.hum += WINDOW_SAMPLES
            self.trailing_hum += WINDOW_SAMPLES
            return
        self.trailing_hum = 0
        # Squared: half an echo is worth a quarter, as it is likelier the avatar than the caller.
        # What looks like echo but got here is louder than any echo: three windows of it prove it.
        share = (1 - frame.echo) ** 2 if frame.echo < ECHO_LIKENESS else _LOUD_SHARE
        self.evidence += WINDOW_SAMPLES * share * _weight(frame)

    @property
    def is_background(self) -> bool:
        """Whether it is far quieter than the caller: somebody else in the room, a television."""
        return self.below_voice_db >= _BACKGROUND_DB

    @property
    def is_mostly_hum(self) -> bool:
        """Whether more than half of its voice is hum."""
        return 2 * self.hum > self.voiced


def _weight(frame: VadFrame) -> float:
    """Return how much a window proves: 0.7 up to a probability of 0.6, 1 from 0.8 on."""
    share = (frame.speech_probability - LIKELY) / (_CLEAR_PROBABILITY - LIKELY)
    return _FAINT_WEIGHT + (1 - _FAINT_WEIGHT) * min(1.0, max(0.0, share))
