"""The persons: whose voice each one's is made of, and how it is tuned."""

from dataclasses import dataclass, field
from typing import Final

from rt_avatar.engines.tts_tone import Tone


@dataclass(frozen=True, slots=True)
class NanoVoice:
    """One person's voice.

    Attributes:
        speakers: Readers by name and share.
        pitch: Mean pitch against theirs, as heard.
        pitch_range: Range of intonation against theirs.
        rate: Speaking rate against theirs.
        formant: Above 1 shortens the vocal tract (a child), below 1 lengthens it.
        tone: Of a filter behind the generator.
        timbre_db: Of the same filter, gains at ``tts_tone.TIMBRE_HZ``; empty: none.
    """

    speakers: dict[str, float]
    pitch: float = 1.0
    pitch_range: float = 1.0
    rate: float = 1.0
    formant: float = 1.0
    tone: Tone = field(default_factory=lambda: Tone(lowest_db=0.0, top_db=0.0, has_room=False))
    timbre_db: tuple[float, ...] = ()


# Ranges of intonation make up for what the flow leaves out of its readers' (`bench melody`).
VOICES: Final[dict[str, NanoVoice]] = {
    "young_female": NanoVoice({"lj": 1.0}, pitch_range=1.25),
    "young_male": NanoVoice({"460": 1.0}, pitch=1.06, pitch_range=1.5, rate=1.04, formant=1.03),
    "middle_female": NanoVoice({"cathy": 1.0}, pitch_range=1.2),
    "middle_male": NanoVoice({"8629": 1.0}, pitch_range=1.5),
    "elderly_female": NanoVoice(
        {"cathy": 1.0}, pitch=0.9, pitch_range=1.2, rate=0.86, formant=0.96
    ),
    "elderly_male": NanoVoice({"118": 1.0}, pitch=0.95, pitch_range=1.5, rate=0.86, formant=0.97),
    "child_female": NanoVoice({"lj": 1.0}, pitch=1.22, pitch_range=1.25, rate=0.95, formant=1.08),
    "child_male": NanoVoice({"cathy": 1.0}, pitch=1.3, pitch_range=1.2, rate=1.04, formant=1.14),
}
