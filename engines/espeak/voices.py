"""The eight voices by name: which espeak-ng variant, and how it is tuned."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Voice:
    """One voice.

    Attributes:
        variant: espeak-ng's name of the speaker.
        rate_wpm: Its usual rate, as espeak-ng counts words a minute.
        pitch: Mean pitch against the variant's own.
        pitch_range: Range of intonation against the variant's own.
        formant: Above 1 shortens the vocal tract (a child), below 1 lengthens it.
        gain_db: Brings the voice to the common loudness.
        low_db, mid_db, high_db: Tone below 250 Hz, at 1-3 kHz, above 5 kHz.
    """

    variant: str
    rate_wpm: int = 160
    pitch: float = 1.0
    pitch_range: float = 1.0
    formant: float = 1.0
    gain_db: float = 0.0
    low_db: float = 0.0
    mid_db: float = 0.0
    high_db: float = 0.0


VOICES: Final[dict[str, Voice]] = {
    "young_female": Voice("f5"),
    "young_male": Voice("klatt3"),
    "middle_female": Voice("f2"),
    "middle_male": Voice("m6"),
    "elderly_female": Voice("f5", rate_wpm=140, pitch=0.9),
    "elderly_male": Voice("klatt3", rate_wpm=140, pitch=0.9),
    "child_female": Voice("f5", rate_wpm=160, pitch=1.35, formant=1.1),
    "child_male": Voice("f2", rate_wpm=160, pitch=1.25, formant=1.1),
}
