"""The eight voices by name: which espeak-ng variant, and how it is tuned."""

from dataclasses import dataclass
from typing import Final

from rt_avatar.engines.tts_tone import Tone


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

    @property
    def tone(self) -> Tone:
        """What a filter adds to the variant."""
        return Tone(self.gain_db, self.low_db, self.mid_db, self.high_db)


# Chosen by a recogniser's word errors (`rt-avatar bench quality`): of 58 variants the clearest,
# then pitch, range and tract for the age. espeak-ng's own range is flat, hence the ranges above 1.
# A tract 2-5 % longer than the variants' own and less hiss made the female voices clearer, too.
VOICES: Final[dict[str, Voice]] = {
    "young_female": Voice(
        "f5", rate_wpm=160, pitch=0.98, pitch_range=1.35, formant=0.98, gain_db=0.0, high_db=-3.0
    ),
    "young_male": Voice(
        "m6", rate_wpm=164, pitch=1.14, pitch_range=1.4, formant=1.02, gain_db=-1.2, mid_db=3.0
    ),
    "middle_female": Voice(
        "f2", rate_wpm=153, pitch=0.85, pitch_range=1.4, formant=0.96, gain_db=-2.0, high_db=-2.0
    ),
    "middle_male": Voice("edward", rate_wpm=155, pitch=0.95, pitch_range=1.5, gain_db=-2.6),
    "elderly_female": Voice(
        "f5", rate_wpm=138, pitch=0.8, pitch_range=1.2, formant=0.95, gain_db=0.4, high_db=-4.0
    ),
    "elderly_male": Voice(
        "m6", rate_wpm=138, pitch=0.98, pitch_range=1.2, formant=0.96, gain_db=-0.4, high_db=-3.0
    ),
    "child_female": Voice(
        "f5", rate_wpm=165, pitch=1.3, pitch_range=1.4, formant=1.06, gain_db=-1.0, high_db=-2.0
    ),
    "child_male": Voice(
        "f2", rate_wpm=163, pitch=1.2, pitch_range=1.3, formant=1.05, gain_db=-2.6, high_db=-2.0
    ),
}
